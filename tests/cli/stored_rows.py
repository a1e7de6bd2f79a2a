"""Rows of a database that another process writes."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path


def asked(database: Path, sql: str) -> list[tuple[object, ...]]:
    """What a query finds; nothing while there is no such table yet."""
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(database)) as connection:
        return connection.execute(sql).fetchall()
    return []
