"""Episodes of a conversation."""

import pytest

from memory.episodes.forming import form_episodes
from memory.workspace import Workspace
from tests.memory.episodes.said import BOAT, CAKE, LATER, say


@pytest.fixture
def told(memory: Workspace) -> Workspace:
    """Two episodes of one session, which ended on 4 March 2026."""
    say(memory, (*BOAT, *CAKE))
    form_episodes(memory, now=LATER)
    return memory
