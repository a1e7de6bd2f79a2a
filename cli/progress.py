"""Progress bars on stderr for syncs, reindexes and imports; without a terminal there are none."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

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


Shown: TypeAlias = contextlib.AbstractContextManager[Callable[..., None] | None]
"""A callback that shows how far something is; None without a terminal."""


def sync_progress() -> Shown:
    """Show the progress of a sync.

    The remaining time is estimated from bytes, which predict the work better than files; until all
    files are found there is none.
    """
    began_s = time.monotonic()

    def changes(progress: SyncProgress) -> dict[str, Any]:
        if progress.planned is not None:
            return {}
        return {
            "description": _STEPS[progress.step],
            "total": progress.bytes_total if progress.all_found else None,
            "completed": progress.bytes_done,
            "figures": figures(progress, elapsed_s=time.monotonic() - began_s),
        }

    return _shown("Looking at files", changes)


def reindex_progress() -> Shown:
    """Show the progress of a reindex."""

    def changes(progress: ReindexProgress) -> dict[str, Any]:
        cutting = progress.documents_done < progress.documents_total
        return {
            "description": "Cutting" if cutting else "Embedding",
            "total": progress.documents_total if cutting else progress.chunks_total,
            "completed": progress.documents_done if cutting else progress.chunks_done,
            "figures": reindex_figures(progress),
        }

    return _shown("Looking at documents", changes)


def counting(what: str) -> Shown:
    """Show how many of how many are done."""
    return _shown(what, lambda done, total: {"total": total, "completed": done})


def import_progress() -> Shown:
    """Show how many of how many documents are imported."""

    def changes(done: int, total: int) -> dict[str, Any]:
        of_all = f"{done:,}/{counted(total, 'document')}"
        return {"total": total, "completed": done, "figures": of_all}

    return _shown("Importing", changes)


def migration_progress() -> Shown:
    """Show the table that is being copied, and its rows so far."""
    return _shown("Copying", lambda name, rows: {"figures": f"{name}: {rows:,}"})


def history_progress() -> Shown:
    """Show how many turns of a history are imported."""
    return _shown("Importing", lambda turns: {"figures": counted(turns, "turn")})


def removal_progress() -> Shown:
    """Show how many chunks are removed."""
    return _shown("Removing", lambda chunks: {"figures": counted(chunks, "chunk")})


@contextlib.contextmanager
def _shown(
    what: str, changes: Callable[..., dict[str, Any]]
) -> Iterator[Callable[..., None] | None]:
    """A callback with the arguments of `changes`, which returns what they change of the bar."""
    with _bar() as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task(what, total=None, figures="")
        yield lambda *done: bar.update(task, **changes(*done))


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
