"""The state of the change from the static model to the better one; it reads, and loads no model.

The model comes with the program. It replaces the static one where nobody chose a provider, neither
in the configuration nor for this database.
"""

from datetime import UTC, datetime, timedelta
from typing import Final

from contracts import MemError, UnavailableError
from memory.index.embedding.model_choice import AUTO, DEFAULT_PROVIDER
from memory.index.spaces.listing import is_chosen_by_hand
from memory.storage import Space, utc_text
from memory.storage.meta import REINDEX_WANTED, UPGRADE_RATE, UPGRADED, read_meta
from memory.storage.process_locks import UPGRADE_LOCK, running_work
from memory.storage.values import SpaceSize
from memory.values.space_reports import UpgradeStatus
from memory.workspace import Workspace
from providers.registry import require_library

BETTER: Final = "minilm"
"""The provider that replaces the static one."""

KEPT: Final = timedelta(days=1)
"""The time for which the static vectors are kept to go back to."""


def space_to_upgrade(workspace: Workspace) -> Space | None:
    """Return the active space if it is to be replaced now."""
    space = _static_space(workspace)
    if space is None or read_meta(workspace.storage.database, REINDEX_WANTED):
        return None
    return space if _missing_library() is None else None


def is_removal_due(workspace: Workspace, now: datetime) -> bool:
    """Return whether the static space was kept long enough after an upgrade.

    One that is the configured fallback is kept.
    """
    if workspace.config.embeddings.fallback_provider == DEFAULT_PROVIDER:
        return False
    fact = read_meta(workspace.storage.database, UPGRADED)
    return bool(fact) and _kept_until(fact) <= now


def read_upgrade(workspace: Workspace) -> UpgradeStatus | None:
    """Return how far the upgrade is; None where there is none to come, and none to clean up."""
    database = workspace.storage.database
    fact = read_meta(database, UPGRADED)
    if fact:
        return UpgradeStatus(BETTER, "done", 0, 0, removal_at=utc_text(_kept_until(fact)))
    space = _static_space(workspace)
    if space is None:
        return None
    missing = _missing_library()
    if missing is not None:
        reason = f"{missing.message} ({missing.hint})"
        return UpgradeStatus(BETTER, "unavailable", 0, 0, reason=reason)
    holder = running_work(UPGRADE_LOCK, database, workspace.path)
    size, rate = filled(workspace, space), read_meta(database, UPGRADE_RATE)
    left = max(0, size.chunks - size.vectors)
    return UpgradeStatus(
        BETTER,
        "filling" if holder else "waiting",
        size.vectors,
        size.chunks,
        chunks_per_s=rate,
        seconds_left=round(left / rate, 1) if rate else None,
        holder=holder,
    )


def filled(workspace: Workspace, former: Space) -> SpaceSize:
    """Return the number of chunks, and of those that the better model has embedded."""
    spaces = workspace.storage.spaces()
    with workspace.storage.database.snapshot():
        for space in spaces.all():
            if (space.provider, space.generation) == (BETTER, former.generation):
                return spaces.size(space)
        return SpaceSize(spaces.size(former).chunks, 0)


def _static_space(workspace: Workspace) -> Space | None:
    """Return the active space if the settings want the upgrade, and nobody chose its model."""
    embeddings = workspace.config.embeddings
    if embeddings.upgrade != "auto" or embeddings.provider != AUTO:
        return None
    space = workspace.storage.active_space()
    if space is None or space.provider != DEFAULT_PROVIDER or is_chosen_by_hand(workspace, space):
        return None
    return space


def _missing_library() -> MemError | None:
    try:
        require_library(BETTER)
    except UnavailableError as error:
        return error
    return None


def _kept_until(fact: dict[str, str]) -> datetime:
    return datetime.fromisoformat(fact["at"]).astimezone(UTC) + KEPT
