"""A streaming replica of a test's own server: a copy that follows it, on a socket of its own."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.postgres_server import OwnServer, conninfo


class ReplicaServer:
    """A hot standby that may be stopped, started, and held at what it has replayed."""

    def __init__(self, primary: OwnServer, folder: Path) -> None:
        self._primary = primary
        self.folder = folder / "copy"  # it holds the lock of the other's socket, too
        source = conninfo(primary.dsn)
        self._sockets = folder
        self.dsn = f"postgresql://postgres:@/postgres?host={folder}"
        self._run("pg_basebackup", "-h", source["host"], "-U", "postgres", "-c", "fast", "-R", "-X",
                  "stream", "-D", str(self.folder))  # fmt: skip
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        """Run a program of the server as the server's user."""
        self._primary.run(program, *arguments)

    def start(self) -> None:
        options = f"-h '' -k {self._sockets}"
        self._run("pg_ctl", "-w", "-D", str(self.folder), "-l", str(self.folder / "log"), "-o",
                  options, "start")  # fmt: skip

    def stop(self) -> None:
        self._run("pg_ctl", "-w", "-m", "immediate", "-D", str(self.folder), "stop")

    def _ask(self, sql: str) -> Any:
        import psycopg

        with psycopg.connect(self.dsn, autocommit=True) as connection:
            row = connection.execute(sql).fetchone()
        return row[0] if row else None

    def hold(self) -> None:
        """Replay nothing more until `go_on`."""
        self._ask("SELECT pg_wal_replay_pause()")

    def go_on(self) -> None:
        self._ask("SELECT pg_wal_replay_resume()")

    def has_replayed(self, lsn: str) -> bool:
        return bool(self._ask(f"SELECT pg_last_wal_replay_lsn() >= '{lsn}'::pg_lsn"))

    def is_held(self) -> bool:
        return bool(self._ask("SELECT pg_get_wal_replay_pause_state() = 'paused'"))


@contextlib.contextmanager
def replica_of(primary: OwnServer) -> Iterator[ReplicaServer]:
    with tempfile.TemporaryDirectory(prefix="mem-pg-copy-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        if primary.user is not None:
            shutil.chown(name, primary.user)
        replica = ReplicaServer(primary, Path(name))
        try:
            yield replica
        finally:
            with contextlib.suppress(Exception):  # a test may have stopped it
                replica.stop()
