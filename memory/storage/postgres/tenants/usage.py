"""The sizes of tenants: bytes from the catalogue for all at once, rows from each schema alone."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from contracts import NotFoundError
from memory.storage.capabilities.tenants import Tenant, TenantUsage
from memory.storage.postgres.connection import PostgresDatabase

KINDS: Final = {
    "files": "files WHERE source = 'file' AND state = 'indexed'",
    "texts": "files WHERE source = 'text'",
    "turns": "turns",
    "memories": "memories WHERE status <> 'deleted'",
    "episodes": "episodic_memory WHERE summary <> ''",
    "triples": "semantic_memory",
    "facts": "facts",
    "people": "people",
    "patterns": "patterns",
    "open loops": "open_loops",
    "signals": "signals",
}
"""The rows of each kind of record."""

_SIZES_SQL: Final = """
SELECT n.nspname, sum(pg_table_size(c.oid) + pg_indexes_size(c.oid))::bigint
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname IN (:schemas) AND c.relkind = 'r' GROUP BY n.nspname
"""
_COUNTS_SQL: Final = f"""
SELECT (SELECT at FROM record_changes ORDER BY seq DESC LIMIT 1),
    (SELECT count(*) FROM chunks), (SELECT count(*) FROM tokens WHERE position('.' IN name) = 0),
    {", ".join(f"(SELECT count(*) FROM {rows})" for rows in KINDS.values())}
"""


def usage_of(
    own: PostgresDatabase,
    tenants: Sequence[Tenant],
    database_of: Callable[[Tenant], PostgresDatabase],
) -> Iterator[TenantUsage]:
    """Yield the usage of those of these tenants that are there."""
    rows = own.read(_SIZES_SQL, {"schemas": [tenant.schema for tenant in tenants]})
    sizes: dict[str, int] = dict(rows)
    for tenant in tenants:
        try:
            ((last, chunks, tokens, *counts),) = database_of(tenant).read(_COUNTS_SQL)
        except NotFoundError:  # it has been dropped since
            continue
        kinds = dict(zip(KINDS, counts, strict=True))
        records = {kind: number for kind, number in kinds.items() if number}
        size_bytes = sizes.get(tenant.schema, 0)
        yield TenantUsage(tenant.name, records, chunks, tokens, size_bytes, last)
