"""The entries that a search by words may find: what its scope lets, and what is not removed."""

from typing import Any, Final

from contracts import Scope
from contracts.named_tuple import NamedTuple
from memory.storage.database import Database
from memory.storage.postgres.keywords.totals import totals_of
from memory.storage.postgres.scope import scope_sql

_WITHOUT_INDEX: Final[dict[str, Any]] = {
    name: Scope._field_defaults[name]
    for name in ("since", "until", "without_tags", "without_sources", "shown_after", "speaker")
}
"""The parts of a scope for which no index has the chunks."""

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

_LEFT_OUT_SQL: Final = f"SELECT count(*) FROM (SELECT 1 FROM {_LEFT_OUT} AS c LIMIT :most) AS few"
_FEW_SQL: Final = """
WITH few AS MATERIALIZED (
    SELECT c.id, {others} AS is_within FROM (
        SELECT * FROM chunks AS c WHERE {indexed} LIMIT :most + 1
    ) AS c
)
SELECT ARRAY(
    SELECT entry_id FROM few CROSS JOIN LATERAL (
        SELECT entry_id FROM keyword_entries WHERE chunk_id = few.id AND is_within OFFSET 0
    ) AS e
) WHERE (SELECT count(*) FROM few) <= :most
"""


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
        rows = database.read(_LEFT_OUT_SQL, {**values, "most": MOST_LEFT_OUT})
        left_out = int(rows[0][0])
    if conditions and (not scope.is_open or left_out == MOST_LEFT_OUT):
        looked_up = _LOOKED_UP.format(
            conditions=" AND ".join(f"({one}) IS TRUE" for one in conditions)
        )
        return Within(looked_up, values, leaves_out_many=True)
    every = [*live, _NOT_LEFT_OUT] if left_out else live
    where = f"WHERE {' AND '.join(every)}" if every else ""
    return Within(where, values if left_out else {}, leaves_out_many=False)


def few_entries(database: Database, scope: Scope, *, most: int) -> list[int] | None:
    """Return the entries of a scope; None if it has more than `most` chunks, or may have, for all
    that an index tells.
    """
    indexed, _ = scope_sql(scope._replace(**_WITHOUT_INDEX))
    if not indexed:
        return None
    every, values = scope_sql(scope)
    others = [f"({one}) IS TRUE" for one in every if one not in indexed]
    sql = _FEW_SQL.format(indexed=" AND ".join(indexed), others=" AND ".join(others) or "TRUE")
    rows = database.read(sql, {**values, "most": most})
    return rows[0][0] if rows else None
