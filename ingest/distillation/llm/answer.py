"""Judge what a model answered: its form as a whole, and each item by the quote that proves it.

A fact, a person and a pattern have to pass the proof of extraction. A commitment, a closing and a
state pass the same proof of their quote: it is in the turn, in the speaker's own words, names
and numbers were said, the clause is the speaker's, and neither asks, supposes, wishes nor denies.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from contracts.named_tuple import NamedTuple
from ingest.distillation.closings import stems
from ingest.distillation.due_dates import due_date
from ingest.distillation.llm.question import FIELDS
from ingest.distillation.sentences import is_past, is_usual
from ingest.distillation.states import score_of
from ingest.distillation.values import (
    SERIES,
    Acquaintance,
    Commitment,
    Done,
    Findings,
    Habit,
    State,
    StatedFact,
)
from ingest.extractor import Utterance
from ingest.extractor.llm.case import Case, Claim
from ingest.extractor.llm.passages import Span
from ingest.extractor.llm.proof import Said, case_of, proof_of
from ingest.extractor.llm.question import LONGEST
from ingest.extractor.values import MODEL

PATTERN_TYPES: Final = ("habit", "schedule", "preference", "communication")
_MOST: Final = 20
"""Items of one list; a model that finds more repeats the text."""

_LONGEST_TEXT: Final = 200
_THOUGHT: Final = re.compile(r"^.*?</think(?:ing)?>", re.DOTALL)
_FENCE: Final = re.compile(r"^\s*```(?:json)?\s*|\s*```\s*$")
_WISHED: Final = re.compile(r"(?i)\b(?:wish|would|i'd|if only|maybe|perhaps|might|want)\b")
_FIRST_PERSON: Final = re.compile(r"(?i)\b(?:i|i'm|i've|my|me|mine|you|your)\b")
_IS_DONE: Final = re.compile(
    r"(?i)\b(?:is|are|was|were|been|got|gets|'s|'re) (?:\w+ )?(?:\w+(?:ed|en|ne|nt|ld|id|pt)|off|out|in)\b"
)
"""Something is done, as in "the tap is repaired"."""

_NEARLY: Final = re.compile(
    r"(?i)\b(?:nearly|almost|half|not|yet|still|will|going to|gonna|tomorrow|should|need|must)\b|n't\b"
)

Item = Mapping[str, str]


class Answer(NamedTuple):
    """The believed part of an answer, and the number of items that are not, by reason."""

    findings: Findings
    rejected: Mapping[str, int]


class Invalid(NamedTuple):
    """The fault of an answer that does not have the form that was asked for."""

    fault: str


class _Judge(NamedTuple):
    said: Said
    loops: Sequence[str]

    def claimed(self, content: str, item: Item, *, whose: str = "") -> Span | str:
        """Return the place that proves a lasting fact, or why nothing does."""
        who = self.said.subject
        claim = Claim(f"{who}{content}", item["quote"], whose or who, False, who)
        return proof_of(claim, self.said)

    def stated(self, content: str, item: Item) -> Case | str:
        """Return the clause of the speaker that a quote is from, or why it proves nothing."""
        who = self.said.subject
        case = case_of(Claim(f"{who} {content}", item["quote"], who, False, who), self.said)
        if isinstance(case, str):
            return case
        passage = case.passage
        if passage.is_asked:
            return "asked"
        if case.said("supposed", passage.scope) or _WISHED.search(passage.scope):
            return "supposed"
        return "denied" if case.said("denied", passage.lead) else case

    def of_speaker(self, content: str, item: Item) -> Case | str:
        """Return the same of a clause whose subject is the speaker."""
        case = self.stated(content, item)
        if isinstance(case, str):
            return case
        is_own = case.passage.owner in ("speaker", "own")
        is_own = is_own or case.said("speaker", case.passage.clause)
        return case if is_own else "about somebody else"


def read_answer(
    text: str, utterance: Utterance, before: str = "", loops: Sequence[str] = ()
) -> Answer | Invalid:
    """Return what a model found in an utterance, as far as the utterance proves it."""
    lists = _lists(text)
    if isinstance(lists, Invalid):
        return lists
    judge = _Judge(Said.of(utterance, before, LONGEST), loops)
    rejected: Counter[str] = Counter()
    kept: dict[str, list[Any]] = {}
    for name, items in lists.items():
        for number, item in enumerate(items):
            is_fit = number < _MOST and max(map(len, item.values())) <= LONGEST
            judged = _JUDGES[name](judge, item) if is_fit else "too many"
            if isinstance(judged, str):
                rejected[judged] += 1
            else:
                kept.setdefault(name, []).append(judged)
    findings = Findings(
        commitments=tuple(kept.get("open_loops", ())),
        people=tuple(kept.get("people", ())),
        states=tuple(kept.get("signals", ())),
        facts=tuple(kept.get("facts", ())),
        habits=tuple(kept.get("patterns", ())),
        done=tuple(kept.get("closed", ())),
        by=MODEL,
    )
    return Answer(findings, rejected)


def _lists(text: str) -> Mapping[str, Sequence[Item]] | Invalid:
    """Return the lists of an answer, or what is wrong with its form."""
    plain = _FENCE.sub("", _THOUGHT.sub("", text)).strip()
    try:
        value = json.loads(plain)
    except (ValueError, RecursionError):
        return Invalid("it is not one JSON object")
    if not isinstance(value, dict):
        return Invalid("it is not one JSON object")
    found: dict[str, Sequence[Item]] = {}
    for name, items in value.items():
        fields = FIELDS.get(name)
        if fields is None:
            return Invalid("it has a list of another name")
        if not isinstance(items, list):
            return Invalid(f"{name} is not a list")
        for item in items:
            if not isinstance(item, dict) or set(item) != set(fields):
                return Invalid(f"an item of {name} has not exactly the fields {', '.join(fields)}")
            if not all(isinstance(each, str) for each in item.values()):
                return Invalid(f"a field of {name} is not a text")
        found[name] = items
    return found


def _fact(judge: _Judge, item: Item) -> StatedFact | str:
    key, value = item["key"].replace("_", " ").strip(), item["value"].strip()
    if not (key and value and item["category"].strip()) or "/" in item["category"]:
        return "no content"
    place = judge.claimed(f"'s {key} is {value}", item)
    if isinstance(place, str):
        return place
    return StatedFact(item["category"], item["key"], value, place.start, place.end)


def _person(judge: _Judge, item: Item) -> Acquaintance | str:
    name, relation = item["name"].strip(), item["relationship"].strip().casefold()
    if not name or not relation:
        return "no content"
    whose = f"{judge.said.subject}'s {relation}"
    place = judge.claimed(f"'s {relation} is named {name}", item, whose=whose)
    if isinstance(place, str):
        return place
    return Acquaintance(name, relation, place.start, place.end)


def _habit(judge: _Judge, item: Item) -> Habit | str:
    kind, description = item["pattern_type"].strip(), item["description"].strip()
    if kind not in PATTERN_TYPES or not description:
        return "no content"
    place = judge.claimed(f" {description}", item)
    if isinstance(place, str):
        return place
    return Habit(kind, description, place.start, place.end)


def _commitment(judge: _Judge, item: Item) -> Commitment | str:
    topic = item["topic"].strip(" .!")
    if not topic or len(topic) > _LONGEST_TEXT:
        return "no content"
    case = judge.of_speaker(topic, item)
    if isinstance(case, str):
        return case
    whole = case.passage.whole
    if is_past(whole) or is_usual(case.passage.clause):
        return "not yet" if is_past(whole) else "habit"
    if not stems(topic) & stems(case.passage.whole):
        return "another content"
    to = item["to"].strip()
    to = to if to and to.casefold() in f"{judge.said.before} {judge.said.text}".casefold() else ""
    due = due_date(whole, judge.said.utterance.said_at)
    return Commitment(topic, "task", to, due, case.span.start, case.span.end)


def _done(judge: _Judge, item: Item) -> Done | str:
    if item["topic"] not in judge.loops:
        return "unknown topic"
    case = judge.stated(_FIRST_PERSON.sub("", item["quote"]), item)
    if isinstance(case, str):
        return case
    is_own = case.passage.owner in ("speaker", "own", "nobody")
    if not is_own and not _IS_DONE.search(case.passage.clause):
        return "about somebody else"
    if _NEARLY.search(case.passage.clause):
        return "not yet"
    return Done(item["topic"], case.span.start, case.span.end)


def _state(judge: _Judge, item: Item) -> State | str:
    series, value = item["signal_type"].strip(), item["value"].strip()
    if series not in SERIES or not value or len(value) > _LONGEST_TEXT:
        return "no content"
    case = judge.of_speaker(f"feels {value}", item)
    if isinstance(case, str):
        return case
    if is_past(case.passage.whole):
        return "not yet"
    score = score_of(SERIES[series], case.passage.quote)
    return State(SERIES[series], value, score, case.span.start, case.span.end)


_JUDGES: Final[Mapping[str, Callable[[_Judge, Item], Any]]] = {
    "facts": _fact,
    "people": _person,
    "patterns": _habit,
    "open_loops": _commitment,
    "closed": _done,
    "signals": _state,
}
