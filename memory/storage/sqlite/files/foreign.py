"""Reads a SQLite file of another program. Nothing that its schema defines is trusted."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import apsw

from contracts import InputError, NotFoundError
from memory.storage.sqlite.errors import translated

FOREIGN_TIMEOUT_MS = 2_000
_HEADER_BYTES = 20


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
    if Path(f"{path}-wal").exists():
        return False
    with path.open("rb") as file:
        return file.read(_HEADER_BYTES)[18:20] == b"\2\2"
