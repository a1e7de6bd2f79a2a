"""The way from an utterance to candidates: its statements, each read by a rule."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ingest.extractor.appositions import aged_in_passing, named_in_passing
from ingest.extractor.clauses import Clause, statements
from ingest.extractor.corrections import corrected, is_taken_back
from ingest.extractor.endings import ended
from ingest.extractor.languages import in_other_languages
from ingest.extractor.matching import read
from ingest.extractor.plain_clauses import lacks_subject, plain
from ingest.extractor.quoted_spans import COVER, FANTASY, own_words
from ingest.extractor.requests import asked_to_remember, standing_instructions, whole_statement
from ingest.extractor.subjects import WITH, Statement, refers_to, statement
from ingest.extractor.values import Candidate, Utterance
from ingest.extractor.well_formed import is_well_formed
from ingest.extractor.wording import Told
from ingest.extractor.words.lexicon import FIRST_NAMES, KIN, PETS
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.phrases import GREETINGS, MOMENTS
from ingest.pii import secrets_in

_PERSONAL = re.compile(
    r"(?i)\b(?:i|i'm|im|i've|ive|my|we|our|me|he|she|they|it|his|her|its|remember|note|died|passed|cancell?ed|this|side|english|based|allergic|moved|love|"
    r"hate|live|vegan|vegetarian|married|retired|got|just|born|\d\d ?[mf]|working|flying|moving|not)\b|[^\x00-\x7f]"
)
"""A word that every statement has in which the rules find something."""

_BESIDES = re.compile(
    r"(?i)\b(?:also|too|second|another|side|part[- ]time|weekends?|temporar\w+|for now|sometimes|occasionally|"
    r"used|between|both)\b"
)
_WORD = re.compile(r"\w+")
_LIKING = re.compile(r"(?i)\b(?:lov|lik|enjoy|hat|prefer|favou?rite|fan\b|into\b)")
_MOMENT = re.compile(rf"(?i)\b(?:{any_of(MOMENTS)})\b")
_OF_ONE_VALUE = frozenset({"place", "work"})
_I = re.compile(r"(?i)\b(?:i|i'm|im|i've|my|me|we|our|us)\b")
_ABOUT_OTHERS = re.compile(r"(?i), (?:this|that|the|its?|s?he|they|his|her|\w+ (?:is|was|has))\b")
_SOMEBODY = re.compile(r"(?i:\b(?:he|she|they|it|his|her|their|its|this|who)\b)|\w ,?[A-Z]\w")
_TO_DO = re.compile(r"(?i)\bto [a-z]+\b|^i\W*$")
_FEW_WORDS = 8
_REACH = 300
_PRONOUN = re.compile(r"(?i)(?P<who>she|he|they|it|his|her|its|their)\b(?P<is>'s\b)?")
_SUBJECTIVE = {"his": "he", "her": "she", "its": "it", "their": "they"}
_OTHERS = re.compile(
    r"(?i)\b(?:your?|my (?:friend|boss|colleague|neighbou?r|roommate|coworker|teacher)|she|he|they)\b"
)


class _Said(NamedTuple):
    """A clause with whose statement it is, and whether it is to be remembered."""

    clause: Clause
    text: str
    about: Statement
    important: bool
    certain: bool = True
    opening: bool = False


def extract(utterance: Utterance) -> list[Candidate]:
    """Return what the rules find, in the order of the text; equal sentences once. It never raises."""
    if utterance.role != "user":
        return []
    told = Told((utterance.speaker or "").strip() or "User", utterance.said_at)
    text = own_words(utterance.text, utterance.speaker)
    found: dict[tuple[str, tuple[str, ...]], Candidate] = {}
    for candidate in (*_of_before(utterance, told), *_of_text(text, utterance, told)):
        if _is_kept(candidate, told):
            found.setdefault((candidate.content.casefold(), candidate.ends), candidate)
    return list(found.values())


def _is_kept(candidate: Candidate, told: Told) -> bool:
    """Return whether a candidate is well formed, and tells what is not known from the speaker."""
    if not candidate.content:
        return bool(candidate.ends)
    if candidate.content.casefold() == f"{told.subject}'s name is {told.subject}".casefold():
        return False
    return "instruction" in candidate.tags or is_well_formed(candidate.content, told.subject)


def _of_before(utterance: Utterance, told: Told) -> Iterator[Candidate]:
    """Yield what this turn takes back or corrects of the same person's turn before."""
    if not utterance.before:
        return
    end = len(utterance.text)
    if is_taken_back(utterance.text):
        said = extract(utterance._replace(text=utterance.before, before=""))
        if ends := tuple(one.content for one in said if one.content):
            yield Candidate("", tags=("end",), rule="taken back", end=end, ends=ends)
        return
    text = own_words(utterance.before, utterance.speaker)
    before = [found for said in _said(text, told) for found in read(said.about, told)]
    for candidate in corrected(utterance.text.strip(), before, told):
        yield candidate._replace(end=end)


def _of_text(text: str, utterance: Utterance, told: Told) -> Iterator[Candidate]:
    """Yield what the turn itself says: its instructions, its statements, and names in passing."""
    yield from standing_instructions(text, utterance, told)
    yield from in_other_languages(text, told)
    names = ""
    for said in _said(text, told):
        for each in _of_statement(said, told):
            names = f"{names} {each.content} {each.ends}"
            yield each
    yield from aged_in_passing(text, told)
    for each in named_in_passing(text, told):
        if f"named {each.content.rpartition(' named ')[2]}" not in names:
            names = f"{names} {each.content}"
            yield each


def _of_statement(said: _Said, told: Told) -> Iterator[Candidate]:
    if FANTASY.search(said.clause.text) and not _LIKING.search(said.clause.text):
        return
    found = ended(said.about, told) or [one.candidate(told) for one in read(said.about, told)]
    found = [each for each in found if _is_meant(each, said)]
    if not found and said.important:
        found = [] if secrets_in(said.clause.text) else whole_statement(said.text, told)
    if found and found[0].rule == "died" and said.about.given:
        name = f"{told.subject}'s {said.about.relation} is named {said.about.given}"
        found = [each._replace(ends=(*each.ends, name)) for each in found]
    unsure = _BESIDES.search(said.clause.text) is not None or not said.certain
    for each in found:
        yield each._replace(
            start=said.clause.start,
            end=said.clause.end,
            importance=1 if said.important else each.importance,
            certain=each.certain and not (unsure and each.tags[0] in _OF_ONE_VALUE),
        )


def _is_meant(found: Candidate, said: _Said) -> bool:
    """Return whether a liking is to last, and an unknown name is said where people say theirs."""
    if "preference" in found.tags:
        return _MOMENT.search(said.clause.text) is None
    name = found.content.rpartition(" is ")[2].partition(" ")[0]
    return found.rule != "bare name" or said.opening or name.casefold() in FIRST_NAMES


def _said(text: str, told: Told) -> Iterator[_Said]:
    """Yield the statements of a text; "she" is the one relative of whom was spoken last."""
    last: Statement | None = None
    at = 0
    for clause in statements(text):
        between = text[at : clause.start]
        last, at = (
            _spoken_of(between, told) or (None if _OTHERS.search(between) else last),
            clause.end,
        )
        if not _PERSONAL.search(clause.text):
            continue
        unsaid = lacks_subject(clause.text)
        if unsaid and not _is_of_speaker(text, clause, unsaid):
            continue
        said, important = asked_to_remember(plain(clause.text))
        said = plain(said) if important else said
        about = _resumed(said, last, told) or statement(said, told.subject)
        if about is not None:
            yield _Said(
                clause,
                said,
                about,
                important,
                certain=unsaid in ("", "verb"),
                opening=set(_WORD.findall(text[: clause.start].lower())) <= GREETINGS,
            )
        last = _spoken_of(clause.text, told) or (
            about if about and about.relation in KIN | PETS else None
        )


def _is_of_speaker(text: str, clause: Clause, unsaid: str) -> bool:
    """Return whether the "I" that a clause lacks is the speaker: what stands around shows it."""
    before = text[max(0, clause.start - _REACH) : clause.start].rstrip(f" \t-*•\"'({COVER}")
    if unsaid != "verb" and _ABOUT_OTHERS.match(text, clause.end):
        return False
    if not before:
        return True
    last = re.split(r"(?<=[.!?\n…])\s", before.strip())[-1]
    is_of_nobody = len(last.split()) <= _FEW_WORDS and not _SOMEBODY.search(last)
    if last[-1] not in ".!?\n…;:":
        return last[-1] == "," and is_of_nobody and not _TO_DO.search(last)
    return is_of_nobody or _I.search(last) is not None


def _resumed(said: str, last: Statement | None, told: Told) -> Statement | None:
    """Return the statement of a relative whom a pronoun stands for."""
    match = _PRONOUN.match(said) if last is not None else None
    if match is None or last is None:
        return None
    pronoun = match["who"].lower()
    if not refers_to(_SUBJECTIVE.get(pronoun, pronoun), last.relation):
        return None
    own = "'s" if pronoun in _SUBJECTIVE else ""
    about = statement(f"my {last.relation}{own} {said[match.end() :].strip()}", told.subject)
    return None if about is None else about._replace(subject=last.subject)


@cache
def _relative() -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:my|our|an?) ((?:{WITH}|[a-z]+ )({any_of(KIN | PETS)}))\b(?!'s|-)")


def _spoken_of(text: str, told: Told) -> Statement | None:
    """Return the one relative or pet of whom a text speaks, if it is one."""
    found = _relative().findall(text)
    if len(found) != 1:
        return None
    return Statement(f"{told.subject}'s {found[0][1].lower()}", "", found[0][1].lower())
