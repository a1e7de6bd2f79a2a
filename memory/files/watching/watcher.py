"""The watcher: keeps the index up to date while files change.

Events are only hints where to look; complete scans at the start, at intervals and whenever hints
may be lost find every change. So nothing depends on every event coming, or on what it says.
"""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from math import inf
from pathlib import Path
from threading import Event
from typing import Final, Protocol

from contracts import BusyError, MemError, NotFoundError, StorageError
from contracts.named_tuple import NamedTuple
from ingest import ScanRules
from ingest.watching import EventSource, Hints, WatchMethod, open_events
from memory.files.ingestion import sync_scope, sync_settings
from memory.files.roots import SyncScope, known_roots, refuse_binary, remember_roots, sync_scope_of
from memory.files.sync import ProgressCallback
from memory.files.watching.lock import WatchLock
from memory.files.watching.preload import Preloader
from memory.files.watching.queue import WatchQueue
from memory.files.watching.state import HEARTBEAT_S, WatchState
from memory.storage import utc_now
from memory.storage.database import WorkLockLostError
from memory.storage.meta import RESTORED, read_meta
from memory.values.backoff import Backoff
from memory.values.reports import SyncProgress, SyncStats, WatchBatch, WatchTrouble
from memory.workspace import Workspace

QUIET_S: Final = 0.08
"""Quiet time after which hints are acted on: a save is often several events."""

GATHERED_S: Final = 0.25
"""Longest gathering of hints, so that a file that changes all the time is seen as well."""

MOST_GATHERED_S: Final = 5.0
"""The same when the work before took as long: no storm takes more than half of a processor."""

TICK_S: Final = 1.0
"""Interval of checks whether the folders to watch are still the same."""

BUSY_S: Final = 0.25
"""Pause between two attempts while another sync is running."""

SLEPT_S: Final = 10.0
"""Difference of the clocks that means that the machine has slept or the time was set."""

Reporter = Callable[[WatchBatch | WatchTrouble], object]


class Opener(Protocol):
    """A function that opens a source of hints, as `open_events` does."""

    def __call__(
        self, roots: Sequence[Path], rules: ScanRules, *, method: WatchMethod, polling_s: float
    ) -> EventSource:
        """Open a source for these roots."""
        ...


class StoppedError(Exception):
    """The watcher must end, with the sync that is running."""


class _Watched(NamedTuple):
    """The parameters of the event source; another one is opened when they change."""

    roots: tuple[Path, ...]
    rules: ScanRules
    method: WatchMethod
    polling_s: float
    restored: str | None  # a restored backup lacks what was indexed since


def _clocks_apart() -> float:
    """Return the difference of the wall clock and the clock that stops during sleep."""
    return time.time() - time.monotonic()


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the identity of a file: events in one that was removed or moved away go unseen."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def remember(workspace: Workspace, paths: Sequence[Path]) -> None:
    """Make these existing folders and files known, as a sync of them would.

    Raises InputError for a file that is not a text.
    """
    rules = sync_settings(workspace).rules
    scope = sync_scope_of(workspace, paths, rules)
    refuse_binary(scope.new, rules)
    remember_roots(workspace, scope.new)


class Watcher:
    """A watcher of one database's known roots; made for one run, which any thread may stop."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        report: Reporter | None = None,
        progress: ProgressCallback | None = None,
        opener: Opener = open_events,
        clocks_apart: Callable[[], float] = _clocks_apart,
    ) -> None:
        """`report` gets what was done and what failed, `progress` the progress of a sync.

        `opener` opens the source of hints; `clocks_apart` jumps when the machine has slept.
        """
        self._workspace = workspace
        self._report = report or (lambda _: None)
        self._progress = progress
        self._opener = opener
        self._stopping = Event()
        self._queue = WatchQueue()
        self._backoff = Backoff()
        self._state = WatchState(workspace.storage.database)
        self._source: EventSource | None = None
        self._preloader = Preloader(workspace)
        self._scan_due_s = -inf
        self._not_before_s = -inf
        self._heartbeat_s = -inf
        self._took_s = 0.0
        self._last_failure = ""
        self._clocks_apart = clocks_apart
        self._apart_s = clocks_apart()
        self._lock = WatchLock(workspace, self._stopping, self._backoff)
        self._identity = None if workspace.path is None else _identity(workspace.path)

    def stop(self) -> None:
        """End soon, also in the middle of a sync; what is done stays done."""
        self._stopping.set()
        self._wake()

    def _wake(self) -> None:
        source = self._source
        if source is not None:
            source.wake()

    def publish_stopped(self) -> None:
        """Publish a normal end when the end itself could not be waited for."""
        self._state.clear()

    def run(self) -> None:
        """Watch until stopped.

        Raises BusyError when another process watches, NotFoundError when no folder is known, and
        StorageError when the database cannot be written to at the start. Later nothing ends it: a
        failure is reported, published and tried again.
        """
        workspace = self._workspace
        with self._lock:
            if not known_roots(workspace):
                raise NotFoundError("there is no folder to watch", hint="name one: mem watch PATH")
            self._preloader.open()
            try:
                self._state.publish()
                with suppress(StoppedError):
                    while not self._stopping.is_set():
                        self._watch_or_wait()
            except BusyError:  # another process watches by now, and its state is published
                raise
            except BaseException as error:
                self._state.failed(f"{type(error).__name__}: {error}")
                with suppress(MemError):
                    self._state.publish()
                raise
            finally:
                self._preloader.close()
            self._state.clear()

    def _watch_or_wait(self) -> None:
        try:
            self._watch()
        except BrokenPipeError:  # the reader of the reports has gone
            raise
        except WorkLockLostError as error:
            self._lock.take_again()
            self._failed(error)
        except (MemError, OSError) as error:
            self._failed(error)
            self._stopping.wait(self._not_before_s - time.monotonic())

    def _watch(self) -> None:
        """Follow the folders that are known now, until they change."""
        watched = self._wanted()
        with closing(
            self._opener(
                watched.roots,
                watched.rules,
                method=watched.method,
                polling_s=watched.polling_s,
            )
        ) as source:
            self._source = source
            self._scan_due_s = -inf  # events arrive only from here on
            try:
                while not self._stopping.is_set() and self._wanted() == watched:
                    self._work(source)
                    self._tick(source)
                    self._listen(source)
            finally:
                self._source = None

    def _wanted(self) -> _Watched:
        """Return the parameters to watch with. Raises StorageError when the database file was
        replaced.
        """
        workspace = self._workspace
        if workspace.path is not None and _identity(workspace.path) != self._identity:
            raise StorageError(
                f"{workspace.path} is no longer the file that was opened",
                hint="put it back, or end this process and start it again",
            )
        files = workspace.config.files
        return _Watched(
            tuple(known_roots(workspace)),
            sync_settings(workspace).rules,
            files.watch_method,
            files.polling_seconds,
            read_meta(workspace.storage.database, RESTORED),
        )

    def _listen(self, source: EventSource) -> None:
        """Wait for hints, or for the next due time."""
        due_s = min(self._scan_due_s, self._queue.next_due_s(), time.monotonic() + TICK_S)
        if self._queue.paths or self._queue.is_overflown:
            due_s = -inf
        left_s = max(0.0, max(due_s, self._not_before_s) - time.monotonic())
        hints = source.wait(min(left_s, TICK_S))
        if hints.paths or hints.overflow:
            self._gather(source, hints)

    def _gather(self, source: EventSource, hints: Hints) -> None:
        """Gather these hints and those that come right after them."""
        until_s = time.monotonic() + max(GATHERED_S, min(self._took_s, MOST_GATHERED_S))
        while hints.paths or hints.overflow:
            if hints.overflow:  # what failed may be possible now: a root may be back
                self._not_before_s = -inf
            paths = self._without_database_files(hints.paths)
            if paths or hints.overflow:
                self._state.last_event = utc_now()
                self._queue.add(paths, overflow=hints.overflow)
            left_s = min(QUIET_S, until_s - time.monotonic())
            if left_s <= 0 or self._stopping.is_set():
                return
            hints = source.wait(left_s)

    def _without_database_files(self, paths: frozenset[str]) -> set[str]:
        """Return the hints without the database's own files: acting on a hint would cause the
        next one.
        """
        database = self._workspace.path
        ours = None if database is None else os.path.realpath(database)
        return {path for path in paths if ours is None or not path.startswith(ours)}

    def _tick(self, source: EventSource) -> None:
        apart_s = self._clocks_apart()
        if abs(apart_s - self._apart_s) > SLEPT_S:
            self._scan_due_s = -inf
        self._apart_s = apart_s
        interval_s = self._workspace.config.files.sync_interval_seconds  # which may have changed
        self._scan_due_s = min(self._scan_due_s, time.monotonic() + interval_s)
        state = self._state
        before = replace(state)
        state.method, state.reason, state.folders = source.method, source.reason, source.watched
        state.queue = len(self._queue)
        if state != before:
            self._heartbeat_s = -inf
        self._publish_heartbeat()
        self._preloader.keep()

    def _publish_heartbeat(self, doing: str | None = None) -> None:
        """Publish a heartbeat when one is due, or something changed."""
        state = self._state
        if doing is not None and doing != state.doing:
            state.doing, self._heartbeat_s = doing, -inf
        if time.monotonic() < self._heartbeat_s + HEARTBEAT_S:
            return
        self._heartbeat_s = time.monotonic()
        try:
            state.publish()
        except WorkLockLostError:
            raise
        except MemError as error:  # nobody could read it; it is tried again
            self._heartbeat_s = -inf
            state.failed(str(error))

    def _work(self, source: EventSource) -> None:
        """Do what is due. A failure is kept for later."""
        now_s = time.monotonic()
        if now_s < self._not_before_s:
            return
        paths = self._queue.due(now_s)
        is_scan = self._queue.is_overflown or now_s >= self._scan_due_s or self._has_root(paths)
        if not is_scan and not paths:
            return
        self._publish_heartbeat("syncing")
        try:
            if is_scan:
                source.renew()  # it may find folders without events
            stats = self._sync(None if is_scan else paths)
        except (StoppedError, WorkLockLostError):
            raise
        except BusyError:
            self._not_before_s = time.monotonic() + BUSY_S
            self._publish_heartbeat("waiting")
        except (MemError, OSError) as error:
            self._failed(error)
        else:
            self._done(paths, stats, is_scan=is_scan)
        self._took_s = time.monotonic() - now_s

    def _has_root(self, paths: frozenset[str]) -> bool:
        """Return whether a folder that is a root is among these, or a root that is gone.

        Only a complete scan handles that.
        """
        roots = paths.intersection(map(str, known_roots(self._workspace))) if paths else ()
        return not all(map(os.path.isfile, roots))

    def _sync(self, paths: frozenset[str] | None) -> SyncStats:
        scope = SyncScope(known_roots(self._workspace), None if paths is None else sorted(paths))
        return sync_scope(self._workspace, scope, urgent=True, progress=self._continue)

    def _continue(self, progress: SyncProgress) -> None:
        """Publish a heartbeat between two files, unless the watcher must end."""
        if self._stopping.is_set():
            raise StoppedError
        self._publish_heartbeat()
        if self._progress is not None:
            self._progress(progress)

    def _failed(self, error: MemError | OSError) -> None:
        pause_s = self._backoff.failed()
        self._not_before_s = time.monotonic() + pause_s
        is_new, self._last_failure = self._last_failure != str(error), str(error)
        self._state.failed(str(error))
        self._publish_heartbeat("watching")
        if not is_new:
            return
        if not isinstance(error, MemError):
            error = StorageError(str(error), hint="check the disk and its permissions")
        trouble = WatchTrouble(utc_now(), error.code, error.message, error.hint, pause_s)
        self._report(trouble)

    def _done(self, paths: frozenset[str], stats: SyncStats, *, is_scan: bool) -> None:
        self._backoff.succeeded()
        self._last_failure = ""
        self._state.went_well()
        now_s = time.monotonic()
        roots = set(map(str, known_roots(self._workspace)))  # the source reports when one is back
        failed = [
            problem.path
            for problem in stats.errors
            if problem.state == "failed" and problem.path not in roots
        ]
        if is_scan:
            self._queue.all_done(failed, now_s=now_s)
            interval_s = self._workspace.config.files.sync_interval_seconds
            self._scan_due_s = now_s + interval_s
            self._state.last_scan = utc_now()
            self._state.plan_scan(interval_s)
        else:
            self._queue.done(paths, failed, now_s=now_s)
        self._state.queue = len(self._queue)
        self._publish_heartbeat("watching")
        if is_scan:
            self._preloader.look()
        n_paths = 0 if is_scan else len(paths)
        self._report(WatchBatch(utc_now(), "scan" if is_scan else "changes", n_paths, stats))
