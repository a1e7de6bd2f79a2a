"""The engine of a memory from outside: raw statements, and the words that it keeps."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, Protocol

import apsw

from memory.storage.keyword_statistics import Term
from memory.workspace import Workspace

COLUMNS = ("text", "title", "neighbours", "identifiers")


class Outside(Protocol):
    """Runs one statement, with `?` for values, as another program would."""

    def __call__(self, sql: str, *values: Any) -> list[tuple[Any, ...]]: ...


@contextmanager
def outside(workspace: Workspace) -> Iterator[Outside]:
    """A connection of another program to the database of a workspace.

    A file is opened by the library that this program uses: closing it in another library would end
    the locks that this process holds.
    """
    if workspace.storage.engine != "postgres":
        with closing(apsw.Connection(str(workspace.path))) as file:
            file.set_busy_timeout(30_000)  # milliseconds; a job of the workspace may be writing
            yield lambda sql, *values: file.execute(sql, values).fetchall()
        return
    import psycopg

    database: Any = workspace.storage.database

    def run(sql: str, *values: Any) -> list[tuple[Any, ...]]:
        # A text of PostgreSQL holds no NUL; see docs/postgresql.md.
        held = [v.replace("\0", "\ufffe0") if isinstance(v, str) else v for v in values]
        cursor = server.execute(sql.replace("?", "%s"), held)
        return cursor.fetchall() if cursor.description else []

    with psycopg.connect(database.dsn, autocommit=True) as server:
        server.execute(f'SET search_path = "{database.schema}"')
        yield run


def insert(workspace: Workspace, sql: str, *values: Any) -> int:
    """Insert a row as another program would; return its number."""
    with outside(workspace) as run:
        return int(run(f"{sql} RETURNING id", *values)[0][0])


def residue(workspace: Workspace, *words: str) -> dict[str, list[str]]:
    """Which words each file of the database holds; over a server, which each table does."""
    storage = workspace.storage
    if storage.files is not None:
        return storage.files.residue(words)
    sql = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema"
    found: dict[str, list[str]] = {}
    with outside(workspace) as run:
        for (table,) in run(sql):
            for word in words:
                held = f"SELECT 1 FROM {table} AS t WHERE strpos(lower(t::text), ?) > 0 LIMIT 1"
                forms = {word.lower(), json.dumps(word.lower())[1:-1]}
                if any(run(held, form) for form in forms):
                    found.setdefault(table, []).append(word)
    return found


def keyword_places(workspace: Workspace) -> dict[str, list[tuple[int, str]]]:
    """The chunks and columns where each word of the keyword index occurs."""
    statistics = workspace.storage.keyword_statistics()
    with workspace.storage.database.snapshot():
        words = sorted(word for _, word in list(statistics.frequent(least=1)))
        places = {word: map(int, statistics.places(Term(word)).split()) for word in words}
    return {
        word: sorted((place // 4, COLUMNS[place % 4]) for place in found)
        for word, found in places.items()
    }
