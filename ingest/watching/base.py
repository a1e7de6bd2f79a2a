"""Hints about changes, and the protocol of their sources."""

import os
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Literal, Protocol, TypeAlias

from contracts.named_tuple import NamedTuple
from ingest.scan_targets import is_within

WatchMethod: TypeAlias = Literal["auto", "events", "polling", "inotify", "watchdog"]
"""The way of watching. `auto`: events where the system delivers them, and polling elsewhere;
`events`: no polling because of the kind of a file system; the last two name one way to get events.
"""


class Hints(NamedTuple):
    """Absolute paths of files and folders whose state may have changed, each with everything below
    it.

    No path is below another. `overflow`: anything may have changed, also unnamed paths.
    """

    paths: frozenset[str] = frozenset()
    overflow: bool = False


class EventSource(Protocol):
    """Hints about the folders of some roots. One thread waits; any thread wakes it."""

    @property
    def method(self) -> str:
        """The way in which most folders are watched: `inotify`, `watchdog` or `polling`."""
        ...

    @property
    def reason(self) -> str | None:
        """The reason why some or all folders are not watched in the best way; None if all are."""
        ...

    @property
    def watched(self) -> int:
        """The number of folders that are watched."""
        ...

    def wait(self, timeout_s: float) -> Hints:
        """The hints since the last call; without any, an empty one after `timeout_s`.

        Raises UnavailableError when no more hints will come.
        """
        ...

    def wake(self) -> None:
        """End the current wait, or else the next one."""
        ...

    def renew(self) -> None:
        """Determine again which folders to watch; later changes are hinted at."""
        ...

    def close(self) -> None:
        """Stop watching. A second call does nothing."""
        ...


class Part(Protocol):
    """One way of watching, with a thread that puts its events into an inbox."""

    @property
    def watched(self) -> int:
        """The number of folders it watches."""
        ...

    def start(self) -> None:
        """Begin to report, including changes since this object was made."""
        ...

    def close(self) -> None:
        """End the thread and release the system's resources."""
        ...


def topmost(paths: AbstractSet[str]) -> set[str]:
    """Those of the paths that are not below another of them."""
    return {path for path in paths if not lies_below(path, paths)}


def lies_below(path: str, folders: AbstractSet[str]) -> bool:
    """Return whether one of the folders holds the path, at any depth."""
    return path != os.sep and is_within(os.path.dirname(path), folders)  # noqa: PTH120 - text


def path_of(folder: str, name: str) -> str:
    """The path of an entry of a folder."""
    return os.path.join(folder, name)  # noqa: PTH118 - paths are text here


def present(roots: Iterable[str]) -> list[str]:
    """The roots that exist at the moment: a scan refuses others."""
    return [root for root in roots if os.path.exists(root)]  # noqa: PTH110 - text
