"""Reading of definitions in source code, by name, in PostgreSQL."""

from collections.abc import Sequence
from typing import Any, Final

from contracts import Scope
from memory.storage.database import Database
from memory.storage.portable.definitions import name_endings
from memory.storage.postgres.scope import scope_sql

LAST_NAMES: Final = r"""
string_to_array(regexp_replace(regexp_replace(
    lower(c.defines), '"\]$', ''), '(^\["|", ")([^"]*\.)?', chr(10), 'g'), chr(10))
""".strip()
"""SQL of the last parts, without case, of the names of definitions in a row of `chunks AS c`."""

_DEFINING_SQL: Final = """
SELECT c.id FROM chunks AS c, unnest(:endings::text[]) AS e (ending),
    json_array_elements_text(lower(c.defines)::json) AS d (name)
WHERE c.defines IS NOT NULL AND {last_names} && :lasts::text[]
    AND (d.name = e.ending OR right(d.name, length(e.ending) + 1) = '.' || e.ending) {conditions}
GROUP BY c.id ORDER BY max(length(e.ending)) DESC, c.id LIMIT :limit
"""


def defining(
    database: Database, names: Sequence[str], scope: Scope, *, generation: str | None, limit: int
) -> list[int]:
    """See `CandidateIndex.defining`."""
    sql, values = defining_sql(names, scope, generation)
    return [row[0] for row in database.read(sql, {**values, "limit": limit})]


def defining_sql(
    names: Sequence[str], scope: Scope, generation: str | None
) -> tuple[str, dict[str, Any]]:
    """Return the statement, and its parameters but the limit."""
    conditions, values = scope_sql(scope, generation)
    endings = name_endings(map(_folded, names))
    sql = _DEFINING_SQL.format(
        last_names=LAST_NAMES, conditions="".join(f" AND {one}" for one in conditions)
    )
    values["lasts"] = [last for last, _ in endings if last]
    values["endings"] = [ending for _, ending in endings if ending]
    return sql, values


def _folded(name: str) -> str:
    """Fold ASCII alone, as `lower` does under the collation "C"."""
    return "".join(c.lower() if c.isascii() else c for c in name)
