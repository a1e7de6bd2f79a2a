"""The way from an utterance to candidates: its statements, each read by a rule."""

import re
import unicodedata
from collections.abc import Iterator

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from ingest.extractor.appositions import named_in_passing
from ingest.extractor.clauses import Clause, statements
from ingest.extractor.corrections import corrected, over, taken_back
from ingest.extractor.endings import ended
from ingest.extractor.frames import is_framed
from ingest.extractor.languages import in_other_languages
from ingest.extractor.matching import Found, read
from ingest.extractor.plain_clauses import lacks_subject, plain
from ingest.extractor.quoted_spans import COVER, FANTASY, own_words
from ingest.extractor.requests import asked_to_remember, standing_instructions, whole_statement
from ingest.extractor.rules.rule import KIN
from ingest.extractor.subjects import Statement, statement
from ingest.extractor.values import MOST_CHARS, Candidate, Utterance
from ingest.extractor.well_formed import is_well_formed
from ingest.extractor.wording import Told
from ingest.extractor.words.events import GONE, PARTNERS
from ingest.extractor.words.lexicon import FIRST_NAMES
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.phrases import GREETINGS, MOMENTS
from ingest.extractor.words.statements import BESIDES, PERSONAL
from ingest.pii import secrets_in

_PERSONAL = deferred(rf"(?i)\b(?:{any_of(PERSONAL)}|\d\d ?[mf])\b|[^\x00-\x7f]")
"""A word that every statement has in which the rules find something."""

_BESIDES = deferred(rf"(?i)\b(?:{any_of(BESIDES)})\b")
_DECOMPOSED = deferred("[^\\W\\d_][\u0300-\u036f]{1,4}")
"""A letter with accents that are characters of their own, as other systems write "é"."""

_WORD = deferred(r"\w+")
_MOMENT = deferred(rf"(?i)\b(?:{any_of(MOMENTS)})\b")
_OF_ONE_VALUE = frozenset({"place", "work"})
_OPENING = frozenset({"bare name", "died by name"})
"""Rules that believe an unknown name where it opens the turn."""

_I = deferred(r"(?i)\b(?:i|i'm|im|i've|my|me|we|our|us)\b")
_REACH = 300
_PARTNER = deferred(
    rf"(?i)\b(?:(?:with|and|from|to|love) |(?=my \w+ and (?:i|me)\b))my ({any_of(PARTNERS)})\b(?![-']| (?:of|to be|material)\b)"
)
_OVER = deferred(rf"(?i)\b(?:{any_of(GONE)})\b")
"""Words by which a partner may be no more, not yet, or somebody else's."""


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
    if utterance.role != "user" or len(utterance.text) > MOST_CHARS or is_framed(utterance):
        return []
    text = _DECOMPOSED.sub(_composed, utterance.text)
    if text != utterance.text:
        found = extract(utterance._replace(text=text))
        return [_placed(candidate, utterance.text) for candidate in found]
    told = Told((utterance.speaker or "").strip() or "User", utterance.said_at)
    text = own_words(utterance.text, utterance.speaker)
    kept: dict[tuple[str, tuple[str, ...]], Candidate] = {}
    now = list(_of_text(text, utterance, told))
    for candidate in (*_of_before(utterance, told, now), *now):
        if _is_kept(candidate, told):
            kept.setdefault((candidate.content.casefold(), candidate.ends), candidate)
    return list(kept.values())


def _composed(letter: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", letter[0])


def _placed(found: Candidate, text: str) -> Candidate:
    """Return a candidate from a composed text at its place in the text as it was written."""
    start, end = found.start, found.end
    for letter in _DECOMPOSED.finditer(text):
        longer = len(letter[0]) - len(_composed(letter))
        start += longer * (letter.start() < start)
        end += longer * (letter.start() < end)
    return found._replace(start=start, end=end)


def _is_kept(candidate: Candidate, told: Told) -> bool:
    """Return whether a candidate is well formed, and tells what is not known from the speaker."""
    if not candidate.content:
        return bool(candidate.ends)
    if candidate.content.casefold() == f"{told.subject}'s name is {told.subject}".casefold():
        return False
    return "instruction" in candidate.tags or is_well_formed(candidate.content, told.subject)


def _of_before(utterance: Utterance, told: Told, now: list[Candidate]) -> Iterator[Candidate]:
    """Yield what this turn takes back or corrects of the same person's turn before."""
    if not utterance.before or len(utterance.before) > MOST_CHARS:
        return
    end = len(utterance.text)
    if back := taken_back(utterance.text):
        said = extract(utterance._replace(text=utterance.before, before=""))
        if ends := tuple(over(back, said, now, utterance.before)):
            yield Candidate("", tags=("end",), rule="taken back", end=end, ends=ends)
            return
    text = own_words(utterance.before, utterance.speaker)
    before = _read(text, told)
    yield from (one._replace(end=end) for one in corrected(utterance.text.strip(), before, told))


def _read(text: str, told: Told) -> list[Found]:
    return [found for said in _said(text, told) for found in read(said.about, told)]


def _of_text(text: str, utterance: Utterance, told: Told) -> Iterator[Candidate]:
    """Yield what the turn itself says: its instructions, its statements, and names in passing."""
    yield from standing_instructions(text, utterance, told)
    yield from in_other_languages(text, told)
    known: dict[str, None] = {}
    for said in _said(text, told):
        for each in _of_statement(said, told):
            known[f"{each.content} {each.ends}"] = None
            yield each
    names = " ".join(known)
    for each in named_in_passing(text, told):
        if f"named {each.content.rpartition(' named ')[2]}" not in names:
            names = f"{names} {each.content}"
            yield each
    near = None if names or len(text) > _REACH or _OVER.search(text) else _PARTNER.search(text)
    if near:
        has = f"{told.subject} has a {near[1].lower()}"
        yield Candidate(has, tags=KIN.tags, rule="partner", start=near.start(), end=near.end())


def _of_statement(said: _Said, told: Told) -> Iterator[Candidate]:
    found = ended(said.about, told) or [one.candidate(told) for one in read(said.about, told)]
    found = [each for each in found if _is_meant(each, said)]
    if not found and said.important:
        found = [] if secrets_in(said.clause.text) else whole_statement(said.text, told)
    if found and found[0].rule == "died":
        who, name = said.about.relation, said.about.given
        over = [f"'s {who} is named {name}"] * bool(name) + [f" has a {who}"] * (who in PARTNERS)
        found = [found[0]._replace(ends=(*found[0].ends, *(told.subject + one for one in over)))]
    unsure = _BESIDES.search(said.clause.text) is not None or not said.certain
    for each in found:
        yield each._replace(
            start=said.clause.start,
            end=said.clause.end,
            importance=1 if said.important else each.importance,
            certain=each.certain and not (unsure and each.tags[0] in _OF_ONE_VALUE),
        )


def _is_meant(found: Candidate, said: _Said) -> bool:
    """Return whether a liking is to last, nothing is of a tale, and an unknown name is introduced.

    A favourite of these days is the present one.
    """
    if "preference" in found.tags:
        return found.rule == "favourite" or _MOMENT.search(said.clause.text) is None
    name = found.content.rpartition(" is ")[2].partition(" ")[0]
    is_name = found.rule not in _OPENING or said.opening or name.casefold() in FIRST_NAMES
    return is_name and FANTASY.search(said.clause.text) is None


def _said(text: str, told: Told) -> Iterator[_Said]:
    """Yield the statements of a text."""
    for clause in statements(text):
        if not _PERSONAL.search(clause.text):
            continue
        unsaid = lacks_subject(clause.text)
        if unsaid and not _is_of_speaker(text, clause.start):
            continue
        said, important = asked_to_remember(plain(clause.text))
        said = plain(said) if important else said
        about = statement(said, told.subject)
        if about is not None:
            before = text[: clause.start].lower() if clause.start < _REACH else "late"
            opening = GREETINGS.issuperset(_WORD.findall(before))
            yield _Said(clause, said, about, important, unsaid in ("", "verb"), opening)


def _is_of_speaker(text: str, start: int) -> bool:
    """Return whether the "I" that a clause lacks is the speaker: the sentence before is theirs."""
    before = text[max(0, start - _REACH) : start].rstrip(f" \t-*•\"'({COVER}")
    if not before.strip():
        return " " in text.strip()
    last = re.split(r"(?<=[.!?\n…])\s+", before.strip())[-1]
    return before[-1] in ".!?\n…;:" and _I.search(last) is not None
