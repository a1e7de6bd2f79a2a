"""The watcher of transcripts: what agents write becomes turns while the conversation goes on.

Events of the file system are hints, as for files; a look at the size and time of every transcript,
every few seconds, finds what they miss. Transcripts that vanish are left alone, and so are their
turns.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Final

from contracts import MemError, NotFoundError, StorageError
from ingest.histories.agents.messages import ReadOptions
from ingest.histories.agents.places import is_transcript, patterns_of, transcripts_at
from ingest.walking import ScanRules
from ingest.watching import EventSource, open_events
from memory.conversations.capture.capturing import capture
from memory.conversations.capture.sources import (
    ChatSource,
    Progress,
    known_sources,
    note_progress,
    progress_of,
)
from memory.storage import utc_now
from memory.storage.database import WorkLockLostError
from memory.values.backoff import Backoff
from memory.values.reports import WatchTrouble
from memory.workspace import Workspace

LOOK_S: Final = 2.0
"""Seconds between two looks at all transcripts."""

SHARE: Final = 0.1
"""The largest share of the time that looking may take."""

QUIET_S: Final = 0.05
"""The pause after a hint: a message is often several writes."""

_State = tuple[int, int, int]
"""The size of a file and its time of change, and those of the log of a database."""


class ChatWatcher:
    """Captures from all known sources until it is stopped; made for one run."""

    def __init__(
        self, workspace: Workspace, *, report: Callable[[WatchTrouble], object] = lambda _: None
    ) -> None:
        self._workspace = workspace
        self._report = report
        self._stopping = Event()
        self._seen: dict[tuple[ChatSource, Path], _State] = {}
        self._failed: dict[tuple[ChatSource, Path], tuple[Backoff, float]] = {}
        self._told: dict[Path, str] = {}
        self._events: EventSource | None = None
        self.turns = 0

    def stop(self) -> None:
        """End soon; what is stored stays stored, the rest is captured next time."""
        self._stopping.set()
        events = self._events
        if events is not None:
            events.wake()

    def run(self) -> None:
        """Watch the sources that are known now, and those that come, until none is left."""
        while not self._stopping.is_set() and (sources := known_sources(self._workspace)):
            rules = ScanRules(file_patterns=patterns_of([source.agent for source in sources]))
            with closing(open_events([one.path for one in sources], rules)) as events:
                self._events = events
                try:
                    self._follow(events, sources)
                finally:
                    self._events = None

    def _follow(self, events: EventSource, sources: list[ChatSource]) -> None:
        """Follow these sources until there are others."""
        look_s = 0.0
        hinted: frozenset[str] = frozenset()
        while not self._stopping.is_set():
            began_s = time.monotonic()
            if began_s >= look_s:
                for source in sources:
                    self._capture_changed(source, self._listed(source))
                took_s = time.monotonic() - began_s
                look_s = time.monotonic() + max(LOOK_S, took_s * (1 / SHARE - 1))
                if known_sources(self._workspace) != sources:
                    return
            elif hinted:
                for source in sources:
                    self._capture_changed(source, _named(source, hinted))
            hints = events.wait(max(0.0, look_s - time.monotonic()))
            hinted = hints.paths
            if hints.overflow:
                look_s = 0.0
            elif hinted:
                self._stopping.wait(QUIET_S)

    def _listed(self, source: ChatSource) -> Iterator[Path]:
        try:
            found = transcripts_at(source.agent, source.path)
        except (NotFoundError, OSError):
            return
        for path, reason in found.refused:
            if self._told.get(path) != reason:
                self._tell(source, path, StorageError(reason, hint="mem chats list has more"))
                known = progress_of(self._workspace.storage.database, path)
                if known is None or known.trouble != reason:
                    refused = Progress({}, 0, reason)
                    note_progress(self._workspace.storage.database, source.agent, path, refused)
        yield from found.paths

    def _capture_changed(self, source: ChatSource, paths: Iterable[Path]) -> None:
        for path in paths:
            if self._stopping.is_set():
                return
            key, state = (source, path), _state_of(path)
            _, not_before_s = self._failed.get(key, (None, 0.0))
            if state is None or time.monotonic() < not_before_s:
                continue
            if self._seen.get(key) == state and key not in self._failed:
                continue
            try:
                self._capture(source, path)
            except WorkLockLostError:  # no fault of the transcript, and another process may go on
                raise
            except (MemError, OSError) as error:
                backoff, _ = self._failed.get(key, (Backoff(), 0.0))
                self._failed[key] = backoff, time.monotonic() + backoff.failed()
                self._tell(source, path, error)
            else:
                self._failed.pop(key, None)
                self._told.pop(path, None)
                self._seen[key] = state

    def _capture(self, source: ChatSource, path: Path) -> None:
        options = ReadOptions(tool_output=source.tool_output)
        for stored in capture(self._workspace, source.agent, path, options=options):
            self.turns += len(stored.results)
            if self._stopping.is_set():
                return

    def _tell(self, source: ChatSource, path: Path, error: MemError | OSError) -> None:
        """Report a failure, once until it is another."""
        said = error.message if isinstance(error, MemError) else error.strerror or "unreadable"
        if self._told.get(path) == said:
            return
        self._told[path] = said
        hint = error.hint if isinstance(error, MemError) else "check its permissions"
        message = f"{source.agent}, {path}: {said}"
        self._report(WatchTrouble(utc_now(), "capture", message, hint, LOOK_S))


def _named(source: ChatSource, hinted: Iterable[str]) -> Iterator[Path]:
    """The transcripts among hints; the log of a database stands for the database."""
    for text in sorted(hinted):
        path = Path(text.removesuffix("-wal"))
        if is_transcript(source.agent, source.path, path) and not path.is_symlink():
            yield path


def _state_of(path: Path) -> _State | None:
    try:
        own = path.stat()
    except OSError:
        return None
    try:
        log = Path(f"{path}-wal").stat().st_mtime_ns
    except OSError:
        log = 0
    return own.st_size, own.st_mtime_ns, log
