"""One write transaction of a schema: its statements, and what else they change.

Statements without rows wait for one that has some, and what belongs to many documents is written at
once, before anything looks for it.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import psycopg
from psycopg import ClientCursor

from contracts.named_tuple import NamedTuple
from memory.storage.database import Transaction
from memory.storage.postgres.statements import in_postgres, numbered_table
from memory.storage.postgres.writing.logged_statements import (
    Logged,
    chunks_of,
    logged,
    remove_entries,
    write_log,
)
from memory.storage.postgres.writing.posting_blocks import Unmerged
from memory.storage.values import Parameters, RecordEvent, Row

if TYPE_CHECKING:
    from memory.storage.portable.noted_changes import NotedChanges

Writer: TypeAlias = Callable[[Transaction, Mapping[Any, Any]], None]

_PAST_SQL = """
SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}
"""
"""The next number that the server gives is past all that statements have chosen."""

_INSERT_ONE = re.compile(
    r"(?P<head>\s*INSERT\s.*?\sVALUES\s+)(?P<values>\(.*\))(?P<tail>\s*RETURNING\s[\w\s,]+)",
    re.IGNORECASE | re.DOTALL,
)
_DEPENDS = re.compile(r"keyword|posting_|vectors_|UPDATE\s+spaces", re.IGNORECASE)
"""Statements that read keyword entries or vectors. Chunks that are removed before they have any get
none.
"""

_DERIVED = re.compile(rf"{_DEPENDS.pattern}|refused_texts", re.IGNORECASE)
"""Statements that read what goes with removed chunks."""

_SILENT = re.compile(r"\s*(INSERT|UPDATE|DELETE)\b(?!.*\bRETURNING\b)", re.IGNORECASE | re.DOTALL)
"""Statements without rows, which wait for the next one that has some: each message takes time."""

_TOGETHER = 100
"""Statements, or rows of one, that are sent together."""


def _batches(rows: Iterable[Parameters]) -> Iterator[list[Parameters]]:
    waiting = iter(rows)
    while some := list(itertools.islice(waiting, _TOGETHER)):
        yield some


class _Sent(NamedTuple):
    """The whole text of a statement, and what belongs to it."""

    text: str
    whole: Logged | None


class PostgresTransaction:
    """Statements inside one `BEGIN` ... `COMMIT` of the schema's only writer."""

    def __init__(self, connection: psycopg.Connection[Any], unmerged: Unmerged) -> None:
        self._connection = connection
        self._writer = ClientCursor(connection)
        self._queued: list[_Sent] = []
        self._known: dict[tuple[str, str], list[Row]] = {}
        self.unmerged = unmerged
        self._changes: NotedChanges | None = None
        self._changed_chunks: dict[int, None] = {}
        self._described_files: dict[str, None] = {}
        self._waiting: dict[Writer, dict[Any, Any]] = {}

    @property
    def connection(self) -> psycopg.Connection[Any]:
        """The connection, once all statements before were sent."""
        self.send()
        return self._connection

    def run(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        self.settle(sql)
        statement, values = in_postgres(sql, parameters)
        table = numbered_table(statement, values)
        if _SILENT.match(sql):
            self._queue(statement, values)
            rows = []
        else:
            rows = self._answer(sql, statement, values)
        if table is not None:
            self._queue(_PAST_SQL.format(table=table), {})
        return rows

    def run_many(self, sql: str, rows: Iterable[Parameters]) -> None:
        self.settle(sql)
        tables = set()
        for row in rows:
            statement, values = in_postgres(sql, row)
            self._queue(statement, values)
            tables.add(numbered_table(statement, values))
        for table in tables - {None}:
            self._queue(_PAST_SQL.format(table=table), {})

    def run_once(self, sql: str, parameters: Parameters) -> list[Row]:
        asked = sql, repr(parameters)
        if asked not in self._known:
            self._known[asked] = self.run(sql, parameters)
        return self._known[asked]

    def insert_many(self, sql: str, rows: Sequence[Parameters]) -> list[Row]:
        found = _INSERT_ONE.fullmatch(sql)
        if found is None:
            return [row for values in rows for row in self.run(sql, values)]
        inserted: list[Row] = []
        for some in _batches(rows):
            whole = (self._written(*in_postgres(found["values"], row)) for row in some)
            statement = f"{found['head']}{', '.join(whole)}{found['tail']}"
            inserted += self._answer(sql, statement, None)
        if rows and (table := numbered_table(sql, rows[0])) is not None:
            self._queue(_PAST_SQL.format(table=table), {})
        return inserted

    def _written(self, statement: str, values: Mapping[str, Any] | None) -> str:
        """Return a statement with its values in it."""
        return self._writer.mogrify(statement, values)

    def _as_sent(self, statement: str, values: Mapping[str, Any] | None) -> _Sent:
        whole = logged(statement, log=self)
        return _Sent(self._written(whole.sql if whole else statement, values), whole)

    def _queue(self, statement: str, values: Mapping[str, Any]) -> None:
        """Have a statement without rows of its own wait for the next one that has some."""
        self._queued.append(self._as_sent(statement, values))
        if len(self._queued) >= _TOGETHER:
            self.send()

    def _answer(self, sql: str, statement: str, values: Mapping[str, Any] | None) -> list[Row]:
        """Send a statement behind those that wait; return its own rows."""
        if _DERIVED.search(sql):
            self.send()  # what belongs to removed chunks goes only then
        last = self._as_sent(statement, values)
        rows = self._send([*self._queued, last])
        return [row[: -last.whole.width] for row in rows] if last.whole else rows

    def _send(self, statements: Sequence[_Sent]) -> list[Row]:
        """Send statements in one message; return the rows of the last one."""
        self._queued = []
        cursor = self._connection.execute("; ".join(one.text for one in statements))
        found = [cursor.fetchall() if cursor.description else []]
        while cursor.nextset():
            found.append(cursor.fetchall() if cursor.description else [])
        for one, rows in zip(statements, found, strict=True):
            if one.whole is not None:
                one.whole.take(self._connection, rows)
        return found[-1]

    def write_later(self, write: Writer, rows: Mapping[Any, Any]) -> None:
        """Have `write` write these rows, which belong to chunks, before anything looks for it.

        So that a transaction of many documents writes it at once.
        """
        self._waiting.setdefault(write, {}).update(rows)

    def settle(self, sql: str) -> None:
        """Write what waits, if a statement could depend on it."""
        if self._waiting and _DEPENDS.search(sql):
            self._write_waiting()

    def send(self) -> None:
        """Send the statements that wait for another one."""
        if self._queued:
            self._send(self._queued)

    def _write_waiting(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for write, rows in waiting.items():
            write(self, rows)

    def log_chunks(self, chunk_ids: Iterable[int]) -> None:
        """Log at the end that these chunks changed, each once."""
        self._changed_chunks |= dict.fromkeys(chunk_ids)

    def remove_entries(self, chunk_ids: Sequence[int]) -> None:
        """Remove the keyword entries of these chunks."""
        self._write_waiting()
        remove_entries(self.connection, chunk_ids)

    def log_files(self, file_ids: Iterable[str]) -> None:
        """Log at the end that the chunks of these files changed."""
        self._described_files |= dict.fromkeys(file_ids)

    def note_change(self, source: str, owner_id: str, event: RecordEvent) -> None:
        if self._changes is None:
            from memory.storage.portable.noted_changes import NotedChanges

            self._changes = NotedChanges()
        self._changes.note(source, owner_id, event)

    def write_changes(self) -> None:
        """Write what waits and the logs; the last thing before the end of the transaction."""
        self._write_waiting()
        connection = self.connection
        if self._described_files:
            self.log_chunks(chunks_of(connection, list(self._described_files)))
        write_log(connection, list(self._changed_chunks))
        if self._changes is not None:
            from memory.storage.postgres.writing.record_changes import write_changes

            write_changes(self.connection, self._changes)
        self.send()


def own_transaction(tx: Transaction) -> PostgresTransaction:
    """Return the transaction as one of this backend."""
    if not isinstance(tx, PostgresTransaction):
        raise TypeError("the transaction is of another backend")
    return tx
