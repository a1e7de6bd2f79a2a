"""Vectors of what a command stored: embedded before an import ends, else the user is told."""

from typing import TYPE_CHECKING

from cli.output import note
from contracts import BusyError, MemError
from memory.storage.meta import VECTORS_MISSING, read_meta

if TYPE_CHECKING:
    from memory.workspace import Workspace


def embed_stored(workspace: "Workspace") -> list[str]:
    """Embed what is stored without vectors; return warnings about what could not be embedded."""
    if not _are_missing(workspace):
        return []
    from memory.operations.jobs.manual_runs import maintain_one

    try:
        maintain_one(workspace, "vectors")
    except BusyError:  # a server is embedding, and asks no model twice
        return []
    except MemError as error:
        return [f"{error.message} ({error.hint})"]
    return []


def tell_missing(workspace: "Workspace") -> None:
    """Say that a stored text is found by its words only, until a server or a job embeds it."""
    if _are_missing(workspace):
        note(
            "found by its words until it is embedded: mem serve does that, or mem maintain vectors"
        )


def _are_missing(workspace: "Workspace") -> bool:
    return bool(read_meta(workspace.storage.database, VECTORS_MISSING))
