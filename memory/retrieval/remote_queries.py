"""Queries to an embedding model on another machine: cached vectors and pauses after failures.

The same query asked again would cost money and a fifth of a second, so its vector is cached. A
provider that is down would make every query wait for its timeout, so after a failure it is not
asked for a while. Models of this machine need neither, and do not load this module.
"""

import struct
import threading
import time
from array import array
from collections.abc import Callable
from contextlib import suppress
from math import ceil
from typing import Final

from contracts import BusyError, QueryVector, StorageError, UnavailableError
from memory.index.embedding.embedder import Embedder
from memory.storage import Space, Storage, content_hash
from memory.storage.counters import QUERIES_EMBEDDED, QUERIES_KNOWN, Counters
from memory.workspace import Workspace
from providers import RefusedTexts

FIRST_PAUSE_S: Final = 5.0
"""Pause after a failure of a provider; each further failure doubles it."""

LONGEST_PAUSE_S: Final = 60.0


class Outage:
    """The pause of a provider after a failure. Any thread may use it."""

    def __init__(self, *, now_s: Callable[[], float] = time.monotonic) -> None:
        self._now_s = now_s
        self._lock = threading.Lock()
        self._error: UnavailableError | None = None
        self._pause_s = 0.0
        self._until_s = 0.0
        self._tried = False

    def check(self) -> None:
        """Raise UnavailableError during the pause.

        After the pause the first caller may try; the others wait for its result.
        """
        with self._lock:
            if self._error is None:
                return
            left_s = self._until_s - self._now_s()
            if left_s <= 0:
                self._until_s = self._now_s() + self._pause_s
                self._tried = True
                return
            raise UnavailableError(
                f"{self._error.message}; it is not asked again for {ceil(left_s)} s",
                hint=self._error.hint,
            )

    def begin(self, error: UnavailableError) -> None:
        """Start a pause: the provider failed."""
        with self._lock:
            if self._error is not None and not self._tried:
                return  # several asked at once: count one failure
            self._pause_s = min(LONGEST_PAUSE_S, 2 * self._pause_s or FIRST_PAUSE_S)
            self._error, self._until_s = error, self._now_s() + self._pause_s
            self._tried = False

    def end(self) -> None:
        """End the pause: the provider answered."""
        with self._lock:
            self._error, self._pause_s = None, 0.0

    def left_s(self) -> float | None:
        """Return the seconds until it is asked again; None without a pause."""
        with self._lock:
            if self._error is None:
                return None
            return max(0.0, round(self._until_s - self._now_s(), 1))


class RemoteQueries:
    """The query embedder of a database whose model is on another machine."""

    def __init__(
        self, storage: Storage, tallies: Counters, *, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._storage = storage
        self._tallies = tallies
        self._now_s = now_s
        self._outages: dict[str, Outage] = {}

    def outage(self, space: Space) -> Outage:
        """Return the outage of this space's model; another model may work at the same time."""
        return self._outages.setdefault(space.embedder, Outage(now_s=self._now_s))

    def vector(
        self, embedder: Embedder, space: Space, text: str, *, cache_bytes: int
    ) -> QueryVector | None:
        """Return the unit vector of a query in this space, or None when the model finds nothing in
        it.

        Raises what `Embedder.checked` and `Embedder.query_vector` do, and UnavailableError without
        asking during a pause.
        """
        content = content_hash(text)
        known = self._storage.cache.get(space, [content], kind="query").get(content)
        if known is not None:
            embedder.checked(space)
            self._tallies.note(QUERIES_KNOWN)
            if self._storage.cache.is_stale(space, content, kind="query"):
                self._keep(space, content, known, cache_bytes)
            return decoded_query(known)
        outage = self.outage(space)
        outage.check()
        try:
            embedder.checked(space)
            vector = embedder.query_vector(text)
        except RefusedTexts:
            outage.end()  # it answers, so it will answer others
            raise
        except UnavailableError as error:
            outage.begin(error)
            raise
        outage.end()
        self._tallies.note(QUERIES_EMBEDDED)
        if vector is not None and cache_bytes:
            self._keep(space, content, encoded_query(vector), cache_bytes)
        return vector

    def _keep(self, space: Space, content: bytes, vector: bytes, cache_bytes: int) -> None:
        """Cache a vector, or the time of its use, unless that would wait for a lock."""
        with (
            suppress(BusyError, StorageError),
            self._storage.database.transaction(wait=False) as tx,
        ):
            self._storage.cache.put(
                tx, space, {content: vector}, kind="query", most_bytes=cache_bytes
            )
            self._tallies.write(tx)


def encoded_query(vector: QueryVector) -> bytes:
    """Encode a query's vector for the cache: float32, little-endian, without loss."""
    return struct.pack(f"<{len(vector)}f", *vector)


def decoded_query(kept: bytes) -> QueryVector:
    """Decode a vector from `encoded_query`."""
    return array("f", struct.unpack(f"<{len(kept) // 4}f", kept))


def remote_queries_of(workspace: Workspace) -> RemoteQueries:
    """Return the remote queries of a workspace."""
    return workspace.component(
        RemoteQueries, lambda: RemoteQueries(workspace.storage, workspace.counters)
    )
