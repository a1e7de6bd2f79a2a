"""Proves that nothing is left of what was forgotten: in no table, index, cache or byte."""

import json
from typing import Any, Final

from contracts import KeywordQuery, Scope
from memory.index.documents import stored_fields
from memory.index.record_hooks import all_hooks, hooks_of
from memory.operations.forget.traces import MOST_WORDS, Traces
from memory.operations.forget.values import Check
from memory.storage.meta import KEYWORDS, read_meta
from memory.storage.sqlite import health
from memory.storage.sqlite.catalogue import references, text_columns
from memory.storage.sqlite.keywords.fts import numbers
from memory.storage.sqlite.vectors import code_table, vector_table
from memory.storage.text_columns import OF_STORAGE, TextColumns, names_in
from memory.workspace import Workspace
from search import KEYWORD_FORM

MOST_HOLDERS: Final = 50
"""Chunks that hold a word which is looked for in the keyword index: of a rare one, all."""

_CHUNKS_SQL: Final = """SELECT count(*) FROM json_each(:owners) AS o JOIN chunks AS c
    ON c.owner_id = json_extract(o.value, '$[1]') AND c.source = json_extract(o.value, '$[0]')"""
_SESSIONS_SQL: Final = """SELECT count(*) FROM sessions AS s
    WHERE session_id IN (SELECT value FROM json_each(:sessions))
    AND NOT EXISTS (SELECT 1 FROM turns AS t WHERE t.session_id = s.session_id)"""
_COUNT_SQL: Final = """SELECT count(*) FROM {table}
    WHERE {column} IN (SELECT value FROM json_each(:ids))"""
_NOTED_SQL: Final = """SELECT count(*) FROM json_each(:passages) AS p JOIN {table} AS t
    ON instr(t.{column}, p.value)
    OR instr(t.{column}, rtrim(ltrim(json_quote(p.value), '"'), '"'))"""
_ENTRIES_SQL: Final = """SELECT id FROM chunks_fts_docsize
    WHERE id IN (SELECT value FROM json_each(:ids))"""
_SIZES_SQL: Final = """SELECT id, sz FROM chunks_fts_docsize
    WHERE id IN (SELECT value FROM json_each(:ids))"""
_BY_HASH_SQL: Final = """SELECT count(*) FROM {table} WHERE hash IN (
    SELECT unhex(value) FROM json_each(:hashes)) AND NOT EXISTS (
    SELECT 1 FROM chunks WHERE chunks.hash = {table}.hash)"""


def verify(workspace: Workspace, traces: Traces) -> list[Check]:
    """Every part of the proof, in the order from the records to the bytes."""
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


def _records(workspace: Workspace, traces: Traces) -> int:
    found = 0
    for source in dict.fromkeys(owner.source for owner in traces.owners):
        hooks = hooks_of(workspace, source)
        ids = json.dumps([own_id for kind, own_id in traces.owners if kind == source])
        places = [(hooks.table, "id"), *references(workspace.storage.database, hooks.table)]
        for table, column in places:
            sql = _COUNT_SQL.format(table=table, column=column)
            found += _count(workspace, sql, {"ids": ids})
    found += _count(workspace, _SESSIONS_SQL, {"sessions": json.dumps(traces.sessions)})
    several = [text for text in traces.passages if " " in text]  # one word may be a note's own
    for table, columns in _noted(workspace).items():
        for column in columns:
            sql = _NOTED_SQL.format(table=table, column=column)
            found += _count(workspace, sql, {"passages": json.dumps(several)})
    return found


def claimed(workspace: Workspace) -> list[TextColumns]:
    """The columns of text that somebody knows, of every table."""
    of_kinds = (columns for hooks in all_hooks(workspace) for columns in hooks.columns)
    return list(dict.fromkeys((*OF_STORAGE, *of_kinds)))


def _noted(workspace: Workspace) -> dict[str, list[str]]:
    """The columns, by table, that may not hold a passage: of notes, and what nobody claims."""
    may_hold = {part.table: names_in(part.texts, part.codes) for part in claimed(workspace)}
    return {
        table: [name for name in columns if name not in may_hold.get(table, ())]
        for table, columns in text_columns(workspace.storage.database).items()
    }


def _chunks(workspace: Workspace, traces: Traces) -> int:
    return _count(workspace, _CHUNKS_SQL, {"owners": json.dumps(traces.owners)})


def _keywords(workspace: Workspace, traces: Traces) -> int:
    """Entries of the removed chunks, and those that hold more words than their own text."""
    values = {"ids": json.dumps(traces.chunk_ids)}
    removed = {row[0] for row in workspace.storage.database.read(_ENTRIES_SQL, values)}
    return len(removed | _beyond_their_text(workspace, traces))


def _beyond_their_text(workspace: Workspace, traces: Traces) -> set[int]:
    """The chunks with a rare word of the traces whose entries are not of their text."""
    database = workspace.storage.database
    if read_meta(database, KEYWORDS) != KEYWORD_FORM:  # an older program's entries all differ
        return set()
    values = {"ids": json.dumps(_holders(workspace, traces))}
    sizes = {row[0]: numbers(row[1]) for row in database.read(_SIZES_SQL, values)}
    fields = stored_fields(workspace.storage, list(sizes))
    counts = health.token_counts(database, [tuple(entry) for entry in fields.values()])
    return {key for key, count in zip(fields, counts, strict=True) if count != sizes[key]}


def _holders(workspace: Workspace, traces: Traces) -> list[int]:
    """The chunks that are found by one of the rarest words of the traces that any is found by."""
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
    """The words that no record has any more, looked for in the files as they lie on the disk.

    Of a text that has no such word its beginning is looked for.
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


def _stands_somewhere(workspace: Workspace, words: str) -> bool:
    """Whether words stand somewhere of right: in what other records say, or the program names."""
    forms = {"word": words, "lower": words.lower(), "escaped": json.dumps(words)[1:-1]}
    return bool(_count(workspace, _elsewhere_sql(workspace), forms))


def _elsewhere_sql(workspace: Workspace) -> str:
    places = {part.table: names_in(part.texts, part.names) for part in claimed(workspace)}
    return "SELECT " + " OR ".join(
        f"""EXISTS (SELECT 1 FROM {table} WHERE instr(concat_ws(' ', {", ".join(columns)}), :word)
        OR instr(lower(concat_ws(' ', {", ".join(columns)})), :lower)
        OR instr(concat_ws(' ', {", ".join(columns)}), :escaped))"""
        for table, columns in places.items()
        if columns
    )


def _count(workspace: Workspace, sql: str, values: dict[str, Any]) -> int:
    return int(workspace.storage.database.read(sql, values)[0][0])
