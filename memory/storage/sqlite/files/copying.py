"""Copies of a whole database while others use it, page by page, with SQLite's backup API.

A copy out shows one moment: it is read within one snapshot. A copy in is one transaction: every
process with the database open sees the old content, then the new, and a kill leaves the old.
"""

import os
from pathlib import Path
from shutil import copyfile

import apsw

from contracts import IncompatibleError, StorageError
from memory.storage.atomic_files import partial_copy, put_in_place, refused
from memory.storage.capabilities.files import PagesCallback
from memory.storage.sqlite.connection import connect, empty_log
from memory.storage.sqlite.database import SqliteDatabase
from memory.storage.sqlite.errors import DAMAGED, translated
from memory.storage.sqlite.header import HEADER_BYTES, readable_header
from memory.storage.sqlite.schema import VERSION, check_version, migrate

PAGES_AT_ONCE = 1024
"""16 MB a step: often enough for a progress bar, and only a hundredth slower than one step."""

LOG_GAP = 1_000_000
"""The gap between the change log numbers of the old database and its replacement: changes that
others write in between must not reach the new numbers.
"""


def copy_out(database: SqliteDatabase, target: Path, *, progress: PagesCallback | None) -> None:
    """Write the database as of now to a new self-contained file, and check it.

    The file at `target` is replaced once the copy is on the disk, and not before. Only its owner
    can read the copy. Raises StorageError when the disk does not allow it, or the copy is damaged.
    """
    beside = partial_copy(target)
    _empty_file(beside)
    try:
        with database.snapshot(), database.connection() as source, translated(str(beside)):
            source.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()  # begins the snapshot
            copy = apsw.Connection(str(beside))
            try:
                _copy_pages(source, copy, progress)
                # One file: a copy in WAL mode would need a log beside it.
                copy.pragma("journal_mode", "DELETE")
            finally:
                copy.close()
        if fault := _fault(beside):
            raise StorageError(f"{database.path} is damaged: {fault}", hint=DAMAGED)
        put_in_place(beside, target)
    finally:
        remove_partial(beside)


def companions(path: Path) -> list[Path]:
    """Return the files that SQLite puts beside a database."""
    return [Path(f"{path}{suffix}") for suffix in ("-wal", "-shm", "-journal")]


def remove_partial(copy: Path) -> None:
    """Remove an unfinished copy and the files that SQLite put beside it."""
    for file in (copy, *companions(copy)):
        file.unlink(missing_ok=True)


def check_sound(path: Path) -> None:
    """Raise IncompatibleError for a foreign file and StorageError for a damaged database."""
    if fault := _fault(path):
        raise StorageError(f"{path} is damaged: {fault}", hint="name another backup")


def is_damaged(path: Path) -> bool:
    """Return whether a file is a damaged database of this program; see `DatabaseFiles`."""
    try:
        return bool(_fault(path))
    except IncompatibleError:
        return False
    except StorageError as error:
        if isinstance(error.__cause__, apsw.CantOpenError | apsw.PermissionsError):
            raise
        return True


def _fault(path: Path) -> str:
    """Return the first fault of a database, empty for a sound one; raise for a foreign file."""
    with translated(str(path)):
        connection = connect(str(path), immutable=not Path(f"{path}-wal").exists())
        try:
            if not check_version(connection, str(path)):
                raise IncompatibleError(
                    f"{path} is an empty file", hint="name a file that mem backup has written"
                )
            found = str(connection.execute("PRAGMA quick_check(3)").get)
        finally:
            connection.close()
    lines = [line for line in found.splitlines() if not line.startswith("***")]
    return "" if found == "ok" else lines[0] if lines else found


def copy_file(source: Path, target: Path, *, progress: PagesCallback | None) -> None:
    """Copy a sound database to `target`, a new file, and migrate it to this program's version."""
    _empty_file(target)
    with translated(str(source)):
        original = connect(str(source), immutable=not Path(f"{source}-wal").exists())
    with translated(str(target)):
        try:
            copy = connect(str(target))
            try:
                _copy_pages(original, copy, progress)
                copy.pragma("journal_mode", "DELETE")
                migrate(copy, str(target))
            finally:
                copy.close()
        finally:
            original.close()


def copy_with_header(path: Path, target: Path) -> None:
    """Copy a damaged database of this program, with a header that SQLite reads.

    Raises StorageError when the disk refuses.
    """
    _empty_file(target)
    try:
        for file in (path, *companions(path)[:1]):
            if file.exists():
                copyfile(file, f"{target}{file.name.removeprefix(path.name)}")
        with target.open("r+b") as copy:
            header = readable_header(copy.read(HEADER_BYTES), version=VERSION)
            copy.seek(0)
            copy.write(header)
    except OSError as error:
        raise refused(target, error) from error


def copy_in(source: Path, database: SqliteDatabase, *, progress: PagesCallback | None) -> None:
    """Replace the content of an open database by that of `source`, for every process that has it
    open.

    They rebuild what they derived from the old content: both change logs are emptied, and their
    numbers continue above the old ones. `source` is changed for that.
    """
    with translated(database.path), database.connection() as live:
        copy = connect(str(source))
        try:
            _fit_pages(copy, live)
            for log in ("changes", "record_changes"):
                _move_log(copy, live, log)
            _copy_pages(copy, live, progress)
        finally:
            copy.close()
        empty_log(live)


def _fit_pages(copy: apsw.Connection, live: apsw.Connection) -> None:
    """Give a copy the page size of the open database, which SQLite cannot change."""
    wanted = live.pragma("page_size")
    if copy.pragma("page_size") != wanted:
        copy.pragma("journal_mode", "DELETE")  # in WAL mode the page size cannot change
        copy.pragma("page_size", wanted)
        copy.execute("VACUUM").fetchall()


def _move_log(copy: apsw.Connection, live: apsw.Connection, log: str) -> None:
    sql = "SELECT seq FROM sqlite_sequence WHERE name = ?"
    newest = max(database.execute(sql, (log,)).get or 0 for database in (copy, live))
    copy.execute("BEGIN IMMEDIATE").fetchall()
    copy.execute(f"DELETE FROM {log}").fetchall()
    copy.execute("DELETE FROM sqlite_sequence WHERE name = ?", (log,)).fetchall()
    copy.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", (log, newest + LOG_GAP)).fetchall()
    copy.execute("COMMIT").fetchall()


def _copy_pages(
    source: apsw.Connection, target: apsw.Connection, progress: PagesCallback | None
) -> None:
    with target.backup("main", source, "main") as backup:
        while not backup.done:
            backup.step(PAGES_AT_ONCE)
            if progress is not None:
                progress(backup.page_count - backup.remaining, backup.page_count)


def _empty_file(path: Path) -> None:
    """Create an empty file readable only by its owner, replacing a leftover of a killed process."""
    try:
        path.unlink(missing_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise refused(path, error) from error
