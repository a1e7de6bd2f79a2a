"""Looks at the embedding spaces of a database, and removes those that do not answer."""

import json
from collections.abc import Callable, Collection, Iterator

from memory.index.disagreements import other_model
from memory.index.spaces.staged_chunks import Cuts
from memory.storage import Space, SpaceState, Storage
from memory.storage.meta import REINDEX_WANTED, write_meta
from memory.storage.sync_lock import reindex_lock, running_reindex
from memory.values.space_reports import PruneReport, ReindexStatus, SpaceStatus
from memory.workspace import Workspace

REMOVED_AT_ONCE = 500
"""Chunks that one transaction removes, so that others need not wait for long."""


def read_spaces(workspace: Workspace) -> list[SpaceStatus]:
    """Every space with how far it is filled, the one that answers first. Counts rows."""
    storage = workspace.storage
    with storage.database.snapshot():
        found = [described(storage, space) for space in storage.spaces().all()]
    return sorted(found, key=lambda space: space.state != "active")


def described(storage: Storage, space: Space) -> SpaceStatus:
    """What is said of a space."""
    size = storage.spaces().size(space)
    chunking = json.loads(space.chunking)
    return SpaceStatus(
        provider=space.provider,
        model=space.model,
        revision=space.revision,
        dimensions=space.dimensions,
        state=space.state,
        chunk_size_chars=chunking.get("size_chars", 0),
        chunk_overlap_chars=chunking.get("overlap_chars", 0),
        preserve_structure=chunking.get("preserve_structure", True),
        chunks=size.chunks,
        vectors=size.vectors,
    )


def reindex_status(workspace: Workspace) -> ReindexStatus:
    """The spaces, and whether somebody fills one just now."""
    active = workspace.storage.active_space()
    return ReindexStatus(
        spaces=read_spaces(workspace),
        running=running_reindex(workspace.storage.database, workspace.path),
        wanted=other_model(workspace, active),
    )


def remove_spaces(
    workspace: Workspace,
    states: Collection[SpaceState],
    *,
    progress: Callable[[int], None] | None = None,
) -> PruneReport:
    """Remove the spaces in these states, never the one that answers, and give back their room.

    `progress` is told how many chunks are gone; what it raises ends the removal. It can be
    interrupted anywhere. What a server has not ended is not gone on with if what is half-filled
    goes. Raises BusyError while a reindex is at work.
    """
    storage, before = workspace.storage, workspace.storage.size_bytes()
    removed, chunks = [], 0
    with reindex_lock(storage.database, workspace.path):
        if "filling" in states:
            with storage.database.transaction() as tx:
                write_meta(tx, REINDEX_WANTED, None)
        for space in storage.spaces().all():
            if space.state in states and space.state != "active":
                removed.append(described(storage, space))
                for number in _remove(storage, space):
                    chunks += number
                    if progress is not None:
                        progress(chunks)
        if removed:
            storage.compact()
    return PruneReport(removed, chunks, max(0, before - storage.size_bytes()))


def _remove(storage: Storage, space: Space) -> Iterator[int]:
    """Remove a space with the chunks that were cut for it alone; how many, batch by batch."""
    spaces = storage.spaces()
    alone = all(
        other.generation != space.generation for other in spaces.all() if other.id != space.id
    )
    if alone:
        # First, so that a removal that is interrupted leaves nothing that seems complete.
        with storage.database.transaction() as tx:
            Cuts(storage).forget(tx, space.generation)
    while alone:
        with storage.database.transaction() as tx:
            n_removed = spaces.remove_chunks(tx, space, limit=REMOVED_AT_ONCE)
        if not n_removed:
            break
        yield n_removed
    with storage.database.transaction() as tx:
        spaces.drop(tx, space)
