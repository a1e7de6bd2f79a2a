"""Reinforcement of episodes that were used, and upkeep of the stored probabilities.

Nothing but a report of use changes how well an episode is remembered: building a context,
searching, showing and listing write nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final, NamedTuple

from contracts import InputError, did_you_mean
from memory.episodes.kind import cite_episode
from memory.episodes.listing import present_retrievability
from memory.episodes.retention import RATINGS, Retention, Vote, reviewed
from memory.episodes.store import EpisodeStore
from memory.episodes.values import Episode
from memory.storage import utc_now, utc_text
from memory.values.record_kinds import RecordName
from memory.values.text_checks import NAME_LIMIT, checked_text
from memory.workspace import Workspace

MOST_USED: Final = 1000
"""The most records that one report names."""

_AT_ONCE: Final = 500
_DAY: Final = len("2026-03-04")
_UID_SQL: Final = "SELECT source, owner_id FROM chunks WHERE uid = :uid LIMIT 1"


@dataclass(frozen=True, slots=True)
class UseReport:
    """The outcome of a report of use.

    `reinforced` and `already` are citations of episodes: those that were reinforced, and those that
    had been on the same day. `others` are the given names of records that use does not reinforce,
    or that are not here.
    """

    reinforced: list[str] = field(default_factory=list)
    already: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)


def note_used(
    workspace: Workspace,
    used: Sequence[str],
    *,
    vote: Vote = "used",
    now: datetime | None = None,
) -> UseReport:
    """Reinforce the episodes among these records, and those of the turns among them.

    `used` are citations, record ids as `turn:42`, or `chunk_id` values of hits. An episode is
    reinforced at most once a day (UTC), whatever the vote. Raises InputError for invalid values.
    """
    if vote not in RATINGS:
        raise InputError(f"the vote is {vote!r}", hint=did_you_mean(str(vote), RATINGS))
    if isinstance(used, str) or not all(isinstance(one, str) for one in used):
        raise InputError(f"what was used is {used!r:.80}", hint="give a list of citations")
    for name in used:
        checked_text(name, "a name of what was used", most=NAME_LIMIT)
    if len(used) > MOST_USED:
        raise InputError(
            f"{len(used):,} records are named, and {MOST_USED:,} are the most at once",
            hint="send them in parts",
        )
    at, report = now or datetime.now(UTC), UseReport()
    with workspace.storage.database.transaction() as tx:
        store = EpisodeStore(workspace.storage.database)
        found = _Named(workspace, store, used)
        report.others.extend(found.others)
        for episode in store.many(found.episode_ids):
            cited = cite_episode(episode.id)
            if not episode.summary:
                continue
            if _is_reinforced_on(episode, at):
                report.already.append(cited)
                continue
            store.update(tx, _reinforced(episode, vote, at))
            report.reinforced.append(cited)
    return report


class _Named:
    """The episodes that names lead to, and the names that lead to none."""

    def __init__(self, workspace: Workspace, store: EpisodeStore, used: Iterable[str]) -> None:
        self.episode_ids: set[int] = set()
        self.others: list[str] = []
        for name in dict.fromkeys(used):
            ids = list(_episodes_of(workspace, store, name))
            self.episode_ids.update(ids)
            if not ids:
                self.others.append(name)


def _episodes_of(workspace: Workspace, store: EpisodeStore, name: str) -> Iterator[int]:
    record = workspace.kinds.named(name) or _of_chunk(workspace, name)
    if record is not None and record.source == "episode":
        yield from (one.id for one in store.many([int(record.record_id)]) if one.summary)
    elif record is not None and record.source == "turn":
        yield from store.of_turns([int(record.record_id)])


def _of_chunk(workspace: Workspace, uid: str) -> RecordName | None:
    rows = workspace.storage.database.read(_UID_SQL, {"uid": uid})
    return RecordName(*rows[0]) if rows else None


def _is_reinforced_on(episode: Episode, at: datetime) -> bool:
    return episode.retrieval_count > 0 and episode.last_accessed_at[:_DAY] == utc_text(at)[:_DAY]


def _reinforced(episode: Episode, vote: Vote, at: datetime) -> Episode:
    reviewed_at = datetime.fromisoformat(episode.last_accessed_at)
    state = reviewed(Retention(episode.stability, episode.difficulty, reviewed_at), vote, at)
    return replace(
        episode,
        stability=state.stability,
        difficulty=state.difficulty,
        retrievability=1.0,
        retrieval_count=episode.retrieval_count + 1,
        last_accessed_at=utc_text(at),
        updated_at=utc_now(),
    )


class UpkeepReport(NamedTuple):
    """The number of episodes looked at, and of those whose probability has changed."""

    episodes: int
    changed: int


def maintain_retrievability(
    workspace: Workspace,
    *,
    now: datetime | None = None,
    is_ended: Callable[[], bool] = lambda: False,
) -> UpkeepReport:
    """Store the present probability of recall of every episode; repeating it changes nothing.

    `is_ended` stops it between two transactions; the next run does the rest.
    """
    store = EpisodeStore(workspace.storage.database)
    at, looked_at, changed, last = now or datetime.now(UTC), 0, 0, 0
    while not is_ended():
        with workspace.storage.database.transaction() as tx:
            episodes = store.after(last, limit=_AT_ONCE)
            present = {each.id: present_retrievability(each, at) for each in episodes}
            stale = [each for each in episodes if each.retrievability != present[each.id]]
            tx.run_many(
                "UPDATE episodic_memory SET retrievability = :present WHERE id = :id",
                ({"id": each.id, "present": present[each.id]} for each in stale),
            )
        looked_at, changed = looked_at + len(episodes), changed + len(stale)
        if len(episodes) < _AT_ONCE:
            break
        last = episodes[-1].id
    return UpkeepReport(looked_at, changed)
