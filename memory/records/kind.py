"""Facts, people, patterns, open loops and signals as kinds of records."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from contracts import ChunkRow
from memory.values.record_kinds import RecordKind, numbered


def cite_fact(category: str, key: str) -> str:
    """Format `fact preference/coffee_order`."""
    return f"fact {category}/{key}"


def cite_person(name: str) -> str:
    """Format `person Sarah Miller`."""
    return f"person {name}"


def cite_numbered(word: str, record_id: int | str) -> str:
    """Format `pattern 4`, `loop 5` or `signal 6`."""
    return f"{word} {record_id}"


def _named(word: str, name: str) -> Callable[[str], str | None]:
    """Return a parser for a citation by a pattern of names, or by a number after a colon."""

    def read(citation: str) -> str | None:
        found = re.fullmatch(rf"(?s){word}(?: |:)(?P<name>{name})", citation.strip())
        return found["name"].strip() if found else None

    return read


def _loop(citation: str) -> str | None:
    return numbered("loop")(citation) or numbered("open_loop")(citation)


def _by_number(word: str) -> Callable[[ChunkRow, Path], str]:
    return lambda row, _cwd: cite_numbered(word, row.owner_id)


def _about_fact(metadata: Mapping[str, Any], occurred_at: str) -> str:
    return f"fact by {metadata.get('source')}, {occurred_at[:10]}"


def _about_person(metadata: Mapping[str, Any], occurred_at: str) -> str:
    return f"person, {occurred_at[:10]}"


def _about_pattern(metadata: Mapping[str, Any], occurred_at: str) -> str:
    return f"{metadata.get('pattern_type')}, last observed {occurred_at[:10]}"


def _about_loop(metadata: Mapping[str, Any], occurred_at: str) -> str:
    state = "resolved" if metadata.get("resolved") else "open"
    return f"{state} loop, last mentioned {occurred_at[:10]}"


def _about_signal(metadata: Mapping[str, Any], occurred_at: str) -> str:
    return f"signal of {occurred_at[:10]}"


FACT: Final = RecordKind(
    name="fact",
    plural="facts",
    cite=lambda row, _cwd: cite_fact(row.metadata["category"], row.metadata["key"]),
    read=_named("fact", r"[^/]+/.+|[0-9]{1,18}"),
    hooks="memory.records.hooks.facts:FactRecords",
    deleted="the fact is gone, with its former values",
    about=_about_fact,
    rests_on=("turn", "memory"),
)
PERSON: Final = RecordKind(
    name="person",
    plural="people",
    cite=lambda row, _cwd: cite_person(row.metadata["name"]),
    read=_named("person", ".+"),
    hooks="memory.records.hooks.other_kinds:PersonRecords",
    deleted="the person is gone; facts and turns that name them remain",
    about=_about_person,
    rests_on=("turn",),
)
PATTERN: Final = RecordKind(
    name="pattern",
    plural="patterns",
    cite=_by_number("pattern"),
    read=numbered("pattern"),
    hooks="memory.records.hooks.other_kinds:PatternRecords",
    deleted="the pattern is gone",
    about=_about_pattern,
    rests_on=("turn",),
)
OPEN_LOOP: Final = RecordKind(
    name="open_loop",
    plural="open loops",
    cite=_by_number("loop"),
    read=_loop,
    hooks="memory.records.hooks.other_kinds:OpenLoopRecords",
    deleted="the open loop is gone",
    about=_about_loop,
    rests_on=("turn",),
)
SIGNAL: Final = RecordKind(
    name="signal",
    plural="signals",
    cite=_by_number("signal"),
    read=numbered("signal"),
    hooks="memory.records.hooks.other_kinds:SignalRecords",
    deleted="the signal is gone",
    about=_about_signal,
    rests_on=("turn",),
)
