"""The change of a database's embedding model or chunk settings while the database stays in use.

The former space is kept: going back to it embeds only what was written since.
"""

import time
from collections.abc import Callable, Iterator

from contracts import ConfigError, InputError, UnavailableError
from memory.index.document_store import DocumentStore
from memory.index.documents import Document, texts_to_embed
from memory.index.embedding.active_model import known_model
from memory.index.embedding.calibration import calibrate
from memory.index.embedding.costs import estimated_cost
from memory.index.embedding.embedder import Embedder
from memory.index.embedding.model_choice import AUTO, ChosenModel, configured_model, disagreement
from memory.index.embedding.model_trust import consent_to_model, require_consent
from memory.index.indexing_settings import configured_chunking
from memory.index.keyword_entries.removal import remove_idle_keywords
from memory.index.preparation import cut
from memory.index.spaces.listing import described, is_chosen_by_hand, reindexing
from memory.index.spaces.space_builder import READ_AT_ONCE, SpaceBuilder, Target
from memory.index.spaces.staged_chunks import StagedChunks
from memory.index.spaces.vector_index import index_vectors
from memory.storage.meta import REINDEX_WANTED, write_meta
from memory.storage.values import CHANGES_KEPT
from memory.values.reports import EmbeddingCost
from memory.values.space_reports import ReindexProgress, ReindexReport
from memory.workspace import Workspace
from providers.batching import estimated_tokens

ReindexCallback = Callable[[ReindexProgress], None]


def reindex(
    workspace: Workspace,
    *,
    provider: str | None = None,
    model: str | None = None,
    progress: ReindexCallback | None = None,
    asked_by_user: bool = True,
) -> ReindexReport:
    """Fill the space of a model and of the configured chunks, and activate it once it is complete.

    Without `provider` and `model`, the configured ones are used; naming one is the user's consent
    to it, unless the request comes from the database (`asked_by_user` is false). Other processes
    search and sync during that time; what `progress` raises, or a kill, ends it between two
    batches, and the next reindex to the same continues there. Raises BusyError while another
    reindex is running, what `choose_target` does, UnavailableError when the model fails, and what
    `SpaceBuilder.verify` does; the former space then stays active.
    """
    names_provider = provider or workspace.config.embeddings.provider != AUTO
    if asked_by_user and names_provider and (provider or model):
        consent_to_model(workspace, provider=provider, model=model)
    else:
        require_consent(workspace, provider=provider, model=model)
    return change_to(
        workspace, choose_target(workspace, provider=provider, model=model), progress=progress
    )


def change_to(
    workspace: Workspace,
    target: Target,
    *,
    progress: ReindexCallback | None,
    waits: bool = True,
) -> ReindexReport:
    """Fill the space of a target and activate it, as `reindex` does, which raises the same.

    `waits` for a step of the upgrade in the background.
    """
    started = time.monotonic()
    storage = workspace.storage
    former = storage.active_space()
    with reindexing(workspace, waits=waits):
        builder = SpaceBuilder(
            storage,
            target,
            cache_bytes=workspace.config.embeddings.cache_bytes,
            progress=progress,
        )
        warnings = _fill_and_swap(builder, target, workspace)
        remove_idle_keywords(storage, ["retired", "filling"])
        if builder.documents or builder.indexed:
            storage.compact()
            warnings += index_vectors(storage)
        with storage.database.transaction() as tx:
            storage.trim_changes(tx, keep=CHANGES_KEPT)
            write_meta(tx, REINDEX_WANTED, None)  # this run replaces any that was wanted
    return ReindexReport(
        space=described(storage, builder.space),
        swapped=builder.swapped,
        kept=builder.swapped and former is not None,
        documents=builder.documents,
        embedded=builder.embedded,
        cached=builder.cached,
        unembedded=builder.unembedded,
        seconds=round(time.monotonic() - started, 3),
        warnings=warnings,
    )


def reindex_cost(
    workspace: Workspace, *, provider: str | None = None, model: str | None = None
) -> EmbeddingCost:
    """Estimate the cost of embedding in a reindex to the same; writes and embeds nothing.

    Raises what `choose_target` does.
    """
    target = choose_target(workspace, provider=provider, model=model)
    texts = tokens = 0
    for found in texts_without_vector(workspace, target):
        texts += len(found)
        tokens += sum(map(estimated_tokens, found.values()))
    return estimated_cost(
        _chosen(workspace, provider=provider, model=model),
        texts=texts,
        tokens=tokens,
        prices=workspace.config.embeddings.prices,
    )


def choose_target(
    workspace: Workspace, *, provider: str | None = None, model: str | None = None
) -> Target:
    """Return the target of a reindex.

    Raises InputError for an unknown given provider or model, what `ChosenModel.provider` does for
    the configured one, and what the model's card does.
    """
    chosen = _chosen(workspace, provider=provider, model=model)
    embedder = Embedder(
        workspace.storage,
        chosen.provider,
        request=chosen.request,
        sends_captured=workspace.config.capture.remote_models,
    )
    target = Target(embedder, configured_chunking(workspace))
    if provider is None and model is None:
        if is_chosen_by_hand(workspace, target.space):
            return target._replace(chosen_by="hand")
        return target
    over = disagreement(target.space, workspace.config.embeddings)
    return target._replace(chosen_by="hand", over=over)


def _chosen(workspace: Workspace, *, provider: str | None, model: str | None) -> ChosenModel:
    """Return the model to change to, with its provider created; raises as `choose_target` does."""
    if "" in (provider, model):
        raise InputError(
            f"the {'provider' if provider == '' else 'model'} has no name",
            hint="name one, or leave it out for the configured one",
        )
    active = workspace.storage.active_space()
    embeddings = workspace.config.embeddings
    chosen = configured_model(active, embeddings, provider=provider, model=model)
    chosen = known_model(workspace, chosen)
    try:
        chosen.provider  # noqa: B018  # a cached property, created here
    except ConfigError as error:
        if provider is None and model is None:
            raise
        raise InputError(error.message, hint=error.hint) from error
    return chosen


def texts_without_vector(workspace: Workspace, target: Target) -> Iterator[dict[bytes, str]]:
    """Yield the texts that a reindex to `target` would have to embed, by content hash, each once.

    They come document by document; the database is only read, and the model is not used.
    """
    storage, documents = workspace.storage, DocumentStore(workspace.storage)
    space, seen = target.space, set[bytes]()
    after = ""
    while page := StagedChunks(storage).all(after=after, limit=READ_AT_ONCE):
        after = page[-1].id
        for document in page:
            texts = _texts(documents, document, target)
            new = {content: text for content, text in texts.items() if content not in seen}
            seen.update(new)
            known = storage.known_vectors(space, new)
            yield {content: text for content, text in new.items() if content not in known}


def _texts(documents: DocumentStore, document: Document, target: Target) -> dict[bytes, str]:
    loaded = documents.loaded(document)
    _, chunks = cut(document, loaded, target.chunking, generation=target.space.generation)
    return texts_to_embed(chunks)


def _fill_and_swap(builder: SpaceBuilder, target: Target, workspace: Workspace) -> list[str]:
    """Fill, check and swap, repeated if others wrote in between; return warnings."""
    if builder.is_active:
        builder.keep()
        return []
    warnings: list[str] = []
    checked = False
    while not builder.swapped:
        try:
            builder.fill()
            if not checked:
                builder.verify()
                warnings = _calibrate(builder, target, workspace)
                checked = True
        except UnavailableError as error:
            done = builder.progress
            raise UnavailableError(
                f"{error.message}; {done.chunks_done:,} of {done.chunks_total:,} chunks are "
                "embedded, and the former model still answers",
                hint=f"{error.hint}; then the same reindex continues from there",
            ) from error
        builder.index_keywords()
        builder.swap()
    return warnings


def _calibrate(builder: SpaceBuilder, target: Target, workspace: Workspace) -> list[str]:
    """Measure the weight of the model's vectors before they answer; return why it could not be."""
    try:
        calibrate(workspace.storage, target.embedder, builder.space)
    except UnavailableError as error:
        return [f"what the model's vectors are worth could not be measured: {error}"]
    return []
