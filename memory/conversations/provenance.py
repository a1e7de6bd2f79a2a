"""The sources of memories, and the statements of turns that are over, for the hits of a search.

A search loads this module when it found turns or memories, so it imports little.
"""

from collections.abc import Collection, Iterable
from typing import Any, Final

from memory.conversations.memories.kind import cite_memory
from memory.conversations.turns.kind import cite_turn
from memory.retrieval.provenance import PastStatement, Provenance, SourceTurn
from memory.storage import Database
from memory.values.inserted_values import text_of

_IS_FIRST: Final = """NOT EXISTS (SELECT 1 FROM memory_links AS first
    WHERE first.memory_id = l.memory_id
    AND (first.created_at, first.turn_id) < (l.created_at, l.turn_id))"""
STATES: Final = f"(l.reason <> 'conflict' OR {_IS_FIRST})"
"""The condition of a link to a turn that stated the memory; any other turn ended it."""

_ARCHIVED_SQL: Final = f"""
SELECT l.memory_id, l.turn_id FROM memory_links AS l JOIN memories AS m ON m.id = l.memory_id
WHERE l.turn_id IN (:turns) AND m.status = 'archived' AND {STATES}
"""
_MEMORIES_SQL: Final = """
SELECT id, content, slot, value, superseded_by, occurred_at FROM memories WHERE id IN (:ids)
"""
_TURNS_SQL: Final = f"""
SELECT l.memory_id, l.turn_id, t.session_id, t.ts, l.start_char
FROM memory_links AS l JOIN turns AS t ON t.id = l.turn_id
WHERE l.memory_id IN (:ids) AND {STATES} ORDER BY t.ts DESC, t.id DESC
"""
_ENDED_SQL: Final = f"""
SELECT l.memory_id, l.turn_id, t.session_id, t.ts, l.start_char
FROM memory_links AS l JOIN turns AS t ON t.id = l.turn_id
WHERE l.memory_id IN (:ids) AND NOT {STATES} ORDER BY t.ts, t.id
"""


def provenance_of(
    database: Database, *, memories: Collection[int], turns: Collection[int]
) -> Provenance:
    """Return the sources of memories, and the statements of turns that are over.

    One query for memories, one for turns, and more only for statements that are over.
    """
    past = database.read(_ARCHIVED_SQL, {"turns": list(turns)}) if turns else []
    return Provenance(
        sources=_turns_of(database, memories, _TURNS_SQL) if memories else {},
        past=_past_statements(database, past) if past else {},
    )


def _turns_of(
    database: Database, memory_ids: Iterable[int], sql: str
) -> dict[int, list[SourceTurn]]:
    found: dict[int, list[SourceTurn]] = {}
    for memory_id, turn_id, session_id, ts, start in database.read(sql, {"ids": [*memory_ids]}):
        turn = SourceTurn(turn_id, session_id, ts, cite_turn(session_id, turn_id, ts), start)
        found.setdefault(memory_id, []).append(turn)
    return found


def _past_statements(
    database: Database, links: Collection[tuple[int, int]]
) -> dict[int, list[PastStatement]]:
    """Return the statements that are over by turn, oldest memory first.

    A memory that was archived and not replaced is over only if a turn ended it. What a turn itself
    has corrected, and what was said again since or in more detail, is not.
    """
    rows = _with_successors(database, {memory_id for memory_id, _ in links})
    last = {memory_id: _last(rows, memory_id) for memory_id, _ in links}
    sources = _turns_of(database, set(last.values()), _TURNS_SQL)
    alone = [one for one, successor in last.items() if one == successor]
    ended = _turns_of(database, alone, _ENDED_SQL) if alone else {}
    found: dict[int, list[PastStatement]] = {}
    for memory_id, turn_id in sorted(set(links)):
        successor = last[memory_id]
        over = None
        if successor == memory_id:
            if ended.get(memory_id):
                over = _taken_back(rows[memory_id], ended[memory_id][0])
        elif not _agree(rows[memory_id], rows[successor]):
            over = _replaced(rows[memory_id], rows[successor], sources.get(successor, []))
        if over is not None and all(turn.turn_id != turn_id for turn in over.turns):
            found.setdefault(turn_id, []).append(over)
    return found


def _with_successors(database: Database, memory_ids: Collection[int]) -> dict[int, Any]:
    """Return the rows of memories and of all that followed them, by id."""
    rows: dict[int, Any] = {}
    wanted = set(memory_ids)
    while wanted:
        for row in database.read(_MEMORIES_SQL, {"ids": sorted(wanted)}):
            rows[row[0]] = row
        wanted = {row[4] for row in rows.values() if row[4] is not None} - rows.keys()
    return rows


def _last(rows: dict[int, Any], memory_id: int) -> int:
    """Return the last of those that followed a memory."""
    seen = [memory_id]
    while (successor := rows[seen[-1]][4]) in rows and successor not in seen:
        seen.append(successor)
    return seen[-1]


def _agree(old: Any, new: Any) -> bool:
    """Return whether a memory holds the same as one before it, or that in more detail."""
    if old[2] is None:
        return text_of(old[1]).casefold() == text_of(new[1]).casefold()
    return old[2] == new[2] and f"{new[3]} ".replace(",", " ").startswith(f"{old[3]} ")


def _replaced(old: Any, new: Any, turns: list[SourceTurn]) -> PastStatement:
    return PastStatement(
        statement=text_of(old[1]),
        slot=old[2],
        by=cite_memory(new[0]),
        memory_id=new[0],
        now=text_of(new[1]),
        date=new[5][:10],
        turns=tuple(turns),
    )


def _taken_back(old: Any, turn: SourceTurn) -> PastStatement:
    return PastStatement(
        statement=text_of(old[1]),
        slot=old[2],
        by=turn.citation,
        memory_id=None,
        now=None,
        date=turn.ts[:10],
        turns=(turn,),
    )
