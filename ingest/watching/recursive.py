"""Events on systems other than Linux, through watchdog: FSEvents, ReadDirectoryChangesW, kqueue.

These watch whole trees without rules, so each event is compared with the folders that a scan
enters, as on Linux.
"""

import os
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ingest.walking import ScanRules
from ingest.watching.inbox import Inbox
from ingest.watching.tracking import Tracker

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent

_SAY_NOTHING = frozenset({"opened", "closed_no_write"})


class _Folders:
    """The folders that a scan enters."""

    def __init__(self) -> None:
        self._paths: set[str] = set()

    def add(self, path: str) -> bool:
        if path in self._paths:
            return False
        self._paths.add(path)
        return True

    def remove(self, path: str) -> None:
        self._paths.discard(path)

    def __contains__(self, path: object) -> bool:
        return path in self._paths

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


class RecursivePart:
    """Watches the trees of some roots by watchdog's observer. Raises OSError when it cannot."""

    def __init__(
        self, roots: Sequence[str], rules: ScanRules, inbox: Inbox, *, only: Sequence[str]
    ) -> None:
        from watchdog.events import FileSystemEventHandler
        from watchdog.observers import Observer

        part = self

        class Handler(FileSystemEventHandler):
            def on_any_event(self, event: "FileSystemEvent") -> None:
                part._note(event)

        self._inbox = inbox
        self._lock = threading.Lock()
        self._folders = _Folders()
        self._tracker = Tracker(roots, rules, self._folders)
        self._observer = Observer()
        handler = Handler()
        for root in only:
            is_folder = os.path.isdir(root)  # noqa: PTH112 - paths are text here
            watched = root if is_folder else os.path.dirname(root)  # noqa: PTH120 - as above
            self._observer.schedule(handler, watched, recursive=is_folder)
            if not is_folder:
                self._folders.add(watched)
        # Events wait until the walk is over, so that none is compared with an incomplete list of
        # folders.
        with self._lock:
            self._observer.start()
            self._tracker.walk(only)

    @property
    def watched(self) -> int:
        """The number of folders that a scan enters below its roots."""
        return len(self._folders)

    def start(self) -> None:
        """Do nothing: it reports from the beginning."""

    def close(self) -> None:
        """End the observer and its threads."""
        self._observer.stop()
        self._observer.join()

    def _note(self, event: "FileSystemEvent") -> None:
        kind = event.event_type
        if kind in _SAY_NOTHING:
            return
        try:
            with self._lock:
                source, target = os.fsdecode(event.src_path), os.fsdecode(event.dest_path)
                if source:
                    gone = kind in ("deleted", "moved")
                    self._note_path(source, is_folder=event.is_directory, gone=gone, kind=kind)
                if target:
                    self._note_path(target, is_folder=event.is_directory, gone=False, kind=kind)
                hints = self._tracker.settle()
        except Exception as error:  # noqa: BLE001 - raised again by who waits for hints
            self._inbox.fail(error)
            return
        if hints:
            self._inbox.put(hints)

    def _note_path(self, path: str, *, is_folder: bool, gone: bool, kind: str) -> None:
        folder, name = os.path.split(path)
        if folder not in self._folders:
            if gone and path in self._folders:  # a root
                self._tracker.note_itself(path)
        elif not is_folder:
            self._tracker.note_file(folder, name)
        elif kind in ("created", "deleted", "moved"):
            self._tracker.note_folder(path, gone=gone, whole=True)
        elif kind == "attrib":
            self._tracker.note_access(path)
