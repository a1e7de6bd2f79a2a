"""Checks of the keyword index: every searchable chunk has an entry of its words, no other has.

The index keeps no text, so an entry's content cannot be read back: its presence is checked for
every chunk, its number of words for a sample.
"""

from collections.abc import Iterator
from functools import partial

from memory.index.documents import stored_fields
from memory.index.keyword_entries.renewal import renew_keywords
from memory.operations.doctor.values import DoctorContext, DoctorProblem, some, tally
from memory.storage.meta import KEYWORDS, read_meta
from search import KEYWORD_FORM

SAMPLED = 200
MADE_AT_ONCE = 256
"""Chunks whose entries are written in one transaction."""


def entries(context: DoctorContext) -> Iterator[DoctorProblem]:
    """Every chunk that answers has a keyword entry, and every entry a chunk."""
    index = context.storage.health.keywords
    missing = index.missing()
    if missing:
        yield DoctorProblem(
            tally("chunks that no word finds", len(missing), places(context, missing)),
            "adds their keyword entries",
            partial(_make, context, missing),
            count=len(missing),
        )
    for find, what in (
        (index.orphans, "without a chunk"),
        (index.idle, "of chunks that are idle"),
    ):
        if wrong := find():
            yield DoctorProblem(
                tally(f"keyword entries {what}", len(wrong)),
                "removes them",
                partial(context.write, partial(index.remove, chunk_ids=wrong)),
                count=len(wrong),
            )
    entries, counted = index.counts()
    if entries != counted:
        yield DoctorProblem(
            f"there are {entries:,} keyword entries, and scores are reckoned with {counted:,}",
            "rebuilds every keyword entry",
            partial(make_all, context),
        )
    strays = index.strays()
    if strays:
        yield DoctorProblem(
            f"keyword entries are recorded for chunks without a space: {some(strays)}",
            "removes the record",
            partial(context.write, index.forget_strays),
            count=len(strays),
        )


def contents(context: DoctorContext) -> Iterator[DoctorProblem]:
    """The entries are of this program's form, and of a sample the words are those of the text."""
    if not context.storage.count_chunks():
        return
    if read_meta(context.storage.database, KEYWORDS) != KEYWORD_FORM:
        yield DoctorProblem(
            "the keyword entries have an older version's form, which finds fewer word forms",
            "rebuilds them",
            partial(renew_keywords, context.storage),
        )
        return
    index = context.storage.health.keywords
    stored = index.sample(limit=SAMPLED)
    expected = index.expected_counts(stored_fields(context.storage, list(stored)))
    wrong = [key for key, counts in expected.items() if counts != stored[key]]
    if wrong:
        yield DoctorProblem(
            tally(
                f"keyword entries, of {len(stored)}, that are not of their chunk's text",
                len(wrong),
                places(context, wrong),
            ),
            "rebuilds every keyword entry",
            partial(make_all, context),
            count=len(wrong),
        )


def make_all(context: DoctorContext) -> None:
    """Rebuild every entry; after an interruption another repair continues it."""
    context.write(context.storage.health.keywords.clear)
    _make(context, context.storage.health.keywords.missing())


def _make(context: DoctorContext, ids: list[int]) -> None:
    for start in range(0, len(ids), MADE_AT_ONCE):
        with context.storage.database.transaction() as tx:
            fields = stored_fields(context.storage, ids[start : start + MADE_AT_ONCE])
            context.storage.health.keywords.add(tx, fields)


def places(context: DoctorContext, ids: list[int]) -> list[str]:
    """Return the places of chunks, the first few of them: `PATH:12-30`."""
    sql = """SELECT coalesce(f.path, c.source || ' ' || c.owner_id), c.start_line, c.end_line
        FROM chunks AS c LEFT JOIN files AS f ON f.id = c.owner_id AND f.source = c.source
        WHERE c.id IN (:ids) ORDER BY c.id"""
    rows = context.storage.database.read(sql, {"ids": ids[:4]})
    return [f"{path}:{first}-{last}" if first else path for path, first, last in rows]
