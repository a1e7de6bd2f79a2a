"""Reads that a replica may answer in place of the primary, and what is told of its lag."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from contracts import StorageError
from memory.storage import Storage

if TYPE_CHECKING:
    from memory.storage.capabilities.server import ReplicaLag

T = TypeVar("T")


def read_from_any(storage: Storage, read: Callable[[], T]) -> "tuple[T, ReplicaLag | None]":
    """Return what `read` returns, and the replica that it read from; None: the primary.

    It is called again on the primary when the replica cannot answer: it is lost meanwhile, stops
    the read, or has no memory or disk left for it.
    """
    with suppress(StorageError), storage.from_replica() as lag:
        if lag is not None:
            return read(), lag
    return read(), None


def lag_warnings(lag: "ReplicaLag | None") -> list[str]:
    """Return the warning of an answer that may lack what was written last."""
    if lag is None or not lag.behind_s:
        return []
    return [
        f"the answer is that of replica {lag.number}, which lacks what was written in the last "
        f"{lag.behind_s:.1f} s"
    ]
