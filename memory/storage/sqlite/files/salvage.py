"""Salvage of the readable parts of a damaged database into a new one.

Rows are copied one by one, past the lost pages.
"""

import contextlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

from contracts import IncompatibleError, NotFoundError, StorageError
from memory.storage.atomic_files import partial_copy
from memory.storage.capabilities.files import SalvagedRows
from memory.storage.meta import READING_HOLDER, REINDEX_HOLDER, SYNC_HOLDER, WATCH_HOLDER
from memory.storage.sqlite.connection import connect, lay_out, prepare_file, use_wal
from memory.storage.sqlite.database import SqliteTransaction
from memory.storage.sqlite.errors import BUSY_TIMEOUT_MS, translated
from memory.storage.sqlite.files.copying import copy_with_header, remove_partial
from memory.storage.sqlite.files.readable_rows import Column, readable_row
from memory.storage.sqlite.header import is_ours
from memory.storage.sqlite.migrations.vector_bytes import split_vectors
from memory.storage.sqlite.record_changes import NEWEST_SQL, restart_log
from memory.storage.sqlite.schema import (
    SPLIT_SINCE,
    check_version,
    migrate,
    vector_log_sql,
    vector_tables_sql,
)
from memory.storage.sqlite.split_vectors import checked_rows
from memory.storage.sqlite.vectors import code_table
from memory.storage.values import Space
from memory.storage.vectors import vector_table

_RECORDS = ("files", "turns", "memories", "facts", "people", "patterns", "open_loops", "signals")
"""The tables of user data; all others describe it or can be derived from it."""

_NUMBERED = (
    *(*_RECORDS, "episodic_memory", "semantic_memory", "spaces", "chunks", "embedding_cache"),
    *("actions", "enrichments", "fact_history"),
)
_KEYED = (
    *("roots", "meta", "refused_texts", "latencies", "tallies"),
    *("sessions", "memory_links", "memory_words", "semantic_sources", "record_links", "tokens"),
    *("chat_sources", "removed_messages"),
)
_COLUMNS_SQL = """SELECT name, upper(type), "notnull" OR pk FROM pragma_table_xinfo(?)
    WHERE hidden = 0"""
_HOLDERS = (SYNC_HOLDER, REINDEX_HOLDER, WATCH_HOLDER, READING_HOLDER)
SPACES_SQL = f"SELECT {', '.join(Space._fields)} FROM spaces"
LOST = (
    *(apsw.CorruptError, apsw.IOError, apsw.SQLError),
    *(apsw.TooBigError, apsw.NoMemError, UnicodeDecodeError, OverflowError),
)
_RESTORE = "put a backup back with mem restore FILE"
_LAST_ROW = (1 << 63) - 1
_REPEATED = (
    *(apsw.SQLITE_CONSTRAINT_PRIMARYKEY, apsw.SQLITE_CONSTRAINT_UNIQUE),
    apsw.SQLITE_CONSTRAINT_ROWID,
)
_WIDEST_GAP = 1 << 20
"""The row numbers skipped after a lost page, before the rest is given up."""

_LEAST_ROW = 8
"""The fewest bytes of a row of a table without row numbers."""

_ORDER = "the rows are not in order"


def salvage_file(path: Path, target: Path) -> SalvagedRows:
    """Copy as `DatabaseFiles.salvage` describes. A target without rows is removed again."""
    with translated(str(path)), _opened(path, beside=partial_copy(target)) as source:
        _check_ours(source, path)
        try:
            prepare_file(target, create=True)
            with closing(connect(str(target))) as copy:
                lay_out(copy)
                use_wal(copy)
                migrate(copy, str(target))
                copied = _copy_all(source, copy)
                restart_log(SqliteTransaction(copy), after=_newest_change(source))
            if copied.incomplete and not any(copied.rows[table] for table in _RECORDS):
                raise StorageError(f"no record of {path} can be read", hint=_RESTORE)
        except BaseException:
            remove_partial(target)
            raise
    return copied


@contextlib.contextmanager
def _opened(path: Path, *, beside: Path) -> Iterator[apsw.Connection]:
    """Open a damaged file, or a copy in `beside` that has a new header if its own is damaged."""
    with closing(connect_damaged(path)) as source:
        if not _has_lost_header(source, path):
            yield source
            return
    try:
        beside.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        copy_with_header(path, beside)
        with closing(connect_damaged(beside)) as source:
            yield source
    finally:
        remove_partial(beside)


def _has_lost_header(source: apsw.Connection, path: Path) -> bool:
    try:
        if not check_version(source, str(path)) or source.table_exists(None, "files"):
            return False
    except (apsw.NotADBError, *LOST):
        pass
    except StorageError:  # it has our tables and another program's id, or our id and no version
        return True
    return is_ours(str(path))


def connect_damaged(path: Path) -> apsw.Connection:
    """Return a connection that reads whatever remains of a file and writes nothing.

    Raises NotFoundError when there is no file.
    """
    if not path.is_file():
        raise NotFoundError(f"there is no database at {path}", hint="name one with --db")
    immutable = "" if Path(f"{path}-wal").exists() else "?immutable=1"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_NOMUTEX
    connection = apsw.Connection(f"{path.absolute().as_uri()}{immutable}", flags=flags)
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    # Otherwise a file with fewer pages than its header says is refused.
    connection.config(apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)
    connection.pragma("cell_size_check", 1)  # do not read a truncated page as a whole one
    return connection


def _check_ours(source: apsw.Connection, path: Path) -> None:
    try:
        if not check_version(source, str(path)):
            raise IncompatibleError(f"{path} is an empty file", hint=_RESTORE)
        if not source.table_exists(None, "files"):
            raise apsw.CorruptError("the tables are not listed")
    except LOST as error:
        raise StorageError(f"{path} has lost the list of its tables", hint=_RESTORE) from error


def _newest_change(source: apsw.Connection) -> int:
    try:
        newest = source.execute(NEWEST_SQL).get
    except LOST:
        return 0
    return newest if isinstance(newest, int) else 0


def _copy_all(source: apsw.Connection, copy: apsw.Connection) -> SalvagedRows:
    copied = SalvagedRows({}, [], {})
    copy.pragma("foreign_keys", 0)
    copy.execute("DELETE FROM embedding_cache_size").fetchall()
    copy.execute("INSERT INTO embedding_cache_size VALUES (0, 0)").fetchall()
    for table in (*_KEYED, *_NUMBERED):
        if source.table_exists(None, table):  # an older version has fewer
            _copy(source, copy, table, copied)
        else:
            copied.rows[table] = 0
    # Retired spaces can be filled again.
    copy.execute("DELETE FROM spaces WHERE state <> 'active'").fetchall()
    copy.executemany("DELETE FROM meta WHERE key = ?", [(key,) for key in _HOLDERS])
    for space in [Space(*row) for row in copy.execute(SPACES_SQL)]:
        copy.execute(vector_tables_sql(vector_table(space), code_table(space))).fetchall()
        copy.execute(vector_log_sql(vector_table(space))).fetchall()
        for table in (vector_table(space), code_table(space)):
            _copy(source, copy, table, copied)
    if check_version(source, "") < SPLIT_SINCE:
        split_vectors(copy)
    else:
        for space in [Space(*row) for row in copy.execute(SPACES_SQL)]:
            _drop_damaged(copy, space, copied)
    return copied


def _drop_damaged(copy: apsw.Connection, space: Space, copied: SalvagedRows) -> None:
    vectors, codes = vector_table(space), code_table(space)
    sql = f"SELECT v.chunk_id, q.q, v.v FROM {vectors} AS v LEFT JOIN {codes} AS q USING (chunk_id)"
    damaged = [
        (chunk_id,)
        for chunk_id, q, v in copy.execute(sql)
        if q is None or checked_rows([(q, v)], space.dimensions) == [None]
    ]
    for table in (vectors, codes):
        copy.executemany(f"DELETE FROM {table} WHERE chunk_id = ?", damaged)
    if damaged:
        copied.skipped[vectors] = copied.skipped.get(vectors, 0) + len(damaged)
        copied.rows[vectors] -= len(damaged)


def _copy(source: apsw.Connection, copy: apsw.Connection, table: str, copied: SalvagedRows) -> None:
    """Copy the readable rows of a table; the tables have the same columns, or fewer."""
    try:
        there = {row[0] for row in source.execute(_COLUMNS_SQL, (table,))}
    except LOST:
        there = set()
    wanted = [Column(*row) for row in copy.execute(_COLUMNS_SQL, (table,))]
    columns = [column for column in wanted if column.name in there]
    if not columns:
        copied.rows[table] = 0
        copied.incomplete.append(table)
        return
    reader = Rows(source, table, columns)
    rows = reader.numbered() if table not in _KEYED else reader.keyed()
    names = ", ".join(column.name for column in columns)
    sql = f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"
    skipped = 0
    copy.execute("BEGIN IMMEDIATE").fetchall()
    for row in rows:
        values = readable_row(columns, row)
        skipped += values is None or not _is_inserted(copy, sql, values)
    copy.execute("COMMIT").fetchall()
    if skipped:
        copied.skipped[table] = skipped
    copied.rows[table] = int(copy.execute(f"SELECT count(*) FROM {table}").get)
    if reader.is_torn:
        copied.incomplete.append(table)


def _is_inserted(copy: apsw.Connection, sql: str, values: Sequence[Any]) -> bool:
    """Insert a row unless it is there; return False for one that the table does not accept."""
    try:
        copy.execute(sql, values).fetchall()
    except apsw.ConstraintError as error:
        return getattr(error, "extendedresult", None) in _REPEATED
    except (apsw.MismatchError, apsw.TooBigError, apsw.SQLError):
        return False
    return True


class Rows:
    """The readable rows of a table; `is_torn` once some could not be read."""

    def __init__(self, source: apsw.Connection, table: str, columns: Sequence[Column]) -> None:
        self._source = source
        self._table = table
        self._columns = ", ".join(column.expression for column in columns)
        self.is_torn = False
        pages, size = source.pragma("page_count"), source.pragma("page_size")
        self._most_rows = int(pages or 0) * int(size or 0) // _LEAST_ROW

    def keyed(self) -> Iterator[Sequence[Any]]:
        """Read from both ends to the lost page; some rows may come twice."""
        for direction in ("ASC", "DESC"):
            sql = f"SELECT {self._columns} FROM {self._table} ORDER BY 1 {direction}"
            try:
                yield from self._in_order(sql, down=direction == "DESC")
            except LOST:
                self.is_torn = True
            else:
                return

    def numbered(self) -> Iterator[Sequence[Any]]:
        """Read in the order of row numbers, skipping those on lost pages."""
        sql = f"SELECT rowid, {self._columns} FROM {self._table} WHERE rowid > ? ORDER BY rowid"
        reached, gap = 0, 0
        while gap < _WIDEST_GAP and reached + gap < _LAST_ROW:
            try:
                for number, *row in self._source.execute(sql, (reached + gap,)):
                    if number <= reached + gap:  # a page that leads back would be read for ever
                        raise apsw.CorruptError(_ORDER)
                    if gap:
                        yield from self._between(reached, reached + gap)
                    reached, gap = number, 0
                    yield row
            except LOST:
                self.is_torn = True
                gap += 1 + gap // 256  # the next number may be on another page
            else:
                return

    def _between(self, after: int, last: int) -> Iterator[Sequence[Any]]:
        """Read backwards from the last row to the lost page."""
        sql = f"""SELECT rowid, {self._columns} FROM {self._table} WHERE rowid > ? AND rowid <= ?
            ORDER BY rowid DESC"""
        with contextlib.suppress(*LOST):
            before = last + 1
            for number, *row in self._source.execute(sql, (after, last)):
                if number >= before:
                    return
                before = number
                yield row

    def _in_order(self, sql: str, *, down: bool) -> Iterator[Sequence[Any]]:
        """Yield rows while their first column does not turn back; then raise CorruptError.

        A page that leads back would be read for ever.
        """
        previous = None
        for number, row in enumerate(self._source.execute(sql)):
            key = row[0] if isinstance(row[0], bytes) else None
            if (
                previous is not None
                and key is not None
                and (key > previous if down else key < previous)
            ):
                raise apsw.CorruptError(_ORDER)
            if number > self._most_rows:
                raise apsw.CorruptError(_ORDER)
            previous = key
            yield row
