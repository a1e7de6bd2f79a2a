"""`mem watch`: keep the index up to date until stopped."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

import click

from cli.files.consent import confirm_wide
from cli.files.sync import problem_lines
from cli.invocation import CliContext, pass_context
from cli.output import counted, print_json, shown, warn
from cli.parameters import PathArgument
from cli.progress import sync_progress
from contracts import ConfigError
from memory.config.settings import Config
from memory.files.roots import check_paths
from memory.values.reports import FileProblem, SyncProgress, WatchBatch, WatchTrouble

if TYPE_CHECKING:
    from memory.files.watching.watcher import Watcher
    from memory.workspace import Workspace

FOLDERS_LOOK_S: Final = 2.0
END_S: Final = 0.9
"""Seconds to finish after a signal; nothing is ever half stored."""

_ENDING: Final = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
_DONE: Final = ("added", "updated", "renamed", "deleted")
_COUNTS: Final = (*_DONE, "failed", "skipped")


@click.command()
@click.argument(
    "paths", nargs=-1, type=PathArgument(readable=False, path_type=Path), metavar="[PATH]..."
)
@click.option(
    "--exit-on-eof",
    is_flag=True,
    help="End when stdin closes, as it does when the parent process ends.",
)
@click.option("--yes", is_flag=True, help="Do not ask before a home folder or a disk is read.")
@pass_context
def watch(context: CliContext, *, paths: tuple[Path, ...], exit_on_eof: bool, yes: bool) -> None:
    """Keep the index up to date while folders and files change.

    Each PATH is remembered; all remembered and configured folders are watched, and what `mem chats`
    lists. It begins with a sync of all, then reports its work on stderr, or with --json on stdout,
    one object a line. Ctrl-C ends it.
    """
    loaded = context.load_config()
    if loaded.config.memory.backend == "memory":
        raise ConfigError(
            "memory.backend is memory: nothing could search this index",
            hint="watch in the server, mem serve, or: mem config set memory.backend sqlite",
        )
    named = check_paths(paths)
    confirm_wide(named, yes=yes, as_json=context.json)
    from memory.files.watching.watcher import Watcher, remember
    from memory.operations.jobs.watching import vectors_beside
    from memory.workspace import Workspace

    is_begun = bool(named) or any(map(Path.exists, _configured(loaded.config)))
    with Workspace(loaded, create=is_begun) as workspace, _Screen(as_json=context.json) as screen:
        context.name_database(loaded)
        remember(workspace, named)
        with vectors_beside(workspace, screen.report) as report:
            watcher = _FilesLater(
                workspace, Watcher(workspace, report=report, progress=screen.progress)
            )
            with _ended_by_signals(watcher):
                if exit_on_eof:
                    threading.Thread(target=_await_end, args=(watcher,), daemon=True).start()
                watcher.run()


class _FilesLater:
    """A watcher that waits for a first folder where only conversations are watched."""

    def __init__(self, workspace: "Workspace", watcher: "Watcher") -> None:
        self._workspace = workspace
        self._watcher = watcher
        self._ended = threading.Event()

    def stop(self) -> None:
        self._ended.set()
        self._watcher.stop()

    def publish_stopped(self) -> None:
        self._watcher.publish_stopped()

    def run(self) -> None:
        """Raises NotFoundError where neither files nor conversations are to be watched."""
        from memory.conversations.capture.sources import all_sources
        from memory.files.roots import known_roots

        database = self._workspace.storage.database
        while not known_roots(self._workspace) and all_sources(database):
            if self._ended.wait(FOLDERS_LOOK_S):
                return
        self._watcher.run()


def _configured(config: Config) -> Iterable[Path]:
    return map(Path, config.memory.files.watch_directories)


@contextlib.contextmanager
def _ended_by_signals(watcher: _FilesLater) -> Iterator[None]:
    """Make these signals end the watcher cleanly; a repeated signal ends the process at once."""
    ended = threading.Event()

    def end(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        # This thread may be about to take a lock that another one waits for.
        threading.Thread(target=_end, args=(watcher, ended), daemon=True).start()

    # With nohup, the watcher must outlive the terminal.
    wanted = [number for number in _ENDING if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, end) for number in wanted}
    try:
        yield
    finally:
        ended.set()
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(watcher: _FilesLater, ended: threading.Event) -> None:
    """End soon, even if work is running that cannot be interrupted; nothing is half stored."""
    watcher.stop()
    if not ended.wait(END_S):
        watcher.publish_stopped()
        os._exit(0)


def _await_end(watcher: _FilesLater) -> None:
    while sys.stdin.readline():
        pass
    watcher.stop()


class _Screen(contextlib.ExitStack):
    """Shows a bar during the first scan, then one line for each change."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json
        self._bar = contextlib.ExitStack()
        self.callback(self._bar.close)
        shown_on_bar = self._bar.enter_context(sync_progress())
        self.progress: Callable[[SyncProgress], None] = shown_on_bar or _unseen
        self._problems: dict[str, FileProblem] = {}
        self._is_begun = False

    def report(self, noted: WatchBatch | WatchTrouble) -> None:
        """Print what was done, if anything, and which files newly have a problem."""
        self._bar.close()
        if isinstance(noted, WatchTrouble):
            again = f"tried again in {noted.retry_in_s:.0f} s"
            self._show(noted, f"{noted.message}; {again} ({noted.hint})")
            return
        if noted.kind == "vectors":
            self._show(noted, _summary(noted, is_first=False))
            self._list([], noted.stats.warnings)
            return
        problems = {problem.path: problem for problem in noted.stats.errors}
        new = [found for path, found in problems.items() if self._problems.get(path) != found]
        self._problems = problems if noted.kind == "scan" else self._problems | problems
        if new or not self._is_begun or any(getattr(noted.stats, name) for name in _DONE):
            self._show(noted, _summary(noted, is_first=not self._is_begun))
            self._list(new, noted.stats.warnings)
        self._is_begun = True

    def _show(self, noted: WatchBatch | WatchTrouble, line: str) -> None:
        if self._as_json:
            print_json(noted)
            return
        now = datetime.now().astimezone()
        click.echo(f"{now:%H:%M:%S} {shown(line)}", err=True)

    def _list(self, problems: list[FileProblem], warnings: list[str]) -> None:
        if self._as_json:
            return
        for line in problem_lines(problems, cwd=Path.cwd()):
            click.echo(line, err=True)
        for warning in warnings:
            warn(warning)


def _unseen(_progress: SyncProgress) -> None:
    """Show nothing: there is no terminal."""


def _summary(batch: WatchBatch, *, is_first: bool) -> str:
    """`2 updated, 1 added, 8 chunks in 41 ms`."""
    stats = batch.stats
    if batch.kind == "vectors":
        known = f", {stats.cached:,} already known" if stats.cached else ""
        return f"{counted(stats.embedded, 'chunk')} embedded{known}"
    done = [f"{number:,} {name}" for name in _COUNTS if (number := getattr(stats, name))]
    if is_first:
        done = [f"{stats.unchanged:,} unchanged", *done] if stats.unchanged else done
        done = done or ["no files yet"]
    if stats.chunks:
        done.append(counted(stats.chunks, "chunk"))
    took = f"{stats.seconds:.1f} s" if stats.seconds >= 1 else f"{1000 * stats.seconds:.0f} ms"
    return f"{'watching: ' if is_first else ''}{', '.join(done)} in {took}"
