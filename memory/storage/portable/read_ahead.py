"""Reading a large collection in another thread while this one does the next step.

Databases compute without Python's lock, so on two processors both take the time of the longer.
"""

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Generic, Protocol, TypeVar

from contracts import MemError
from memory.storage.database import Database
from memory.storage.values import Revision

T = TypeVar("T")


class _Revised(Protocol):
    """The source of a reading: a storage."""

    @property
    def database(self) -> Database: ...

    def revision(self) -> Revision: ...


class ReadAhead(Generic[T]):
    """A read through its own connection; the result is valid if both saw the same database.

    Create and call it within the same snapshot.
    """

    def __init__(
        self,
        storage: _Revised,
        read: Callable[[], T],
        *,
        snapshot: Callable[[], AbstractContextManager[None]] | None = None,
        ended: Callable[[], object] = bool,
    ) -> None:
        """`snapshot` begins that of the thread, if it is not the database's own; `ended` is called
        by the thread when it ends.
        """
        self._storage = storage
        self._snapshot = snapshot or storage.database.snapshot
        self._read = read
        self._ended = ended
        self._revision = storage.revision()
        self._found: list[T] = []
        self._thread = threading.Thread(target=self._run, name="read-ahead", daemon=True)
        self._thread.start()

    def __call__(self) -> T:
        """Return the result. If another process wrote in between, this thread reads it again.

        Raises what the reading raises.
        """
        self._thread.join()
        return self._found[0] if self._found else self._read()

    def _run(self) -> None:
        try:
            with self._snapshot():
                if self._storage.revision() == self._revision:
                    self._found.append(self._read())
        except MemError:
            return  # the caller's own read will raise it, or succeed
        finally:
            self._ended()
