"""Judgement of a salvaged row: whether the program could read it again, value by value."""

import json
import math
import struct
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from contracts.named_tuple import NamedTuple
from ingest import ChunkSettings

_NORM_WITHIN: Final = 0.01
"""The largest deviation of a stored vector's length from 1."""


class Column(NamedTuple):
    """A column as its table declares it."""

    name: str
    kind: str
    required: bool

    @property
    def expression(self) -> str:
        """The expression that reads it: text as bytes, so that a bad one ends no statement."""
        if self.kind != "TEXT":
            return self.name
        name = self.name
        return f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END"


def readable_row(columns: Sequence[Column], row: Sequence[Any]) -> list[Any] | None:
    """Return the values of a row, text decoded; None when the program could not read one."""
    try:
        values = [_value(column, value) for column, value in zip(columns, row, strict=True)]
        found = {column.name: value for column, value in zip(columns, values, strict=True)}
        _check_together(found)
    except (ValueError, TypeError, KeyError, RecursionError, struct.error):
        return None
    return values


def _value(column: Column, value: Any) -> Any:
    if value is None:
        if column.required:
            raise ValueError(column.name)
        return None
    if column.kind == "TEXT":
        if not isinstance(value, bytes):
            raise TypeError(column.name)
        value = value.decode()
    elif column.kind in _TYPES and not isinstance(value, _TYPES[column.kind]):
        raise TypeError(column.name)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(column.name)
    check = _CHECKS.get(column.name)
    if check is not None:
        check(value)
    return value


_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "INTEGER": (int,),
    "REAL": (int, float),
    "BLOB": (bytes,),
}


def _check_together(found: Mapping[str, Any]) -> None:
    """Raise ValueError for values that do not fit one another."""
    if "body_offset" in found and not 0 <= found["body_offset"] <= len(found.get("text", "")):
        raise ValueError("body_offset")
    for pair in (("start_char", "end_char"), ("start_line", "end_line")):
        first, last = (found.get(name) for name in pair)
        if (first is None) != (last is None) or (first is not None and not 0 <= first <= last):
            raise ValueError(pair)
        if pair[0] in found and first is None and found.get("source") in ("file", "text"):
            raise ValueError(pair)


def _moment(text: str) -> None:
    datetime.fromisoformat(text)


def _name(text: str) -> None:
    if not text or "\0" in text:
        raise ValueError(text)


def _object(text: str) -> None:
    if not isinstance(_json(text), dict):
        raise TypeError(text)


def _chunk_settings(text: str) -> None:
    ChunkSettings(**_json(text))


def _texts(text: str) -> None:
    value = _json(text)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError(text)


def _json(text: str) -> Any:
    value = json.loads(text)
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()  # no lone surrogate, no NaN
    return value


def _json_or_nothing(text: str) -> None:
    if text:
        _json(text)


def _model_request(text: str) -> None:
    request = _json(text)
    if not isinstance(request["options"], dict) or not isinstance(request["model"], str | None):
        raise TypeError(text)


def _unit_vector(row: bytes) -> None:
    if abs(math.hypot(*(value for (value,) in struct.iter_unpack("<e", row))) - 1) > _NORM_WITHIN:
        raise ValueError(len(row))


def _positive(number: int) -> None:
    if number < 1:
        raise ValueError(number)


def _natural(number: int) -> None:
    if number < 0:
        raise ValueError(number)


_CHECKS: Final[Mapping[str, Callable[[Any], object]]] = {
    **dict.fromkeys(
        ("created_at", "updated_at", "occurred_at", "recorded_at", "ts", "at", "added_at"), _moment
    ),
    **dict.fromkeys(("last_seen_at", "refused_at", "used_at", "noted_at", "not_before"), _moment),
    **dict.fromkeys(("last_accessed_at", "started_at", "ended_at", "facts_at"), _moment),
    **dict.fromkeys(("last_observed", "first_mentioned", "last_mentioned"), _moment),
    **dict.fromkeys(("observed_at", "replaced_at"), _moment),
    **dict.fromkeys(("metadata", "numbers"), _object),
    "chunking": _chunk_settings,
    **dict.fromkeys(("tags", "tags_json", "image_paths", "aliases", "defines"), _texts),
    "value_json": _json,
    "embedding": _unit_vector,
    "request": _model_request,
    "layout": _json_or_nothing,
    **dict.fromkeys(("path", "uid", "owner_id", "session_id", "embedder"), _name),
    **dict.fromkeys(
        ("dimensions", "turn_id", "memory_id", "triple_id", "record_id", "chunk_id"), _positive
    ),
    **dict.fromkeys(("size", "ordinal", "hits", "tries"), _natural),
}
"""The checks of columns by name, which mean the same in every table."""
