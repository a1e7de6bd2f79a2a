"""Reading of a Symbiosis-Memory database: turns, memories and their links.

It is opened read-only, and nothing that its schema defines is trusted. Columns are checked value by
value: SQLite stores any type in any column.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from contracts import InputError
from ingest.histories.clock import moment
from ingest.histories.values import (
    SYMBIOSIS,
    HistoryTurn,
    Item,
    Omitted,
    name_of,
    role_of,
    storable,
)
from ingest.pii import secrets_in
from memory.conversations.memories.values import LAYERS, Layer, LinkReason
from memory.storage import utc_text
from memory.storage.opening import open_foreign

FORM: Final = SYMBIOSIS
_NAME_ONE: Final = "name the database of Symbiosis-Memory, symbiosis.db"
_TURNS: Final = ("id", "session_id", "ts", "role", "text")
_MEMORIES: Final = (
    *("id", "layer", "content", "created_at", "last_seen_at", "hits", "score", "importance"),
    *("status", "tags_json"),
)
_AS_BYTES: Final = frozenset({"text", "content", "tags_json"})
"""Columns of text that may hold invalid UTF-8, which no connection returns as text."""

_REASONS: Final[Mapping[str, LinkReason]] = {"merge": "merge", "conflict": "conflict"}
_MOST_HITS: Final = 2**31


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """A memory as stored there. `key` is the same whenever it is read again.

    `links` are the `client_id`s of its turns, with their reasons.
    """

    key: str
    layer: Layer
    content: str
    created_at: str
    last_seen_at: str | None
    hits: int
    score: float
    importance: int
    is_active: bool
    tags: tuple[str, ...]
    links: tuple[tuple[str, LinkReason], ...]


@dataclass(frozen=True, slots=True)
class SymbiosisStore:
    """The contents of a database: turns and omissions, then its memories."""

    items: list[Item]
    memories: list[StoredMemory]


def read_symbiosis(path: Path) -> SymbiosisStore:
    """Read a whole database.

    Raises InputError for a database of another program, or of this one; IncompatibleError for a
    file that is not a database, StorageError for a damaged one.
    """
    with open_foreign(path, hint=_NAME_ONE) as file:
        _check_tables(file.tables(), path)
        turns = file.rows("turns", _TURNS, as_bytes=_AS_BYTES)
        memories = file.rows("memories", _MEMORIES, as_bytes=_AS_BYTES)
        links = file.rows("memory_links", ("memory_id", "turn_id", "reason"))
    items = list(_turn_items(turns))
    known = {
        turn.metadata["symbiosis_id"]: turn.client_id
        for turn in items
        if isinstance(turn, HistoryTurn)
    }
    by_memory: dict[int | str, list[tuple[str, LinkReason]]] = {}
    for link in links:
        if (client_id := known.get(_id(link.get("turn_id")))) is not None:
            reason = _REASONS.get(str(link.get("reason")), "source")
            by_memory.setdefault(_id(link.get("memory_id")), []).append((client_id, reason))
    found = [_memory(row, by_memory.get(_id(row.get("id")), [])) for row in memories]
    items.extend(each for each in found if isinstance(each, Omitted))
    return SymbiosisStore(items, [each for each in found if isinstance(each, StoredMemory)])


def _check_tables(tables: set[str], path: Path) -> None:
    if "chunks" in tables:
        raise InputError(
            f"{path} is a database of this program",
            hint="write it out first: mem --db FILE export all.jsonl.gz",
        )
    if not {"turns", "memories"} <= tables:
        raise InputError(
            f"{path} has no tables `turns` and `memories`",
            hint=_NAME_ONE,
        )


def _turn_items(rows: Sequence[Mapping[str, Any]]) -> Iterator[Item]:
    for row in rows:
        place = f"turn {row.get('id')}"
        session_id, role, text = (
            name_of(row.get("session_id")),
            role_of(row.get("role")),
            _text(row),
        )
        if session_id is None or role is None:
            yield Omitted("broken", place, "it has no session or no role")
        elif not text.strip():
            yield Omitted("empty", place)
        else:
            key = _key("turn", row.get("id"), role, text)
            known = {"format": FORM, "symbiosis_id": _id(row.get("id"))}
            ts = moment(row.get("ts"))
            yield HistoryTurn(session_id, text, role, ts, key, metadata=known)


def _memory(
    row: Mapping[str, Any], links: Sequence[tuple[str, LinkReason]]
) -> StoredMemory | Omitted:
    place = f"memory {row.get('id')}"
    content, layer = _text(row, "content"), row.get("layer")
    if not content.strip():
        return Omitted("empty", place)
    if secrets_in(content):
        return Omitted("secret", place, "it holds a secret")
    if layer not in LAYERS:
        return Omitted("broken", place, f"its layer is {layer!r:.80}")
    if row.get("status") == "deleted":
        return Omitted("hidden", place, "it was deleted there")
    created_at = _time(row.get("created_at"))
    if created_at is None:
        return Omitted("broken", place, "it has no creation time")
    return StoredMemory(
        key=_key("memory", row.get("id"), content),
        layer=layer,
        content=content,
        created_at=created_at,
        last_seen_at=_time(row.get("last_seen_at")),
        hits=int(_number(row.get("hits"), most=_MOST_HITS)),
        score=_number(row.get("score"), most=1e9),
        importance=1 if row.get("importance") == 1 else 0,
        is_active=row.get("status") != "archived",
        tags=_tags(row.get("tags_json")),
        links=tuple(dict(links).items()),
    )


def _id(value: object) -> int | str:
    return value if isinstance(value, int) else repr(value)


def _time(value: object) -> str | None:
    """Return a time in the form of the columns."""
    found = moment(value)
    return None if found is None else utc_text(datetime.fromisoformat(found))


def _key(kind: str, number: object, *parts: str) -> str:
    digest = hashlib.blake2b("\0".join(parts).encode(), digest_size=6).hexdigest()
    return f"{FORM}:{kind}:{number}-{digest}"


def _text(row: Mapping[str, Any], name: str = "text") -> str:
    value = row.get(name)
    return storable(value.decode("utf-8", "replace")) if isinstance(value, bytes) else ""


def _number(value: object, *, most: float) -> float:
    is_one = isinstance(value, int | float) and 0 <= value <= most
    return float(value) if is_one and isinstance(value, int | float) else 0.0


def _tags(value: object) -> tuple[str, ...]:
    try:
        listed = json.loads(value) if isinstance(value, bytes) else []
    except (ValueError, RecursionError):
        return ()
    names = listed if isinstance(listed, list) else []
    return tuple(dict.fromkeys(storable(name) for name in names if isinstance(name, str) and name))
