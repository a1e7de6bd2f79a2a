"""The entries that a search by words may find: what its scope lets, and what is not removed."""

from typing import Any, Final

from contracts import Scope
from contracts.named_tuple import NamedTuple
from memory.storage.database import Database
from memory.storage.postgres.keywords.totals import totals_of
from memory.storage.postgres.scope import scope_sql

MOST_LEFT_OUT: Final = 10_000
"""The chunks outside an open scope that are left out one by one."""

_LIVE: Final = "entry_id NOT IN (SELECT entry_id FROM removed_entries)"
_LEFT_OUT: Final = """(
    SELECT id FROM chunks WHERE source = ANY (:scope_without_sources::text[])
    UNION SELECT id FROM chunks WHERE hidden_from <= :scope_shown_after
)"""
_NOT_LEFT_OUT: Final = f"""entry_id NOT IN (
    SELECT e.entry_id FROM {_LEFT_OUT} AS c JOIN keyword_entries AS e ON e.chunk_id = c.id
)"""
_LOOKED_UP: Final = """CROSS JOIN LATERAL (
    SELECT FROM keyword_entries AS e JOIN chunks AS c ON c.id = e.chunk_id
    WHERE e.entry_id = one.entry_id AND {conditions} OFFSET 0
) AS within"""
"""One entry after the other, so that the server does not gather the whole scope first. A condition
with IS TRUE is a lookup in a hash, made once, whatever number of rows the server expects.
"""

_UPTO_SQL: Final = "SELECT count(*) FROM (SELECT 1 FROM {chunks} LIMIT :most) AS few"
_ENTRIES: Final = """
    SELECT e.entry_id FROM chunks AS c JOIN keyword_entries AS e ON e.chunk_id = c.id
    WHERE {conditions}"""


class Within(NamedTuple):
    """The end of a FROM clause, after `(...) AS one`, that keeps the entries that may be found; its
    parameters; and whether so many are left out that a sample needs it, too.
    """

    sql: str
    values: dict[str, Any]
    leaves_out_many: bool


def within(database: Database, scope: Scope) -> Within:
    """Return the entries of a scope."""
    conditions, values = scope_sql(scope)
    live = [_LIVE] if totals_of(database).some_removed else []
    left_out = 0
    if conditions and scope.is_open:
        left_out = _upto(database, f"{_LEFT_OUT} AS c", values, most=MOST_LEFT_OUT)
    if conditions and (not scope.is_open or left_out == MOST_LEFT_OUT):
        looked_up = _LOOKED_UP.format(
            conditions=" AND ".join(f"({one}) IS TRUE" for one in conditions)
        )
        return Within(looked_up, values, leaves_out_many=True)
    every = [*live, _NOT_LEFT_OUT] if left_out else live
    where = f"WHERE {' AND '.join(every)}" if every else ""
    return Within(where, values if left_out else {}, leaves_out_many=False)


def entries_of_few(database: Database, scope: Scope, *, most: int) -> str | None:
    """Return the statement for the entries of a scope, whose parameters are those of `within`; None
    if it has more than `most` chunks.
    """
    conditions, values = scope_sql(scope)
    if not conditions or scope.is_open:
        return None
    where = " AND ".join(conditions)
    found = _upto(database, f"chunks AS c WHERE {where}", values, most=most + 1)
    return _ENTRIES.format(conditions=where) if found <= most else None


def _upto(database: Database, chunks: str, values: dict[str, Any], *, most: int) -> int:
    sql = _UPTO_SQL.format(chunks=chunks)
    return int(database.read(sql, {**values, "most": most})[0][0])
