"""What a test captures from a transcript, and what is stored then."""

from pathlib import Path

from ingest.histories.agents.messages import ReadOptions
from ingest.histories.agents.places import Agent
from memory.conversations.capture.capturing import capture
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.workspace import Workspace


def turns_of(memory: Workspace) -> list[Turn]:
    """All turns, in the order in which they were stored."""
    rows = memory.storage.database.read("SELECT id FROM turns ORDER BY id")
    store = TurnStore(memory.storage.database)
    return [turn for row in rows if (turn := store.get(row[0]))]


def take(memory: Workspace, agent: Agent, path: Path, *, tool_output: bool = False) -> int:
    """Capture a transcript; the number of new turns."""
    options = ReadOptions(tool_output=tool_output)
    return sum(len(one.results) for one in capture(memory, agent, path, options=options))
