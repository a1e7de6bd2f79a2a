"""Completion of episodes that another program inserted: they have -1 messages.

`INSERT INTO episodic_memory (session_id, start_message_id, end_message_id, summary)` is enough.
The turns from the first to the last belong to it then; an episode that had some of them is
summarised again from its others. One whose turns are not here stands for itself.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from memory.conversations.turns.values import Turn
from memory.episodes import scoring
from memory.episodes.building import EpisodeWriter, built, record_text
from memory.episodes.store import EpisodeStore
from memory.episodes.summaries.word_counts import WordCounts
from memory.episodes.values import Episode
from memory.index.record_chunks import RecordVectors, record_vectors
from memory.values.inserted_values import UNKNOWN_TIME, text_of, time_of
from memory.workspace import Workspace

_TIMES: Final = ("last_accessed_at", "created_at", "updated_at", "started_at", "ended_at")


def complete_episode(workspace: Workspace, row: Episode) -> None:
    """Give an episode its turns, times and scores."""
    database = workspace.storage.database
    store = EpisodeStore(database)
    ends = str(row.session_id), row.start_message_id, row.end_message_id
    first = _whole(workspace, row, store.between(*ends))
    known = record_vectors(workspace, [record_text(first)] if first.summary else [])
    with database.erasing(), database.transaction() as tx:
        if store.get(row.id) is None:  # somebody has removed it meanwhile
            return
        writer, turns = EpisodeWriter(workspace, tx, known), store.between(*ends)
        before = store.many(store.of_turns(turn.id for turn in turns))
        store.assign(tx, [turn.id for turn in turns], row.id)
        others = EpisodeWriter(workspace, tx, RecordVectors())
        for episode in (one for one in before if one.id != row.id):
            left = store.turns([episode.id])
            if not left:
                others.remove(episode.id)
            elif episode.summary:
                others.rewrite(built(workspace, left, episode))
        writer.rewrite(_whole(workspace, row, turns))


def _whole(workspace: Workspace, row: Episode, turns: Sequence[Turn]) -> Episode:
    """Return an episode with what the program adds; what was given stays."""
    times: dict[str, Any] = {
        name: time_of(getattr(row, name), otherwise=UNKNOWN_TIME) for name in _TIMES
    }
    times["started_at"] = turns[0].ts if turns else times["created_at"]
    times["ended_at"] = turns[-1].ts if turns else times["created_at"]
    if not row.retrieval_count:
        times["last_accessed_at"] = times["ended_at"]
    summary = text_of(row.summary).strip()
    return replace(
        row,
        **times,
        summary=summary,
        importance_score=row.importance_score or _importance(workspace, turns),
        surprise_score=row.surprise_score or _surprise(workspace, row, times["started_at"]),
        message_count=len(turns),
    )


def _importance(workspace: Workspace, turns: Sequence[Turn]) -> float:
    found = scoring.found_in(workspace, [turn.id for turn in turns])
    return scoring.importance([turn.body for turn in turns], found)


def _surprise(workspace: Workspace, row: Episode, until: str) -> float:
    summary, counts = text_of(row.summary), WordCounts(workspace.storage)
    known = scoring.known_before(workspace, counts, summary, until=until, without=row.id)
    return scoring.surprise(known, summary)
