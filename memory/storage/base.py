"""The protocol of a storage backend: chunks, candidates, spaces, the change log.

A backend owns connections, tables, migrations, the change log, and the two operations in which
engines differ: keyword candidates and vector candidates. Domain stores use `Database` only.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from contracts import CandidateIndex, KeywordFields, Scope
from memory.storage.database import Database, Transaction
from memory.storage.values import (
    ChunkChanges,
    CodeBatch,
    Neighbours,
    NewChunk,
    RecordChanges,
    Revision,
    Space,
    SpaceSize,
    SpaceState,
    StorageSize,
    StoredVector,
)

if TYPE_CHECKING:
    from memory.storage.cache import EmbeddingCache
    from memory.storage.capabilities.files import StorageFiles
    from memory.storage.capabilities.health import StorageHealth
    from memory.storage.capabilities.server import DatabaseServerStatus, ReplicaLag
    from memory.storage.capabilities.tenants import Tenants
    from memory.storage.keyword_statistics import KeywordStatistics

T = TypeVar("T")


class Spaces(Protocol):
    """The embedding spaces of a database, active or not. Space tables come and go.

    Call `all` and read a space in one `snapshot` where another process might drop it meanwhile.
    """

    def all(self) -> list[Space]:
        """Every space, oldest first."""
        ...

    def create(self, tx: Transaction, space: Space) -> Space:
        """Store a new space (its `id` is ignored) with an empty vector table."""
        ...

    def fill(self, tx: Transaction, space: Space) -> Space:
        """Return the space of this embedder and generation in the state `filling`; create it if
        missing.

        A retired space is filled further, the active one stays active; `request` becomes the newest
        one.
        """
        ...

    def activate(self, tx: Transaction, space: Space) -> Space:
        """Let this space answer queries once the transaction ends; the former one is retired."""
        ...

    def size(self, space: Space) -> SpaceSize:
        """Return how far a space is filled; counts rows."""
        ...

    def malformed(self, space: Space) -> int:
        """Return the number of vectors with the wrong dimensions or without a code."""
        ...

    def sample(self, space: Space, *, limit: int) -> dict[int, bytes]:
        """Return the float16 rows of randomly chosen chunks, by chunk id."""
        ...

    def remove_chunks(self, tx: Transaction, space: Space, *, limit: int) -> int:
        """Remove up to `limit` chunks that no other space uses and return the number removed."""
        ...

    def drop(self, tx: Transaction, space: Space) -> None:
        """Remove a space with its remaining vectors."""
        ...

    def chunks_without_keywords(self, space: Space, *, after: int, limit: int) -> list[int]:
        """Return the first `limit` chunk ids above `after` of its generation without keywords."""
        ...

    def add_keywords(
        self, tx: Transaction, space: Space, fields: Mapping[int, KeywordFields]
    ) -> None:
        """Add keyword entries for chunks of the generation of a space that will soon be active.

        Chunks deleted meanwhile get none.
        """
        ...

    def has_keywords_beside(self, states: Collection[SpaceState]) -> bool:
        """Return whether `remove_keywords` may find any entries, True when unknown; cheap."""
        ...

    def remove_keywords(
        self, tx: Transaction, states: Collection[SpaceState], *, after: int, limit: int
    ) -> list[int]:
        """Remove the first `limit` keyword entries above `after` that no search needs; return their
        ids.

        These belong to generations all of whose spaces are in these states, never to the active
        one. The chunks stay and can get entries again.
        """
        ...

    def forget_keywords(self, tx: Transaction, states: Collection[SpaceState]) -> None:
        """Record that such generations have no keyword entries, where that is so."""
        ...


class Storage(CandidateIndex, Protocol):
    """Chunks, their keyword entries and vectors, spaces, the embedding cache and the change log."""

    @property
    def engine(self) -> Literal["postgres", "sqlite"]:
        """The engine that keeps and searches them."""
        ...

    @property
    def database(self) -> Database:
        """The connections that the domain stores share with this index."""
        ...

    @property
    def cache(self) -> "EmbeddingCache":
        """Computed vectors, kept independently of chunks because they cost time or money."""
        ...

    @property
    def health(self) -> "StorageHealth":
        """Checks of the database itself, and repairs."""
        ...

    @property
    def files(self) -> "StorageFiles | None":
        """Return operations on the database's files; None where a server keeps it."""
        ...

    @property
    def tenants(self) -> "Tenants | None":
        """Return the other memories of the same database; None where it has no schemas."""
        ...

    def replace_chunks(
        self,
        tx: Transaction,
        source: str,
        owner_id: str,
        *,
        generation: str,
        chunks: Sequence[NewChunk],
    ) -> ChunkChanges:
        """Make `chunks` the owner's chunks of that generation, in this order.

        A chunk whose uid the owner already has keeps its row id and vectors; only its position and
        dates are rewritten. New rows are written before old ones go. New chunks get no keyword
        entries in a generation other than the active one.
        """
        ...

    def name_definitions(self, tx: Transaction, names: Mapping[int, Sequence[str]]) -> None:
        """Store the names of the definitions that begin in each of these chunks."""
        ...

    def rewrite_keywords(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
        """Replace the keyword entries of these chunks; chunks without an entry get none."""
        ...

    def neighbours(self, chunk_ids: Sequence[int], *, count: int) -> dict[int, Neighbours]:
        """Return up to `count` chunks before and after each of these, of the same record; for a
        turn, of the same session.

        A chunk without neighbours is missing.
        """
        ...

    def remove_owner(
        self, tx: Transaction, source: str, owner_id: str, *, keep_cached: bool = False
    ) -> int:
        """Remove an owner's chunks with everything derived from them; return the number removed.

        This includes the cached vectors of their contents unless another chunk has the same
        content. `keep_cached` keeps them, for owners that may come back.
        """
        ...

    def active_space(self) -> Space | None:
        """Return the space that answers vector queries; None before the first one was created."""
        ...

    def serving(self, space: Space) -> CandidateIndex:
        """Return the same chunks, found by the vectors of another space of the active generation.

        Call it in a `snapshot` that contains the space.
        """
        ...

    def without_keywords(self, index: CandidateIndex) -> CandidateIndex:
        """Return the same index with words searched in the texts instead of the keyword index."""
        ...

    def create_space(self, tx: Transaction, space: Space) -> Space:
        """See `Spaces.create`."""
        ...

    def spaces(self) -> Spaces:
        """Return the embedding spaces and their operations."""
        ...

    def put_vectors(self, tx: Transaction, space: Space, rows: Mapping[int, StoredVector]) -> None:
        """Store vectors by chunk id, replacing existing ones.

        Chunks deleted while their text was being embedded are skipped.
        """
        ...

    def keep_vectors(self, tx: Transaction, chunk_ids: Sequence[int]) -> None:
        """Put the vectors of chunks that are to be removed into the cache, for embedders that use
        it.
        """
        ...

    def keep_space(self, tx: Transaction, space: Space, chunk_ids: Sequence[int]) -> None:
        """Put the vectors that these chunks have in a space, and in no other of its embedder, into
        the cache.
        """
        ...

    def chunks_without_vector(self, space: Space, *, after: int, limit: int) -> list[int]:
        """Return the first `limit` chunk ids above `after` of its generation without a vector."""
        ...

    def known_vectors(self, space: Space, hashes: Iterable[bytes]) -> dict[bytes, StoredVector]:
        """Return document vectors already computed for these contents, from live chunks or the
        cache.

        Live chunks of every space of the same embedder count, whatever chunker produced them.
        """
        ...

    def sources(self) -> list[str]:
        """Return the sources of all chunks; quick, however many those are."""
        ...

    def last_hidden(self, now: str) -> str | None:
        """Return the last moment up to `now` from which a chunk is hidden; None if none is."""
        ...

    def chunks_by_source(self) -> dict[str, int]:
        """Return the number of searchable chunks per source."""
        ...

    def count_vectors(self) -> int:
        """Return the number of vectors of the active space; 0 without one."""
        ...

    def revision(self) -> Revision:
        """Return a value that changes with everything a search could read: chunks, vectors, owners,
        spaces, facts such as the measured weight of a model, and when a chunk becomes hidden.

        Equal revisions mean equal answers, even if another process wrote in between. Do not call it
        within a transaction, whose changes may be rolled back.
        """
        ...

    def start_read(self, read: Callable[[], T]) -> Callable[[], T]:
        """Return a function that returns the result of `read` on this thread's snapshot.

        For a large database, another thread reads it at once and this one can continue; otherwise
        it is read when the function is called, which must happen within the snapshot.
        """
        ...

    def sequence(self) -> int:
        """Return the number of the last change of any chunk or of a vector of the active space.

        Every change increases it.
        """
        ...

    def changed_since(self, sequence: int) -> frozenset[int] | None:
        """Return the ids of chunks that changed, or whose vectors did, after that change.

        Deleted chunks are included. None when the change log no longer reaches back that far.
        """
        ...

    def record_changes(self, *, after: int, limit: int) -> RecordChanges:
        """Return the first `limit` changes of records after that number, in their order.

        They are what transactions noted, and what this backend notes by itself: chunks of the
        active generation that come, change or go.
        """
        ...

    def keyword_statistics(self) -> "KeywordStatistics":
        """Return the keyword index's statistics of words and lengths."""
        ...

    def chunk_ids(self, scope: Scope, *, among: Iterable[int] | None = None) -> str | None:
        """Return the ids of the chunks within a scope, of these or of all, in decimal, separated by
        blanks; None if the scope holds all chunks.

        The engine can build such a text without the interpreter.
        """
        ...

    def codes(self, space: Space, ids: Iterable[int] | None = None) -> Iterator[CodeBatch]:
        """Return the vectors of a space in batches of some thousands: of these chunks, or of all.

        Chunks without a vector are left out, and those with a `malformed` one. Read it within a
        `snapshot`, or batches may show different moments.
        """
        ...

    def trim_changes(self, tx: Transaction, *, keep: int) -> None:
        """Delete all but the newest `keep` entries of the change log."""
        ...

    def compact(self) -> None:
        """Merge what many small transactions left in parts, and release free space.

        It runs in short transactions, between which others read and write.
        """
        ...

    def index_vectors(self) -> None:
        """Build what searches of many vectors need; at once where nothing is missing.

        It may take minutes, in which others read and write. Not within a transaction.
        Raises BusyError where others use the vectors for long, DatabaseUnavailableError once
        another process may build the same.
        """
        ...

    def purge(self) -> bool:
        """Erase every trace of removed rows from the files; return whether that was possible.

        It is not possible while another process reads from an older snapshot; it waits briefly for
        it.
        """
        ...

    def size_bytes(self) -> int:
        """Return the size of the database in bytes, including its write-ahead log."""
        ...

    def sizes(self) -> StorageSize:
        """Return the size of the database with its parts."""
        ...

    def server_status(self) -> "DatabaseServerStatus | None":
        """Return the state of the server that keeps the database; None where a file does."""
        ...

    def from_replica(self) -> "AbstractContextManager[ReplicaLag | None]":
        """Read from a replica inside this block, if one knows enough; None: there is none.

        Raises DatabaseUnavailableError when the replica is lost meanwhile: read again without it.
        """
        ...

    def close(self) -> None:
        """Close the database."""
        ...
