"""What a watcher is given: hints, and the protocol of whoever gives them."""

import os
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Literal, NamedTuple, Protocol, TypeAlias

from ingest.scan_targets import is_within

WatchMethod: TypeAlias = Literal["auto", "events", "polling", "inotify", "watchdog"]
"""`auto`: events where the system delivers them, and polling where it does not; `events`: no
polling because of the kind of a file system; the last two name one way to get events."""


class Hints(NamedTuple):
    """Absolute paths of files and folders whose state may have changed, each with all below it.

    No path lies below another. `overflow`: anything may have changed, also what no path names.
    """

    paths: frozenset[str] = frozenset()
    overflow: bool = False


class EventSource(Protocol):
    """Hints about the folders of some roots. One thread waits; any thread wakes it."""

    @property
    def method(self) -> str:
        """`inotify`, `watchdog` or `polling`: what most folders are watched by."""
        ...

    @property
    def reason(self) -> str | None:
        """Why some or all folders are watched in another way than the best; None when none is."""
        ...

    @property
    def watched(self) -> int:
        """The number of folders that are watched."""
        ...

    def wait(self, timeout_s: float) -> Hints:
        """What has come since the last call; without anything, an empty one after `timeout_s`.

        Raises UnavailableError when no more hints will come.
        """
        ...

    def wake(self) -> None:
        """End the wait that is under way, or else the next one."""
        ...

    def renew(self) -> None:
        """Look anew which folders are to be watched; changes after that call are hinted at."""
        ...

    def close(self) -> None:
        """Watch no longer. A second call does nothing."""
        ...


class Part(Protocol):
    """One way of watching, with a thread that puts what it sees into an inbox."""

    @property
    def watched(self) -> int:
        """The number of folders it watches."""
        ...

    def start(self) -> None:
        """Begin to report. What has changed since this object was made is reported as well."""
        ...

    def close(self) -> None:
        """End the thread and give back what the system lent."""
        ...


def topmost(paths: AbstractSet[str]) -> set[str]:
    """Those of the paths that lie below no other of them."""
    return {path for path in paths if not lies_below(path, paths)}


def lies_below(path: str, folders: AbstractSet[str]) -> bool:
    """Whether one of the folders holds the path, at whatever depth."""
    return path != os.sep and is_within(os.path.dirname(path), folders)  # noqa: PTH120 - text


def path_of(folder: str, name: str) -> str:
    """The path of an entry of a folder."""
    return os.path.join(folder, name)  # noqa: PTH118 - paths are text here


def present(roots: Iterable[str]) -> list[str]:
    """The roots that are there at the moment: a scan refuses others."""
    return [root for root in roots if os.path.exists(root)]  # noqa: PTH110 - text
