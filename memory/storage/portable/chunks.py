"""Reading and writing of rows of the chunks table."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from contracts import ChunkRow, KeywordFields
from contracts.named_tuple import NamedTuple
from memory.storage.database import Database, Transaction
from memory.storage.values import (
    ChunkChanges,
    Neighbours,
    NewChunk,
    RecordEvent,
    Row,
    read_list,
    read_object,
)

_POSITION = (
    "text",
    "body_offset",
    "gap",
    "start_char",
    "end_char",
    "start_line",
    "end_line",
    "place",
    "occurred_at",
    "hidden_from",
    "defines",
)
_COLUMNS = (
    *("uid", "source", "owner_id", "generation", "ordinal", "heading", "hash", "recorded_at"),
    *("session_id", "tags", "metadata"),
    *_POSITION,
)
_INSERT_SQL = (
    f"INSERT INTO chunks ({', '.join(_COLUMNS)}) "
    f"VALUES ({', '.join(':' + name for name in _COLUMNS)}) RETURNING id"
)
_MOVE_SQL = (
    "UPDATE chunks SET ordinal = :ordinal, tags = :tags, metadata = :metadata, "
    f"{', '.join(f'{name} = :{name}' for name in _POSITION)} WHERE id = :id"
)
_OWNED_SQL = f"""
SELECT uid, id, ordinal, tags, metadata, {", ".join(_POSITION)} FROM chunks
WHERE owner_id = :owner_id AND source = :source AND generation = :generation
"""
_ANSWERS_SQL = """
SELECT NOT EXISTS (SELECT 1 FROM spaces WHERE state = 'active')
    OR EXISTS (SELECT 1 FROM spaces WHERE state = 'active' AND generation = :generation)
    OR NOT EXISTS (SELECT 1 FROM spaces WHERE generation = :generation)
"""
_NAME_SQL = """
UPDATE chunks SET defines = :defines
WHERE id = :id AND coalesce(defines, '') <> coalesce(:defines, '')
"""
_DELETE_SQL = "DELETE FROM chunks WHERE id IN (:ids)"
_ROW = """
    c.id, c.uid, c.source, c.owner_id, c.text, c.heading, c.occurred_at, c.recorded_at,
    CASE WHEN c.source = 'file' THEN f.path END,
    c.start_char, c.end_char, c.start_line, c.end_line,
    c.session_id, c.tags, coalesce(c.metadata, f.metadata), c.body_offset, c.place, c.defines
"""
_ROWS_SQL = f"""
SELECT {_ROW} FROM chunks AS c LEFT JOIN files AS f ON f.id = c.file_id
WHERE c.id IN (:ids)
"""
_NEIGHBOURS_SQL = f"""
SELECT hit.id, c.ordinal < hit.ordinal, {_ROW}
FROM chunks AS hit JOIN chunks AS c
    ON c.owner_id = hit.owner_id AND c.source = hit.source AND c.generation = hit.generation
    AND c.ordinal BETWEEN hit.ordinal - :count AND hit.ordinal + :count AND c.id <> hit.id
    LEFT JOIN files AS f ON f.id = c.file_id
WHERE hit.source <> 'turn' AND hit.id IN (:ids) ORDER BY c.ordinal
"""
# Each turn is a record of its own; turns follow each other in their session.
_TURNS_BESIDE_SQL = f"""
WITH hit AS (
    SELECT c.id, t.session_id, t.ts, t.id AS turn_id
    FROM chunks AS c JOIN turns AS t ON t.id = CAST(c.owner_id AS INTEGER)
    WHERE c.source = 'turn' AND c.id IN (:ids)
)
SELECT hit.id, {_ROW} FROM hit JOIN turns AS t ON t.id IN (
    SELECT id FROM (
        SELECT id FROM turns AS b
        WHERE b.session_id = hit.session_id AND (b.ts, b.id) <= (hit.ts, hit.turn_id)
        ORDER BY b.ts DESC, b.id DESC LIMIT :before
    ) AS earlier
    UNION ALL SELECT id FROM (
        SELECT id FROM turns AS a
        WHERE a.session_id = hit.session_id AND (a.ts, a.id) > (hit.ts, hit.turn_id)
        ORDER BY a.ts, a.id LIMIT :count
    ) AS later
) JOIN chunks AS c ON c.owner_id = CAST(t.id AS TEXT) AND c.source = 'turn'
LEFT JOIN files AS f ON f.id = c.file_id ORDER BY hit.id, t.ts, t.id, c.ordinal
"""
_ANY_TURN_SQL = "SELECT 1 FROM turns LIMIT 1"
_CONVERSATION_ROWS_SQL = f"{_ROWS_SQL} AND c.source IN ('turn', 'memory')"


class DerivedRows(NamedTuple):
    """The functions of a backend for what it derives from chunks."""

    write_keywords: Callable[[Transaction, Mapping[int, KeywordFields]], None]
    """Writes or replaces keyword entries."""

    keep_vectors: Callable[[Transaction, Sequence[int]], None]
    """Keeps the vectors of chunks that are to be removed."""


def replace_chunks(
    tx: Transaction,
    source: str,
    owner_id: str,
    *,
    generation: str,
    chunks: Sequence[NewChunk],
    derived: DerivedRows,
) -> ChunkChanges:
    """See `Storage.replace_chunks`."""
    owner = {"source": source, "owner_id": owner_id, "generation": generation}
    old = {row[0]: row for row in tx.run(_OWNED_SQL, owner)}
    new: list[NewChunk] = []
    rows: list[dict[str, Any]] = []
    kept = moved = 0
    for ordinal, chunk in enumerate(chunks):
        present = old.pop(chunk.uid, None)
        values = _values(chunk, ordinal)
        if present is None:
            new.append(chunk)
            rows.append({**owner, **values})
            continue
        kept += 1
        if _moved(present, values):
            moved += 1
            tx.run(_MOVE_SQL, {**values, "id": present[1]})
    ids = [chunk_id for (chunk_id,) in tx.insert_many(_INSERT_SQL, rows)]
    added = dict(zip(ids, new, strict=True))
    # Entries of another generation would distort the rarity of words.
    if tx.run_once(_ANSWERS_SQL, {"generation": generation})[0][0]:
        derived.write_keywords(tx, {chunk_id: chunk.fields for chunk_id, chunk in added.items()})
        if added or moved or old:
            tx.note_change(source, owner_id, _event(was=bool(kept or old), is_=bool(chunks)))
    if old:
        removed = [row[1] for row in old.values()]
        derived.keep_vectors(tx, removed)
        tx.run(_DELETE_SQL, {"ids": removed})
    hashes = {chunk_id: chunk.hash for chunk_id, chunk in added.items()}
    return ChunkChanges(hashes, kept, len(old))


def _event(*, was: bool, is_: bool) -> RecordEvent:
    """Return what happened to a record that had chunks or none, and has some or none."""
    if not was:
        return "added"
    return "changed" if is_ else "removed"


def _values(chunk: NewChunk, ordinal: int) -> dict[str, Any]:
    return {
        "uid": chunk.uid,
        "ordinal": ordinal,
        "heading": chunk.heading,
        "hash": chunk.hash,
        "recorded_at": chunk.recorded_at,
        "session_id": chunk.session_id,
        "tags": json.dumps(chunk.tags) if chunk.tags else None,
        "metadata": json.dumps(dict(chunk.metadata)) if chunk.metadata else None,
        **{name: getattr(chunk, name) for name in _POSITION},
        "defines": _defines(chunk.defines),
    }


def _defines(names: Sequence[str]) -> str | None:
    """Return the names of definitions as they are stored."""
    return json.dumps(names, ensure_ascii=False) if names else None


def _moved(present: Row, values: Mapping[str, Any]) -> bool:
    names = ("ordinal", "tags", "metadata", *_POSITION)
    return present[2:] != tuple(values[name] for name in names)


def name_definitions(tx: Transaction, names: Mapping[int, Sequence[str]]) -> None:
    """See `Storage.name_definitions`."""
    rows = ({"id": chunk_id, "defines": _defines(held)} for chunk_id, held in names.items())
    tx.run_many(_NAME_SQL, rows)


def chunk_rows(
    database: Database, chunk_ids: Sequence[int], *, defines: bool = True
) -> dict[int, ChunkRow]:
    """Return the stored chunks with the path of their file, by id.

    With `defines` false, for tables of an older version, no definition is named.
    """
    rows = database.read(_of_version(_ROWS_SQL, defines=defines), {"ids": list(chunk_ids)})
    return {row[0]: _chunk_row(row) for row in rows}


def conversation_rows(
    database: Database, chunk_ids: Sequence[int], *, defines: bool = True
) -> dict[int, ChunkRow]:
    """See `CandidateIndex.conversation_rows`, and `chunk_rows`."""
    if not database.read_once(_ANY_TURN_SQL):
        return {}
    sql = _of_version(_CONVERSATION_ROWS_SQL, defines=defines)
    rows = database.read(sql, {"ids": list(chunk_ids)})
    return {row[0]: _chunk_row(row) for row in rows}


def neighbours(
    database: Database, chunk_ids: Sequence[int], *, count: int, defines: bool = True
) -> dict[int, Neighbours]:
    """See `Storage.neighbours`, and `chunk_rows`."""
    found: dict[int, Neighbours] = {}
    wanted = {"ids": list(chunk_ids), "count": count, "before": count + 1}
    sql = _of_version(_NEIGHBOURS_SQL, defines=defines)
    for chunk_id, is_before, *row in database.read(sql, wanted):
        beside = found.setdefault(chunk_id, Neighbours([], []))
        (beside.before if is_before else beside.after).append(_chunk_row(tuple(row)))
    if database.read(_ANY_TURN_SQL):
        sql = _of_version(_TURNS_BESIDE_SQL, defines=defines)
        found |= _turns_beside(database.read(sql, wanted), count)
    return found


def _of_version(sql: str, *, defines: bool) -> str:
    return sql if defines else sql.replace("c.defines", "NULL")


def _turns_beside(read: Sequence[Row], count: int) -> dict[int, Neighbours]:
    """Return the chunks of a session before and after each hit in a turn, including its own."""
    sessions: dict[int, list[ChunkRow]] = {}
    for chunk_id, *row in read:
        sessions.setdefault(chunk_id, []).append(_chunk_row(tuple(row)))
    found = {}
    for chunk_id, rows in sessions.items():
        place = [row.chunk_id for row in rows].index(chunk_id)
        before, after = rows[max(0, place - count) : place], rows[place + 1 : place + 1 + count]
        if before or after:
            found[chunk_id] = Neighbours(before, after)
    return found


def _chunk_row(row: Row) -> ChunkRow:
    *plain, tags, metadata, body_offset, place, defines = row
    read_tags = read_list(tags) if tags else ()
    read_metadata = read_object(metadata) if metadata else {}
    names = read_list(defines) if defines else ()
    return ChunkRow._make((*plain, read_tags, read_metadata, body_offset, place, names))
