"""Episodic memory, importable as `memory.episodic`.

Creating episodes, scoring their importance and surprise, and how well they are remembered. Each
function takes an open workspace: `MemoryManager.workspace`.
"""

from memory.episodes.forming import FormingReport, form_episodes
from memory.episodes.listing import (
    EpisodeFilter,
    EpisodePage,
    list_episodes,
    read_episode,
)
from memory.episodes.reinforcement import UseReport, maintain_retrievability, note_used
from memory.episodes.retention import first_review, retrievability, reviewed
from memory.episodes.scoring import importance, surprise
from memory.episodes.values import Episode, EpisodeContent

__all__ = [
    "Episode",
    "EpisodeContent",
    "EpisodeFilter",
    "EpisodePage",
    "FormingReport",
    "UseReport",
    "first_review",
    "form_episodes",
    "importance",
    "list_episodes",
    "maintain_retrievability",
    "note_used",
    "read_episode",
    "retrievability",
    "reviewed",
    "surprise",
]
