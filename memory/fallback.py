"""When the configured model cannot be used: where another may stand in, and where it must not.

Vectors of two models never meet. So the fallback begins a new database in the configured model's
place, or answers from a space of its own that has a vector for every chunk, and nothing else.
"""

from typing import NamedTuple

from contracts import ConfigError, IncompatibleError, MemError, UnavailableError
from memory.embedding import Embedder
from memory.meta import BEGUN_BY_FALLBACK, write_meta
from memory.model import ChosenModel, configured_model
from memory.reports import FallbackStatus
from memory.storage import Space
from memory.tallies import Tally
from memory.workspace import Workspace

UNUSABLE = (ConfigError, UnavailableError, IncompatibleError)
"""What a model raises that cannot be used just now, or here."""

_PROBE = "hello"


class StandIn(NamedTuple):
    """A space that may answer in place of the active one, and the model that filled it."""

    space: Space
    embedder: Embedder


def begin_with(workspace: Workspace) -> ChosenModel:
    """The model for a database without vectors: the configured one, or the fallback.

    Where a fallback is configured, the configured model is asked for one short vector first. That
    the fallback begins the database is remembered with the reason. When that cannot be used either,
    it is the configured one.
    """
    embeddings = workspace.config.embeddings
    wanted = workspace.model_of(None)
    name = embeddings.fallback_provider
    if name is None or name == wanted.name:
        return wanted
    try:
        _probe(wanted)
    except UNUSABLE as error:
        fallback = workspace.known_model(configured_model(None, embeddings, provider=name))
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
        provider.embed([_PROBE], kind="query")  # somebody waits, and no document does


def _remember(
    workspace: Workspace, wanted: ChosenModel, fallback: ChosenModel, error: MemError
) -> None:
    facts = {"provider": fallback.name, "instead_of": wanted.name, "reason": error.message}
    with workspace.storage.database.transaction() as tx:
        if workspace.storage.active_space() is None:
            write_meta(tx, BEGUN_BY_FALLBACK, facts)


def stand_in(workspace: Workspace, active: Space) -> StandIn:
    """The space of the fallback that may answer now, with its model.

    Raises UnavailableError with the reason when there is none, and what the provider raises.
    """
    space = _space(workspace, active)
    embedder = Embedder(workspace.storage, workspace.model_of(space).provider)
    return StandIn(embedder.checked(space), embedder)


def _space(workspace: Workspace, active: Space) -> Space:
    """The complete space of the fallback; loads no model. Raises UnavailableError without one."""
    embeddings = workspace.config.embeddings
    name = embeddings.fallback_provider or ""
    if name == active.provider:
        raise UnavailableError(
            f"{name} is the fallback itself", hint="set another memory.embeddings.fallback_provider"
        )
    model = embeddings.model_of(name)
    for space in workspace.storage.spaces().all():
        is_its = space.provider == name and model in (None, space.model)
        if is_its and space.generation == active.generation:
            return _complete(workspace, space)
    raise UnavailableError(
        f"the fallback {name} has no vectors in this database, and those of two models never meet",
        hint=f"make them while both work: mem reindex --provider {name}, then mem reindex",
    )


def _complete(workspace: Workspace, space: Space) -> Space:
    """The space. Raises UnavailableError unless it has a vector for every chunk."""
    if not workspace.storage.chunks_without_vector(space, after=0, limit=1):
        return space
    size = workspace.storage.spaces().size(space)
    raise UnavailableError(
        f"the fallback {space.provider} has vectors of {size.vectors:,} of {size.chunks:,} chunks, "
        "and an answer from some would hide the others",
        hint=f"mem reindex --provider {space.provider}, then mem reindex, makes the others",
    )


def read_fallback(workspace: Workspace, tally: Tally) -> FallbackStatus | None:
    """Whether the fallback could stand in; embeds nothing. None when none is configured."""
    name = workspace.config.embeddings.fallback_provider
    active = workspace.storage.active_space()
    if name is None:
        return None
    reason = None
    if active is not None:
        try:
            _space(workspace, active)
        except UnavailableError as error:
            reason = error.message
    return FallbackStatus(name, reason is None, reason, tally.number, tally.noted_at)
