"""Judge what a model answered, item by item: a candidate, or the reason why it is refused."""

import re
from typing import Any, Final

from contracts.named_tuple import NamedTuple
from ingest.extractor.llm.case import Claim
from ingest.extractor.llm.languages import RELIABLE
from ingest.extractor.llm.proof import Said, proof_of
from ingest.extractor.llm.question import LONGEST
from ingest.extractor.llm.reading import Item, read_items
from ingest.extractor.llm.single_statements import is_single_statement
from ingest.extractor.llm.weights import Fault
from ingest.extractor.values import MODEL, Action, Candidate, Utterance

_MOST: Final = 20
"""Candidates of one turn; a model that finds more repeats the text."""

_MOST_READ: Final = 100
"""Items that are looked at."""

_LONGEST_CONTENT: Final = 200
_MOST_TAGS: Final = 5
_TAG: Final = re.compile(r"[^\W_][\w -]{0,28}[^\W_]|[^\W_]")
_RESERVED: Final = frozenset({"pii", "secret", "instruction"})
"""Tags that this program gives for reasons of its own."""

_YES: Final = frozenset({"1", "1.0", "true", "yes", "high", "important"})
_ACTIONS: Final[dict[str, Action]] = {"create": "create", "archive": "archive"}
_USER: Final = re.compile(r"^(?:the )?user(?![a-z])", re.IGNORECASE)


class Answer(NamedTuple):
    """What is believed of a model's answer.

    dropped  the reason for each item that is not
    fault    why the answer could not be read at all: `empty`, `refused` or `no JSON`
    """

    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[str, ...] = ()
    fault: str | None = None


def read_answer(text: str, utterance: Utterance, before: str = "") -> Answer:
    """What the model found in the utterance, as far as the utterance proves it.

    It never raises. `before` is what the model was told to have been said before.
    """
    reading = read_items(text)
    said = Said.of(utterance, before, LONGEST)
    candidates: dict[tuple[str, str], Candidate] = {}
    dropped = []
    for item in reading.items[:_MOST_READ]:
        judged = _judged(item, said)
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


def _judged(item: Item, said: Said) -> Candidate | Fault:
    claim = claim_of(item, said)
    content = claim.content
    if not content:
        return "no content"
    action = _action(item)
    if action is None:
        return "unknown action"
    if len(content) > _LONGEST_CONTENT:
        return "too long"
    place = proof_of(claim, said)
    if isinstance(place, str):
        return place
    ends = (_sentence(end, said) for end in _listed(item.ends))
    over = (
        end for end in ends if end and not _refuted(claim._replace(content=end, is_over=True), said)
    )
    return Candidate(
        content,
        action,
        _importance(item.importance),
        _tags(item.tags),
        MODEL,
        place.start,
        place.end,
        ends=tuple(dict.fromkeys(over)) if action == "create" else (),
        certain=said.language in RELIABLE,
    )


def claim_of(item: Item, said: Said) -> Claim:
    """What an item says of a turn; one without a quote has a turn of one statement for it."""
    content, is_over = _sentence(item.content, said), _action(item) == "archive"
    quote, language = _line(item.quote), said.language
    if not quote and language and is_single_statement(said.text, content, language):
        quote = _line(said.text)
    return Claim(content, quote, _line(item.whose), is_over, said.subject)


def _action(item: Item) -> Action | None:
    return _ACTIONS.get(str(item.action).strip().casefold())


def _refuted(claim: Claim, said: Said) -> bool:
    return len(claim.content) > _LONGEST_CONTENT or isinstance(proof_of(claim, said), str)


def _line(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _listed(value: Any) -> list[Any]:
    """Some items, where a model may give one alone."""
    return [value] if isinstance(value, str) else list(value) if isinstance(value, list) else []


def _sentence(value: Any, said: Said) -> str:
    """One line without quotes and full stop around it, about the person by their name."""
    line = _line(value).strip(" \"'\u201c\u201d").rstrip(".!\u3002")
    return _USER.sub(lambda _: said.subject, line)


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
