"""A compressed queue of the files that a sync has found and not yet processed."""

import json
import zlib
from collections import deque
from collections.abc import Sequence

from ingest import FileEntry


class WorkQueue:
    """A first-in, first-out queue of files.

    A scan may be ahead of the work by the whole tree: packed, a file takes some thirty bytes
    instead of hundreds.
    """

    def __init__(self) -> None:
        self.files_put = 0
        self.bytes_put = 0
        self._packed: deque[bytes] = deque()
        self._open: deque[FileEntry] = deque()

    def put(self, entries: Sequence[FileEntry]) -> None:
        """Add a batch."""
        if not entries:
            return
        self.files_put += len(entries)
        self.bytes_put += sum(entry.size_bytes for entry in entries)
        rows = [(entry.path, entry.size_bytes, entry.mtime_ns) for entry in entries]
        self._packed.append(zlib.compress(json.dumps(rows).encode(), level=1))

    def take(self, limit: int) -> list[FileEntry]:
        """Return up to so many; none when all have been taken."""
        if not self._open and self._packed:
            rows = json.loads(zlib.decompress(self._packed.popleft()))
            self._open.extend(FileEntry(*row) for row in rows)
        return [self._open.popleft() for _ in range(min(limit, len(self._open)))]
