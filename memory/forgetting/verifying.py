"""Proves that nothing is left of what was forgotten: in no table, index, cache or byte."""

import json
from typing import Any, Final

from memory.forgetting.traces import MOST_WORDS, Traces
from memory.forgetting.values import Check
from memory.storage.sqlite.vectors import code_table, vector_table
from memory.workspace import Workspace

_TABLE_OF: Final = {"turn": "turns", "memory": "memories", "text": "files"}
_LINKS_SQL: Final = """SELECT count(*) FROM memory_links
    WHERE turn_id IN (SELECT value FROM json_each(:turns))
    OR memory_id IN (SELECT value FROM json_each(:memories))"""
_WORDS_SQL: Final = """SELECT count(*) FROM memory_words
    WHERE memory_id IN (SELECT value FROM json_each(:memories))"""
_CHUNKS_SQL: Final = """SELECT count(*) FROM json_each(:owners) AS o JOIN chunks AS c
    ON c.owner_id = json_extract(o.value, '$[1]') AND c.source = json_extract(o.value, '$[0]')"""
_ENTRIES_SQL: Final = """SELECT count(*) FROM chunks_fts_docsize
    WHERE id IN (SELECT value FROM json_each(:ids))"""
_BY_HASH_SQL: Final = """SELECT count(*) FROM {table} WHERE hash IN (
    SELECT unhex(value) FROM json_each(:hashes)) AND NOT EXISTS (
    SELECT 1 FROM chunks WHERE chunks.hash = {table}.hash)"""


def verify(workspace: Workspace, traces: Traces) -> list[Check]:
    """Every part of the proof, in the order from the records to the bytes."""
    return [
        _check("records", "rows of them, their links and words", _records(workspace, traces)),
        _check("chunks", "searchable chunks of them", _chunks(workspace, traces)),
        _check("keywords", "entries and words of the keyword index", _keywords(workspace, traces)),
        _check("vectors", "vectors, in every embedding space", _vectors(workspace, traces)),
        _check("cache", "embeddings and refusals of their texts", _cached(workspace, traces)),
        _bytes(workspace, traces),
    ]


def _check(name: str, what: str, found: int) -> Check:
    return Check(name, found == 0, f"{found:,} {what}")


def _ids(traces: Traces, source: str) -> str:
    return json.dumps([owner.owner_id for owner in traces.owners if owner.source == source])


def _records(workspace: Workspace, traces: Traces) -> int:
    values = {"turns": _ids(traces, "turn"), "memories": _ids(traces, "memory")}
    found = 0
    for source, table in _TABLE_OF.items():
        sql = f"SELECT count(*) FROM {table} WHERE id IN (SELECT value FROM json_each(:ids))"
        found += _count(workspace, sql, {"ids": _ids(traces, source)})
    found += _count(workspace, _LINKS_SQL, values)
    return found + _count(workspace, _WORDS_SQL, {"memories": values["memories"]})


def _chunks(workspace: Workspace, traces: Traces) -> int:
    return _count(workspace, _CHUNKS_SQL, {"owners": json.dumps(traces.owners)})


def _keywords(workspace: Workspace, traces: Traces) -> int:
    """Entries of the removed chunks. What words only they had, `_bytes` looks for."""
    return _count(workspace, _ENTRIES_SQL, {"ids": json.dumps(traces.chunk_ids)})


def _vectors(workspace: Workspace, traces: Traces) -> int:
    found = 0
    for space in workspace.storage.spaces().all():
        for table in (vector_table(space), code_table(space)):
            sql = f"""SELECT count(*) FROM {table}
                WHERE chunk_id IN (SELECT value FROM json_each(:ids))"""
            found += _count(workspace, sql, {"ids": json.dumps(traces.chunk_ids)})
    return found


def _cached(workspace: Workspace, traces: Traces) -> int:
    hashes = json.dumps([content.hex() for content in traces.hashes])
    return sum(
        _count(workspace, _BY_HASH_SQL.format(table=table), {"hashes": hashes})
        for table in ("embedding_cache", "refused_texts")
    )


def _bytes(workspace: Workspace, traces: Traces) -> Check:
    """The words that no record has any more, looked for in the files as they lie on the disk."""
    if workspace.path is None:
        return Check("bytes", True, "the database is in memory alone")
    frequencies = workspace.storage.document_frequencies(traces.words) if traces.words else {}
    rare = sorted(
        (word for word in traces.words if not frequencies.get(word.casefold())),
        key=lambda word: (-len(word), word),
    )[:MOST_WORDS]
    found = {
        name: left
        for name, held in workspace.storage.residue(rare).items()
        if (left := [word for word in held if not _stands_somewhere(workspace, word)])
    }
    where = "; ".join(f"{len(words):,} in {name}" for name, words in sorted(found.items()))
    looked = f"of the {len(rare):,} longest words that no chunk holds any more"
    return Check("bytes", not found, f"{where or 'none in any file'} {looked}")


_ELSEWHERE_SQL: Final = """SELECT EXISTS (
    SELECT 1 FROM chunks WHERE instr(lower(text || ' ' || heading), :word))
    OR EXISTS (SELECT 1 FROM chunks WHERE instr(lower(coalesce(metadata, '')), :word))
    OR EXISTS (SELECT 1 FROM turns WHERE instr(lower(text || metadata || session_id ||
        coalesce(speaker, '') || coalesce(client_id, '') || image_paths || tags), :word))
    OR EXISTS (SELECT 1 FROM memories
        WHERE instr(lower(content || metadata || tags_json || words), :word))
    OR EXISTS (SELECT 1 FROM files WHERE instr(lower(path || metadata || tags), :word))
    OR EXISTS (SELECT 1 FROM sessions WHERE instr(lower(session_id), :word))
    OR EXISTS (SELECT 1 FROM meta WHERE instr(lower(key || value_json), :word))
    OR EXISTS (SELECT 1 FROM spaces WHERE instr(lower(provider || model || chunking), :word))
    OR EXISTS (SELECT 1 FROM roots WHERE instr(lower(path), :word))
    OR EXISTS (SELECT 1 FROM sqlite_schema WHERE instr(lower(sql || name), :word))"""


def _stands_somewhere(workspace: Workspace, word: str) -> bool:
    return bool(_count(workspace, _ELSEWHERE_SQL, {"word": word.lower()}))


def _count(workspace: Workspace, sql: str, values: dict[str, Any]) -> int:
    return int(workspace.storage.database.read(sql, values)[0][0])
