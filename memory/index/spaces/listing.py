"""The list of the embedding spaces of a database, and the removal of inactive ones."""

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager

from memory.index.configuration_warnings import other_model
from memory.index.spaces.staged_chunks import StagedChunks
from memory.storage import Space, SpaceState, Storage
from memory.storage.meta import CHOSEN_BY_HAND, REINDEX_WANTED, read_meta, write_meta
from memory.storage.process_locks import UPGRADE_LOCK, reindex_lock, running_reindex, running_work
from memory.storage.values import read_object
from memory.values.space_reports import PruneReport, ReindexStatus, SpaceStatus
from memory.workspace import Workspace

REMOVED_AT_ONCE = 500
"""Chunks that one transaction removes, so that others need not wait for long."""

STEP_WAIT_S = 30.0
"""Longest wait for a step of the upgrade in the background, many times what one takes."""


def reindexing(workspace: Workspace, *, waits: bool = True) -> AbstractContextManager[None]:
    """Hold the reindex lock. Raises BusyError while another reindex is running.

    The upgrade in the background gives the lock back between two steps; `waits` for that.
    """
    database, path = workspace.storage.database, workspace.path
    upgrades = waits and running_work(UPGRADE_LOCK, database, path) is not None
    return reindex_lock(database, path, wait_s=STEP_WAIT_S if upgrades else 0.0)


def is_chosen_by_hand(workspace: Workspace, space: Space) -> bool:
    """Return whether somebody named the model of this space for this database."""
    by_hand = read_meta(workspace.storage.database, CHOSEN_BY_HAND)
    return by_hand is not None and by_hand["embedder"] == space.embedder


def read_spaces(workspace: Workspace) -> list[SpaceStatus]:
    """Return every space with its progress, the active one first. Counts rows."""
    storage = workspace.storage
    with storage.database.snapshot():
        found = [described(storage, space) for space in storage.spaces().all()]
    return sorted(found, key=lambda space: space.state != "active")


def described(storage: Storage, space: Space) -> SpaceStatus:
    """Describe a space for reports."""
    size = storage.spaces().size(space)
    chunking = read_object(space.chunking)
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
    """Return the spaces, and the process that fills one now, if any."""
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
    embedder: str | None = None,
    waits: bool = True,
    progress: Callable[[int], None] | None = None,
) -> PruneReport:
    """Remove the spaces in these states, never the active one, and free their room.

    Only those of `embedder`, if it is given. `waits` for a step of the upgrade. `progress` gets the
    number of removed chunks; what it raises ends the removal. It can be interrupted anywhere. After
    the removal of half-filled spaces, a server neither resumes its reindex nor begins the upgrade
    again. Raises BusyError while a reindex is running.
    """
    storage, before = workspace.storage, workspace.storage.size_bytes()
    removed, chunks = [], 0
    with reindexing(workspace, waits=waits):
        if "filling" in states:
            _give_up_filling(storage)
        for space in storage.spaces().all():
            is_asked = space.state in states and embedder in (None, space.embedder)
            if is_asked and space.state != "active":
                removed.append(described(storage, space))
                for number in _remove(storage, space):
                    chunks += number
                    if progress is not None:
                        progress(chunks)
        if removed:
            storage.compact()
    return PruneReport(removed, chunks, max(0, before - storage.size_bytes()))


def _give_up_filling(storage: Storage) -> None:
    """Forget the reindex that a server was asked for, and keep to the active model."""
    active = storage.active_space()
    is_filling = any(space.state == "filling" for space in storage.spaces().all())
    with storage.database.transaction() as tx:
        write_meta(tx, REINDEX_WANTED, None)
        if active is not None and is_filling:
            write_meta(tx, CHOSEN_BY_HAND, {"embedder": active.embedder, "over": None})


def _remove(storage: Storage, space: Space) -> Iterator[int]:
    """Remove a space with the chunks that only it uses; yield their number, batch by batch."""
    spaces = storage.spaces()
    alone = all(
        other.generation != space.generation for other in spaces.all() if other.id != space.id
    )
    _keep_vectors(storage, space)
    if alone:
        # First, so that an interrupted removal leaves nothing that seems complete.
        with storage.database.transaction() as tx:
            StagedChunks(storage).forget(tx, space.generation)
    while alone:
        with storage.database.transaction() as tx:
            n_removed = spaces.remove_chunks(tx, space, limit=REMOVED_AT_ONCE)
        if not n_removed:
            break
        yield n_removed
    with storage.database.transaction() as tx:
        spaces.drop(tx, space)


def _keep_vectors(storage: Storage, space: Space) -> None:
    """Put the vectors of a space into the cache, if its model uses that."""
    if space.embedder not in storage.cache.limits():
        return
    for rows in storage.health.vectors.rows(space):
        with storage.database.transaction() as tx:
            storage.keep_space(tx, space, [chunk_id for chunk_id, _ in rows])
