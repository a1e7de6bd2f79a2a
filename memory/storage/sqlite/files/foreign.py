"""Reads a SQLite file of another program. Nothing that its schema defines is trusted."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import apsw

from contracts import InputError
from memory.storage.sqlite.connection import connect_foreign, translated


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
