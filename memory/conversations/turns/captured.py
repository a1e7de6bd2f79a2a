"""Turns captured from transcripts of agents, and whether a model elsewhere may read them."""

from typing import Final

from memory.config.settings import MemoryConfig
from memory.conversations.turns.values import Turn
from memory.index.embedding.remote_texts import is_captured, is_this_machine

CAPTURED: Final = "captured"
"""The reason under which turns are counted that no model elsewhere may read."""


def captured(turn: Turn) -> bool:
    """Return whether a turn comes from a transcript of an agent."""
    return is_captured(turn.metadata)


def is_held_back(turn: Turn, config: MemoryConfig, endpoint: str) -> bool:
    """Return whether a language model at this address must not see a turn."""
    return captured(turn) and not (config.capture.remote_models or is_this_machine(endpoint))
