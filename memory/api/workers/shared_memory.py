"""The memory that the workers of a server share: counts and failed attempts, a part for each.

An open file without a name, which ends with the server.
"""

import os
import tempfile
from mmap import mmap
from typing import IO, Final

from memory.api.limits.shared_failures import RING_BYTES, SharedFailures
from memory.retrieval import query_cache
from memory.storage import durations
from memory.storage.counters import CountTable

_PID: Final = durations.COLUMNS + query_cache.COLUMNS
"""The column after those of `memory.retrieval.server_caches`: the process of the row."""

_CONNECTIONS: Final = _PID + 1
"""The column of its connections in use; the next one says how often it has counted them."""

_COLUMNS: Final = _CONNECTIONS + 2
_COUNTS_BYTES: Final = 8 * _COLUMNS
_WORKER_BYTES: Final = _COUNTS_BYTES + RING_BYTES


def new_shared_memory(workers: int) -> IO[bytes]:
    """Return an open file for so many workers, all zero."""
    file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  # the caller closes it
    file.truncate(workers * _WORKER_BYTES)
    return file


class SharedMemory:
    """The memory of all workers, opened by one of them."""

    def __init__(self, file: int, *, workers: int, own: int) -> None:
        """Open the file descriptor `file`; `own` is the number of this worker, from 0."""
        whole = memoryview(mmap(file, workers * _WORKER_BYTES))
        starts = [number * _WORKER_BYTES for number in range(workers)]
        rows = [whole[start : start + _COUNTS_BYTES].cast("d") for start in starts]
        rings = [whole[start + _COUNTS_BYTES : start + _WORKER_BYTES] for start in starts]
        self.counts = CountTable(rows, rows[own])
        self.failures = SharedFailures(rings, own)
        self.counts.own[_PID] = os.getpid()
        self.counts.own[_CONNECTIONS] = 0  # those of a worker before this one are closed


def used_connections(counts: CountTable) -> CountTable:
    """Return the columns of the connections in use of each worker."""
    return counts.columns(_CONNECTIONS, 2)


def process_ids(counts: CountTable | None) -> list[int]:
    """Return the processes of a server's workers; without workers, this one."""
    if counts is None:
        return [os.getpid()]
    return [int(row[_PID]) for row in counts.rows if row[_PID]]
