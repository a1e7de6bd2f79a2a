"""A connection to a SQLite file, with the settings that all of them share, and the file itself.

The settings are those that `apsw.bestpractice` documents, made by hand: importing it costs 40 ms.
"""

import contextlib
import functools
import importlib.util
import os
import time
from pathlib import Path

import apsw

from contracts import NotFoundError, StorageError
from contracts.named_tuple import NamedTuple
from memory.storage.sqlite.errors import BUSY_TIMEOUT_MS

MAPPED_BYTES = 1 << 30
"""The bytes of the file read by memory mapping instead of being copied page by page: a query over
100,000 chunks takes a fifth less. They count as resident memory of every connection, so only a
few of a server read so, which are used first.
"""

CACHED_KB = 16_000
FRUGAL_CACHED_KB = 4_000
"""Pages that a connection caches: usually, and where many connections map nothing."""

_WAL_RETRY_S = 0.02
_EFFECTIVE = os.access in os.supports_effective_ids


@functools.cache
def vec_extension() -> str:
    """Return the sqlite-vec library file without its Python module, which imports numpy."""
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        raise StorageError(
            "the package sqlite-vec is missing", hint="install it: pip install sqlite-vec"
        )
    return str(Path(spec.submodule_search_locations[0]) / "vec0")


def connect(path: str, *, immutable: bool = False, frugal: bool = False) -> apsw.Connection:
    """Return a connection to an existing file or ":memory:" with every setting made.

    An immutable file is only read, and SQLite puts no file beside it. A `frugal` one uses little
    memory of its own.
    """
    if immutable:
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_NOMUTEX
        connection = apsw.Connection(f"{Path(path).as_uri()}?immutable=1", flags=flags)
    else:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOMUTEX
        connection = apsw.Connection(path, flags=flags)
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.enable_load_extension(True)
    connection.load_extension(vec_extension())
    connection.enable_load_extension(False)
    for pragma, value in (
        ("synchronous", "NORMAL"),
        ("foreign_keys", "ON"),
        ("recursive_triggers", "ON"),
        # A split page keeps the moved cells in its free space, where nothing would overwrite
        # them when they are removed later: it must be overwritten at once.
        ("secure_delete", "FAST"),
        ("temp_store", "MEMORY"),
        ("cache_size", str(-(FRUGAL_CACHED_KB if frugal else CACHED_KB))),
        ("mmap_size", "0" if frugal else str(MAPPED_BYTES)),
    ):
        connection.pragma(pragma, value)
    return connection


def lay_out(connection: apsw.Connection) -> None:
    """Apply the settings that a file keeps from its creation; only for an empty one."""
    # A page of 4096 bytes holds three chunks, and an eighth of it is wasted.
    connection.pragma("page_size", 16384)
    connection.pragma("auto_vacuum", "INCREMENTAL")


def use_wal(connection: apsw.Connection) -> None:
    """Switch to write-ahead logging and wait for other processes, which SQLite does not do here."""
    if connection.pragma("journal_mode") == "wal":
        return
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            connection.pragma("journal_mode", "WAL")
            return
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_WAL_RETRY_S)


def empty_log(connection: apsw.Connection, *, wait_s: float = 0.0) -> bool:
    """Move the write-ahead log into the file, as far as no reader still needs it.

    It waits `wait_s` seconds for readers. Returns whether the log is empty.
    """
    connection.set_busy_timeout(int(wait_s * 1000))
    try:
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
    except apsw.BusyError:
        return False
    finally:
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    return not busy


def prepare_file(path: Path, *, create: bool) -> None:
    """Make sure that the file exists; a new file and its folder are readable only by their owner.

    Raises NotFoundError when it is missing and `create` is false.
    """
    try:
        if path.is_dir():
            raise StorageError(f"{path} is a folder", hint="name a database file with --db")
        if path.exists():
            _make_writable(path)
            return
        if create:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            return
    except OSError as error:
        raise StorageError(
            f"{path} cannot be opened: {error.strerror}: {error.filename}",
            hint="check the folder's permissions and free space, or name another file with --db",
        ) from error
    raise NotFoundError(f"there is no database at {path}", hint="make one: mem sync PATH")


def _make_writable(path: Path) -> None:
    """Let the log of a database that may be written be written, too.

    SQLite gives it the mode of the database at that time, and does not change it again.
    """
    for file in (Path(f"{path}-wal"), Path(f"{path}-shm")):
        if file.exists() and not _may_write(file) and _may_write(path):
            with contextlib.suppress(OSError):  # of another user: writing reports the error
                file.chmod(path.stat().st_mode & 0o777)


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=_EFFECTIVE)


def is_immutable(path: Path) -> bool:
    """Return whether the file is read-only for this user and no process writes to it now.

    A process that writes to it has a write-ahead log beside it.
    """
    if Path(f"{path}-wal").exists():
        return False
    places = (path, path.parent)
    return not all(map(_may_write, places))


class FileState(NamedTuple):
    """The state of a file that may be immutable, to detect that it changed."""

    immutable: bool
    marks: tuple[int, ...] = ()


def file_state(path: Path) -> FileState:
    """Return the present state of a file."""
    if not is_immutable(path):
        return FileState(False, (_may_write(path),))
    try:
        found = path.stat()
    except OSError:  # opening the file reports the error
        return FileState(True)
    return FileState(True, (found.st_ino, found.st_size, found.st_mtime_ns))
