"""Checks of the keyword index: every searchable chunk has an entry of its words, no other has.

The index keeps no text, so an entry's content cannot be read back: its presence is checked for
every chunk, its number of words for a sample.
"""

import json
from collections.abc import Iterator
from functools import partial

from memory.index.documents import stored_fields
from memory.index.keyword_renewal import renew_keywords
from memory.operations.doctor.values import DoctorContext, Problem, some, tally
from memory.storage.meta import KEYWORDS, read_meta
from memory.storage.sqlite import health
from memory.storage.sqlite.keywords.fts import add_fields, numbers, remove_fields
from search import KEYWORD_FORM

SAMPLED = 200
MADE_AT_ONCE = 256
"""Chunks whose entries are written in one transaction."""

_ANSWERS = """(
    NOT EXISTS (SELECT 1 FROM spaces WHERE state = 'active')
    OR c.generation IN (SELECT generation FROM spaces WHERE state = 'active')
    OR c.generation NOT IN (SELECT generation FROM spaces)
)"""
_MISSING_SQL = f"""
SELECT c.id FROM chunks AS c LEFT JOIN chunks_fts_docsize AS entry ON entry.id = c.id
WHERE entry.id IS NULL AND {_ANSWERS} ORDER BY c.id
"""
_ORPHANS_SQL = """
SELECT entry.id FROM chunks_fts_docsize AS entry LEFT JOIN chunks AS c ON c.id = entry.id
WHERE c.id IS NULL ORDER BY entry.id
"""
_IDLE_SQL = f"""
SELECT c.id FROM chunks AS c JOIN chunks_fts_docsize AS entry ON entry.id = c.id
WHERE NOT {_ANSWERS} AND c.generation NOT IN (SELECT generation FROM keywords_beside) ORDER BY c.id
"""
_BESIDE_SQL = """
SELECT generation FROM keywords_beside WHERE generation NOT IN (SELECT generation FROM spaces)
"""
_SAMPLE_SQL = f"""
SELECT entry.id, entry.sz FROM chunks_fts_docsize AS entry JOIN chunks AS c ON c.id = entry.id
WHERE {_ANSWERS} AND entry.id IN (
    SELECT id FROM chunks_fts_docsize ORDER BY random() LIMIT {SAMPLED}
)
"""


def entries(context: DoctorContext) -> Iterator[Problem]:
    """Every chunk that answers has a keyword entry, and every entry a chunk."""
    database = context.storage.database
    missing = _ids(context, _MISSING_SQL)
    if missing:
        yield Problem(
            tally("chunks that no word finds", len(missing), places(context, missing)),
            "adds their keyword entries",
            partial(_make, context, missing),
            count=len(missing),
        )
    for sql, what in ((_ORPHANS_SQL, "without a chunk"), (_IDLE_SQL, "of chunks that are idle")):
        wrong = _ids(context, sql)
        if wrong:
            yield Problem(
                tally(f"keyword entries {what}", len(wrong)),
                "removes them",
                partial(_remove, context, wrong),
                count=len(wrong),
            )
    rows, totalled = health.entry_totals(database)
    if rows != totalled:
        yield Problem(
            f"there are {rows:,} keyword entries, and scores are computed with {totalled:,}",
            "rebuilds every keyword entry",
            partial(make_all, context),
        )
    beside = [generation for (generation,) in database.read(_BESIDE_SQL)]
    if beside:
        yield Problem(
            f"keyword entries are recorded for chunks without a space: {some(beside)}",
            "removes the record",
            partial(_forget_beside, context),
            count=len(beside),
        )


def contents(context: DoctorContext) -> Iterator[Problem]:
    """The entries are of this program's form, and of a sample the words are those of the text."""
    database = context.storage.database
    if not context.storage.count_chunks():
        return
    if read_meta(database, KEYWORDS) != KEYWORD_FORM:
        yield Problem(
            "the keyword entries have an older version's form, which finds fewer word forms",
            "rebuilds them",
            partial(renew_keywords, context.storage),
        )
        return
    sizes = {row[0]: numbers(row[1]) for row in database.read(_SAMPLE_SQL)}
    fields = stored_fields(context.storage, list(sizes))
    columns = [
        (item.text, item.title, item.neighbours, item.identifiers) for item in fields.values()
    ]
    found = zip(fields, health.token_counts(database, columns), strict=True)
    wrong = [key for key, counts in found if counts != sizes[key]]
    if wrong:
        yield Problem(
            tally(
                f"keyword entries, of {len(sizes)}, that do not match their chunk's text",
                len(wrong),
                places(context, wrong),
            ),
            "rebuilds every keyword entry",
            partial(make_all, context),
            count=len(wrong),
        )


def make_all(context: DoctorContext) -> None:
    """Rebuild every entry; after an interruption another repair continues it."""
    with context.storage.database.transaction() as tx:
        health.empty_words(tx)
    _make(context, _ids(context, _MISSING_SQL))


def _make(context: DoctorContext, ids: list[int]) -> None:
    for start in range(0, len(ids), MADE_AT_ONCE):
        with context.storage.database.transaction() as tx:
            fields = stored_fields(context.storage, ids[start : start + MADE_AT_ONCE])
            add_fields(tx, fields)


def _remove(context: DoctorContext, ids: list[int]) -> None:
    with context.storage.database.transaction() as tx:
        remove_fields(tx, ids)
        # Include missing chunks, for readers of the log.
        tx.run_many("INSERT INTO changes (chunk_id) VALUES (:id)", ({"id": key} for key in ids))


def _forget_beside(context: DoctorContext) -> None:
    with context.storage.database.transaction() as tx:
        tx.run(
            "DELETE FROM keywords_beside WHERE generation NOT IN (SELECT generation FROM spaces)"
        )


def _ids(context: DoctorContext, sql: str) -> list[int]:
    return [row[0] for row in context.storage.database.read(sql)]


def places(context: DoctorContext, ids: list[int]) -> list[str]:
    """Return the places of chunks, the first few of them: `PATH:12-30`."""
    sql = """SELECT coalesce(f.path, c.source || ' ' || c.owner_id), c.start_line, c.end_line
        FROM chunks AS c LEFT JOIN files AS f ON f.id = c.owner_id AND f.source = c.source
        WHERE c.id IN (SELECT value FROM json_each(:ids)) ORDER BY c.id"""
    rows = context.storage.database.read(sql, {"ids": json.dumps(ids[:4])})
    return [f"{path}:{first}-{last}" if first else path for path, first, last in rows]
