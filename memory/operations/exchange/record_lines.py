"""Turns and memories as lines of an export, and back.

    {"type": "session", ...}   a conversation, before its turns
    {"type": "turn", ...}      a turn, with its vectors by the hash of their text
    {"type": "memory", ...}    with its links to turns in `links`, and its vectors
    {"type": "action", ...}    an action on a turn or a memory

Records keep their numbers where those are free, so that an empty database gives equal lines again.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, get_args

from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import (
    LAYERS,
    STATUSES,
    LinkReason,
    Memory,
    MemoryLink,
    Origin,
)
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import ROLES, Extraction, Turn
from memory.operations.exchange.lines import LineError, checked, checked_moment, vector_text
from memory.storage import Space
from memory.workspace import Workspace

RECORDS_AT_ONCE: Final = 500
"""Records that are read together."""

KINDS: Final = ("session", "turn", "memory", "action")

_TURN_FIELDS: Final = tuple(item.name for item in fields(Turn))
_MEMORY_FIELDS: Final = tuple(item.name for item in fields(Memory))
_LINK_FIELDS: Final = tuple(item.name for item in fields(MemoryLink) if item.name != "memory_id")
ACTION_FIELDS: Final = ("at", "actor", "action", "source", "record_id", "code", "numbers")

Line = tuple[str, dict[str, Any]]


def record_lines(workspace: Workspace, space: Space | None) -> Iterator[Line]:
    """Return the type and the values of every line, read in a snapshot; vectors of that space."""
    database = workspace.storage.database
    sql = "SELECT session_id, long_term_opt_in, created_at FROM sessions ORDER BY session_id"
    for name, opt_in, created_at in database.read(sql):
        values = {"session_id": name, "long_term_opt_in": bool(opt_in), "created_at": created_at}
        yield "session", values
    turns, memories = TurnStore(database), MemoryStore(workspace.storage)
    for ids in _pages(workspace, "turns"):
        vectors = _vectors(workspace, space, "turn", ids)
        digests: dict[int, bytes] = dict(database.read(_DIGESTS_SQL, {"ids": ids}))
        for turn in sorted(turns.many(ids), key=lambda item: item.id):
            values = {name: getattr(turn, name) for name in _TURN_FIELDS}
            values |= {"metadata": dict(turn.metadata), "digest": digests[turn.id].hex()}
            yield "turn", {**values, "vectors": vectors.get(turn.id, {})}
    for ids in _pages(workspace, "memories"):
        vectors = _vectors(workspace, space, "memory", ids)
        for key, memory in sorted(memories.get_many(ids).items()):
            values = {name: getattr(memory, name) for name in _MEMORY_FIELDS}
            links = [
                {name: getattr(link, name) for name in _LINK_FIELDS} for link in memories.links(key)
            ]
            yield (
                "memory",
                {
                    **values,
                    "metadata": dict(memory.metadata),
                    "links": links,
                    "vectors": vectors.get(key, {}),
                },
            )
    sql = f"SELECT {', '.join(ACTION_FIELDS)} FROM actions ORDER BY id"
    for row in database.read(sql):
        values = dict(zip(ACTION_FIELDS, row, strict=True))
        yield "action", {**values, "numbers": json.loads(values["numbers"])}


_DIGESTS_SQL: Final = "SELECT id, digest FROM turns WHERE id IN (:ids)"
_HASHES_SQL: Final = """SELECT CAST(owner_id AS INTEGER), hash FROM chunks
    WHERE source = :source AND owner_id IN (:ids)"""


def _pages(workspace: Workspace, table: str) -> Iterator[list[int]]:
    sql = f"SELECT id FROM {table} WHERE id > :after ORDER BY id LIMIT :limit"
    after = 0
    while rows := workspace.storage.database.read(sql, {"after": after, "limit": RECORDS_AT_ONCE}):
        yield [row[0] for row in rows]
        after = rows[-1][0]


def _vectors(
    workspace: Workspace, space: Space | None, source: str, ids: list[int]
) -> dict[int, dict[str, str]]:
    """Return each record's vectors by content hash, both as text for JSON."""
    if space is None:
        return {}
    values = {"source": source, "ids": [str(key) for key in ids]}
    rows = workspace.storage.database.read(_HASHES_SQL, values)
    known = workspace.storage.known_vectors(space, {bytes(row[1]) for row in rows})
    found: dict[int, dict[str, str]] = {}
    for key, content in sorted(rows):
        if content in known:
            found.setdefault(key, {})[content.hex()] = vector_text(known[content].v)
    return found


def turn_of_line(values: Mapping[str, Any]) -> tuple[Turn, bytes]:
    """Return the turn of a line and the digest of its content. Raises LineError."""
    given: dict[str, Any] = {name: values.get(name) for name in _TURN_FIELDS}
    for name in ("session_id", "text"):
        checked(given, name, str)
    for name in ("speaker", "client_id"):
        if given[name] is not None:
            checked(given, name, str)
    for name in ("ts", "recorded_at"):
        checked_moment(given, name)
    checked(given, "id", int)
    checked(given, "metadata", dict)
    _one_of(given, "role", ROLES)
    _one_of(given, "extraction", get_args(Extraction))
    lists: dict[str, Any] = {name: _texts(given, name) for name in ("image_paths", "tags")}
    return Turn(**{**given, **lists}), hexadecimal(checked(values, "digest", str))


def memory_of_line(values: Mapping[str, Any]) -> tuple[Memory, list[MemoryLink]]:
    """Return the memory of a line and its links to turns. Raises LineError."""
    given: dict[str, Any] = {name: values.get(name) for name in _MEMORY_FIELDS}
    checked(given, "content", str)
    for name in ("slot", "value"):
        if given[name] is not None:
            checked(given, name, str)
    for name in ("created_at", "occurred_at", "updated_at"):
        checked_moment(given, name)
    if given["last_seen_at"] is not None:
        checked_moment(given, "last_seen_at")
    for name in ("id", "hits"):
        checked(given, name, int)
    if given["superseded_by"] is not None:
        checked(given, "superseded_by", int)
    score = given["score"]
    if not isinstance(score, float):
        checked(given, "score", int)
    checked(given, "metadata", dict)
    _one_of(given, "layer", LAYERS)
    _one_of(given, "status", STATUSES)
    _one_of(given, "origin", get_args(Origin))
    _one_of(given, "importance", (0, 1))
    memory = Memory(**{**given, "tags": _texts(given, "tags")})
    return memory, [_link(memory.id, link) for link in checked(values, "links", list)]


def action_of_line(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of an action. Raises LineError."""
    given: dict[str, Any] = {name: values.get(name) for name in ACTION_FIELDS}
    for name in ("actor", "action", "source"):
        checked(given, name, str)
    if given["code"] is not None:
        checked(given, "code", str)
    checked_moment(given, "at")
    checked(given, "record_id", int)
    checked(given, "numbers", dict)
    return given


def hexadecimal(text: str) -> bytes:
    """Return the bytes of a hexadecimal text. Raises LineError."""
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise LineError(f"{text!r:.40} is not a hexadecimal number") from error


def _link(memory_id: int, values: object) -> MemoryLink:
    if not isinstance(values, dict):
        raise LineError(f"one of its links is {values!r:.40}")
    given: dict[str, Any] = {name: values.get(name) for name in _LINK_FIELDS}
    checked(given, "turn_id", int)
    checked(given, "rule", str)
    checked_moment(given, "created_at")
    _one_of(given, "reason", get_args(LinkReason))
    for name in ("start_char", "end_char"):
        if given[name] is not None:
            checked(given, name, int)
    return MemoryLink(memory_id=memory_id, **given)


def _texts(values: Mapping[str, Any], name: str) -> tuple[str, ...]:
    texts = checked(values, name, list)
    if not all(isinstance(text, str) for text in texts):
        raise LineError(f"its {name} is {texts!r:.40}")
    return tuple(texts)


def _one_of(values: Mapping[str, Any], name: str, known: Sequence[object]) -> None:
    value = values[name]
    if isinstance(value, bool) or value not in known:
        raise LineError(f"its {name} is {value!r:.40}")
