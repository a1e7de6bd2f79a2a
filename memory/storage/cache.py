"""What an embedding cache is: vectors that were paid for, kept when no chunk has them any more.

Apart from `base`, since a search asks for it only where a model is far away.
"""

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, Protocol, TypeAlias

from memory.storage.database import Transaction
from memory.storage.values import Space

CachedKind: TypeAlias = Literal["document", "query"]
"""A text may have another vector as a query than as a document."""


class CacheSize(NamedTuple):
    """How many vectors are kept, and about how many bytes of the database they take."""

    entries: int
    size_bytes: int


class EmbeddingCache(Protocol):
    """Vectors by the content hash of their text, the embedder and the kind.

    Documents are kept as the vector table has them (float16), queries as they were asked
    (float32), so that the same question has the same answer.
    """

    def get(self, space: Space, hashes: Iterable[bytes], *, kind: CachedKind) -> dict[bytes, bytes]:
        """The vectors of those contents that are here."""
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
        """Keep vectors; while all take more than `most_bytes`, those used longest ago go."""
        ...

    def is_stale(self, space: Space, content: bytes, *, kind: CachedKind) -> bool:
        """Whether `mark_used` would change anything about this one."""
        ...

    def mark_used(
        self, tx: Transaction, space: Space, hashes: Iterable[bytes], *, kind: CachedKind
    ) -> None:
        """Note that these were used; within the same hour it is not written again."""
        ...

    def forget(self, tx: Transaction, hashes: Iterable[bytes]) -> None:
        """Remove the vectors of those contents that no chunk holds, of every embedder and kind."""
        ...

    def size(self) -> CacheSize:
        """What it holds; at once, however much that is."""
        ...
