"""Values of episodes: rows, and an episode as it is shown."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from memory.conversations.turns.showing import DisplayTurn

Author: TypeAlias = Literal["extract", "llm"]


@dataclass(frozen=True, slots=True)
class Episode:
    """A row of `episodic_memory`: a stretch of one session with its summary.

    start_message_id, end_message_id  the first and the last of its `message_count` turns, in the
                       order in which they were said, at `started_at` and `ended_at`; an episode
                       that another program inserted for turns that are not here has none
    summary            "" for one that was forgotten: it only keeps its turns
    importance_score, surprise_score  in [0, 1], see `memory.episodes.scoring`
    stability          days after which it is recalled with a probability of .9
    difficulty         1 to 10
    retrievability     the probability of recall when it was last maintained, in [0, 1]
    retrieval_count    how often it was reinforced, the last time at `last_accessed_at`, which is
                       `ended_at` before the first time
    session_id         a text, or as a list or a single reading shows it a number if it is whole
    written_by         `extract`: the summary has the session's own sentences; `llm`: a language
                       model wrote it, after `model_tries` tries that failed, or another program

    Times are ISO 8601 UTC.
    """

    id: int
    session_id: str | int
    start_message_id: int
    end_message_id: int
    summary: str
    importance_score: float
    surprise_score: float
    stability: float
    difficulty: float
    retrievability: float
    retrieval_count: int
    last_accessed_at: str
    created_at: str
    updated_at: str
    started_at: str
    ended_at: str
    message_count: int
    written_by: Author = "extract"
    model_tries: int = 0


@dataclass(frozen=True, slots=True)
class EpisodeContent:
    """An episode with its turns; `retrievability` is the present one."""

    episode: Episode
    citation: str
    retrievability: float
    turns: list[DisplayTurn]
