"""Judge the facts extracted from a turn against those of a careful person.

A memory that ends others tells as much by what it ends as by its own words.

A memory is right if it states a labelled fact: the same action, the same person, all the words that
the fact needs, denied or not as the fact is, no date but the fact's, no "I" or "my" left, and
nearly the words of one of the fact's forms, none of them made up.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.extraction.labelled import Fact, Turn
from benchmarks.extraction.words import FRAMING, Sentence, words_of
from ingest import Candidate

_CLOSE = 0.6
"""The harmonic mean of common word shares from which two sentences say the same."""

_MOST_WORDS_MORE = 8
"""The most further words of the turn in a memory that contains a whole form."""

_FIRST_PERSON = re.compile(r"\b(?:I|i|me|my|mine|myself|we|our|us|[Mm]y|[Ww]e|[Oo]ur|I'm|im)\b")
_PLAIN = re.compile(r"[a-z0-9&]+")
_SHORTEST_START = 3


@dataclass(slots=True)
class Judged:
    """A turn, its right and wrong candidates, the wrong ends among them, and the missed facts.

    An end is wrong if nothing that the turn tells is over, or if it takes back what the turn tells.
    """

    turn: Turn
    right: list[Candidate] = field(default_factory=list)
    wrong: list[Candidate] = field(default_factory=list)
    found: list[Fact] = field(default_factory=list)
    missed: list[Fact] = field(default_factory=list)
    wrong_ends: list[Candidate] = field(default_factory=list)


def judge(turn: Turn, candidates: Sequence[Candidate]) -> Judged:
    """Compare each candidate with each fact; one with only an optional fact is not counted."""
    judged = Judged(turn)
    told = set[int]()
    for candidate in candidates:
        stated = {
            i
            for i, fact in enumerate(turn.facts)
            if any(states(one, fact, turn=turn) for one in _told_by(candidate))
        }
        told |= stated
        if _ends_wrongly(candidate, [turn.facts[i] for i in stated]):
            judged.wrong_ends.append(candidate)
        if any(not turn.facts[i].optional for i in stated):
            judged.right.append(candidate)
        elif not stated:
            judged.wrong.append(candidate)
    for i, fact in enumerate(turn.facts):
        if not fact.optional:
            (judged.found if i in told else judged.missed).append(fact)
    return judged


def _told_by(candidate: Candidate) -> Iterator[Candidate]:
    """Yield what a candidate says, and what it says to be over."""
    if candidate.content:
        yield candidate
    for content in candidate.ends:
        yield candidate._replace(content=content, action="archive")


def _ends_wrongly(candidate: Candidate, stated: Sequence[Fact]) -> bool:
    if not candidate.ends and candidate.action == "create":
        return False
    return not stated or any(
        candidate.content != fact.content
        and fact.content in candidate.ends
        and fact.action == "create"
        for fact in stated
    )


def states(candidate: Candidate, fact: Fact, *, turn: Turn) -> bool:
    """Return whether a candidate says what the fact says, and nothing that was not said."""
    forms = fact.forms(candidate.action)
    if candidate.content in forms:
        return True
    if not forms or lacks(candidate.content, fact):
        return False
    speaker = turn.utterance.speaker or "User"
    said = Sentence.of(candidate.content, speaker=speaker)
    return _dates_are_right(said, fact, turn=turn) and any(
        _says_the_same(candidate, said, form, turn=turn, speaker=speaker) for form in forms
    )


def _says_the_same(
    candidate: Candidate, said: Sentence, form: str, *, turn: Turn, speaker: str
) -> bool:
    if _FIRST_PERSON.search(candidate.content) and not _FIRST_PERSON.search(form):
        return False
    wanted = Sentence.of(form, speaker=speaker)
    if said.whose != wanted.whose or said.denies != wanted.denies:
        return False
    text = turn.utterance.text
    more = said.words - wanted.words
    if not all(_was_said(word, text) for word in more):
        return False
    common = said.words & wanted.words
    total = len(said.words) + len(wanted.words)
    covered = bool(common) and common == wanted.words and len(more) <= _MOST_WORDS_MORE
    return covered or (total > 0 and 2 * len(common) / total >= _CLOSE)


def _was_said(word: str, text: str) -> bool:
    return (
        word in words_of(text)
        or word in FRAMING
        or (not word.isascii() and word in text.casefold())
    )


def lacks(content: str, fact: Fact) -> bool:
    """Return whether a word that the fact needs is missing."""
    return not all(_has(content, need) for need in fact.needs)


def _has(content: str, need: str) -> bool:
    """Return whether one of the words of a need occurs, whole or as the beginning of another."""
    plain = content.casefold()
    words = re.findall(r"\w+", plain)
    return any(
        part in words
        or (len(part) >= _SHORTEST_START and any(word.startswith(part) for word in words))
        if _PLAIN.fullmatch(part)
        else part in plain
        for part in need.split("/")
    )


def _dates_are_right(said: Sentence, fact: Fact, *, turn: Turn) -> bool:
    """Return whether every date is one of the fact's, as exact or less, or was said so; a past
    event may also have the day on which it was told.
    """
    dates = set(fact.dates)
    if fact.kind in {"event", "end"}:
        dates.add(turn.utterance.said_at.date().isoformat())
    return all(
        date in turn.utterance.text
        or any(date.startswith(one) or one.startswith(date) or date.endswith(one) for one in dates)
        for date in said.dates
    )
