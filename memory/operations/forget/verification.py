"""Proof that nothing remains of forgotten records in tables, indexes, caches or bytes."""

import json
from typing import Any, Final

from contracts import KeywordQuery, Scope
from memory.index.documents import stored_fields
from memory.operations.forget.traces import MOST_WORDS, Traces
from memory.operations.forget.values import Check
from memory.storage.meta import KEYWORDS, read_meta
from memory.storage.sqlite import health
from memory.storage.sqlite.keywords.fts import numbers
from memory.storage.sqlite.vectors import code_table, vector_table
from memory.workspace import Workspace
from search import KEYWORD_FORM

MOST_HOLDERS: Final = 50
"""The most chunks checked for a word in the keyword index; for a rare word, all."""

_TABLE_OF: Final = {"turn": "turns", "memory": "memories", "text": "files"}
_LINKS_SQL: Final = """SELECT count(*) FROM memory_links
    WHERE turn_id IN (SELECT value FROM json_each(:turns))
    OR memory_id IN (SELECT value FROM json_each(:memories))"""
_WORDS_SQL: Final = """SELECT count(*) FROM memory_words
    WHERE memory_id IN (SELECT value FROM json_each(:memories))"""
_CHUNKS_SQL: Final = """SELECT count(*) FROM json_each(:owners) AS o JOIN chunks AS c
    ON c.owner_id = json_extract(o.value, '$[1]') AND c.source = json_extract(o.value, '$[0]')"""
_SESSIONS_SQL: Final = """SELECT count(*) FROM sessions AS s
    WHERE session_id IN (SELECT value FROM json_each(:sessions))
    AND NOT EXISTS (SELECT 1 FROM turns AS t WHERE t.session_id = s.session_id)"""
_NOTED_SQL: Final = """SELECT count(*) FROM json_each(:passages) AS p JOIN (
    SELECT concat_ws(' ', name, reason) AS note FROM tallies
    UNION ALL SELECT concat_ws(' ', key, value_json) FROM meta)
    ON instr(note, p.value) OR instr(note, rtrim(ltrim(json_quote(p.value), '"'), '"'))"""
_ENTRIES_SQL: Final = """SELECT id FROM chunks_fts_docsize
    WHERE id IN (SELECT value FROM json_each(:ids))"""
_SIZES_SQL: Final = """SELECT id, sz FROM chunks_fts_docsize
    WHERE id IN (SELECT value FROM json_each(:ids))"""
_BY_HASH_SQL: Final = """SELECT count(*) FROM {table} WHERE hash IN (
    SELECT unhex(value) FROM json_each(:hashes)) AND NOT EXISTS (
    SELECT 1 FROM chunks WHERE chunks.hash = {table}.hash)"""


def verify(workspace: Workspace, traces: Traces) -> list[Check]:
    """Return every part of the proof, in the order from the records to the bytes."""
    return [
        _check(
            "records",
            "rows, links, words and sessions of them, and notes that quote them",
            _records(workspace, traces),
        ),
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
    found += _count(workspace, _WORDS_SQL, {"memories": values["memories"]})
    found += _count(workspace, _SESSIONS_SQL, {"sessions": json.dumps(traces.sessions)})
    several = [
        text for text in traces.passages if " " in text
    ]  # one word may be part of the note itself
    return found + _count(workspace, _NOTED_SQL, {"passages": json.dumps(several)})


def _chunks(workspace: Workspace, traces: Traces) -> int:
    return _count(workspace, _CHUNKS_SQL, {"owners": json.dumps(traces.owners)})


def _keywords(workspace: Workspace, traces: Traces) -> int:
    """Count entries of the removed chunks, and those with more words than their own text."""
    values = {"ids": json.dumps(traces.chunk_ids)}
    removed = {row[0] for row in workspace.storage.database.read(_ENTRIES_SQL, values)}
    return len(removed | _beyond_their_text(workspace, traces))


def _beyond_their_text(workspace: Workspace, traces: Traces) -> set[int]:
    """Return the chunks with a rare word of the traces whose entries do not match their text."""
    database = workspace.storage.database
    if read_meta(database, KEYWORDS) != KEYWORD_FORM:  # entries of an older version all differ
        return set()
    values = {"ids": json.dumps(_holders(workspace, traces))}
    sizes = {row[0]: numbers(row[1]) for row in database.read(_SIZES_SQL, values)}
    fields = stored_fields(workspace.storage, list(sizes))
    counts = health.token_counts(database, [tuple(entry) for entry in fields.values()])
    return {key for key, count in zip(fields, counts, strict=True) if count != sizes[key]}


def _holders(workspace: Workspace, traces: Traces) -> list[int]:
    """Return the chunks found by the rarest word of the traces that finds any."""
    storage = workspace.storage
    frequencies = storage.document_frequencies(traces.entries) if traces.entries else {}
    rare = sorted((number, word) for word, number in frequencies.items() if number)[:MOST_WORDS]
    found = (
        storage.keyword_candidates(KeywordQuery(words=(word,)), Scope(), limit=number)
        for number, word in rare
        if number <= MOST_HOLDERS
    )
    return sorted({chunk.chunk_id for chunks in found for chunk in chunks})


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
    """Search the files as they lie on the disk for words that no record has any more.

    For a text without such a word, its beginning is searched.
    """
    if workspace.path is None:
        return Check("bytes", True, "the database is in memory alone")
    frequencies = workspace.storage.document_frequencies(traces.words) if traces.words else {}
    rare = sorted(
        (word for word in traces.words if not frequencies.get(word)),
        key=lambda word: (-len(word), word),
    )[:MOST_WORDS]
    begun = [text for text in traces.passages if not any(word in text for word in rare)]
    found = {
        name: left
        for name, held in workspace.storage.residue([*rare, *begun[:MOST_WORDS]]).items()
        if (left := [words for words in held if not _stands_somewhere(workspace, words)])
    }
    where = "; ".join(f"{len(words):,} in {name}" for name, words in sorted(found.items()))
    looked = f"of {len(rare):,} words that no chunk holds any more"
    if begun:
        looked += f", or of the beginnings of texts without one: {len(begun[:MOST_WORDS]):,}"
    return Check("bytes", not found, f"{where or 'none in any file'} {looked}")


_KNOWN: Final = {
    "chunks": "text, heading, metadata, tags, session_id",
    "turns": "text, metadata, session_id, speaker, client_id, image_paths, tags",
    "memories": "content, metadata, tags_json, words, slot, value",
    "files": "path, metadata, tags, reason, loader",
    "sessions": "session_id",
    "roots": "path",
    "meta": "key, value_json",
    "spaces": "provider, model, chunking, request",
    "tallies": "name",
    "latencies": "leg",
    "actions": "actor, action, code",
    "memory_links": "rule",
    "sqlite_schema": "name, sql",
}
"""Columns that may contain the same words rightfully: other records, and names of this program. Its
notes of failures are not among them.
"""

_ELSEWHERE_SQL: Final = "SELECT " + " OR ".join(
    f"""EXISTS (SELECT 1 FROM {table} WHERE instr(concat_ws(' ', {columns}), :word)
    OR instr(lower(concat_ws(' ', {columns})), :lower)
    OR instr(concat_ws(' ', {columns}), :escaped))"""
    for table, columns in _KNOWN.items()
)


def _stands_somewhere(workspace: Workspace, words: str) -> bool:
    forms = {"word": words, "lower": words.lower(), "escaped": json.dumps(words)[1:-1]}
    return bool(_count(workspace, _ELSEWHERE_SQL, forms))


def _count(workspace: Workspace, sql: str, values: dict[str, Any]) -> int:
    return int(workspace.storage.database.read(sql, values)[0][0])
