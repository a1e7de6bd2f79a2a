"""Statements that change chunks, with what else must change in the same transaction.

The change log gets an entry for every chunk that is written or removed, and for the chunks of a
file whose path or metadata are written. Removed chunks take along their keyword entries, and the
reasons of refused texts that no chunk has any more. The program does this, and no trigger, so that
a schema can be distributed.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import psycopg

from contracts.named_tuple import NamedTuple
from memory.storage.postgres.writing.posting_blocks import MOST_REMOVED, drop_removed
from memory.storage.values import Row

_WRITES = re.compile(r"\s*(INSERT INTO|UPDATE|DELETE FROM)\s+(chunks|files)\b", re.IGNORECASE)
_DESCRIBES = re.compile(r"(?:(?!\bWHERE\b).)*?\b(path|metadata)\s*=", re.IGNORECASE | re.DOTALL)
"""Sets a path or metadata; a condition does not."""

_RETURNING = re.compile(r"\bRETURNING\b(?P<columns>[^']*)$", re.IGNORECASE)

_LAST_SQL = "UPDATE log_ends SET last = last + %s WHERE log = %s RETURNING last"
_LOG_SQL = """
INSERT INTO changes (seq, chunk_id)
SELECT %s + place, id FROM unnest(%s::bigint[]) WITH ORDINALITY AS one (id, place)
"""
_OF_FILES_SQL = """
SELECT c.id FROM chunks AS c JOIN files AS f ON f.id = c.owner_id AND f.source = c.source
WHERE f.id = ANY (%s::text[]) ORDER BY c.id
"""
_REFUSED_SQL = """
DELETE FROM refused_texts WHERE hash = ANY (%s::bytea[])
    AND NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.hash = refused_texts.hash)
"""
_WITHOUT_ENTRIES_SQL = """
WITH gone AS (
    DELETE FROM keyword_entries WHERE chunk_id = ANY (%s::bigint[])
    RETURNING entry_id, chunk_id, counts
), noted AS (
    INSERT INTO removed_entries SELECT entry_id, chunk_id FROM gone
)
UPDATE keyword_totals SET entries = entries - (SELECT count(*) FROM gone),
    words = words - (SELECT coalesce(sum(n), 0) FROM gone, unnest(gone.counts) AS n)
RETURNING (SELECT count(*) FROM removed_entries)
"""


class ChangeLog(Protocol):
    """The log of a transaction, which it writes at its end."""

    def log_chunks(self, chunk_ids: Sequence[int]) -> None:
        """Log that these chunks changed."""
        ...

    def log_files(self, file_ids: Sequence[str]) -> None:
        """Log that the chunks of these files changed."""
        ...


class Logged(NamedTuple):
    """A statement that also returns what the logs need, in its last columns.

    `take` logs its rows and removes what belongs to removed chunks.
    """

    sql: str
    width: int
    take: Callable[[psycopg.Connection[Any], Sequence[Row]], None]


def logged(sql: str, *, log: ChangeLog) -> Logged | None:
    """Return a statement as it must be run if more belongs to it than its text says."""
    found = _WRITES.match(sql)
    if found is None:
        return None
    verb, table = found[1].upper(), found[2].lower()
    if table == "files" and (verb == "DELETE FROM" or not _DESCRIBES.match(sql)):
        return None
    added = "id, hash" if table == "chunks" else "id"
    returned = f", {added}" if _RETURNING.search(sql) else f" RETURNING {added}"

    def take(connection: psycopg.Connection[Any], rows: Sequence[Row]) -> None:
        if table == "files":
            log.log_files([row[-1] for row in rows])
            return
        log.log_chunks([row[-2] for row in rows])
        if verb == "DELETE FROM" and rows:
            _remove_derived(connection, rows)

    return Logged(f"{sql.rstrip().rstrip(';')}{returned}", 2 if table == "chunks" else 1, take)


def _remove_derived(connection: psycopg.Connection[Any], rows: Sequence[Row]) -> None:
    ids = [row[-2] for row in rows]
    remove_entries(connection, ids)
    connection.execute(_REFUSED_SQL, ([row[-1] for row in rows],))


def remove_entries(
    connection: psycopg.Connection[Any], chunk_ids: Sequence[int], *, most: int = MOST_REMOVED
) -> None:
    """Remove the keyword entries of these chunks.

    Their postings go at once only when those of so many others remain, see `posting_blocks`.
    """
    row = connection.execute(_WITHOUT_ENTRIES_SQL, (list(chunk_ids),)).fetchone()
    if row is not None and row[0] >= most:
        drop_removed(connection)


def chunks_of(connection: psycopg.Connection[Any], file_ids: Sequence[str]) -> list[int]:
    """Return the chunks of these files."""
    return [row[0] for row in connection.execute(_OF_FILES_SQL, (list(file_ids),)).fetchall()]


def write_log(connection: psycopg.Connection[Any], chunk_ids: Sequence[int]) -> None:
    """Add an entry for each of these chunks to the change log."""
    if chunk_ids:
        first = next_numbers(connection, "changes", len(chunk_ids))
        connection.execute(_LOG_SQL, (first, list(chunk_ids)))


def next_numbers(connection: psycopg.Connection[Any], log: str, number: int) -> int:
    """Take the next numbers of a log; return the one before the first.

    A row has the last one, and no sequence: what is rolled back gives its numbers back.
    """
    ((last,),) = connection.execute(_LAST_SQL, (number, log)).fetchall()
    return int(last) - number
