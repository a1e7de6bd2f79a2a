"""The fallback for a configured model that cannot be used, and the cases where it may answer.

Vectors of two models never meet. So the fallback fills a new database in place of the configured
model, or answers from its own space that has a vector for every chunk that can have one, and
nothing else.
"""

from collections.abc import Sequence
from typing import Final

from contracts import MemError, UnavailableError
from contracts.named_tuple import NamedTuple
from memory.index.documents import stored_texts
from memory.index.embedding.active_model import known_model, model_for
from memory.index.embedding.embedder import Embedder
from memory.index.embedding.model_choice import UNUSABLE, ChosenModel, configured_model
from memory.index.embedding.refusals import known_refusals
from memory.storage import Space
from memory.storage.counters import Count
from memory.storage.meta import BEGUN_BY_FALLBACK, write_meta
from memory.storage.values import Revision
from memory.values.status_reports import FallbackStatus
from memory.workspace import Workspace

_PROBE = "hello"

_LOOKED_AT_ONCE: Final = 16
"""Chunks without a vector whose texts are embedded together to check whether they can have one."""


class FallbackModel(NamedTuple):
    """A space that may answer in place of the active one, and the model that filled it."""

    space: Space
    embedder: Embedder


class Completeness:
    """The spaces that have all the vectors they can have; cached for each state of a database.

    A chunk whose text the space's model refuses, or knows no word of, can have none.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._known: tuple[Revision, dict[int, bool]] | None = None

    def of(self, space: Space) -> bool:
        """Return whether a space is complete.

        Where vectors are missing, a local model is asked whether it has any for these texts; raises
        what that does.
        """
        revision = self._workspace.storage.revision()
        if self._known is None or self._known[0] != revision:
            self._known = (revision, {})
        known = self._known[1]
        if space.id not in known:
            known[space.id] = self._is_complete(space)
        return known[space.id]

    def _is_complete(self, space: Space) -> bool:
        storage, last = self._workspace.storage, 0
        while ids := storage.chunks_without_vector(space, after=last, limit=_LOOKED_AT_ONCE):
            last = ids[-1]
            texts = dict(stored_texts(storage, ids).values())
            refused = known_refusals(storage.database, space, texts)
            left = [text for content, text in texts.items() if content not in refused]
            if left and not self._knows_no_word_of(left, space):
                return False
        return True

    def _knows_no_word_of(self, texts: Sequence[str], space: Space) -> bool:
        embedder = _embedder(self._workspace, space)
        return not embedder.is_remote and not any(embedder.embedded_again(texts))


def completeness_of(workspace: Workspace) -> Completeness:
    """Return the completeness of the spaces of a workspace."""
    return workspace.component(Completeness, lambda: Completeness(workspace))


def model_for_new_database(workspace: Workspace) -> ChosenModel:
    """Return the model for a database without vectors: the configured one, or the fallback.

    If a fallback is configured, the configured model must first embed one short text. If it fails
    and the fallback works, the database is created with the fallback, and the reason is stored. If
    both fail, the configured one is returned.
    """
    embeddings = workspace.config.embeddings
    wanted = model_for(workspace, None)
    name = embeddings.fallback_provider
    if name is None or name == wanted.name:
        return wanted
    try:
        _probe(wanted)
    except UNUSABLE as error:
        fallback = known_model(workspace, configured_model(None, embeddings, provider=name))
        if _answers(fallback):
            _remember(workspace, wanted, fallback, error)
            return fallback
    return wanted


def _answers(chosen: ChosenModel) -> bool:
    try:
        _probe(chosen)
    except UNUSABLE:
        return False
    return True


def _probe(chosen: ChosenModel) -> None:
    """Raise what the model raises when it cannot be used."""
    provider = chosen.provider
    _ = provider.card
    if provider.host is not None:
        provider.embed([_PROBE], kind="query")  # a query, since a caller waits


def _remember(
    workspace: Workspace, wanted: ChosenModel, fallback: ChosenModel, error: MemError
) -> None:
    facts = {"provider": fallback.name, "instead_of": wanted.name, "reason": error.message}
    with workspace.storage.database.transaction() as tx:
        if workspace.storage.active_space() is None:
            write_meta(tx, BEGUN_BY_FALLBACK, facts)


def find_fallback(workspace: Workspace, active: Space) -> FallbackModel:
    """Return the space of the fallback that may answer now, with its model.

    Raises UnavailableError with the reason when no space can, and what the provider raises.
    """
    space = _space(workspace, active)
    embedder = _embedder(workspace, space)
    return FallbackModel(embedder.checked(space), embedder)


def _embedder(workspace: Workspace, space: Space) -> Embedder:
    return Embedder(workspace.storage, model_for(workspace, space).provider)


def _space(workspace: Workspace, active: Space) -> Space:
    """Return the complete space of the fallback. Raises UnavailableError without one."""
    embeddings = workspace.config.embeddings
    name = embeddings.fallback_provider or ""
    if name == active.provider:
        raise UnavailableError(
            f"{name} is the model in use", hint="set another memory.embeddings.fallback_provider"
        )
    model = embeddings.model_of(name)
    for space in workspace.storage.spaces().all():
        is_its = space.provider == name and model in (None, space.model)
        if is_its and space.generation == active.generation:
            return _complete(workspace, space, active)
    raise UnavailableError(
        f"the fallback {name} has no vectors in this database, and those of two models never meet",
        hint=f"create them while both models work: mem reindex --provider {name}, then "
        f"mem reindex --provider {active.provider}",
    )


def _complete(workspace: Workspace, space: Space, active: Space) -> Space:
    """Return the space. Raises UnavailableError unless it has all the vectors it can have."""
    if completeness_of(workspace).of(space):
        return space
    size = workspace.storage.spaces().size(space)
    raise UnavailableError(
        f"the fallback {space.provider} has vectors of {size.vectors:,} of {size.chunks:,} chunks, "
        "and an answer from some would hide the others",
        hint=f"mem reindex --provider {space.provider}, then mem reindex --provider "
        f"{active.provider}, creates the others",
    )


def read_fallback(workspace: Workspace, tally: Count) -> FallbackStatus | None:
    """Return whether the fallback could answer; None when none is configured.

    If some of its vectors seem to be missing, a local model is asked why.
    """
    name = workspace.config.embeddings.fallback_provider
    active = workspace.storage.active_space()
    if name is None:
        return None
    reason = None
    if active is not None:
        try:
            _space(workspace, active)
        except UNUSABLE as error:
            reason = error.message
    return FallbackStatus(name, reason is None, reason, tally.number, tally.noted_at)
