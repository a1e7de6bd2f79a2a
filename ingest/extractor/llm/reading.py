"""Reads the items in what a model wrote, however it wrapped or broke them.

Models put fences and prose around JSON, answer with a list of strings, with an object that has the
list somewhere inside, or stop in the middle. What can be read is read; what it says is judged
elsewhere.
"""

import json
import re
from typing import Any, Final

from contracts.named_tuple import NamedTuple

_LONGEST: Final = 100_000
_MOST_STARTS: Final = 2_000
"""Places at which a value may begin that are tried: what is worth it comes early."""

_DEEPEST: Final = 4
_CONTENT: Final = ("content", "memory", "fact", "text")
_THOUGHT: Final = re.compile(r"^.*?</think(?:ing)?>", re.DOTALL)
_LAST_COMMA: Final = re.compile(r",(?=\s*[\]}])")
"""No JSON has it; many models write it."""

_START: Final = re.compile(r"[\[{]")
_NEXT: Final = re.compile(r'[\s,]*"')
"""Up to a string in a list of strings."""

_SORRY: Final = re.compile(
    r"\b(?:sorry|apologi[sz]e|can(?:no|['\u2019])t (?:help|assist|do|comply|provide|process)|"
    r"unable to|not able to|won['\u2019]t)\b",
    re.IGNORECASE,
)

Fault = str
"""Why an answer holds nothing that can be read: `empty`, `refused` or `no JSON`."""


class Item(NamedTuple):
    """One item as the model gave it; `content` may be anything."""

    content: Any
    importance: Any = 0
    tags: Any = ()
    action: Any = "create"
    quote: Any = ""
    whose: Any = ""
    ends: Any = ()


class Reading(NamedTuple):
    """The items of an answer, and why there is none if nothing could be read."""

    items: tuple[Item, ...] = ()
    fault: Fault | None = None


def read_items(text: str) -> Reading:
    """Every item in the answer, in order. It never raises."""
    text = _LAST_COMMA.sub("", _THOUGHT.sub("", text[:_LONGEST])).strip()
    if not text:
        return Reading(fault="empty")
    values = _values(text)
    if values is None:
        return Reading(fault="refused" if _SORRY.search(text[:300]) else "no JSON")
    return Reading(tuple(item for value in values for item in _items(value, _DEEPEST)))


def _values(text: str) -> list[Any] | None:
    """The outermost values of JSON that are whole; None if there are none."""
    decoder = json.JSONDecoder()
    found: list[Any] = []
    place = 0
    for _ in range(_MOST_STARTS):
        start = _START.search(text, place)
        if start is None:
            break
        try:
            value, place = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            place = start.end()
        else:
            found.append(value)
    return found or _strings(text) or None


def _strings(text: str) -> list[Any]:
    """The whole strings at the head of a list of strings that was broken off."""
    decoder = json.JSONDecoder(strict=False)
    found: list[Any] = []
    place = text.find("[") + 1
    while (start := _NEXT.match(text, place)) is not None:
        try:
            value, place = decoder.raw_decode(text, start.end() - 1)
        except ValueError:
            break
        found.append(value)
    return found


def _items(value: Any, depth: int) -> list[Item]:
    """The items in a value: itself, those of a list, or those of the lists in an object."""
    if isinstance(value, str):
        return [Item(value)]
    if depth == 0:
        return []
    if isinstance(value, list):
        return [item for part in value for item in _items(part, depth - 1)]
    if not isinstance(value, dict):
        return []
    for name in _CONTENT:
        if name in value and not isinstance(value[name], list | dict):
            return [_item(value, name)]
    if "action" in value:
        return [_item(value, "content")]
    inside = [part for part in value.values() if isinstance(part, list | dict)]
    return [item for part in inside for item in _items(part, depth - 1)]


def _item(value: dict[str, Any], name: str) -> Item:
    return Item(
        value.get(name),
        value.get("importance", 0),
        value.get("tags") or (),
        value.get("action") or "create",
        value.get("quote") or "",
        value.get("whose") or "",
        value.get("ends") or (),
    )
