"""The index of a long-lived process: vectors in memory, kept in step with the database.

What it holds is derived from the database and checked against it by sequence number before every
query; when in doubt it is thrown away and built again, and SQLite answers until that is done.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from contracts import ChunkRow, KeywordQuery, MemError, QueryVector, Scope, Scored
from memory.reports import VectorIndexStatus
from memory.storage import Space, Storage
from memory.storage.vectors import quantised
from search.vector_index import VectorIndex

FEWEST_VECTORS = 5_000
"""Below, SQLite's scan takes a millisecond or two as well."""

REFINED = 200
"""Codes whose cosine is computed in float16, or more than are asked for. Of the true 10 (100)
nearest of 100,000 real embeddings, 1.000 (.9999) are among them."""

MOST_CHANGES = 10_000
"""Entries of the change log that a query takes over itself; more are a reason to build anew."""

MEMORY_SHARE = 0.5
"""Of the available memory, what the index may take."""

COUNTED_EVERY_S = 10.0
"""How often the index is counted against the database, which takes longer than a query."""

_BUILDING = "it is being built"


def available_bytes(meminfo: Path = Path("/proc/meminfo")) -> int | None:
    """Memory that can be had without swapping; None where the system does not say."""
    with suppress(OSError):
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return None


@dataclass(slots=True)
class _Built:
    """An index with the space and the change it stands for, and when it was last counted."""

    index: VectorIndex
    space: Space
    sequence: int
    counted_at: float


class DerivedIndex:
    """A `CandidateIndex` that answers vector queries over everything from memory.

    All else, narrow scopes among it, is the storage's. Safe to share between threads; not to be
    asked within a transaction, whose changes may never come to be. Whoever holds the lock reads the
    database, so the snapshot is always taken before the lock.
    """

    def __init__(
        self,
        storage: Storage,
        *,
        fewest: int = FEWEST_VECTORS,
        available: Callable[[], int | None] = available_bytes,
        counted_every_s: float = COUNTED_EVERY_S,
    ) -> None:
        self._storage = storage
        self._fewest = fewest
        self._available = available
        self._counted_every_s = counted_every_s
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._builder: threading.Thread | None = None
        self._built: _Built | None = None
        self._tried: tuple[int, Space | None] | None = None
        self._reason = _BUILDING

    def start(self) -> None:
        """Begin to build in a thread of its own, unless that is under way."""
        with self._lock:
            self._start()

    def wait(self) -> None:
        """Return once no build is under way."""
        builder = self._builder
        if builder is not None:
            builder.join()

    def close(self) -> None:
        """Break off what is being built and use SQLite from now on."""
        self._stopping.set()
        self.wait()
        with self._lock:
            self._built, self._reason = None, "it has been closed"

    def status(self) -> VectorIndexStatus:
        """What answers vector queries over everything, and why it is not FAISS."""
        with self._lock:
            if self._built is not None:
                return VectorIndexStatus("faiss", len(self._built.index), None)
            reason = self._reason
        return VectorIndexStatus("sqlite", self._storage.count_vectors(), reason)

    def count_chunks(self) -> int:
        return self._storage.count_chunks()

    def document_frequencies(
        self, words: Iterable[str], *, most: int | None = None
    ) -> dict[str, int]:
        return self._storage.document_frequencies(words, most=most)

    def words_in(self, chunk_id: int, words: Iterable[str]) -> frozenset[str]:
        return self._storage.words_in(chunk_id, words)

    def keyword_candidates(self, query: KeywordQuery, scope: Scope, *, limit: int) -> list[Scored]:
        return self._storage.keyword_candidates(query, scope, limit=limit)

    def vector_candidates(self, vector: QueryVector, scope: Scope, *, limit: int) -> list[Scored]:
        with self._storage.database.snapshot():
            found = self._nearest(vector, limit) if scope.is_everything else None
            if found is None:
                return self._storage.vector_candidates(vector, scope, limit=limit)
            return found

    def cosines(self, vector: QueryVector, chunk_ids: Sequence[int]) -> dict[int, float]:
        return self._storage.cosines(vector, chunk_ids)

    def chunk_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        return self._storage.chunk_rows(chunk_ids)

    def _nearest(self, vector: QueryVector, limit: int) -> list[Scored] | None:
        """The nearest chunks by cosine, ties by id; None when SQLite has to say."""
        wanted = max(REFINED, limit + 1)
        sequence, space = self._storage.sequence(), self._storage.active_space()
        with self._lock:
            built = self._in_step(sequence, space)
            if built is None or len(vector) != built.space.dimensions:
                return None
            ids = built.index.search(quantised(vector), wanted)
        scores = self._storage.cosines(vector, ids)
        if len(scores) != len(ids):
            self.start()
            return None
        best = sorted(
            (Scored(chunk_id, score) for chunk_id, score in scores.items()),
            key=lambda hit: (-hit.score, hit.chunk_id),
        )
        if len(best) == wanted and best[limit - 1].score == best[-1].score:
            return None  # equal chunks may go on beyond those that were found
        return best[:limit]

    def _in_step(self, sequence: int, space: Space | None) -> _Built | None:
        """The index as of this thread's snapshot, if there is such a one."""
        built = self._built
        if built is not None and sequence < built.sequence:
            return None  # another thread, with a later snapshot, has brought it further
        if built is None:
            if (sequence, space) != self._tried:
                self._start()
            return None
        if built.space != space or not self._caught_up(built, sequence):
            self._start()
            return None
        return built

    def _caught_up(self, built: _Built, sequence: int) -> bool:
        """Whether the index stands for this change, after taking over what it lacks."""
        if sequence == built.sequence:
            return True
        if sequence - built.sequence > MOST_CHANGES:
            return False
        changed = self._storage.changed_since(built.sequence)
        if changed is None:
            return False
        batches = list(self._storage.codes(built.space, changed))
        self._built = None  # until it is whole again, whatever happens in between
        built.index.remove(changed)
        for batch in batches:
            built.index.add(batch.ids, batch.q)
        built.sequence = sequence
        if time.monotonic() - built.counted_at >= self._counted_every_s:
            if len(built.index) != self._storage.count_vectors():
                return False
            built.counted_at = time.monotonic()
        self._built = built
        return True

    def _start(self) -> None:
        """Build in another thread; the lock is held."""
        if self._stopping.is_set() or (self._builder is not None and self._builder.is_alive()):
            return
        self._built, self._reason = None, _BUILDING
        self._builder = threading.Thread(target=self._build, name="vector-index", daemon=True)
        self._builder.start()

    def _build(self) -> None:
        built: _Built | None = None
        try:
            with self._storage.database.snapshot():
                found = self._read()
        except ImportError as error:
            found = f"FAISS cannot be loaded: {error}"
        except (MemError, MemoryError) as error:
            found = f"it could not be built: {error}"
        if isinstance(found, _Built):
            built, found = found, ""
        with self._lock:
            self._built, self._reason = built, found

    def _read(self) -> _Built | str:
        """An index of the active space as it is now, or the reason why there is none."""
        sequence, space = self._storage.sequence(), self._storage.active_space()
        self._tried = (sequence, space)
        count = self._storage.count_vectors()
        if space is None or count < self._fewest:
            return f"it is as quick for fewer than {self._fewest:,} vectors"
        needed, available = VectorIndex.needed_bytes(count, space.dimensions), self._available()
        if available is not None and needed > MEMORY_SHARE * available:
            return f"FAISS would take {needed >> 20:,} MB of {available >> 20:,} MB available"
        index = VectorIndex(space.dimensions)
        for batch in self._storage.codes(space):
            if self._stopping.is_set():
                return "it has been closed"
            index.add(batch.ids, batch.q)
        if len(index) != count:
            return f"the database has {len(index):,} codes for {count:,} vectors"
        return _Built(index, space, sequence, time.monotonic())
