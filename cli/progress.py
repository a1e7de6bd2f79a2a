"""Progress bars on stderr for syncs, reindexes and imports; without a terminal there are none."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from cli.output import counted
from memory.values.reports import SyncProgress
from memory.values.space_reports import ReindexProgress

if TYPE_CHECKING:
    from rich.progress import Progress

_STEPS = {
    "indexing": "Indexing",
    "removing": "Removing what is gone",
    "renewing": "Renewing keyword entries",
}


@contextlib.contextmanager
def sync_progress() -> Iterator[Callable[[SyncProgress], None] | None]:
    """A callback that shows the progress of a sync, or None without a terminal.

    The remaining time is estimated from bytes, which predict the work better than files; until all
    files are found there is none.
    """
    with _bar() as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task("Looking at files", total=None, figures="")

        def show(progress: SyncProgress) -> None:
            if progress.planned is not None:
                return
            bar.update(
                task,
                description=_STEPS[progress.step],
                total=progress.bytes_total if progress.all_found else None,
                completed=progress.bytes_done,
                figures=figures(progress, elapsed_s=bar.tasks[0].elapsed or 0.0),
            )

        yield show


@contextlib.contextmanager
def reindex_progress() -> Iterator[Callable[[ReindexProgress], None] | None]:
    """A callback that shows the progress of a reindex, or None without a terminal."""
    with _bar() as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task("Looking at documents", total=None, figures="")

        def show(progress: ReindexProgress) -> None:
            cutting = progress.documents_done < progress.documents_total
            bar.update(
                task,
                description="Cutting" if cutting else "Embedding",
                total=progress.documents_total if cutting else progress.chunks_total,
                completed=progress.documents_done if cutting else progress.chunks_done,
                figures=reindex_figures(progress),
            )

        yield show


@contextlib.contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A callback that shows how many of how many are done, or None without a terminal."""
    with _bar() as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task(what, total=None, figures="")
        yield lambda done, total: bar.update(task, total=total, completed=done)


@contextlib.contextmanager
def import_progress() -> Iterator[Callable[[int, int], None] | None]:
    """A callback that shows how many documents are imported, or None without a terminal."""
    with _bar() as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task("Importing", total=None, figures="")

        def show(done: int, total: int) -> None:
            of_all = f"{done:,}/{counted(total, 'document')}"
            bar.update(task, total=total, completed=done, figures=of_all)

        yield show


@contextlib.contextmanager
def migration_progress() -> Iterator[Callable[[str, int], None] | None]:
    """A callback that shows how far a migration is, or None without a terminal."""
    with _bar() as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task("Copying", total=None, figures="")
        yield lambda name, rows: bar.update(task, figures=f"{name}: {rows:,}")


@contextlib.contextmanager
def history_progress() -> Iterator[Callable[[int], None] | None]:
    """A callback that shows how many turns of a history are done, or None without a terminal."""
    with _bar() as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task("Importing", total=None, figures="")
        yield lambda turns: bar.update(task, figures=counted(turns, "turn"))


@contextlib.contextmanager
def removal_progress() -> Iterator[Callable[[int], None] | None]:
    """A callback that shows how many chunks are removed, or None without a terminal."""
    with _bar() as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task("Removing", total=None, figures="")

        def show(chunks: int) -> None:
            bar.update(task, figures=counted(chunks, "chunk"))

        yield show


@contextlib.contextmanager
def _bar() -> "Iterator[Progress | None]":
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        TextColumn("{task.fields[figures]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        yield bar


def reindex_figures(progress: ReindexProgress) -> str:
    """`512/2,000 chunks (800/s)`, or documents while those are being cut."""
    if progress.documents_done < progress.documents_total:
        return f"{progress.documents_done:,}/{counted(progress.documents_total, 'document')}"
    rate = f" ({progress.chunks_per_s:,.0f}/s)" if progress.chunks_per_s else ""
    behind = ", catching up with what is being written" if progress.catching_up else ""
    return f"{progress.chunks_done:,}/{counted(progress.chunks_total, 'chunk')}{rate}{behind}"


def figures(progress: SyncProgress, *, elapsed_s: float) -> str:
    """`120/2,000 files, 512 chunks (800/s)`, and during the scan `, 45,000 looked at`."""
    if progress.step == "removing":
        return counted(progress.files_done, "file")
    rate = f" ({progress.chunks / elapsed_s:,.0f}/s)" if elapsed_s and progress.chunks else ""
    done = f"{progress.files_done:,}/{counted(progress.files_total, 'file')}"
    looked = "" if progress.all_found else f", {progress.files_found:,} looked at"
    return f"{done}, {counted(progress.chunks, 'chunk')}{rate}{looked}"
