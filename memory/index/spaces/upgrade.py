"""The change from the static model to the better one that comes with the program.

It drives the reindex that a user can ask for: what one call committed, the next one finds, also in
another process. Nothing of it sends text anywhere.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from contracts import UnavailableError
from memory.index.documents import stored_texts
from memory.index.embedding.active_model import known_model
from memory.index.embedding.embedder import Embedder
from memory.index.embedding.model_choice import ChosenModel, configured_model
from memory.index.indexing_settings import chunking_of
from memory.index.spaces.listing import remove_spaces
from memory.index.spaces.pausing import PausingProvider
from memory.index.spaces.reindex import ReindexCallback, change_to
from memory.index.spaces.space_builder import Target
from memory.index.spaces.upgrade_state import BETTER, filled, space_to_upgrade
from memory.storage import Space
from memory.storage.meta import UPGRADE_OFFERED, UPGRADE_RATE, UPGRADED, read_meta, write_meta
from memory.storage.process_locks import UPGRADE_LOCK, running_work
from memory.values.space_reports import ReindexReport, about_minutes
from memory.workspace import Workspace
from providers import EmbeddingProvider

_TIMED: Final = 8
"""Chunks whose embedding tells how long all will take."""


def better_model(workspace: Workspace, *, threads: int | None = None) -> ChosenModel:
    """Return the model that replaces the static one, with its configured threads unless given."""
    embeddings = workspace.config.embeddings
    if threads is not None:
        embeddings = replace(embeddings, minilm=replace(embeddings.minilm, threads=threads))
    return configured_model(None, embeddings, provider=BETTER)


def upgrade(
    workspace: Workspace,
    space: Space,
    provider: EmbeddingProvider,
    *,
    pause: Callable[[], None],
    progress: ReindexCallback,
) -> ReindexReport:
    """Fill the space of the better model with the chunks of `space`, and activate it.

    `provider` is that model. `pause` is called before each text, `progress` after each batch;
    either may raise to end it, and the next call continues. Raises as `reindex` does.
    """
    request = better_model(workspace).request
    embedder = Embedder(workspace.storage, PausingProvider(provider, pause), request=request)
    target = Target(embedder, chunking_of(space), chosen_by="upgrade")
    return change_to(workspace, target, progress=progress, waits=False)


def remove_former(workspace: Workspace) -> int:
    """Remove the space that an upgrade replaced, unless it answers again; return their number.

    Raises BusyError while a reindex is running.
    """
    fact = read_meta(workspace.storage.database, UPGRADED)
    removed = remove_spaces(workspace, ["retired"], embedder=fact["embedder"], waits=False).removed
    with workspace.storage.database.transaction() as tx:
        write_meta(tx, UPGRADED, None)
    return len(removed)


def note_rate(workspace: Workspace, chunks_per_s: float) -> None:
    """Keep how fast the upgrade is, for whichever process tells how long it will take."""
    with workspace.storage.database.transaction() as tx:
        write_meta(tx, UPGRADE_RATE, round(chunks_per_s, 2))


def offer_upgrade(workspace: Workspace) -> str | None:
    """Return one line that offers the upgrade, once in the life of a database.

    None also where a server or a watcher is at it. Embeds some chunks to tell how long it takes.
    """
    database = workspace.storage.database
    space = space_to_upgrade(workspace)
    if space is None or workspace.is_passing or read_meta(database, UPGRADE_OFFERED):
        return None
    if running_work(UPGRADE_LOCK, database, workspace.path):
        return None
    size = filled(workspace, space)
    try:
        rate = _timed_rate(workspace, space)
    except UnavailableError:
        return None
    if rate is None:
        return None
    with database.transaction() as tx:
        write_meta(tx, UPGRADE_OFFERED, True)
    return (
        f"better answers, nothing sent anywhere: mem reindex --provider {BETTER} "
        f"({about_minutes((size.chunks - size.vectors) / rate)}); mem serve and mem watch do it by "
        "themselves"
    )


def _timed_rate(workspace: Workspace, space: Space) -> float | None:
    """Return the chunks a second of `mem reindex` on this machine; None without any text."""
    sample = workspace.storage.spaces().sample(space, limit=_TIMED)
    texts = [text for _, text in stored_texts(workspace.storage, list(sample)).values()]
    if not texts:
        return None
    provider = known_model(workspace, better_model(workspace)).provider
    _ = provider.card  # loads the model
    started = time.monotonic()
    provider.embed(texts, kind="document")
    return len(texts) / max(time.monotonic() - started, 1e-3)
