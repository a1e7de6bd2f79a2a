"""A storage backend as retrieval sees it: chunks, candidates, spaces, the change log.

A backend owns connections, tables, migrations, the change log, and the two operations in which
engines differ: keyword candidates and vector candidates. `Database` is its face for domain stores.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from contracts import CandidateIndex, KeywordFields, Scope
from memory.storage.database import Database, Transaction
from memory.storage.values import (
    ChunkChanges,
    CodeBatch,
    Neighbours,
    NewChunk,
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
    from memory.storage.terms import KeywordStatistics

T = TypeVar("T")


class Spaces(Protocol):
    """The embedding spaces, those included that do not answer. Space tables come and go.

    What is read of a space that others might drop meanwhile is read in a `snapshot` with `all`.
    """

    def all(self) -> list[Space]:
        """Every space, oldest first."""
        ...

    def create(self, tx: Transaction, space: Space) -> Space:
        """Store a new space (its `id` is ignored) with an empty vector table."""
        ...

    def fill(self, tx: Transaction, space: Space) -> Space:
        """The space of this embedder and generation in the state `filling`, made if there is none.

        A retired one is filled further, the active one stays active; its `request` is the newest.
        """
        ...

    def activate(self, tx: Transaction, space: Space) -> Space:
        """Let this space answer from the end of the transaction on; the former one is retired."""
        ...

    def size(self, space: Space) -> SpaceSize:
        """How far a space is filled; counts rows."""
        ...

    def malformed(self, space: Space) -> int:
        """How many vectors are not of the space's dimensions, or have no code."""
        ...

    def sample(self, space: Space, *, limit: int) -> dict[int, bytes]:
        """The float16 rows of chunks drawn at random, by chunk id."""
        ...

    def remove_chunks(self, tx: Transaction, space: Space, *, limit: int) -> int:
        """Remove up to `limit` chunks that no other space is for; how many it were."""
        ...

    def drop(self, tx: Transaction, space: Space) -> None:
        """Remove a space with what vectors it still has."""
        ...

    def chunks_without_keywords(self, space: Space, *, after: int, limit: int) -> list[int]:
        """The first `limit` chunk ids past `after` of its generation without a keyword entry."""
        ...

    def add_keywords(
        self, tx: Transaction, space: Space, fields: Mapping[int, KeywordFields]
    ) -> None:
        """Give chunks of the space's generation, which is to answer soon, their keyword entries.

        Those deleted meanwhile get none.
        """
        ...

    def has_keywords_beside(self, states: Collection[SpaceState]) -> bool:
        """Whether `remove_keywords` may find any, or nobody has said that it does not; cheap."""
        ...

    def remove_keywords(
        self, tx: Transaction, states: Collection[SpaceState], *, after: int, limit: int
    ) -> list[int]:
        """Remove the first `limit` keyword entries past `after` that no search needs; their ids.

        They are those of generations all of whose spaces are in these states, never the active
        one. The chunks stay, and can get entries again.
        """
        ...

    def forget_keywords(self, tx: Transaction, states: Collection[SpaceState]) -> None:
        """Say of such generations that they have no keyword entries, where that is so."""
        ...


class Storage(CandidateIndex, Protocol):
    """Chunks, their keyword entries and vectors, spaces, the embedding cache and the change log."""

    @property
    def database(self) -> Database:
        """The connections that the domain stores share with this index."""
        ...

    @property
    def cache(self) -> "EmbeddingCache":
        """Vectors that were computed at a cost, whether or not a chunk has them."""
        ...

    @property
    def health(self) -> "StorageHealth":
        """Checks of the database itself, and repairs."""
        ...

    @property
    def files(self) -> "StorageFiles | None":
        """What only a database that is a file can do; None where a server keeps it."""
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
        dates are rewritten. New rows are written before old ones go. In a generation that is kept
        or made beside the one that answers, new chunks get no keyword entries.
        """
        ...

    def rewrite_keywords(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
        """Replace the keyword entries of these chunks; those that have none get none."""
        ...

    def neighbours(self, chunk_ids: Sequence[int], *, count: int) -> dict[int, Neighbours]:
        """Up to `count` chunks before and after each of these, of the same record; of a turn, of
        the same session.

        A chunk that stands alone is missing.
        """
        ...

    def remove_owner(
        self, tx: Transaction, source: str, owner_id: str, *, keep_cached: bool = False
    ) -> int:
        """Remove an owner's chunks with all that is derived from them; how many there were.

        So the cached vectors of their contents go, unless another chunk has the same, or what is
        removed may come back and `keep_cached` spares paying for it again.
        """
        ...

    def active_space(self) -> Space | None:
        """The space that answers vector queries; None before the first one was made."""
        ...

    def serving(self, space: Space) -> CandidateIndex:
        """The same chunks, found by the vectors of another space of the active generation.

        To be asked in a `snapshot` in which the space is there.
        """
        ...

    def without_keywords(self, index: CandidateIndex) -> CandidateIndex:
        """The same index, whose words are found in the texts, and not in the keyword index."""
        ...

    def create_space(self, tx: Transaction, space: Space) -> Space:
        """See `Spaces.create`."""
        ...

    def spaces(self) -> Spaces:
        """All spaces, and what can be done with them."""
        ...

    def put_vectors(self, tx: Transaction, space: Space, rows: Mapping[int, StoredVector]) -> None:
        """Store vectors by chunk id, replacing what was there.

        Chunks deleted while their text was being embedded are passed over.
        """
        ...

    def chunks_without_vector(self, space: Space, *, after: int, limit: int) -> list[int]:
        """The first `limit` chunk ids past `after` of the space's generation without a vector."""
        ...

    def known_vectors(self, space: Space, hashes: Iterable[bytes]) -> dict[bytes, StoredVector]:
        """Document vectors already computed for these contents, from live chunks or the cache.

        Live chunks of every space of the same embedder count, whatever chunker made them.
        """
        ...

    def chunks_by_source(self) -> dict[str, int]:
        """How many chunks each source has that can answer."""
        ...

    def count_vectors(self) -> int:
        """How many vectors the active space has; 0 without one."""
        ...

    def revision(self) -> Revision:
        """What changes with everything that a search could read: chunks, vectors, owners, spaces,
        and facts such as the measured weight of a model.

        Equal revisions mean equal answers, whoever wrote in between. Not to be asked for within a
        transaction, whose changes may never come to be.
        """
        ...

    def beside(self, read: Callable[[], T]) -> Callable[[], T]:
        """A function that gives what `read` reads from the snapshot that this thread is in.

        A large database is read by another thread at once, so that this one may go on; else it is
        read when the function is called, which it must be within the snapshot.
        """
        ...

    def sequence(self) -> int:
        """The number of the last change of any chunk or of a vector of the active space.

        It rises with every one.
        """
        ...

    def changed_since(self, sequence: int) -> frozenset[int] | None:
        """The ids of chunks that changed, or whose vectors did, after that change.

        Deleted ones are among them. None when the change log no longer reaches back so far.
        """
        ...

    def keyword_statistics(self) -> "KeywordStatistics":
        """What the keyword index knows of words and lengths."""
        ...

    def chunk_ids(self, scope: Scope) -> str | None:
        """The ids of the chunks within a scope, in decimal, separated by blanks; None when all are.

        The engine can put such a text together without the interpreter.
        """
        ...

    def codes(self, space: Space, ids: Iterable[int] | None = None) -> Iterator[CodeBatch]:
        """The int8 rows of a space, some thousands at a time: those of these chunks, or all.

        Chunks without a vector are left out. Read it within a `snapshot`, or batches may be of
        different moments.
        """
        ...

    def trim_changes(self, tx: Transaction, *, keep: int) -> None:
        """Forget all but the newest `keep` entries of the change log."""
        ...

    def compact(self) -> None:
        """Put together what many small transactions left in parts, and give back free space.

        It is done in short transactions, between which others read and write.
        """
        ...

    def purge(self) -> bool:
        """Let nothing removed remain in any part of the files; whether that was possible.

        Not while another process reads from a snapshot of before: it is waited for a little.
        """
        ...

    def size_bytes(self) -> int:
        """Bytes that the database takes, its write-ahead log included."""
        ...

    def sizes(self) -> StorageSize:
        """The same with its parts."""
        ...

    def close(self) -> None:
        """Close the database."""
        ...
