"""The base of in-memory structures that follow a database which others write to.

A structure is checked by sequence number before every use and applies the entries of the change
log. In doubt it is discarded and built again in a separate thread; until then SQLite answers.
"""

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from contracts import MemError
from memory.storage import Storage

MOST_CHANGES = 10_000
"""Entries of the change log that a query applies itself; with more the structure is rebuilt."""

MEMORY_SHARE = 0.5
"""Share of the available memory that a structure may take."""

_BUILDING = "it is being built"
_CLOSED = "it has been closed"
_DEFECT = "building it failed because of a defect in this program"


def available_bytes(meminfo: Path = Path("/proc/meminfo")) -> int | None:
    """Return the memory available without swapping; None where the system does not say."""
    with suppress(OSError):
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return None


class CachedStructure(Protocol):
    """A structure in memory with the change number up to which it matches the database.

    `key` is what else it depends on: with another key it is useless.
    """

    @property
    def key(self) -> object: ...

    sequence: int


H = TypeVar("H", bound=CachedStructure)


class ChangeLogCache(ABC, Generic[H]):
    """The holder of a structure that it keeps up to date. Safe to share between threads.

    Do not query it within a transaction, whose changes may be rolled back. The holder of the lock
    reads the database, so the snapshot is always taken before the lock.
    """

    def __init__(self, storage: Storage, *, available: Callable[[], int | None]) -> None:
        self._storage = storage
        self._available = available
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._builder: threading.Thread | None = None
        self._held: H | None = None
        self._tried: tuple[int, object] | None = None
        self._reason = _BUILDING

    @abstractmethod
    def _key(self) -> object:
        """Return what the structure depends on besides the rows that the change log names."""

    @abstractmethod
    def _read(self, sequence: int, key: object) -> H | str:
        """Build the structure from the database as it is now, or return the reason why it cannot
        be.
        """

    @abstractmethod
    def _apply(self, held: H, changed: frozenset[int]) -> bool:
        """Apply the present state of these chunks; False when the structure can no longer be
        trusted.
        """

    def start(self) -> None:
        """Begin to build in a separate thread, unless a build is running."""
        with self._lock:
            self._start()

    def wait(self) -> None:
        """Return once no build is running."""
        with self._lock:  # a thread that has not been started cannot be waited for
            builder = self._builder
        if builder is not None:
            builder.join()

    def close(self) -> None:
        """Cancel a running build and use SQLite from now on."""
        self._stopping.set()
        self.wait()
        with self._lock:
            self._held, self._reason = None, _CLOSED

    @contextmanager
    def in_step(self) -> Iterator[H | None]:
        """Yield the structure as of this thread's snapshot, locked for the block; None without
        one.
        """
        sequence, key = self._storage.sequence(), self._key()
        with self._lock:
            yield self._as_of(sequence, key)

    @contextmanager
    def locked(self) -> Iterator[tuple[H | None, str]]:
        """Yield the structure, up to date or not, and the reason if it is missing."""
        with self._lock:
            yield self._held, self._reason

    def too_large(self, what: str, needed_bytes: int) -> str | None:
        """Return why so much memory is too much, if it is."""
        available = self._available()
        if available is None or needed_bytes <= MEMORY_SHARE * available:
            return None
        return f"{what} would take {needed_bytes >> 20:,} MB of {available >> 20:,} MB available"

    def _as_of(self, sequence: int, key: object) -> H | None:
        held = self._held
        if held is not None and sequence < held.sequence:
            return None  # another thread, with a later snapshot, has updated it further
        if held is None:
            if (sequence, key) != self._tried:
                self._start()
            return None
        if held.key != key or not self._catch_up(held, sequence):
            self._start()
            return None
        return held

    def _catch_up(self, held: H, sequence: int) -> bool:
        """Return whether the structure matches this change, after applying the changes it lacks."""
        if sequence == held.sequence:
            return True
        if sequence - held.sequence > MOST_CHANGES:
            return False
        changed = self._storage.changed_since(held.sequence)
        if changed is None:
            return False
        self._held = None  # until it is complete again, whatever fails in between
        if not self._apply(held, changed):
            return False
        held.sequence = sequence
        self._held = held
        return True

    def _start(self) -> None:
        """Build in another thread. The caller holds the lock."""
        if self._stopping.is_set() or (self._builder is not None and self._builder.is_alive()):
            return
        self._held, self._reason = None, _BUILDING
        self._builder = threading.Thread(target=self._build, name="derived-index", daemon=True)
        self._builder.start()

    def _build(self) -> None:
        found: H | str = _DEFECT  # unless the build below succeeds
        try:
            with self._storage.database.snapshot():
                sequence, key = self._storage.sequence(), self._key()
                self._tried = (sequence, key)
                found = self._read(sequence, key)
        except ImportError as error:
            found = f"{error.name} cannot be loaded: {error}"
        except (MemError, MemoryError) as error:
            found = f"it could not be built: {error}"
        finally:
            with self._lock:
                self._held, self._reason = (None, found) if isinstance(found, str) else (found, "")
        if not isinstance(found, str):
            self._after_build()

    def _after_build(self) -> None:
        """Run work of the building thread that follows a successful build."""

    def _is_stopping(self) -> str | None:
        """Return why a build must be cancelled, if so."""
        return _CLOSED if self._stopping.is_set() else None
