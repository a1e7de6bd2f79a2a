"""Find changes by polling: for file systems without events, and when watches run out.

A poll is a scan under the usual rules, so it sees exactly what a sync would: names, sizes and
times. It takes at most a tenth of a core: the pause after a long scan is longer.
"""

import os
import threading
import time
from collections.abc import Iterable, Sequence
from typing import Final

from contracts import NotFoundError
from ingest.scanning import scan
from ingest.values import FileEntry
from ingest.walking import ScanRules
from ingest.watching.base import present, topmost
from ingest.watching.inbox import Inbox

SHARE: Final = 0.1
"""The largest share of the time that polling may take."""

_CLOSING_S: Final = 5.0
_PRINTABLE_BYTE: Final = "\\udc"


class PollingPart:
    """Scans the entries at or below `only`, every `every_s` seconds."""

    def __init__(
        self,
        roots: Sequence[str],
        rules: ScanRules,
        inbox: Inbox,
        *,
        only: Iterable[str],
        every_s: float,
    ) -> None:
        self._roots, self._rules, self._inbox = tuple(roots), rules, inbox
        self._every_s = every_s
        self._only = topmost(set(only))
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mem-polling", daemon=True)
        self._seen, self._took_s = self._look()

    @property
    def watched(self) -> int:
        """The number of folders in which it saw files."""
        return len({os.path.dirname(path) for path in self._seen})  # noqa: PTH120 - text

    def start(self) -> None:
        """Begin to report differences from the first scan."""
        self._thread.start()

    def add(self, path: str) -> None:
        """Poll there as well; at first, everything there is new."""
        with self._lock:
            self._only = topmost(self._only | {path})

    def close(self) -> None:
        """End the thread; a scan of a file system that does not answer is abandoned."""
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join(_CLOSING_S)

    def _run(self) -> None:
        try:
            while not self._ended.wait(max(self._every_s, self._took_s * (1 / SHARE - 1))):
                seen, self._took_s = self._look()
                before, self._seen = self._seen, seen
                changed = {path for path, state in seen.items() if before.get(path) != state}
                self._inbox.put(map(_as_it_is, changed | (before.keys() - seen.keys())))
        except Exception as error:  # noqa: BLE001 - raised again by who waits for hints
            self._inbox.fail(error)

    def _look(self) -> tuple[dict[str, int], float]:
        """Every file with a number for its state, and the duration in seconds."""
        began = time.perf_counter()
        with self._lock:
            only = sorted(self._only)
        seen: dict[str, int] = {}
        try:
            for found in scan(present(self._roots), self._rules, only=only):
                state = (
                    (found.size_bytes, found.mtime_ns)
                    if isinstance(found, FileEntry)
                    else (found.reason, found.detail)
                )
                seen[found.path] = hash(state)
                if self._ended.is_set():
                    break
        except NotFoundError:  # a root disappeared between two scans: everything below is gone
            pass
        return seen, time.perf_counter() - began


def _as_it_is(path: str) -> str:
    """A path that leads there: an undecodable name was made printable, its folder was not."""
    while _PRINTABLE_BYTE in path:
        path = os.path.dirname(path)  # noqa: PTH120 - paths are text here
    return path
