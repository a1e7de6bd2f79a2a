"""Completion of all rows that other programs inserted with few of their columns."""

from collections.abc import Callable
from typing import Any

from memory.conversations import inserted_rows
from memory.index.numbered_records import NumberedRecords
from memory.index.record_hooks import all_hooks
from memory.workspace import Workspace


def has_inserted(workspace: Workspace) -> bool:
    """Return whether there are rows to complete; a lookup in an index for each kind."""
    return inserted_rows.has_inserted(workspace) or any(
        hooks.has_inserted() for hooks in numbered(workspace)
    )


def complete_inserted(
    workspace: Workspace, *, is_ended: Callable[[], bool] = lambda: False
) -> dict[str, int]:
    """Complete what other programs inserted; return the numbers of rows by the plural of the kind.

    Turns come first, since episodes consist of them. `is_ended` stops it between two transactions.
    """
    done = inserted_rows.complete_inserted(workspace, is_ended=is_ended)._asdict()
    for hooks in numbered(workspace):
        if hooks.inserted:
            done[hooks.kind.plural] = hooks.complete_inserted(is_ended=is_ended)
    return done


def numbered(workspace: Workspace) -> list[NumberedRecords[Any]]:
    """Return the hooks of the kinds whose records have a number each in their own table."""
    return [hooks for hooks in all_hooks(workspace) if isinstance(hooks, NumberedRecords)]
