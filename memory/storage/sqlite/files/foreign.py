"""Reads a SQLite file of another program. Nothing that its schema defines is trusted."""

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from contracts import InputError, NotFoundError
from memory.storage.sqlite.errors import translated

FOREIGN_TIMEOUT_MS = 2_000
_HEADER_BYTES = 20
_HANDLES = Path("/dev/fd")


class SqliteForeignFile:
    """`ForeignFile` over a connection that cannot write. See the protocol."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def tables(self) -> set[str]:
        sql = "SELECT name FROM sqlite_schema WHERE type = 'table'"
        return {row[0] for row in self._connection.execute(sql)}

    def rows(
        self, table: str, wanted: Sequence[str], *, as_bytes: Collection[str] = ()
    ) -> list[dict[str, Any]]:
        found = {row[1] for row in self._connection.execute(f"PRAGMA table_info({table})")}
        names = [name for name in wanted if name in found]
        if not names:
            return []
        chosen = (f"CAST({name} AS BLOB)" if name in as_bytes else name for name in names)
        sql = f"SELECT {', '.join(chosen)} FROM {table} ORDER BY 1"
        return [dict(zip(names, row, strict=True)) for row in self._connection.execute(sql)]

    def between(
        self, table: str, wanted: Sequence[str], *, column: str, low: object, high: object
    ) -> list[dict[str, Any]]:
        found = {row[1] for row in self._connection.execute(f"PRAGMA table_info({table})")}
        names = [name for name in wanted if name in found]
        if not names or column not in found:
            return []
        chosen = (
            f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END"
            for name in names
        )
        sql = f"""SELECT {", ".join(chosen)} FROM {table}
            WHERE {column} >= :low AND {column} < :high ORDER BY {column}"""
        rows = self._connection.execute(sql, {"low": low, "high": high}).fetchall()
        return [dict(zip(names, row, strict=True)) for row in rows]


@contextmanager
def open_foreign_file(path: Path, *, hint: str) -> Iterator[SqliteForeignFile]:
    """See `memory.storage.opening.open_foreign`."""
    try:
        with translated(str(path)), closing(connect_foreign(path)) as connection:
            yield SqliteForeignFile(connection)
    except apsw.SQLError as error:
        raise InputError(f"{path} cannot be read: {error}", hint=hint) from error


def connect_foreign(path: Path) -> apsw.Connection:
    """Return a connection that reads another program's file, trusts nothing in it, and writes
    nothing.

    Raises NotFoundError when there is no file.
    """
    if not path.is_file():
        raise NotFoundError(f"there is no file {path}", hint="check its spelling")
    immutable = "?immutable=1" if _is_closed_wal(path) else "?mode=ro"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_NOMUTEX
    connection = apsw.Connection(f"{path.absolute().as_uri()}{immutable}", flags=flags)
    connection.set_busy_timeout(FOREIGN_TIMEOUT_MS)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    return connection


def _is_closed_wal(path: Path) -> bool:
    """Return whether a database logs ahead, and nobody has it open.

    SQLite then needs to create files beside it, or the promise that it does not change. Others are
    read under the locks of their writers.
    """
    return not Path(f"{path}-wal").exists() and _header(path)[18:20] == b"\2\2"


def _header(path: Path) -> bytes:
    """Return the first bytes of a file.

    They are read by a handle that this process has of it, if there is one: closing another would
    end the POSIX locks of its connections to the file, and others would write while these read.
    """
    wanted = path.stat()
    for handle in _open_handles():
        with suppress(OSError):  # it is closed by now, as that of the listing is
            if os.path.samestat(os.fstat(handle), wanted):
                return os.pread(handle, _HEADER_BYTES, 0)
    with path.open("rb") as file:
        return file.read(_HEADER_BYTES)


def _open_handles() -> list[int]:
    """Return the handles of open files of this process; none where the system does not list them,
    such as Windows, which has no such locks.
    """
    try:
        return [int(handle.name) for handle in _HANDLES.iterdir()]
    except OSError:
        return []
