"""Proof that nothing remains of forgotten records in tables, indexes, caches or bytes."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from contracts import KeywordQuery, Scope
from memory.index.documents import stored_fields
from memory.index.record_hooks import all_hooks, hooks_of
from memory.operations.forget.traces import MOST_WORDS, Traces, by_source
from memory.operations.forget.values import Check
from memory.storage.capabilities.files import StorageFiles
from memory.storage.capabilities.text_columns import OF_STORAGE, TextColumns, names_in
from memory.storage.meta import KEYWORDS, read_meta
from memory.values.text_checks import written_forms
from memory.workspace import Workspace
from search import KEYWORD_FORM

MOST_HOLDERS: Final = 50
"""The most chunks checked for a word in the keyword index; for a rare word, all."""

_CHUNKS_SQL: Final = """SELECT count(*) FROM chunks
    WHERE source = :source AND owner_id IN (:ids)"""
_SESSIONS_SQL: Final = """SELECT count(*) FROM sessions AS s
    WHERE session_id IN (:sessions)
    AND NOT EXISTS (SELECT 1 FROM turns AS t WHERE t.session_id = s.session_id)"""
_COUNT_SQL: Final = "SELECT count(*) FROM {table} WHERE {column} IN (:ids)"
_HELD_SQL: Final = """SELECT count(*) FROM {table}
    WHERE concat_ws(' ', {columns}) LIKE :word ESCAPE '\\'
    OR concat_ws(' ', {columns}) LIKE :lower ESCAPE '\\'
    OR concat_ws(' ', {columns}) LIKE :escaped ESCAPE '\\'"""
_BY_HASH_SQL: Final = """SELECT count(*) FROM {table} WHERE hash IN (:hashes) AND NOT EXISTS (
    SELECT 1 FROM chunks WHERE chunks.hash = {table}.hash)"""


def verify(workspace: Workspace, traces: Traces) -> list[Check]:
    """Return every part of the proof, in the order from the records to the bytes.

    What the tables say is of one moment: others may write meanwhile, and remove a model's vectors.
    """
    with workspace.storage.database.snapshot():
        checks = [
            _check(
                "records",
                "rows, links, words and sessions of them, and notes that quote them",
                _records(workspace, traces),
            ),
            _check("chunks", "searchable chunks of them", _chunks(workspace, traces)),
            _check(
                "keywords", "entries and words of the keyword index", _keywords(workspace, traces)
            ),
            _check("vectors", "vectors, in every embedding space", _vectors(workspace, traces)),
            _check("cache", "embeddings and refusals of their texts", _cached(workspace, traces)),
        ]
    return [*checks, _bytes(workspace, traces)]


def _check(name: str, what: str, found: int) -> Check:
    return Check(name, found == 0, f"{found:,} {what}")


def _records(workspace: Workspace, traces: Traces) -> int:
    found = 0
    for source, ids in by_source(traces.owners).items():
        hooks = hooks_of(workspace, source)
        references = workspace.storage.health.references(hooks.table)
        for table, column in ((hooks.table, "id"), *references):
            sql = _COUNT_SQL.format(table=table, column=column)
            found += _count(workspace, sql, {"ids": hooks.keys(ids)})
    found += _count(workspace, _SESSIONS_SQL, {"sessions": list(traces.sessions)})
    several = [
        text for text in traces.passages if " " in text
    ]  # one word may be part of the note itself
    return found + sum(_quotes(note, text) for note in _notes(workspace) for text in several)


def claimed(workspace: Workspace) -> list[TextColumns]:
    """Return the columns of text of every known table."""
    of_kinds = (columns for hooks in all_hooks(workspace) for columns in hooks.columns)
    return list(dict.fromkeys((*OF_STORAGE, *of_kinds)))


def _notes(workspace: Workspace) -> Iterator[str]:
    """Yield the texts in which no passage may remain: names, notes, and unclaimed columns."""
    may_hold = {part.table: names_in(part.texts, part.codes) for part in claimed(workspace)}
    for table, columns in workspace.storage.health.text_columns().items():
        noted = [name for name in columns if name not in may_hold.get(table, ())]
        if noted:
            sql = f"SELECT concat_ws(' ', {', '.join(noted)}) FROM {table}"
            yield from (row[0] for row in workspace.storage.database.read(sql))


def _quotes(note: str, text: str) -> bool:
    """Return whether a note holds a text, in any form of its accents, as it is or as in JSON."""
    return any(
        form in note
        for written in written_forms(text)
        for form in (written, *(json.dumps(written, ensure_ascii=a)[1:-1] for a in (True, False)))
    )


def _chunks(workspace: Workspace, traces: Traces) -> int:
    return sum(
        _count(workspace, _CHUNKS_SQL, {"source": source, "ids": ids})
        for source, ids in by_source(traces.owners).items()
    )


def _keywords(workspace: Workspace, traces: Traces) -> int:
    """Count entries of the removed chunks, and those with more words than their own text."""
    removed = workspace.storage.health.keywords.with_words(traces.chunk_ids)
    return len(set(removed) | _beyond_their_text(workspace, traces))


def _beyond_their_text(workspace: Workspace, traces: Traces) -> set[int]:
    """Return the chunks with a rare word of the traces whose entries do not match their text."""
    if read_meta(workspace.storage.database, KEYWORDS) != KEYWORD_FORM:
        return set()  # entries of an older version all differ
    index = workspace.storage.health.keywords
    stored = index.word_counts(_holders(workspace, traces))
    expected = index.expected_counts(stored_fields(workspace.storage, list(stored)))
    return {key for key, counts in expected.items() if counts != stored[key]}


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
    storage = workspace.storage
    return sum(
        storage.health.vectors.count(space, traces.chunk_ids) for space in storage.spaces().all()
    )


def _cached(workspace: Workspace, traces: Traces) -> int:
    return sum(
        _count(workspace, _BY_HASH_SQL.format(table=table), {"hashes": traces.hashes})
        for table in ("embedding_cache", "refused_texts")
    )


def _bytes(workspace: Workspace, traces: Traces) -> Check:
    """Search the files as they lie on the disk for words that no record has any more.

    For a text without such a word, its beginning is searched. The files of a server cannot be read:
    there the columns are searched in which no word of a record may be.
    """
    files = workspace.storage.files
    if files is not None and not files.names():
        return Check("bytes", True, "the database is in memory alone")
    frequencies = workspace.storage.document_frequencies(traces.words) if traces.words else {}
    rare = sorted(
        (word for word in traces.words if not frequencies.get(word)),
        key=lambda word: (-len(word), word),
    )[:MOST_WORDS]
    begun = [text for text in traces.passages if not any(word in text for word in rare)]
    wanted = [*rare, *begun[:MOST_WORDS]]
    found = _in_files(workspace, files, wanted) if files else _in_notes(workspace, wanted)
    where = "; ".join(f"{len(words):,} in {name}" for name, words in sorted(found.items()))
    looked = f"of {len(rare):,} words that no chunk holds any more"
    if begun:
        looked += f", or of the beginnings of texts without one: {len(begun[:MOST_WORDS]):,}"
    nowhere = "none in any file" if files else "none in any note (a server's files are not read)"
    return Check("bytes", not found, f"{where or nowhere} {looked}")


def _in_files(
    workspace: Workspace, files: StorageFiles, wanted: Sequence[str]
) -> dict[str, list[str]]:
    """Return the words that each file holds, except those that a record holds rightly."""
    columns = {
        part.table: names
        for part in claimed(workspace)
        if (names := names_in(part.texts, part.names))
    }
    return {
        name: left
        for name, held in files.residue(wanted).items()
        if (left := [words for words in held if not files.is_recorded(words, columns)])
    }


def _in_notes(workspace: Workspace, wanted: Sequence[str]) -> dict[str, list[str]]:
    """Return the words that each table holds where no word of a record may be."""
    may_hold = {
        part.table: names_in(part.texts, part.names, part.codes) for part in claimed(workspace)
    }
    found: dict[str, list[str]] = {}
    for table, columns in workspace.storage.health.text_columns().items():
        noted = [name for name in columns if name not in may_hold.get(table, ())]
        for word in wanted if noted else ():
            forms = {"word": word, "lower": word.lower(), "escaped": json.dumps(word)[1:-1]}
            sql = _HELD_SQL.format(table=table, columns=", ".join(noted))
            if _count(workspace, sql, {name: _pattern(form) for name, form in forms.items()}):
                found.setdefault(table, []).append(word)
    return found


def _pattern(text: str) -> str:
    """Return the pattern of LIKE for texts that hold this one."""
    for wildcard in "\\%_":
        text = text.replace(wildcard, f"\\{wildcard}")
    return f"%{text}%"


def _count(workspace: Workspace, sql: str, values: dict[str, Any]) -> int:
    return int(workspace.storage.database.read(sql, values)[0][0])
