"""Reading of definitions in source code, by name."""

import json
from collections.abc import Sequence

from contracts import Scope
from memory.storage.database import Database
from memory.storage.portable.definitions import name_endings
from memory.storage.sqlite.scope import scope_sql

_DEFINING_SQL = """
SELECT c.id FROM json_each(:tails) AS t
    JOIN definition_names AS n ON n.name = t.value ->> 0
    JOIN chunks AS c ON c.id = n.chunk_id,
    json_each(c.defines) AS d
WHERE (d.value LIKE t.value ->> 1 OR d.value LIKE '%.' || (t.value ->> 1)) {conditions}
GROUP BY c.id ORDER BY max(length(t.value ->> 1)) DESC, c.id LIMIT :limit
"""


def defining(
    database: Database, names: Sequence[str], scope: Scope, *, generation: str | None, limit: int
) -> list[int]:
    """See `CandidateIndex.defining`."""
    conditions, values = scope_sql(scope, generation)
    tails = name_endings(names)
    sql = _DEFINING_SQL.format(conditions="".join(f" AND {one}" for one in conditions))
    rows = database.read(sql, {**values, "tails": json.dumps(tails), "limit": limit})
    return [row[0] for row in rows]
