"""The PostgreSQL backend: one schema with the text and everything derived from it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from contracts import (
    CandidateIndex,
    ChunkRow,
    KeywordFields,
    KeywordQuery,
    QueryVector,
    Scope,
    Scored,
)
from memory.storage.database import Transaction
from memory.storage.portable.backend import FEWEST_READ_IN_PARALLEL, PortableStorage
from memory.storage.portable.chunks import chunk_rows, conversation_rows, neighbours
from memory.storage.postgres import vector_index, vectors
from memory.storage.postgres.database import PostgresDatabase
from memory.storage.postgres.definitions import defining
from memory.storage.postgres.keywords import entries, keyword_search
from memory.storage.postgres.replicas.choosing import FOLLOWED_SQL, REPLAYED_SQL, Asked, Replica
from memory.storage.postgres.schema import prepare_schema
from memory.storage.postgres.scope import scope_sql
from memory.storage.postgres.spaces import PostgresSpaces
from memory.storage.postgres.writing import posting_blocks
from memory.storage.postgres.writing.record_changes import read_log
from memory.storage.postgres.writing.transaction import own_transaction
from memory.storage.values import (
    CodeBatch,
    Neighbours,
    RecordChanges,
    Revision,
    Row,
    Space,
    StorageSize,
    StoredVector,
)

if TYPE_CHECKING:
    from memory.storage.capabilities.health import StorageHealth
    from memory.storage.capabilities.server import DatabaseServerStatus, ReplicaLag
    from memory.storage.capabilities.tenants import Tenants
    from memory.storage.keyword_statistics import KeywordStatistics

MOST_READ_AHEAD: Final = 4
"""The searches that may use a second connection at once; the others leave it to somebody else."""

_SEQUENCE_SQL: Final = "SELECT last FROM log_ends WHERE log = 'changes'"
_REVISION_SQL: Final = """
SELECT (SELECT last FROM log_ends WHERE log = 'changes'),
    (SELECT coalesce(string_agg(id::text || state, ',' ORDER BY id), '') FROM spaces),
    (SELECT coalesce(json_object_agg(key, value_json ORDER BY key)::text, '') FROM meta
        WHERE key NOT IN ('watcher', 'embedding_cache_limits')
            AND right(key, 7) <> '_holder' AND left(key, 4) <> 'job:')
"""
_LAST_RECORD_SQL: Final = "SELECT last FROM log_ends WHERE log = 'record_changes'"
_SIZE_SQL: Final = """
SELECT coalesce(sum(pg_table_size(c.oid) + pg_indexes_size(c.oid)), 0)
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = :schema AND c.relkind = 'r'
"""

T = TypeVar("T")


class PostgresStorage(PortableStorage):
    """`Storage` over one schema. See the protocol for what each method means."""

    engine: Literal["postgres"] = "postgres"
    database: PostgresDatabase
    files = None

    def __init__(
        self, database: PostgresDatabase, *, indexed_from: int = vector_index.INDEXED_FROM
    ) -> None:
        """`indexed_from`: the vectors from which a space has an index."""
        self.database = database
        self._indexed_from = indexed_from
        self._ahead = BoundedSemaphore(MOST_READ_AHEAD)

    @classmethod
    def open(
        cls,
        dsn: str,
        schema: str,
        *,
        create: bool,
        replicas: Sequence[str] = (),
        replica_lag_s: float = 0.0,
    ) -> "PostgresStorage":
        """Open a schema of the database at that address, and migrate it to this program's version.

        Raises ConfigError for an invalid address or name, NotFoundError when there is no such
        schema and `create` is false, IncompatibleError for one of another program or of a newer
        version and for too old a server, StorageError when the server cannot be used.
        """
        database = PostgresDatabase(dsn, schema)
        database.use_replicas(replicas, lag_s=replica_lag_s)
        return cls.open_on(database, create=create)

    @classmethod
    def open_on(cls, database: PostgresDatabase, *, create: bool) -> "PostgresStorage":
        """Open a schema as `open` does, on connections that were not opened yet."""
        extension = prepare_schema(database, create=create)
        database.open(vectors_in=extension.vectors_in, halfvec_oid=extension.halfvec_oid)
        return cls(database)

    def serving(self, space: Space) -> "PostgresStorage":
        return _OfSpace(self.database, space, indexed_from=self._indexed_from)

    def count_chunks(self) -> int:
        generation = self._generation()
        if generation is None:
            return int(self.database.read_once("SELECT entries FROM keyword_totals")[0][0])
        sql = "SELECT count(*) FROM chunks WHERE generation IN (:generation, '')"
        return int(self.database.read(sql, {"generation": generation})[0][0])

    def document_frequencies(
        self, words: Iterable[str], *, most: int | None = None
    ) -> dict[str, int]:
        if most is None:
            return keyword_search.rarest_tokens(self.database, list(words))
        return keyword_search.counted_frequencies(
            self.database, list(words), most=most, generation=self._generation()
        )

    def words_in(self, chunk_ids: Sequence[int], words: Iterable[str]) -> dict[int, frozenset[str]]:
        return keyword_search.words_in(self.database, chunk_ids, words)

    def keyword_candidates(self, query: KeywordQuery, scope: Scope, *, limit: int) -> list[Scored]:
        with self.database.snapshot():
            return keyword_search.keyword_candidates(
                self, query, scope, generation=self._generation(), limit=limit
            )

    def vector_candidates(self, vector: QueryVector, scope: Scope, *, limit: int) -> list[Scored]:
        with self.database.snapshot():
            space = self.active_space()
            if space is None:
                return []
            return vectors.vector_candidates(
                self.database,
                space,
                vector,
                scope=scope,
                limit=limit,
                indexed_from=self._indexed_from,
            )

    def cosines(self, vector: QueryVector, chunk_ids: Sequence[int]) -> dict[int, float]:
        space = self.active_space()
        return vectors.cosines(self.database, space, vector, chunk_ids) if space else {}

    def chunk_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        return chunk_rows(self.database, chunk_ids)

    def conversation_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        return conversation_rows(self.database, chunk_ids)

    def defining(self, names: Sequence[str], scope: Scope, *, limit: int) -> list[int]:
        return defining(self.database, names, scope, generation=self._generation(), limit=limit)

    def embeddings(self, chunk_ids: Sequence[int]) -> dict[int, Sequence[float]]:
        space = self.active_space()
        return vectors.embeddings(self.database, space, chunk_ids) if space else {}

    def _index_new(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
        entries.index_new(tx, fields)

    def rewrite_keywords(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
        entries.rewrite_fields(tx, fields)

    def neighbours(self, chunk_ids: Sequence[int], *, count: int) -> dict[int, Neighbours]:
        return neighbours(self.database, chunk_ids, count=count)

    def without_keywords(self, index: CandidateIndex) -> CandidateIndex:
        from memory.storage.postgres.keywords.like import (
            PostgresLike,
        )  # only without keyword search

        return PostgresLike(self.database, index)

    def spaces(self) -> PostgresSpaces:
        return PostgresSpaces(self.database)

    def put_vectors(self, tx: Transaction, space: Space, rows: Mapping[int, StoredVector]) -> None:
        vectors.put_vectors(tx, space, rows)
        self.cache.release(tx, space, rows)

    def live_vectors(self, space: Space, contents: Sequence[bytes]) -> dict[bytes, StoredVector]:
        return vectors.live_vectors(self.database, space, contents)

    @cached_property
    def health(self) -> "StorageHealth":
        from memory.storage.postgres.health.storage_health import PostgresHealth

        return PostgresHealth(self.database)

    def sequence(self) -> int:
        return int(self.database.read_once(_SEQUENCE_SQL)[0][0])

    def _revision_parts(self) -> Row:
        return self.database.read_once(_REVISION_SQL)[0]

    def start_read(self, read: Callable[[], T]) -> Callable[[], T]:
        if self.count_chunks() < FEWEST_READ_IN_PARALLEL or not self._ahead.acquire(blocking=False):
            return read
        from memory.storage.portable.read_ahead import ReadAhead  # not needed for a small memory

        try:
            snapshot = self.database.snapshot_elsewhere()
            return ReadAhead(self, read, snapshot=snapshot, ended=self._ahead.release)
        except BaseException:  # it has not begun, and ends nothing
            self._ahead.release()
            raise

    def record_changes(self, *, after: int, limit: int) -> RecordChanges:
        return read_log(self.database, after=after, limit=limit)

    def keyword_statistics(self) -> "KeywordStatistics":
        from memory.storage.postgres.keywords.statistics import PostgresStatistics  # for servers

        return PostgresStatistics(self.database)

    def chunk_ids(self, scope: Scope, *, among: Iterable[int] | None = None) -> str | None:
        conditions, parameters = scope_sql(scope, self._generation())
        if not conditions:
            return None
        if among is not None:
            conditions.append("c.id IN (:among)")
            parameters["among"] = list(among)
        where = " AND ".join(conditions)
        sql = f"SELECT string_agg(c.id::text, ' ') FROM chunks AS c WHERE {where}"
        return str(self.database.read(sql, parameters)[0][0] or "")

    def codes(self, space: Space, ids: Iterable[int] | None = None) -> Iterator[CodeBatch]:
        return vectors.codes(self.database, space, ids)

    def compact(self) -> None:
        after: str | None = ""
        while after is not None:
            with self.database.transaction() as tx:
                after = posting_blocks.merge_next(own_transaction(tx).connection, after)
            self.database.vacuum("posting_blocks")
        self.database.vacuum()

    def index_vectors(self) -> None:
        space = self.active_space()
        if space is not None:
            vector_index.build_index(self.database, space, fewest=self._indexed_from)

    def purge(self) -> bool:
        with self.database.transaction() as tx:
            posting_blocks.drop_removed(own_transaction(tx).connection)
        return self.database.vacuum()

    def size_bytes(self) -> int:
        return int(self.database.read(_SIZE_SQL, {"schema": self.database.schema})[0][0])

    def sizes(self) -> StorageSize:
        return StorageSize(whole=self.size_bytes(), log=0, free=0)

    def server_status(self) -> "DatabaseServerStatus":
        from memory.storage.postgres.health.server import server_status

        replicas = self.database.replicas.status(self._replicated(), self._ask_replica)
        return replace(server_status(self.database), replicas=replicas)

    @contextmanager
    def from_replica(self) -> "Iterator[ReplicaLag | None]":
        replicas = self.database.replicas
        chosen = replicas.choose(self._replicated(), self._ask_replica) if replicas else None
        if chosen is None:
            yield None
            return
        replica, lag = chosen
        with self.database.reading_from(replica.pool), replica.noting_failure():
            yield lag

    @cached_property
    def _history(self) -> int:
        return int(self.database.read(FOLLOWED_SQL)[0][0])

    def _ask_replica(self, replica: Replica) -> Asked:
        history = self._history
        with self.database.reading_from(replica.pool), self.database.snapshot():
            ((followed, replayed_s),) = self.database.read(REPLAYED_SQL)
            return Asked(self._replicated(), followed == history, replayed_s)

    def _replicated(self) -> Revision:
        """Return the revision with the last change of any record, whose chunk may be the same."""
        sequence, spaces, facts = self.revision()
        ((last,),) = self.database.read(_LAST_RECORD_SQL)
        return sequence, spaces, f"{facts} {last}"

    @cached_property
    def tenants(self) -> "Tenants":
        from memory.storage.postgres.tenants import PostgresTenants  # few programs ask for them

        return PostgresTenants(self.database)

    def close(self) -> None:
        self.database.close()


class _OfSpace(PostgresStorage):
    """The same database with another space answering."""

    def __init__(self, database: PostgresDatabase, space: Space, *, indexed_from: int) -> None:
        super().__init__(database, indexed_from=indexed_from)
        self._space = space

    def active_space(self) -> Space:
        return self._space
