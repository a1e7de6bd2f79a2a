"""The protocol of an embedding cache: computed vectors that no chunk has, yet or any more.

Separate from `base`, since a search needs it only with a remote model.
"""

from collections.abc import Iterable, Mapping
from typing import Literal, Protocol, TypeAlias

from contracts.named_tuple import NamedTuple
from memory.storage.database import Transaction
from memory.storage.values import Space

CachedKind: TypeAlias = Literal["document", "query"]
"""A text may have another vector as a query than as a document."""


class CacheSize(NamedTuple):
    """The number of vectors kept, and roughly the bytes of the database they take."""

    entries: int
    size_bytes: int


class EmbeddingCache(Protocol):
    """Vectors by the content hash of their text, the embedder and the kind.

    Documents are kept as the vector table has them (float16), queries as they were computed
    (float32), so that the same question has the same answer.
    """

    def get(self, space: Space, hashes: Iterable[bytes], *, kind: CachedKind) -> dict[bytes, bytes]:
        """Return the cached vectors of those contents."""
        ...

    def put(
        self,
        tx: Transaction,
        space: Space,
        vectors: Mapping[bytes, bytes],
        *,
        kind: CachedKind,
        most_bytes: int,
    ) -> None:
        """Store vectors; while all take more than `most_bytes`, remove the least recently used.

        Those of the embedder's chunks go back into the cache from now on when a chunk is removed.
        """
        ...

    def limits(self, tx: Transaction | None = None) -> Mapping[str, int]:
        """Return the embedders with vectors of documents to keep, each with its `most_bytes`.

        A transaction that is given may read them once.
        """
        ...

    def stop_keeping(self, tx: Transaction, space: Space) -> None:
        """Keep no vectors of removed chunks of this embedder any more."""
        ...

    def release(self, tx: Transaction, space: Space, chunk_ids: Iterable[int]) -> None:
        """Remove the vectors of these chunks: the vector table has them now."""
        ...

    def is_stale(self, space: Space, content: bytes, *, kind: CachedKind) -> bool:
        """Return whether `mark_used` would change anything for this vector."""
        ...

    def mark_used(
        self, tx: Transaction, space: Space, hashes: Iterable[bytes], *, kind: CachedKind
    ) -> None:
        """Record that these were used; repeated use within an hour is not written again."""
        ...

    def forget(self, tx: Transaction, hashes: Iterable[bytes]) -> None:
        """Remove the vectors of those contents that no chunk holds, for every embedder and kind."""
        ...

    def size(self) -> CacheSize:
        """Return its size, without counting rows."""
        ...
