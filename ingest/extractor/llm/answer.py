"""Judges what a model answered, item by item: a candidate, or the reason why it is dropped."""

import re
from typing import Any, Final, NamedTuple

from ingest.extractor.llm.claims import Fault, support_of
from ingest.extractor.llm.grounding import Source
from ingest.extractor.llm.question import LONGEST, stated_in, subject_of
from ingest.extractor.llm.reading import Item, read_items
from ingest.extractor.values import Action, Candidate, Utterance

RULE: Final = "llm"

_MOST: Final = 20
"""Candidates of one turn; a model that finds more repeats the text."""

_MOST_READ: Final = 100
"""Items that are looked at."""

_LONGEST_CONTENT: Final = 200
_MOST_TAGS: Final = 5
_TAG: Final = re.compile(r"[^\W_][\w -]{0,28}[^\W_]|[^\W_]")
_RESERVED: Final = frozenset({"pii", "secret"})
"""Tags that this program gives for reasons of its own."""

_YES: Final = frozenset({"1", "1.0", "true", "yes", "high", "important"})
_ACTIONS: Final[dict[str, Action]] = {"create": "create", "archive": "archive"}
_USER: Final = re.compile(r"^(?:the )?user(?='s|\u2019s|\b)", re.IGNORECASE)


class Answer(NamedTuple):
    """What is believed of a model's answer.

    dropped  the reason for each item that is not
    fault    why the answer could not be read at all: `empty`, `refused` or `no JSON`
    """

    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[str, ...] = ()
    fault: str | None = None


def read_answer(text: str, utterance: Utterance, before: str = "") -> Answer:
    """What the model found in the utterance, as far as the utterance supports it.

    It never raises. `before` is what the model was told to have been said before.
    """
    reading = read_items(text)
    source = Source.of(stated_in(utterance), before, utterance)
    all_said = Source.of(utterance.text[:LONGEST], before, utterance)
    candidates: dict[tuple[str, str], Candidate] = {}
    dropped = []
    for item in reading.items[:_MOST_READ]:
        judged = _judged(item, utterance, source, all_said)
        if isinstance(judged, str):
            dropped.append(judged)
            continue
        key = (judged.action, judged.content.casefold())
        if key in candidates:
            dropped.append("repeated")
        elif len(candidates) == _MOST:
            dropped.append("too many")
        else:
            candidates[key] = judged
    dropped += ["too many"] * len(reading.items[_MOST_READ:])
    return Answer(tuple(candidates.values()), tuple(dropped), reading.fault)


def _judged(
    item: Item, utterance: Utterance, source: Source, all_said: Source
) -> Candidate | Fault:
    if not isinstance(item.content, str) or not item.content.strip():
        return "no content"
    action = _ACTIONS.get(str(item.action).strip().casefold())
    if action is None:
        return "unknown action"
    content = _canonical(item.content, subject_of(utterance))
    if len(content) > _LONGEST_CONTENT:
        return "too long"
    support = support_of(content, source, all_said, is_over=action == "archive")
    if isinstance(support, str):
        return support
    return Candidate(
        content,
        action,
        _importance(item.importance),
        _tags(item.tags),
        RULE,
        support.start,
        support.end,
    )


def _canonical(content: str, subject: str) -> str:
    """One line without quotes and full stop around it, about `subject` by its name."""
    line = " ".join(content.split()).strip(" \"'\u201c\u201d").rstrip(".!")
    return _USER.sub(lambda _: subject, line)


def _importance(value: Any) -> int:
    """1 for every way in which models say so."""
    if isinstance(value, bool | int | float):
        return int(value >= 0.5)
    return int(str(value).strip().casefold() in _YES)


def _tags(value: Any) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        return ()
    cleaned = (part.strip().casefold() for part in parts if isinstance(part, str))
    fit = (tag for tag in cleaned if _TAG.fullmatch(tag) and tag not in _RESERVED)
    return tuple(dict.fromkeys(fit))[:_MOST_TAGS]
