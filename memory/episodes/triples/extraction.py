"""Extraction of facts from important episodes; repeating it changes nothing.

An episode is read once, and again after it or a memory of it has changed: `facts_at` is empty until
then. Each is one transaction with its mark, so that a process that is killed loses and doubles
nothing.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from contracts.named_tuple import NamedTuple
from memory.conversations.memories.store import MemoryStore
from memory.episodes import scoring
from memory.episodes.store import EpisodeStore
from memory.episodes.triples.store import TripleStore
from memory.episodes.triples.writing import TripleWriter, vectors_ahead
from memory.storage import utc_now
from memory.workspace import Workspace

_AT_ONCE: Final = 50


class ExtractionReport(NamedTuple):
    """The number of episodes read, of all facts now, and of the current ones among them."""

    episodes: int
    facts: int
    current: int


def is_due(workspace: Workspace) -> bool:
    """Return whether an episode is to be read."""
    if not workspace.config.semantic.enabled:
        return False
    return bool(TripleStore(workspace.storage.database).unread(limit=1))


def extract_facts(
    workspace: Workspace, *, is_ended: Callable[[], bool] = lambda: False
) -> ExtractionReport:
    """Read every episode that has not been read, the earliest first.

    `is_ended` stops it between two transactions; the next run does the rest.
    """
    store, read = TripleStore(workspace.storage.database), 0
    while waiting := store.unread(limit=_AT_ONCE):
        for episode_id in waiting:
            if is_ended():
                return ExtractionReport(read, *store.counts())
            _read(workspace, episode_id)
            read += 1
    return ExtractionReport(read, *store.counts())


def _read(workspace: Workspace, episode_id: int) -> None:
    """Read an episode: its importance by what is remembered of it now, then its facts."""
    store = TripleStore(workspace.storage.database)
    ahead = store.memories_of_episodes([episode_id])
    known = vectors_ahead(workspace, MemoryStore(workspace.storage).get_many(ahead).values())
    with workspace.storage.database.transaction() as tx:
        episodes = EpisodeStore(workspace.storage.database)
        episode = episodes.get(episode_id)
        if episode is None:
            return
        turns = episodes.turns([episode_id])
        found = scoring.found_in(workspace, [turn.id for turn in turns])
        importance = scoring.importance([turn.body for turn in turns], found)
        if importance != episode.importance_score:
            episodes.update(tx, replace(episode, importance_score=importance))
        TripleWriter(workspace, tx, known=known).derive(store.memories_of_episodes([episode_id]))
        store.mark_read(tx, episode_id, utc_now())
