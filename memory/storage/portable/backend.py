"""The part of a backend that is the same over every engine: plain statements over its tables."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from contracts import KeywordFields
from memory.storage.database import Database, Transaction
from memory.storage.portable.chunks import DerivedRows, name_definitions, replace_chunks
from memory.storage.values import (
    ChunkChanges,
    NewChunk,
    Revision,
    Row,
    Space,
    StoredVector,
    utc_now,
)
from memory.storage.vectors import from_float16, is_unit, vector_table

if TYPE_CHECKING:
    from memory.storage.base import Spaces
    from memory.storage.cache import EmbeddingCache

FEWEST_READ_IN_PARALLEL = 20_000
"""The size of a memory from which a read in another thread saves more time than it costs: chunks,
or the number of the last one with a vector, whichever the backend knows at once.
"""

_SEVERAL_STORED_SQL = """
SELECT generation FROM spaces AS active WHERE state = 'active'
    AND EXISTS (SELECT 1 FROM spaces WHERE generation <> active.generation)
"""
SPACES_SQL = f"SELECT {', '.join(Space._fields)} FROM spaces"
_SAME_EMBEDDER_SQL = f"{SPACES_SQL} WHERE embedder = :embedder ORDER BY id"
_LAST_CHUNKS_SQL = """
SELECT DISTINCT gone.hash FROM chunks AS gone WHERE gone.id IN (:ids) AND NOT EXISTS (
    SELECT 1 FROM chunks AS other WHERE other.hash = gone.hash AND other.id NOT IN (:ids)
)
"""
"""The contents that no chunk has any more once these are removed."""

_ACTIVE_SQL = f"{SPACES_SQL} WHERE state = 'active'"
_SOURCES_SQL = """
WITH RECURSIVE found (source) AS (
    SELECT min(source) FROM chunks
    UNION ALL SELECT (SELECT min(source) FROM chunks WHERE source > found.source)
    FROM found WHERE source IS NOT NULL
)
SELECT source FROM found WHERE source IS NOT NULL
"""
"""One look into the index for each source."""

_SEVERAL_INDEXED_SQL = """
SELECT generation FROM spaces AS active WHERE state = 'active'
    AND EXISTS (SELECT 1 FROM keywords_beside)
"""
_LATEST_HIDDEN_SQL = "SELECT max(hidden_from) FROM chunks WHERE hidden_from IS NOT NULL"
_LAST_HIDDEN_SQL = "SELECT max(hidden_from) FROM chunks WHERE hidden_from <= :now"
_CHANGED_SQL = "SELECT DISTINCT chunk_id FROM changes WHERE seq > :sequence"


class PortableStorage(ABC):
    """Methods that `SqliteStorage` and `PostgresStorage` share. See `Storage` for each of them."""

    database: Database

    @cached_property
    def cache(self) -> "EmbeddingCache":
        from memory.storage.portable.cache import TableCache  # only for remote models

        return TableCache(self.database)

    @abstractmethod
    def spaces(self) -> "Spaces": ...

    @abstractmethod
    def sequence(self) -> int: ...

    @abstractmethod
    def _revision_parts(self) -> Row:
        """Return the last change of chunks, the spaces with their states, and the facts.

        Those about running processes and the last runs of jobs are left out: no answer follows
        them.
        """

    @abstractmethod
    def live_vectors(self, space: Space, contents: Sequence[bytes]) -> dict[bytes, StoredVector]:
        """Return the vectors in that space of chunks with these contents."""

    def known_vectors(self, space: Space, hashes: Iterable[bytes]) -> dict[bytes, StoredVector]:
        contents = list(hashes)
        cached = self.cache.get(space, contents, kind="document")
        # What was salvaged from a damaged page may be no vector.
        known = from_float16({content: v for content, v in cached.items() if is_unit(v)})
        with self.database.snapshot():  # or another process might drop a space in between
            for row in self.database.read(_SAME_EMBEDDER_SQL, {"embedder": space.embedder}):
                known |= self.live_vectors(Space(*row), contents)
        return known

    def active_space(self) -> Space | None:
        rows = self.database.read_once(_ACTIVE_SQL)
        return Space(*rows[0]) if rows else None

    def _generation(self) -> str | None:
        """Return the active generation while chunks of another may have keyword entries, else None.

        So a search joins the chunks table only for the short time around a swap.
        """
        rows = self.database.read_once(_SEVERAL_INDEXED_SQL)
        return str(rows[0][0]) if rows else None

    def count_vectors(self) -> int:
        with self.database.snapshot():  # or another process might drop the space in between
            space = self.active_space()
            if space is None:
                return 0
            sql = f"SELECT count(*) FROM {vector_table(space)}"
            return int(self.database.read(sql)[0][0])

    def chunks_without_vector(self, space: Space, *, after: int, limit: int) -> list[int]:
        sql = f"""
            SELECT c.id FROM chunks AS c LEFT JOIN {vector_table(space)} AS w ON w.chunk_id = c.id
            WHERE c.id > :after AND c.generation IN (:generation, '') AND w.chunk_id IS NULL
            ORDER BY c.id LIMIT :limit"""
        values = {"after": after, "generation": space.generation, "limit": limit}
        return [row[0] for row in self.database.read(sql, values)]

    def last_hidden(self, now: str) -> str | None:
        latest: str | None = self.database.read_once(_LATEST_HIDDEN_SQL)[0][0]
        if latest is None or latest <= now:
            return latest
        found: str | None = self.database.read(_LAST_HIDDEN_SQL, {"now": now})[0][0]
        return found

    def revision(self) -> Revision:
        sequence, spaces, facts = self._revision_parts()
        hidden = self.last_hidden(utc_now()) or ""
        return int(sequence), str(spaces), f"{facts}{hidden}"

    def create_space(self, tx: Transaction, space: Space) -> Space:
        return self.spaces().create(tx, space)

    @abstractmethod
    def _index_new(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
        """Write the keyword entries of chunks that this transaction has made."""

    def replace_chunks(
        self,
        tx: Transaction,
        source: str,
        owner_id: str,
        *,
        generation: str,
        chunks: Sequence[NewChunk],
    ) -> ChunkChanges:
        return replace_chunks(
            tx,
            source,
            owner_id,
            generation=generation,
            chunks=chunks,
            derived=DerivedRows(self._index_new, self.keep_vectors),
        )

    def name_definitions(self, tx: Transaction, names: Mapping[int, Sequence[str]]) -> None:
        name_definitions(tx, names)

    def remove_owner(
        self, tx: Transaction, source: str, owner_id: str, *, keep_cached: bool = False
    ) -> int:
        values = {"owner_id": owner_id, "source": source}
        if keep_cached and self.cache.limits(tx):
            sql = "SELECT id FROM chunks WHERE owner_id = :owner_id AND source = :source"
            self.keep_vectors(tx, [row[0] for row in tx.run(sql, values)])
        sql = "DELETE FROM chunks WHERE owner_id = :owner_id AND source = :source RETURNING hash"
        removed = [row[0] for row in tx.run(sql, values)]
        if removed:
            tx.note_change(source, owner_id, "removed")
        if removed and not keep_cached:
            self.cache.forget(tx, removed)
        return len(removed)

    def keep_vectors(self, tx: Transaction, chunk_ids: Sequence[int]) -> None:
        limits = self.cache.limits(tx)
        if not limits or not chunk_ids:
            return
        contents = [row[0] for row in tx.run(_LAST_CHUNKS_SQL, {"ids": list(chunk_ids)})]
        for space in self.spaces().all():
            if space.embedder in limits:
                self._keep(tx, space, self.live_vectors(space, contents))

    def keep_space(self, tx: Transaction, space: Space, chunk_ids: Sequence[int]) -> None:
        others = [
            other
            for other in self.spaces().all()
            if other.embedder == space.embedder and other.id != space.id
        ]
        sql = "SELECT DISTINCT hash FROM chunks WHERE id IN (:ids)"
        contents = [row[0] for row in tx.run(sql, {"ids": list(chunk_ids)})]
        vectors = self.live_vectors(space, contents)
        for other in others:
            for content in self.live_vectors(other, contents):
                vectors.pop(content, None)
        self._keep(tx, space, vectors)

    def _keep(self, tx: Transaction, space: Space, vectors: Mapping[bytes, StoredVector]) -> None:
        kept = {content: row.v for content, row in vectors.items() if is_unit(row.v)}
        most_bytes = self.cache.limits(tx)[space.embedder]
        self.cache.put(tx, space, kept, kind="document", most_bytes=most_bytes)

    def sources(self) -> list[str]:
        return [row[0] for row in self.database.read_once(_SOURCES_SQL)]

    def chunks_by_source(self) -> dict[str, int]:
        rows = self.database.read_once(_SEVERAL_STORED_SQL)
        # Without a condition an index is enough, and the texts need not be passed.
        condition = "WHERE generation IN (:generation, '')" if rows else ""
        sql = f"SELECT source, count(*) FROM chunks {condition} GROUP BY source ORDER BY source"
        return dict(self.database.read(sql, {"generation": rows[0][0]} if rows else None))

    def changed_since(self, sequence: int) -> frozenset[int] | None:
        with self.database.snapshot():
            rows = self.database.read(_CHANGED_SQL, {"sequence": sequence})
            oldest = self.database.read("SELECT min(seq) FROM changes")[0][0]
            reaches_back = self.sequence() <= sequence if oldest is None else oldest <= sequence + 1
        return frozenset(row[0] for row in rows) if reaches_back else None

    def trim_changes(self, tx: Transaction, *, keep: int) -> None:
        tx.run(
            "DELETE FROM changes WHERE seq <= (SELECT max(seq) FROM changes) - :keep",
            {"keep": keep},
        )
