"""The server's own figures: versions, connections, rows that wait for a VACUUM."""

from typing import Final

from memory.storage.capabilities.server import DatabaseServerStatus
from memory.storage.postgres.database import PostgresDatabase
from memory.storage.postgres.health.storage_health import PostgresHealth

_SERVER_SQL: Final = """
SELECT current_setting('server_version'),
    (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
    (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()),
    current_setting('max_connections')::integer,
    (SELECT coalesce(extract(epoch FROM max(now() - xact_start)), 0)::double precision
        FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
            AND coalesce(backend_xmin, backend_xid) IS NOT NULL),
    coalesce(sum(n_live_tup), 0)::bigint, coalesce(sum(n_dead_tup), 0)::bigint
FROM pg_stat_all_tables WHERE schemaname = :schema
"""


def server_status(database: PostgresDatabase) -> DatabaseServerStatus:
    """Return what the server says about itself and about this schema."""
    ((version, vector, connections, most, oldest, live, dead),) = database.read(
        _SERVER_SQL, {"schema": database.schema}
    )
    return DatabaseServerStatus(
        version=version,
        vector_version=vector,
        connections=connections,
        most_connections=most,
        live_rows=live,
        dead_rows=dead,
        invalid_indexes=PostgresHealth(database).integrity().indexes,
        oldest_transaction_s=round(oldest, 1),
    )
