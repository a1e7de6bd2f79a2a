"""Episodes as a kind of record."""

from collections.abc import Mapping
from typing import Any, Final

from memory.values.record_kinds import RecordKind, numbered


def cite_episode(episode_id: int | str) -> str:
    """Format `episode 7`."""
    return f"episode {episode_id}"


def _about(metadata: Mapping[str, Any], occurred_at: str) -> str:
    turns = f"turns {metadata.get('start_message_id')} to {metadata.get('end_message_id')}"
    return f"episode of session {metadata.get('session_id')}, {turns}"


EPISODE: Final = RecordKind(
    name="episode",
    plural="episodes",
    cite=lambda row, _cwd: cite_episode(row.owner_id),
    read=numbered("episode"),
    hooks="memory.episodes.hooks:EpisodeRecords",
    deleted="the episode is gone and is not made again; its turns remain",
    about=_about,
    on_request=True,
    rests_on=("turn",),
)
"""In a mixed search of 1,536 questions about ten conversations, episodes took places from the turns
with the evidence: recall@10 of turns .755 without them, .731 with them, nDCG@10 .613 and .568.
"""
