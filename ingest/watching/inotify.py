"""Events from the Linux kernel, one watch for each folder that a scan enters (inotify(7)).

A thread takes the events as they come, so that the kernel's queue does not overflow while the
watcher is busy, and pauses after each batch, while the kernel merges repeated events. A watch
belongs to a folder, not to its path: a moved folder is watched again at its new path.
"""

import contextlib
import errno
import os
import select
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ingest.walking import ScanRules
from ingest.watching.base import path_of
from ingest.watching.inbox import Inbox
from ingest.watching.tracking import Tracker

if TYPE_CHECKING:
    from inotify_simple import Event, INotify

REST_MS: Final = 10
"""Milliseconds in which events gather during a storm: at most a hundred rounds a second."""

_LIMITS: Final = Path("/proc/sys/fs/inotify")
_CLOSING_S: Final = 5.0

# inotify(7); the library's names for them are members of an enumeration, which is slow for each
# event.
_MODIFY, _ATTRIB, _CLOSE_WRITE = 0x2, 0x4, 0x8
_MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF = 0x400, 0x800
_UNMOUNT, _OVERFLOW, _IGNORED, _IS_FOLDER = 0x2000, 0x4000, 0x8000, 0x40000000
_ONLY_FOLDERS, _DO_NOT_FOLLOW, _NOT_WHEN_UNLINKED = 0x1000000, 0x2000000, 0x4000000
_INTEREST: Final = (
    _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE
    | _DELETE_SELF | _MOVE_SELF | _ONLY_FOLDERS | _DO_NOT_FOLLOW | _NOT_WHEN_UNLINKED
)  # fmt: skip
_ITSELF: Final = _DELETE_SELF | _MOVE_SELF | _UNMOUNT | _IGNORED


def limit(name: str) -> str:
    """One of the kernel's limits and its value."""
    try:
        value = (_LIMITS / name).read_text(encoding="ascii").strip()
    except OSError:
        return f"fs.inotify.{name}"
    return f"fs.inotify.{name} is {value}"


class InotifyWatches:
    """The watched folders with their numbers; those that the kernel refuses go to `refused`."""

    def __init__(self, notify: "INotify", refused: Callable[[str], None]) -> None:
        self._notify = notify
        self._refused = refused
        self._numbers: dict[str, int] = {}
        self._paths: dict[int, str] = {}

    def add(self, path: str) -> bool:
        """Watch a folder; False if this folder is watched already, or cannot be."""
        try:
            number: int = self._notify.add_watch(path, _INTEREST)
        except OSError as error:
            if error.errno == errno.ENOSPC:
                self._refused(path)
            return False  # otherwise it is gone or unreadable, which a scan reports
        if self._paths.get(number) == path:
            return False
        self.remove(path)
        before = self._paths.get(number)  # the folder was moved, and its new place came first
        if before is not None:
            del self._numbers[before]
        self._numbers[path], self._paths[number] = number, path
        return True

    def remove(self, path: str) -> None:
        """Stop watching a folder, if it was watched."""
        number = self._numbers.pop(path, None)
        if number is None:
            return
        del self._paths[number]
        with contextlib.suppress(OSError):  # the kernel was first: the folder is gone
            self._notify.rm_watch(number)

    def path(self, number: int) -> str | None:
        """The folder with the watch of that number; None if it is no longer watched."""
        return self._paths.get(number)

    def __contains__(self, path: object) -> bool:
        return path in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


class InotifyPart:
    """Watches the folders of some roots by one inotify instance.

    `only` are the roots that it is responsible for. Raises OSError when the system has no instance
    left.
    """

    def __init__(
        self,
        roots: Sequence[str],
        rules: ScanRules,
        inbox: Inbox,
        *,
        only: Sequence[str],
        refused: Callable[[str], None],
    ) -> None:
        from inotify_simple import INotify

        self._inbox = inbox
        self._notify = INotify()
        self._ended_out, self._ended_in = os.pipe()
        self._thread = threading.Thread(target=self._run, name="mem-inotify", daemon=True)
        self._watches = InotifyWatches(self._notify, refused)
        self._tracker = Tracker(roots, rules, self._watches)
        self._tracker.walk(only)
        for root in only:
            if not os.path.isdir(root):  # noqa: PTH112 - paths are text here
                self._watches.add(os.path.dirname(root))  # noqa: PTH120 - as above

    @property
    def watched(self) -> int:
        """The number of folders it watches."""
        return len(self._watches)

    def start(self) -> None:
        """Begin to report. The kernel has kept the events since this object was made."""
        self._thread.start()

    def close(self) -> None:
        """End the thread and release the instance with all its watches."""
        os.write(self._ended_in, b"!")
        if self._thread.ident is not None:
            self._thread.join(_CLOSING_S)
        if not self._thread.is_alive():
            self._notify.close()
            os.close(self._ended_in)
            os.close(self._ended_out)

    def _run(self) -> None:
        try:
            self._loop()
        except Exception as error:  # noqa: BLE001 - raised again by who waits for hints
            self._inbox.fail(error)

    def _loop(self) -> None:
        either, ended = select.poll(), select.poll()
        ended.register(self._ended_out, select.POLLIN)
        either.register(self._ended_out, select.POLLIN)
        either.register(self._notify.fileno(), select.POLLIN)
        while not ended.poll(REST_MS):
            if any(found == self._ended_out for found, _ in either.poll()):
                return
            for event in self._notify.read(timeout=0):
                self._note(event)
            hints = self._tracker.settle()
            if hints:
                self._inbox.put(hints)

    def _note(self, event: "Event") -> None:
        mask = event.mask
        if mask & _OVERFLOW:
            self._inbox.overflow()
            return
        folder = self._watches.path(event.wd)
        if folder is None:
            return
        if not event.name:
            self._note_itself(folder, mask)
        elif mask & _IS_FOLDER:
            self._note_folder(path_of(folder, event.name), mask)
        else:
            self._tracker.note_file(folder, event.name)

    def _note_folder(self, path: str, mask: int) -> None:
        if mask & _ATTRIB:
            self._tracker.note_access(path)
        elif mask & (_MOVED_FROM | _DELETE):
            self._tracker.note_folder(path, gone=True, whole=bool(mask & _MOVED_FROM))
        else:
            self._tracker.note_folder(path, gone=False)

    def _note_itself(self, folder: str, mask: int) -> None:
        if mask & _ITSELF:
            self._tracker.note_itself(folder)
        if mask & _IGNORED:
            self._watches.remove(folder)
