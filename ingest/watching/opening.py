"""Choose how each root is watched, and update the choice while roots and mounts come and go.

If the kernel gives events they are used; where it would stay silent (network and user-space file
systems), or has no watches left, folders are polled as well. Every change in the basis of the
choice (a root that is missing, back or another one; a file system mounted or unmounted in one)
repeats the choice, and reports that anything may have changed.
"""

import os
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from ingest.walking import ScanRules
from ingest.watching.base import EventSource, Hints, Part, WatchMethod, present
from ingest.watching.inbox import Inbox
from ingest.watching.mounts import Mount, concerning, mounts
from ingest.watching.polling import PollingPart

POLLING_S: Final = 2.0
_MOST_NAMED: Final = 3

_Identity: TypeAlias = tuple[int, int, int] | None


def open_events(
    roots: Sequence[str | os.PathLike[str]],
    rules: ScanRules | None = None,
    *,
    method: WatchMethod = "auto",
    polling_s: float = POLLING_S,
) -> EventSource:
    """Watch everything that a scan of these roots visits. Roots may be missing, and come later.

    Changes after this call are hinted at; `polling_s` is the time between two polls of folders, and
    of the roots themselves.
    """
    real = dict.fromkeys(os.path.realpath(root) for root in roots)
    return _Events(tuple(real), rules or ScanRules(), method, polling_s=polling_s)


class _Events:
    """All parts that watch, and one inbox."""

    def __init__(
        self,
        roots: tuple[str, ...],
        rules: ScanRules,
        method: WatchMethod,
        *,
        polling_s: float,
        mounted: Callable[[], Sequence[Mount]] = mounts,
    ) -> None:
        self._roots, self._rules, self._chosen, self._polling_s = roots, rules, method, polling_s
        self._mounted = mounted
        self._inbox = Inbox()
        self._changing = threading.RLock()
        self._is_closed = False
        self._open()

    @property
    def method(self) -> str:
        """The main way of watching: events as soon as there are any."""
        return self._method

    @property
    def reason(self) -> str | None:
        """The reason why something is not watched in the best way."""
        reasons = list(self._reasons)
        if self._refused:
            from ingest.watching.inotify import limit

            folders = f"{len(self._refused):,} folders" if len(self._refused) > 1 else "a folder"
            reasons.append(
                f"no inotify watch is left for {folders}, polled instead "
                f"({limit('max_user_watches')})"
            )
        return "; ".join(reasons) or None

    @property
    def watched(self) -> int:
        """The number of folders, over all parts."""
        return sum(part.watched for part in self._parts)

    def wait(self, timeout_s: float) -> Hints:
        """The hints so far, also for roots and mounts that came and went."""
        deadline = time.monotonic() + timeout_s
        while True:
            now = time.monotonic()
            hints, woken = self._inbox.take(max(0.0, min(deadline, self._look_at) - now))
            if self._is_closed:
                return Hints()
            if time.monotonic() >= self._look_at or not hints.paths.isdisjoint(self._roots):
                hints = self._looked(hints)
            elif hints.overflow:
                self.renew()
            if self._late:
                hints = Hints(hints.paths | self._poll_late(), hints.overflow)
            if hints.paths or hints.overflow or woken or time.monotonic() >= deadline:
                return hints

    def wake(self) -> None:
        """End the current wait, or else the next one."""
        self._inbox.wake()

    def renew(self) -> None:
        """Choose and watch again. Changes during this call are for the caller to find."""
        with self._changing:
            if not self._is_closed:
                self._end_parts()
                self._open()

    def close(self) -> None:
        """Stop watching."""
        with self._changing:
            self._is_closed = True
            self._end_parts()
        self._inbox.wake()

    def _looked(self, hints: Hints) -> Hints:
        """Compare roots and mounts with those of the choice, and add hints for differences."""
        self._look_at = time.monotonic() + self._polling_s
        before, now = self._identities, _identities(self._roots)
        if now == before and self._concerning() == self._mounts and not hints.overflow:
            return hints
        self.renew()
        others = {root for root in self._roots if before[root] != now[root]}
        return Hints(hints.paths | others, overflow=True)

    def _concerning(self) -> list[tuple[str, Mount]]:
        return concerning(self._roots, self._mounted())

    def _open(self) -> None:
        self._refused: set[str] = set()
        self._late: list[str] = []
        self._reasons: list[str] = []
        self._polling: PollingPart | None = None
        self._identities = _identities(self._roots)
        self._mounts = self._concerning()
        self._look_at = time.monotonic() + self._polling_s
        polled = self._silent()
        part = self._event_part([root for root in present(self._roots) if root not in polled])
        if part is None and self._roots:
            polled = set(self._roots)
        self._parts: list[Part] = [part] if part else []
        self._method = "polling"
        if part is not None:
            self._method = "inotify" if _is_linux(self._chosen) else "watchdog"
        self._refused.update(self._late)
        self._late.clear()
        if polled or self._refused:
            self._poll(polled | self._refused)
        for one in self._parts:
            one.start()

    def _silent(self) -> set[str]:
        """The folders where no event would come, with the reason for each."""
        if self._chosen == "polling":
            self._reasons.append("polling is configured")
            return set(self._roots)
        if self._chosen != "auto":
            return set()
        silent = [(path, mount) for path, mount in self._mounts if mount.is_silent]
        self._reasons += list(_named(silent))
        return {path for path, _ in silent}

    def _event_part(self, roots: list[str]) -> Part | None:
        """The part that gets events for these roots; None if there are none to be had."""
        if not roots or self._chosen == "polling":
            return None
        try:
            if _is_linux(self._chosen):
                from ingest.watching.inotify import InotifyPart

                return InotifyPart(
                    self._roots, self._rules, self._inbox, only=roots, refused=self._refuse
                )
            from ingest.watching.recursive import RecursivePart

            return RecursivePart(self._roots, self._rules, self._inbox, only=roots)
        except OSError as error:
            from ingest.watching.inotify import limit

            known = f" ({limit('max_user_instances')})" if _is_linux(self._chosen) else ""
            self._reasons.append(f"the system gives no events: {error.strerror or error}{known}")
            return None

    def _refuse(self, path: str) -> None:
        """Note that the kernel has no watch left for a folder: the next wait handles it."""
        self._late.append(path)
        self._inbox.wake()

    def _poll_late(self) -> set[str]:
        with self._changing:
            late = set(self._late) - self._refused
            self._late.clear()
            self._refused |= late
            if self._is_closed or not late:
                return late
            if self._polling is None:
                self._poll(late).start()
            else:
                for path in late:
                    self._polling.add(path)
        return late

    def _poll(self, paths: set[str]) -> PollingPart:
        self._polling = PollingPart(
            self._roots, self._rules, self._inbox, only=paths, every_s=self._polling_s
        )
        self._parts.append(self._polling)
        return self._polling

    def _end_parts(self) -> None:
        for part in self._parts:
            part.close()
        self._parts = []


def _is_linux(chosen: WatchMethod) -> bool:
    return chosen != "watchdog" and (chosen == "inotify" or sys.platform == "linux")


def _identities(roots: Sequence[str]) -> dict[str, _Identity]:
    """The identity of each root at the moment: the same path may lead to another folder later.

    Editors replace a file at every save, so a root that is a file has the identity of its folder.
    """
    return {root: _identity(root) for root in roots}


def _identity(root: str) -> _Identity:
    try:
        own = os.stat(root, follow_symlinks=False)  # noqa: PTH116 - paths are text here
        if stat.S_ISDIR(own.st_mode):
            return own.st_dev, own.st_ino, own.st_mode
        folder = os.stat(os.path.dirname(root))  # noqa: PTH116, PTH120 - as above
    except OSError:
        return None
    return folder.st_dev, folder.st_ino, stat.S_IFMT(own.st_mode)


def _named(silent: Sequence[tuple[str, Mount]]) -> Iterator[str]:
    kinds = sorted({mount.kind for _, mount in silent})
    if silent:
        paths = ", ".join(path for path, _ in silent[:_MOST_NAMED])
        more = f" and {len(silent) - _MOST_NAMED} more" if len(silent) > _MOST_NAMED else ""
        yield f"{paths}{more}: polled, for {', '.join(kinds)} gives no events of other machines"
