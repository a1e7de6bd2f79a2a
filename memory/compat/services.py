"""The services of Symbiosis-Memory under their names there, each over an open database.

They hold no state; users of `MemoryManager` or the functions do not need them.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from ingest import Candidate, Utterance, extract, privacy_requests_in
from memory.context.building import build_context
from memory.context.request import USUAL_K, ContextRequest
from memory.context.session_memories import short_term
from memory.context.values import Context
from memory.conversations.lifecycle import GcReport, MemoryStats, collect_garbage, read_stats
from memory.conversations.memories.editing import get_memory
from memory.conversations.memories.gc import policy_of
from memory.conversations.memories.gc_policy import worth
from memory.conversations.memories.scoring import Decomposition
from memory.conversations.pipeline import TurnResult, process_turns
from memory.conversations.privacy_requests import beside
from memory.conversations.turns.values import NewTurn, Turn
from memory.workspace import Workspace


class MemoryOrchestrator:
    """Scores of memories, recent turns of a session, and garbage collection."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def score(self, memory_id: int) -> Decomposition:
        """Return the current score of a memory with its parts. Raises NotFoundError."""
        return worth(get_memory(self._workspace, memory_id), policy_of(self._workspace))

    def short_term(self, session_id: str) -> list[Turn]:
        """Return the newest turns of a session, in their order."""
        return short_term(self._workspace, session_id, now=datetime.now(UTC))

    def collect(self, *, dry_run: bool = False) -> GcReport:
        """Score all memories, promote strong ones and remove faded ones."""
        return collect_garbage(self._workspace, dry_run=dry_run)


class ContextService:
    """Builds the context of a conversation from its last turns and the most important memories."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def get_context(
        self, session_id: str, *, k: int = USUAL_K, query: str | None = None
    ) -> Context:
        """See `memory.context.building.build_context`."""
        return build_context(self._workspace, ContextRequest(session_id, query, k=k))


class Extractor:
    """Extracts memories from utterances and stores them.

    The rules run at once; a configured language model runs later.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def extract(self, utterance: Utterance) -> list[Candidate]:
        """Return what the rules find in it beside its requests; nothing is stored."""
        return beside(extract(utterance), privacy_requests_in(utterance))

    def listen(self, turns: Sequence[NewTurn]) -> list[TurnResult]:
        """Store turns and remember the facts found, see `process_turns`."""
        return process_turns(self._workspace, turns)


class GCService:
    """Runs the garbage collection of memories."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def run(self, *, dry_run: bool = False) -> GcReport:
        """See `memory.conversations.lifecycle.collect_garbage`."""
        return collect_garbage(self._workspace, dry_run=dry_run)

    def stats(self) -> MemoryStats:
        """See `memory.conversations.lifecycle.read_stats`."""
        return read_stats(self._workspace)
