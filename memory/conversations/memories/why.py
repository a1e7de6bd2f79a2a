"""The explanation of a memory: its score, its sources, the actions on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from memory.conversations.memories.gc_policy import weights_of
from memory.conversations.memories.scoring import age_in_days, decompose
from memory.conversations.memories.slots.showing import read_memory
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import LinkReason, Memory, MemoryLink, ShownMemory
from memory.conversations.turns.kind import cite_turn
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.storage.action_log import Action, actions_of
from memory.values.citations import shown_session
from memory.workspace import Workspace

MOST_SOURCES: Final = 50
MOST_ACTIONS: Final = 20
_LONGEST_QUOTE: Final = 500


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """A current score, term by term; the terms add up to `total`.

    `stored` is the score when the memory was last said or rescored; lists are sorted by it.
    """

    frequency: float
    recency: float
    importance: float
    total: float
    stored: float


@dataclass(frozen=True, slots=True)
class SourceTurn:
    """A turn linked to a memory, and the reason: `source`, `merge` or `conflict`.

    `quote` is the evidence of the rule `rule`, or the turn's text, cut when it is long.
    """

    turn_id: int
    session_id: str | int
    citation: str
    said_at: str
    role: str
    speaker: str | None
    reason: LinkReason
    rule: str
    quote: str


@dataclass(frozen=True, slots=True)
class RelatedMemory:
    """A memory that another one replaced, or its replacement."""

    id: int
    content: str
    status: str
    occurred_at: str


@dataclass(frozen=True, slots=True)
class Why:
    """The full explanation of a memory.

    `age_days` count from when it was last seen, else from when it was created. `rules` are the
    names of the rules that found it, `sources` its turns, oldest first, of which `sources_total`
    are known. `last_actions` are the actions on it, newest first.
    """

    memory: ShownMemory
    hits: int
    age_days: float
    last_seen_at: str | None
    score: ScoreBreakdown
    rules: list[str]
    sources: list[SourceTurn]
    sources_total: int
    superseded_by: RelatedMemory | None
    supersedes: list[RelatedMemory]
    last_actions: list[Action]


def why(workspace: Workspace, memory_id: int) -> Why:
    """Explain a memory, whatever its status. Raises NotFoundError for an unknown id."""
    with workspace.storage.database.snapshot():
        memory = read_memory(workspace, memory_id)
        store = MemoryStore(workspace.storage)
        links = store.links(memory_id)
        sources = _sources(workspace, links).get(memory_id, [])
        by = store.get(memory.superseded_by) if memory.superseded_by else None
        replaced = store.superseded_by(memory_id)
        done = actions_of(workspace.storage.database, memory_id, limit=MOST_ACTIONS)
    now = datetime.now(UTC)
    age_days = age_in_days(memory.last_seen_at, memory.created_at, now=now)
    return Why(
        memory=memory,
        hits=memory.hits,
        age_days=age_days,
        last_seen_at=memory.last_seen_at,
        score=_breakdown(workspace, memory, age_days),
        rules=sorted({link.rule for link in links if link.rule}),
        sources=sources[:MOST_SOURCES],
        sources_total=len(sources),
        superseded_by=_related(by) if by else None,
        supersedes=[_related(one) for one in replaced],
        last_actions=done,
    )


def evidence_of(workspace: Workspace, memory_ids: Sequence[int]) -> dict[int, list[SourceTurn]]:
    """Return the turns that each of these memories comes from, oldest first; without any, it is
    missing. Two queries, however many memories there are.
    """
    with workspace.storage.database.snapshot():
        return _sources(workspace, MemoryStore(workspace.storage).links_of(memory_ids))


def _sources(workspace: Workspace, links: Sequence[MemoryLink]) -> dict[int, list[SourceTurn]]:
    """Return the turns of links, by memory, oldest first."""
    said = TurnStore(workspace.storage.database).many({link.turn_id for link in links})
    turns = {turn.id: turn for turn in said}
    found: dict[int, list[SourceTurn]] = {}
    for link in links:
        if link.turn_id in turns:
            found.setdefault(link.memory_id, []).append(_source(link, turns[link.turn_id]))
    for sources in found.values():
        sources.sort(key=lambda source: (source.said_at, source.turn_id))
    return found


def _breakdown(workspace: Workspace, memory: Memory, age_days: float) -> ScoreBreakdown:
    parts = decompose(
        hits=memory.hits,
        importance=memory.importance,
        age_days=age_days,
        weights=weights_of(workspace.config.scoring),
    )
    return ScoreBreakdown(
        parts.frequency, parts.recency, parts.importance, parts.total, memory.score
    )


def _source(link: MemoryLink, turn: Turn) -> SourceTurn:
    quote = turn.text[link.start_char : link.end_char].strip()
    if len(quote) > _LONGEST_QUOTE:
        quote = f"{quote[:_LONGEST_QUOTE]}…"
    return SourceTurn(
        turn_id=turn.id,
        session_id=shown_session(turn.session_id),
        citation=cite_turn(turn.session_id, turn.id, turn.ts),
        said_at=turn.ts,
        role=turn.role,
        speaker=turn.speaker,
        reason=link.reason,
        rule=link.rule,
        quote=quote,
    )


def _related(memory: Memory) -> RelatedMemory:
    return RelatedMemory(memory.id, memory.content, memory.status, memory.occurred_at)
