"""A bar on stderr while a sync is at work; without a terminal there is none."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator

from cli.output import counted
from memory.reports import SyncProgress

_STEPS = {"indexing": "Indexing", "renewing": "Renewing keyword entries"}


@contextlib.contextmanager
def sync_progress() -> Iterator[Callable[[SyncProgress], None] | None]:
    """A function that shows how far a sync is, or None when nobody could see it.

    The time left is reckoned from bytes, which tell more about the work than files do.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        TextColumn("{task.fields[figures]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task("Looking at files", total=None, figures="")

        def show(progress: SyncProgress) -> None:
            bar.update(
                task,
                description=_STEPS[progress.step],
                total=progress.bytes_total,
                completed=progress.bytes_done,
                figures=figures(progress, elapsed_s=bar.tasks[0].elapsed or 0.0),
            )

        yield show


def figures(progress: SyncProgress, *, elapsed_s: float) -> str:
    """`120/2,000 files, 512 chunks (800/s)`."""
    rate = f" ({progress.chunks / elapsed_s:,.0f}/s)" if elapsed_s and progress.chunks else ""
    done = f"{progress.files_done:,}/{counted(progress.files_total, 'file')}"
    return f"{done}, {counted(progress.chunks, 'chunk')}{rate}"
