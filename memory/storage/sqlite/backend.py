"""The SQLite backend: one file, or `:memory:`, with the text and everything derived from it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from contracts import (
    CandidateIndex,
    ChunkRow,
    KeywordFields,
    KeywordQuery,
    QueryVector,
    Scope,
    Scored,
    StorageError,
)
from memory.storage.database import Transaction
from memory.storage.portable.backend import FEWEST_READ_IN_PARALLEL, PortableStorage
from memory.storage.portable.chunks import chunk_rows, conversation_rows, neighbours
from memory.storage.sqlite import vectors
from memory.storage.sqlite.connection import empty_log, is_immutable, lay_out, prepare_file, use_wal
from memory.storage.sqlite.database import SqliteDatabase, untouched
from memory.storage.sqlite.errors import CHECK_PERMISSIONS
from memory.storage.sqlite.keywords import fts
from memory.storage.sqlite.keywords.keyword_search import keyword_candidates
from memory.storage.sqlite.schema import DEFINES_SINCE, check_version, migrate
from memory.storage.sqlite.scope import scope_sql
from memory.storage.values import (
    CodeBatch,
    Neighbours,
    RecordChanges,
    Row,
    Space,
    StorageSize,
    StoredVector,
)

if TYPE_CHECKING:
    from memory.storage.keyword_statistics import KeywordStatistics
    from memory.storage.sqlite.files.database_files import SqliteFiles
    from memory.storage.sqlite.health.storage_health import SqliteHealth
    from memory.storage.sqlite.spaces import SqliteSpaces

PURGE_WAIT_S = 5.0
"""The time to wait for readers of an older state before erasing removed text."""

FREED_PAGES = 500
"""Free pages that one step of compacting releases."""

_SEQUENCE_SQL = "SELECT seq FROM sqlite_sequence WHERE name = 'changes'"
_REVISION_SQL = """
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0),
    (SELECT json_group_array(id || state) FROM (SELECT id, state FROM spaces ORDER BY id)),
    (SELECT json_group_object(key, value_json) FROM meta
        WHERE key NOT IN ('watcher', 'embedding_cache_limits')
            AND key NOT LIKE '%_holder' AND key NOT LIKE 'job:%')
"""
_CAN_HIDE_SQL = "SELECT 1 FROM pragma_table_info('chunks') WHERE name = 'hidden_from'"

T = TypeVar("T")


class SqliteStorage(PortableStorage):
    """`Storage` over one SQLite database. See the protocol for what each method means."""

    engine: Literal["sqlite"] = "sqlite"
    database: SqliteDatabase
    tenants = None

    def __init__(self, database: SqliteDatabase) -> None:
        self.database = database

    @classmethod
    def open(cls, path: Path, *, create: bool) -> "SqliteStorage":
        """Open the database file and migrate it to this program's version.

        Raises NotFoundError when it is missing and `create` is false, IncompatibleError for a file
        that is not a database, belongs to another program or has a newer version, StorageError when
        the disk does not allow it. A refused file is left unchanged. A file that this user may only
        read can be read, unless `create` asks for more.
        """
        # Connections are opened when needed, maybe after a change of the working directory.
        path = path.absolute()
        prepare_file(path, create=create)
        immutable = is_immutable(path)
        if create and immutable:  # SQLite would put files beside it that cannot be written either
            raise StorageError(
                f"{path} cannot be opened for writing: it or its folder is read-only for this user",
                hint=CHECK_PERMISSIONS,
            )
        return cls._prepared(str(path), immutable=immutable)

    @classmethod
    def in_memory(cls) -> "SqliteStorage":
        """Return a database that lives as long as this object and never touches the disk."""
        return cls._prepared(":memory:")

    @classmethod
    def _prepared(cls, path: str, *, immutable: bool = False) -> "SqliteStorage":
        database = SqliteDatabase(path, immutable=immutable)
        try:
            with untouched(database) as connection:
                version = check_version(connection, path)
            with database.connection() as connection:
                if version == 0:
                    lay_out(connection)
                if not immutable:
                    use_wal(connection)
                if not immutable or version == 0:  # older tables can be read as they are
                    migrate(connection, path)
        except BaseException:
            database.close()
            raise
        return cls(database)

    def serving(self, space: Space) -> "SqliteStorage":
        return _OfSpace(self.database, space)

    @cached_property
    def _defines(self) -> bool:
        """The tables name definitions. Those of an older version, which stay as they are in a file
        that may only be read, do not.
        """
        return int(self.database.read_once("PRAGMA user_version")[0][0]) >= DEFINES_SINCE

    def count_chunks(self) -> int:
        generation = self._generation()
        if generation is None:
            with self.database.connection() as connection:
                return fts.totals(connection)[0]
        sql = "SELECT count(*) FROM chunks WHERE generation IN (:generation, '')"
        return int(self.database.read(sql, {"generation": generation})[0][0])

    def document_frequencies(
        self, words: Iterable[str], *, most: int | None = None
    ) -> dict[str, int]:
        with self.database.connection() as connection:
            if most is not None:
                generation = self._generation()
                return fts.counted_frequencies(connection, words, most=most, generation=generation)
            return fts.document_frequencies(connection, words)

    def words_in(self, chunk_ids: Sequence[int], words: Iterable[str]) -> dict[int, frozenset[str]]:
        with self.database.connection() as connection:
            return fts.words_in(connection, chunk_ids, words)

    def keyword_candidates(self, query: KeywordQuery, scope: Scope, *, limit: int) -> list[Scored]:
        # The bounds of a word and its scores must be of one moment.
        with self.database.snapshot(), self.database.connection() as connection:
            return keyword_candidates(
                connection, query, scope, generation=self._generation(), limit=limit
            )

    def vector_candidates(self, vector: QueryVector, scope: Scope, *, limit: int) -> list[Scored]:
        space = self.active_space()
        if space is None:
            return []
        return vectors.vector_candidates(self.database, space, vector, scope=scope, limit=limit)

    def cosines(self, vector: QueryVector, chunk_ids: Sequence[int]) -> dict[int, float]:
        space = self.active_space()
        if space is None:
            return {}
        return vectors.cosines(self.database, space, vector, chunk_ids)

    def chunk_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        return chunk_rows(self.database, chunk_ids, defines=self._defines)

    def conversation_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        return conversation_rows(self.database, chunk_ids, defines=self._defines)

    def defining(self, names: Sequence[str], scope: Scope, *, limit: int) -> list[int]:
        from memory.storage.sqlite.definitions import defining  # few questions name a definition

        if not self._defines:
            return []
        return defining(self.database, names, scope, generation=self._generation(), limit=limit)

    def embeddings(self, chunk_ids: Sequence[int]) -> dict[int, Sequence[float]]:
        space = self.active_space()
        return vectors.embeddings(self.database, space, chunk_ids) if space else {}

    def _index_new(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
        fts.write_fields(tx, fields)

    def rewrite_keywords(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
        fts.rewrite_fields(tx, fields)

    def neighbours(self, chunk_ids: Sequence[int], *, count: int) -> dict[int, Neighbours]:
        return neighbours(self.database, chunk_ids, count=count, defines=self._defines)

    def without_keywords(self, index: CandidateIndex) -> CandidateIndex:
        from memory.storage.sqlite.keywords.like import SqliteLike  # only without keyword search

        return SqliteLike(self.database, index)

    def spaces(self) -> "SqliteSpaces":
        from memory.storage.sqlite.spaces import SqliteSpaces  # a search needs only the active one

        return SqliteSpaces(self.database)

    def put_vectors(self, tx: Transaction, space: Space, rows: Mapping[int, StoredVector]) -> None:
        vectors.put_vectors(tx, space, rows)
        self.cache.release(tx, space, rows)

    def live_vectors(self, space: Space, contents: Sequence[bytes]) -> dict[bytes, StoredVector]:
        return vectors.live_vectors(
            self.database, space, json.dumps([content.hex() for content in contents])
        )

    @cached_property
    def health(self) -> "SqliteHealth":
        from memory.storage.sqlite.health.storage_health import SqliteHealth  # for checks alone

        return SqliteHealth(self.database)

    @cached_property
    def files(self) -> "SqliteFiles | None":
        from memory.storage.sqlite.files.database_files import SqliteFiles  # for copies and proofs

        return SqliteFiles(self.database)

    def last_hidden(self, now: str) -> str | None:
        # Tables of an older version stay as they are in a file that may only be read.
        if self.database.immutable and not self.database.read(_CAN_HIDE_SQL):
            return None
        return super().last_hidden(now)

    def sequence(self) -> int:
        rows = self.database.read_once(_SEQUENCE_SQL)
        return int(rows[0][0]) if rows else 0

    def _revision_parts(self) -> Row:
        return self.database.read_once(_REVISION_SQL)[0]

    def start_read(self, read: Callable[[], T]) -> Callable[[], T]:
        space = None if self.database.path == ":memory:" else self.active_space()
        if space is None or vectors.last_id(self.database, space) < FEWEST_READ_IN_PARALLEL:
            return read
        from memory.storage.portable.read_ahead import ReadAhead  # not needed for a small database

        return ReadAhead(self, read)

    def record_changes(self, *, after: int, limit: int) -> RecordChanges:
        from memory.storage.sqlite.record_changes import read_log  # for followers alone

        return read_log(self.database, after=after, limit=limit)

    def keyword_statistics(self) -> "KeywordStatistics":
        from memory.storage.sqlite.keywords.postings import FtsStatistics  # only for servers

        return FtsStatistics(self.database)

    def chunk_ids(self, scope: Scope, *, among: Iterable[int] | None = None) -> str | None:
        conditions, parameters = scope_sql(scope, self._generation())
        if not conditions:
            return None
        if among is not None:
            conditions.append("c.id IN (SELECT value FROM json_each(:among))")
            parameters["among"] = json.dumps(list(among))
        sql = f"SELECT group_concat(c.id, ' ') FROM chunks AS c WHERE {' AND '.join(conditions)}"
        return str(self.database.read(sql, parameters)[0][0] or "")

    def codes(self, space: Space, ids: Iterable[int] | None = None) -> Iterator[CodeBatch]:
        return vectors.codes(self.database, space, ids)

    def compact(self) -> None:
        self._put_together()
        with self.database.connection() as connection:
            empty_log(connection)

    def _put_together(self) -> None:
        fts.merge(self.database)
        while self.database.read("PRAGMA freelist_count")[0][0]:
            with self.database.transaction() as tx:
                tx.run(f"PRAGMA incremental_vacuum({FREED_PAGES})")

    def index_vectors(self) -> None:
        """Do nothing: every search scans the codes."""

    def purge(self) -> bool:
        with self.database.erasing():
            self._put_together()
        with self.database.connection() as connection:
            return empty_log(connection, wait_s=PURGE_WAIT_S)

    def size_bytes(self) -> int:
        if self.database.path == ":memory:":
            sql = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            return int(self.database.read(sql)[0][0])
        parts = (Path(self.database.path + suffix) for suffix in ("", "-wal", "-shm"))
        return sum(part.stat().st_size for part in parts if part.exists())

    def sizes(self) -> StorageSize:
        sql = "SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size"
        log = Path(f"{self.database.path}-wal")
        return StorageSize(
            whole=self.size_bytes(),
            log=log.stat().st_size if log.exists() else 0,
            free=int(self.database.read(sql)[0][0]),
        )

    def from_replica(self) -> AbstractContextManager[None]:
        return nullcontext()

    def server_status(self) -> None:
        """Return None: there is no server."""

    def close(self) -> None:
        self.database.close()


class _OfSpace(SqliteStorage):
    """The same database with another space answering."""

    def __init__(self, database: SqliteDatabase, space: Space) -> None:
        super().__init__(database)
        self._space = space

    def active_space(self) -> Space:
        return self._space
