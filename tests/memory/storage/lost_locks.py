"""The end of a connection that holds a lock in PostgreSQL."""

from memory.workspace import Workspace

END_SQL = """
SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
WHERE locktype = 'advisory' AND granted AND (classid::bigint << 32 | objid::bigint) = %s
"""


def end_lock(memory: Workspace, work: str) -> None:
    """End the connection that holds a lock, as an administrator or a restart does."""
    import psycopg

    from memory.storage.postgres.work_locks import lock_number

    number = lock_number(memory.storage.database.schema, work)
    with psycopg.connect(memory.storage.database.dsn, autocommit=True) as connection:
        assert connection.execute(END_SQL, (number,)).fetchall() == [(True,)]
