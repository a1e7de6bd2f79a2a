"""Reading of episodes: one with its turns, and lists in the order of time."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from contracts import InputError, NotFoundError
from memory.conversations.turns.adding import session_name
from memory.conversations.turns.showing import display_turn
from memory.episodes.kind import cite_episode
from memory.episodes.retention import Retention, retrievability
from memory.episodes.store import EpisodeStore
from memory.episodes.values import Episode, EpisodeContent
from memory.values.citations import shown_session
from memory.values.inserted_values import moment_of
from memory.values.record_fields import check_limit
from memory.values.scope_parsing import read_period
from memory.workspace import Workspace

USUAL_LIMIT: Final = 50
MOST_LISTED: Final = 1000


@dataclass(frozen=True, slots=True)
class EpisodeFilter:
    """Conditions on episodes, which combine; None means any.

    Times are dates or ISO 8601, both included, and compared with when an episode began and ended.
    """

    session_id: str | int | None = None
    since: str | None = None
    until: str | None = None
    min_importance: float | None = None


@dataclass(frozen=True, slots=True)
class EpisodePage:
    """Episodes, the latest first; `next_cursor` leads to earlier ones, if there are any."""

    episodes: list[Episode]
    next_cursor: str | None = None


def existing_episode(workspace: Workspace, episode_id: int) -> Episode:
    """Return an episode as it is stored. Raises NotFoundError for an unknown one, or a forgotten
    one.
    """
    found = EpisodeStore(workspace.storage.database).get(episode_id)
    if found is None or not found.summary:
        raise NotFoundError(
            f"there is no episode {episode_id}", hint="list them: mem episodes list"
        )
    return found


def read_episode(
    workspace: Workspace, episode_id: int, *, now: datetime | None = None
) -> EpisodeContent:
    """Return an episode with its turns; nothing is written. Raises NotFoundError."""
    with workspace.storage.database.snapshot():
        episode = existing_episode(workspace, episode_id)
        turns = EpisodeStore(workspace.storage.database).turns([episode_id])
    return EpisodeContent(
        episode=_shown(episode),
        citation=cite_episode(episode.id),
        retrievability=present_retrievability(episode, now),
        turns=[display_turn(turn) for turn in turns],
    )


def list_episodes(
    workspace: Workspace,
    wanted: EpisodeFilter | None = None,
    *,
    limit: int = USUAL_LIMIT,
    cursor: str | None = None,
    now: datetime | None = None,
) -> EpisodePage:
    """Return one page of the matching episodes, the latest first.

    Their `retrievability` is the present one; nothing is written. Raises InputError for invalid
    values.
    """
    check_limit(limit, MOST_LISTED)
    conditions, values = _conditions(wanted or EpisodeFilter())
    if cursor is not None:
        conditions.append("(started_at, id) < (:before_at, :before_id)")
        values |= _place(cursor)
    store = EpisodeStore(workspace.storage.database)
    found = store.page(" AND ".join(conditions), values, limit=limit + 1)
    page = [
        replace(_shown(episode), retrievability=present_retrievability(episode, now))
        for episode in found[:limit]
    ]
    is_more = len(found) > limit
    return EpisodePage(page, f"{page[-1].started_at}_{page[-1].id}" if is_more else None)


def _shown(episode: Episode) -> Episode:
    return replace(episode, session_id=shown_session(str(episode.session_id)))


def present_retrievability(episode: Episode, now: datetime | None = None) -> float:
    """Return the probability that an episode is recalled now, in [0, 1]."""
    reviewed_at = datetime.fromisoformat(episode.last_accessed_at)
    state = Retention(episode.stability, episode.difficulty, reviewed_at)
    return round(retrievability(state, now or datetime.now(UTC)), 6)


def _conditions(wanted: EpisodeFilter) -> tuple[list[str], dict[str, Any]]:
    conditions, values = ["summary <> ''"], dict[str, Any]()
    if wanted.session_id is not None:
        conditions.append("session_id = :session_id")
        values["session_id"] = session_name(wanted.session_id)
    values |= read_period(wanted.since, wanted.until)
    if wanted.since is not None:
        conditions.append("ended_at >= :since")
    if wanted.until is not None:
        conditions.append("started_at <= :until")
    if wanted.min_importance is not None:
        if not 0 <= wanted.min_importance <= 1:
            raise InputError(
                f"min_importance is {wanted.min_importance!r}", hint="give a number from 0 to 1"
            )
        conditions.append("importance_score >= :min_importance")
        values["min_importance"] = wanted.min_importance
    return conditions, values


def _place(cursor: str) -> dict[str, Any]:
    moment, _, key = cursor.rpartition("_") if isinstance(cursor, str) else ("", "", "")
    is_moment = moment_of(moment) is not None and moment.isascii()
    if not (is_moment and key.isascii() and key.isdecimal() and len(key) < 19):
        raise InputError(f"the cursor is {cursor!r}", hint="give a page's next_cursor")
    return {"before_at": moment, "before_id": int(key)}
