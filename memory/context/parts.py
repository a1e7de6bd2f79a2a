"""Parts of a context, each made of what was found: a turn, a memory, a record or a passage."""

from collections.abc import Sequence
from dataclasses import replace

from ingest.pii import without_secrets
from memory.context.excerpts import excerpt
from memory.context.turn_ranking import shown_score
from memory.context.values import Part, PartKind
from memory.conversations.memories.kind import cite_memory
from memory.conversations.memories.values import Memory
from memory.conversations.turns.kind import cite_turn
from memory.conversations.turns.values import Turn
from memory.records.questions.loops import AskedLoop
from memory.values.citations import shown_session
from memory.values.record_kinds import RecordKinds
from memory.values.user_folders import working_folder
from search import RankedHit


def turn_part(
    kind: PartKind,
    turn: Turn,
    text: str,
    *,
    is_excerpt: bool,
    score: float | None = None,
) -> Part:
    """Return a turn, or some of its text, as a part of a context."""
    return Part(
        kind,
        text,
        citation=cite_turn(turn.session_id, turn.id, turn.ts),
        speaker=turn.speaker,
        occurred_at=turn.ts,
        session_id=shown_session(turn.session_id),
        turn_id=turn.id,
        role=turn.role,
        score=score,
        is_excerpt=is_excerpt,
    )


def memory_part(kind: PartKind, memory: Memory, score: float | None = None) -> Part:
    """Return a memory as a part of a context."""
    return Part(
        kind,
        memory.content,
        citation=cite_memory(memory.id),
        occurred_at=memory.occurred_at,
        memory_id=memory.id,
        score=score,
    )


def triple_part(kinds: RecordKinds, hit: RankedHit) -> Part:
    """Return a fact as a part of a context."""
    newest = max(memories_of(hit), default=None)  # none of a fact that another program inserted
    return replace(_record_part("triple", kinds, hit), memory_id=newest)


def episode_part(kinds: RecordKinds, hit: RankedHit) -> Part:
    """Return an episode as a part of a context."""
    part = _record_part("episode", kinds, hit)
    return replace(part, session_id=hit.row.metadata["session_id"])


def _record_part(kind: PartKind, kinds: RecordKinds, hit: RankedHit) -> Part:
    return Part(
        kind,
        hit.row.text,
        citation=kinds[hit.row.source].cite(hit.row, working_folder()),
        occurred_at=hit.row.occurred_at,
        score=shown_score(hit),
    )


def file_part(kinds: RecordKinds, hit: RankedHit, asked: Sequence[str]) -> Part:
    """Return a passage of a file or an ingested text, with its secrets masked."""
    text, is_excerpt = excerpt(without_secrets(hit.row.text), asked)
    citation = kinds[hit.row.source].cite(hit.row, working_folder())
    return Part("file", text, citation=citation, score=shown_score(hit), is_excerpt=is_excerpt)


def record_part(kinds: RecordKinds, hit: RankedHit, asked: Sequence[str]) -> Part:
    """Return what agents keep, with its secrets masked, and what it is in brackets."""
    row = hit.row
    text, is_excerpt = excerpt(without_secrets(row.text), asked)
    about = kinds[row.source].about(row.metadata, row.occurred_at)
    part = _record_part("record", kinds, hit)
    return replace(part, text=f"{text} ({about})", is_excerpt=is_excerpt)


def loop_part(asked: AskedLoop) -> Part:
    """Return a loop that was asked for, with the turns that opened and closed it."""
    loop = asked.loop
    return Part("record", asked.text, loop.citation, occurred_at=loop.last_mentioned, score=1.0)


def turn_id_of(hit: RankedHit) -> int:
    """Return the turn of a hit."""
    return int(hit.row.metadata["turn_id"])


def memories_of(triple: RankedHit) -> list[int]:
    """Return the memories that a triple is the face of."""
    found: list[int] = triple.row.metadata["memory_ids"]
    return found


def memory_id_of(hit: RankedHit) -> int:
    """Return the memory of a hit."""
    return int(hit.row.metadata["memory_id"])
