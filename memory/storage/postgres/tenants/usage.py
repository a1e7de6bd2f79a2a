"""The sizes of tenants: bytes from the catalogue for all at once, rows from each schema alone, and
there from the tables alone that have any.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final

from contracts import NotFoundError
from memory.storage.capabilities.tenants import Tenant, TenantUsage
from memory.storage.postgres.database import PostgresDatabase

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

_COUNTED: Final = {
    "last": ("record_changes", "SELECT at FROM record_changes ORDER BY seq DESC LIMIT 1"),
    "chunks": ("chunks", "SELECT count(*) FROM chunks"),
    "tokens": ("tokens", "SELECT count(*) FROM tokens WHERE position('.' IN name) = 0"),
    **{kind: (rows.split()[0], f"SELECT count(*) FROM {rows}") for kind, rows in KINDS.items()},
}
"""The statements that count in a schema, by their subject, each with its table."""

_CATALOGUE_SQL: Final = """
WITH noted AS MATERIALIZED (
    SELECT x.indrelid AS oid, sum(i.relpages) AS pages
    FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid GROUP BY x.indrelid
)
SELECT n.nspname, sum(CASE
        WHEN pg_relation_size(c.oid) + pg_relation_size(c.oid, 'fsm')
            + pg_relation_size(c.oid, 'vm') > 0 THEN pg_total_relation_size(c.oid)
        ELSE current_setting('block_size')::integer
            * (coalesce(own.pages, 0) + coalesce(t.relpages, 0) + coalesce(beside.pages, 0))
    END)::bigint,
    coalesce(array_agg(c.relname::text) FILTER (WHERE c.relname IN (:counted) AND (
        pg_relation_size(c.oid) > 0 OR EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus')
    )), '{}')
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    LEFT JOIN noted AS own ON own.oid = c.oid
    LEFT JOIN pg_class AS t ON t.oid = c.reltoastrelid
    LEFT JOIN noted AS beside ON beside.oid = c.reltoastrelid
WHERE n.nspname IN (:schemas) AND c.relkind = 'r' GROUP BY n.nspname
"""
"""The size of each schema, and those of its tables that may have rows.

A table without a page has none. One that never had any has no map of pages either, and its creation
has noted the pages of its indexes, which are not opened for that: the server keeps what it opens in
memory. A table that Citus keeps on another node has no page here.
"""

_AT_ONCE: Final = 250
"""The tenants whose tables one connection opens: 0.8 MB of the server's memory for each."""


def usage_of(
    own: PostgresDatabase,
    tenants: Sequence[Tenant],
    database_of: Callable[[Tenant], PostgresDatabase],
) -> Iterator[TenantUsage]:
    """Yield the usage of those of these tenants that are there."""
    for begin in range(0, len(tenants), _AT_ONCE):
        yield from _usage_of_some(own, tenants[begin : begin + _AT_ONCE], database_of)


def _usage_of_some(
    own: PostgresDatabase,
    tenants: Sequence[Tenant],
    database_of: Callable[[Tenant], PostgresDatabase],
) -> Iterator[TenantUsage]:
    tables = sorted({table for table, _ in _COUNTED.values()})
    schemas = [tenant.schema for tenant in tenants]
    rows = own.read_apart(_CATALOGUE_SQL, {"schemas": schemas, "counted": tables})
    known: dict[str, tuple[int, list[str]]] = {schema: (size, used) for schema, size, used in rows}
    for tenant in tenants:
        if tenant.schema not in known:
            continue
        size_bytes, used = known[tenant.schema]
        try:
            found = _found(database_of(tenant), used) if used else {}
        except NotFoundError:  # it has been dropped since
            continue
        records = {kind: found[kind] for kind in KINDS if found.get(kind)}
        chunks, tokens, last = found.get("chunks", 0), found.get("tokens", 0), found.get("last")
        yield TenantUsage(tenant.name, records, chunks, tokens, size_bytes, last)


def _found(database: PostgresDatabase, used: Collection[str]) -> dict[str, Any]:
    """Return what these tables of a schema hold, by the names of `_COUNTED`."""
    wanted = {name: sql for name, (table, sql) in _COUNTED.items() if table in used}
    (row,) = database.read(f"SELECT {', '.join(f'({sql})' for sql in wanted.values())}")
    return dict(zip(wanted, row, strict=True))
