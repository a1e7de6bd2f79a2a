"""The fading of a memory and of an episode, as a picture: probability of recall, or else score."""

from datetime import UTC, datetime, timedelta
from typing import Final

from memory.config.sections.conversations import MidConfig
from memory.conversations.memories.gc_policy import CORE_KINDS, Policy, weights_of, worth
from memory.conversations.memories.slots.showing import read_memory
from memory.conversations.memories.values import IMPORTANT, ShownMemory
from memory.episodes.listing import existing_episode
from memory.episodes.retention import Retention, retrievability
from memory.episodes.triples.store import TripleStore
from memory.records.plots.values import Level, Mark, Plot, Point
from memory.values.inserted_values import moment_of
from memory.workspace import Workspace

_AHEAD: Final = timedelta(days=90)
_STEPS: Final = 60
"""The parts of a curve between two of its points."""


def plot_memory(workspace: Workspace, memory_id: int) -> Plot:
    """Return the curve of a memory from when it was last seen or used. Raises NotFoundError.

    A memory stands for its fact, which has a probability of recall; one without such a fact has its
    score, and the level below which it is archived.
    """
    now = datetime.now(UTC)
    memory = read_memory(workspace, memory_id)
    store = TripleStore(workspace.storage.database)
    source = store.sources([memory_id]).get(memory_id)
    triple = store.get(source.triple_id) if source else None
    if triple is None:
        return _score_curve(workspace, memory, now)
    state = Retention(
        triple.stability, triple.difficulty, datetime.fromisoformat(triple.last_accessed_at)
    )
    return _recall_curve(f"memory {memory_id}: probability of recall", state, now)


def plot_episode(workspace: Workspace, episode_id: int) -> Plot:
    """Return the curve of an episode from its end or its last use. Raises NotFoundError."""
    episode = existing_episode(workspace, episode_id)
    state = Retention(
        episode.stability, episode.difficulty, datetime.fromisoformat(episode.last_accessed_at)
    )
    title = f"episode {episode_id}: probability of recall"
    return _recall_curve(title, state, datetime.now(UTC))


def _recall_curve(title: str, state: Retention, now: datetime) -> Plot:
    points = [Point(at, retrievability(state, at)) for at in _moments(state.reviewed_at, now)]
    marks = [Mark(state.reviewed_at, "last used"), Mark(now, "now")]
    return Plot(title, "line", points, 0.0, 1.0, [], sorted(marks))


def _score_curve(workspace: Workspace, memory: ShownMemory, now: datetime) -> Plot:
    config = workspace.config
    weights = weights_of(config.scoring)
    seen = moment_of(memory.last_seen_at or memory.created_at) or now
    points = [
        Point(at, worth(memory, Policy(config.mid, weights, at)).total)
        for at in _moments(seen, now)
    ]
    marks = [Mark(seen, "last seen"), Mark(now, "now")]
    levels = []
    if _may_fade(memory):
        levels.append(Level(config.mid.delete_below, f"{_end(config.mid)} below"))
        ends = seen + timedelta(days=config.mid.demote_age_days)
        if ends <= points[-1].at:
            marks.append(Mark(ends, f"{_end(config.mid)} for its age"))
    highest = max(1.0, *(value for _, value in points)) * 1.1
    title = f"memory {memory.id}: score"
    return Plot(title, "line", points, 0.0, highest, levels, sorted(marks))


def _may_fade(memory: ShownMemory) -> bool:
    is_core = bool(memory.tags) and memory.tags[0] in CORE_KINDS
    return memory.layer == "mid" and memory.importance < IMPORTANT and not is_core


def _end(config: MidConfig) -> str:
    return "archived" if config.on_expire == "archive" else "deleted"


def _moments(begin: datetime, now: datetime) -> list[datetime]:
    last = max(begin, now) + _AHEAD
    return [begin + (last - begin) * step / _STEPS for step in range(_STEPS + 1)]
