"""Reinforcement of episodes and facts that were used, and upkeep of the stored probabilities.

Nothing but a report of use changes how well they are remembered: building a context, searching,
showing and listing write nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final, TypeVar

from contracts import InputError, did_you_mean
from contracts.named_tuple import NamedTuple
from memory.episodes.kind import cite_episode
from memory.episodes.listing import present_retrievability
from memory.episodes.retention import RATINGS, Retention, Vote, reviewed
from memory.episodes.store import EpisodeStore
from memory.episodes.triples.kind import cite_triple
from memory.episodes.triples.reading import present_retrievability as present_of_triple
from memory.episodes.triples.store import TripleStore
from memory.episodes.triples.values import Triple
from memory.episodes.values import Episode
from memory.storage import Transaction, utc_now, utc_text
from memory.values.record_kinds import RecordName
from memory.values.text_checks import NAME_LIMIT, checked_text
from memory.workspace import Workspace

R = TypeVar("R", Episode, Triple)

MOST_USED: Final = 1000
"""The most records that one report names."""

_AT_ONCE: Final = 500
_STANDING: Final = ("turn", "episode", "triple", "memory")
"""The kinds of records that stand for an episode or a triple; their ids are numbers."""

_DAY: Final = len("2026-03-04")
_UID_SQL: Final = "SELECT source, owner_id FROM chunks WHERE uid = :uid LIMIT 1"


@dataclass(frozen=True, slots=True)
class UseReport:
    """The outcome of a report of use.

    `reinforced` and `already` are citations of episodes and triples: those that were reinforced,
    and those that had been on the same day. `others` are the given names of records that use does
    not reinforce, or that are not here.
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
    """Reinforce the episodes and facts among these records: a turn stands for its episode, a memory
    for its triple.

    `used` are citations, record ids as `turn:42`, or `chunk_id` values of hits. Each is reinforced
    at most once a day (UTC), whatever the vote. Raises InputError for invalid values.
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
        found = _Named(workspace, used)
        report.others.extend(found.others)
        for episode in found.episodes.many(found.episode_ids):
            if episode.summary:
                is_new = not _is_reinforced_on(episode, episode.retrieval_count, at)
                (report.reinforced if is_new else report.already).append(cite_episode(episode.id))
                if is_new:
                    count = episode.retrieval_count + 1
                    used_now = replace(_reinforced(episode, vote, at), retrieval_count=count)
                    found.episodes.update(tx, used_now)
        for triple in found.triples.many(found.triple_ids):
            is_new = not _is_reinforced_on(triple, triple.access_count, at)
            (report.reinforced if is_new else report.already).append(cite_triple(triple.id))
            if is_new:
                count = triple.access_count + 1
                found.triples.update(tx, replace(_reinforced(triple, vote, at), access_count=count))
    return report


class _Named:
    """The episodes and triples that names lead to, and the names that lead to none."""

    def __init__(self, workspace: Workspace, used: Iterable[str]) -> None:
        self._workspace = workspace
        self.episodes = EpisodeStore(workspace.storage.database)
        self.triples = TripleStore(workspace.storage.database)
        self.episode_ids: set[int] = set()
        self.triple_ids: set[int] = set()
        self.others: list[str] = []
        for name in dict.fromkeys(used):
            record = workspace.kinds.named(name) or _of_chunk(workspace, name)
            if record is None or not self._add(record.source, record.record_id):
                self.others.append(name)

    def _add(self, source: str, record_id: str) -> bool:
        """Add what a record stands for; return whether it stands for anything."""
        key = int(record_id) if source in _STANDING else 0
        episodes, triples = set[int](), set[int]()
        if source == "turn":
            episodes = {*self.episodes.of_turns([key])}
        elif source == "episode":
            episodes = {one.id for one in self.episodes.many([key]) if one.summary}
        elif source == "triple":
            triples = {key}
        elif source == "memory":
            triples = {one.triple_id for one in self.triples.sources([key]).values()}
        triples = {one.id for one in self.triples.many(triples) if one.entity}
        self.episode_ids |= episodes
        self.triple_ids |= triples
        return bool(episodes or triples)


def _of_chunk(workspace: Workspace, uid: str) -> RecordName | None:
    rows = workspace.storage.database.read(_UID_SQL, {"uid": uid})
    return RecordName(*rows[0]) if rows else None


def _is_reinforced_on(remembered: Episode | Triple, count: int, at: datetime) -> bool:
    return count > 0 and remembered.last_accessed_at[:_DAY] == utc_text(at)[:_DAY]


def _reinforced(remembered: R, vote: Vote, at: datetime) -> R:
    reviewed_at = datetime.fromisoformat(remembered.last_accessed_at)
    before = Retention(remembered.stability, remembered.difficulty, reviewed_at)
    state = reviewed(before, vote, at)
    return replace(
        remembered,
        stability=state.stability,
        difficulty=state.difficulty,
        retrievability=1.0,
        last_accessed_at=utc_text(at),
        updated_at=utc_now(),
    )


class UpkeepReport(NamedTuple):
    """The numbers of episodes and facts looked at, and of those whose probability has changed."""

    episodes: int
    facts: int
    changed: int


def maintain_retrievability(
    workspace: Workspace,
    *,
    now: datetime | None = None,
    is_ended: Callable[[], bool] = lambda: False,
) -> UpkeepReport:
    """Store the present probability of recall of every episode and fact; repeating it changes
    nothing.

    `is_ended` stops it between two transactions; the next run does the rest.
    """
    database, at = workspace.storage.database, now or datetime.now(UTC)
    counts, changed = {"episodic_memory": 0, "semantic_memory": 0}, 0
    for table in counts:
        last = 0
        while not is_ended():
            with database.transaction() as tx:
                rows = _rows(workspace, table, last)
                present = {each.id: _present(each, at) for each in rows}
                stale = [each for each in rows if each.retrievability != present[each.id]]
                _store(tx, table, {each.id: present[each.id] for each in stale})
            counts[table], changed = counts[table] + len(rows), changed + len(stale)
            if len(rows) < _AT_ONCE:
                break
            last = rows[-1].id
    return UpkeepReport(counts["episodic_memory"], counts["semantic_memory"], changed)


def _rows(workspace: Workspace, table: str, last: int) -> Sequence[Episode | Triple]:
    database = workspace.storage.database
    if table == "semantic_memory":
        return TripleStore(database).after(last, limit=_AT_ONCE)
    return EpisodeStore(database).after(last, limit=_AT_ONCE)


def _present(remembered: Episode | Triple, at: datetime) -> float:
    if isinstance(remembered, Triple):
        return present_of_triple(remembered, at)
    return present_retrievability(remembered, at)


def _store(tx: Transaction, table: str, present: dict[int, float]) -> None:
    sql = f"UPDATE {table} SET retrievability = :present WHERE id = :id"
    tx.run_many(sql, ({"id": key, "present": value} for key, value in present.items()))
