"""The sources of memories, and the statements of turns that are over, for the hits of a search.

A search loads this module when it found turns or memories, so it imports little.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from memory.conversations.memories.kind import cite_memory
from memory.conversations.memories.slots.current_values import (
    Replacement,
    current_values,
    has_facts,
)
from memory.conversations.turns.kind import cite_turn
from memory.retrieval.answers.provenance import PastStatement, Provenance, SourceTurn
from memory.storage import Database
from memory.values.inserted_values import text_of
from memory.values.record_kinds import RecordName

_IS_FIRST: Final = """NOT EXISTS (SELECT 1 FROM memory_links AS first
    WHERE first.memory_id = l.memory_id
    AND (first.created_at, first.turn_id) < (l.created_at, l.turn_id))"""
STATES: Final = f"(l.reason <> 'conflict' OR {_IS_FIRST})"
"""The condition of a link to a turn that stated the memory; any other turn ended it."""

_STATED_SQL: Final = f"""
SELECT l.memory_id, l.turn_id, CASE WHEN m.status = 'archived' THEN 1 ELSE 0 END
FROM memory_links AS l JOIN memories AS m ON m.id = l.memory_id
WHERE l.turn_id IN (:turns) AND {STATES}
    AND (m.status = 'archived' OR (m.status = 'active' AND m.slot IS NOT NULL))
"""
_RESTING_SQL: Final = """
SELECT record_id, turn_id FROM record_links
WHERE turn_id IN (:turns) AND source = 'fact' AND reason = 'source'
"""
_EVIDENCE_SQL: Final = """
SELECT l.record_id, l.turn_id, t.session_id, t.ts, 0
FROM record_links AS l JOIN turns AS t ON t.id = l.turn_id
WHERE l.source = 'fact' AND l.reason = 'source' AND l.record_id IN (:ids)
ORDER BY t.ts DESC, t.id DESC
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
    database: Database,
    *,
    memories: Collection[int] = (),
    turns: Collection[int] = (),
    facts: Collection[int] = (),
) -> Provenance:
    """Return the sources of memories, and the statements of all these records that are over.

    One query for memories, two for turns, one for slots, and more only for what is over.
    """
    links = _links(database, turns) if turns else set()
    archived = {(int(name.record_id), turn) for name, turn, is_over in links if is_over}
    said = {(name, turn) for name, turn, is_over in links if not is_over}
    rows = _with_successors(database, {memory_id for memory_id, _ in archived})
    replaced = current_values(
        database,
        memories={*memories, *rows, *_ids("memory", said)},
        facts={*facts, *_ids("fact", said)},
    )
    current = _turns_of_current(database, replaced.values()) if replaced else {}
    over = {name: one.past(current.get(one.current.record, ())) for name, one in replaced.items()}
    past: dict[RecordName, list[PastStatement]] = {name: [one] for name, one in over.items()}
    if archived:
        for turn_id, statement in _archived_statements(database, archived, rows, replaced, current):
            _add(past, turn_id, statement)
    for name, turn_id in sorted(said, key=lambda one: (one[0].source == "fact", one)):
        if name in over and not (name.source == "fact" and _is_told(past, turn_id, over[name])):
            _add(past, turn_id, over[name])
    sources = _turns_of(database, memories, _TURNS_SQL) if memories else {}
    return Provenance(sources, past)


def _turns_of(
    database: Database, memory_ids: Iterable[int], sql: str
) -> dict[int, list[SourceTurn]]:
    found: dict[int, list[SourceTurn]] = {}
    for memory_id, turn_id, session_id, ts, start in database.read(sql, {"ids": [*memory_ids]}):
        turn = SourceTurn(turn_id, session_id, ts, cite_turn(session_id, turn_id, ts), start)
        found.setdefault(memory_id, []).append(turn)
    return found


def _links(database: Database, turns: Collection[int]) -> set[tuple[RecordName, int, bool]]:
    """Return the memories and facts that turns stated, with the turn; true: it is archived."""
    values = {"turns": list(turns)}
    memories = database.read(_STATED_SQL, values)
    facts = database.read(_RESTING_SQL, values) if has_facts(database) else []
    return {
        *((RecordName("memory", str(key)), turn, is_over == 1) for key, turn, is_over in memories),
        *((RecordName("fact", str(key)), turn, False) for key, turn in facts),
    }


def _turns_of_current(
    database: Database, replaced: Iterable[Replacement]
) -> dict[RecordName, list[SourceTurn]]:
    """Return the turns that said what is current, by memory or fact, the latest first."""
    current = {one.current.record for one in replaced}
    found: dict[RecordName, list[SourceTurn]] = {}
    for source, sql in (("memory", _TURNS_SQL), ("fact", _EVIDENCE_SQL)):
        if ids := _ids(source, ((record, 0) for record in current)):
            turns = _turns_of(database, ids, sql)
            found |= {RecordName(source, str(key)): value for key, value in turns.items()}
    return found


def _ids(source: str, said: Iterable[tuple[RecordName, int]]) -> set[int]:
    return {int(record.record_id) for record, _ in said if record.source == source}


def _add(
    past: dict[RecordName, list[PastStatement]], turn_id: int, statement: PastStatement
) -> None:
    """Note a statement of a turn that is over, unless the turn says what is true now, too."""
    known = past.setdefault(RecordName("turn", str(turn_id)), [])
    if statement not in known and all(turn.turn_id != turn_id for turn in statement.turns):
        known.append(statement)


def _is_told(
    past: Mapping[RecordName, Sequence[PastStatement]], turn_id: int, statement: PastStatement
) -> bool:
    """Return whether a memory of the turn told already that its value of this slot is over."""
    known = past.get(RecordName("turn", str(turn_id)), ())
    return any((one.slot, one.by) == (statement.slot, statement.by) for one in known)


def _archived_statements(
    database: Database,
    links: Collection[tuple[int, int]],
    rows: Mapping[int, Any],
    replaced: Mapping[RecordName, Replacement],
    turns: Mapping[RecordName, Sequence[SourceTurn]],
) -> Iterator[tuple[int, PastStatement]]:
    """Yield the turns and their statements that are over since a memory is archived, oldest first.

    One that was archived and not replaced is over only if a turn ended it. What was said again
    since, or in more detail, is not over. A fact may be current in place of the last memory.
    """
    last = {memory_id: _last(rows, memory_id) for memory_id, _ in links}
    sources = _turns_of(database, set(last.values()), _TURNS_SQL)
    alone = [one for one, successor in last.items() if one == successor]
    ended = _turns_of(database, alone, _ENDED_SQL) if alone else {}
    for memory_id, turn_id in sorted(links):
        old, successor = rows[memory_id], last[memory_id]
        by = replaced.get(RecordName("memory", str(successor)))
        if successor == memory_id:
            if ended.get(memory_id):
                yield turn_id, _taken_back(old, ended[memory_id][0])
        elif by is not None:
            if not _agree(old, (0, by.current.text, by.current.slot, by.current.value)):
                over = by.past(turns.get(by.current.record, ()))
                yield turn_id, over._replace(statement=text_of(old[1]), slot=old[2])
        elif not _agree(old, rows[successor]):
            yield turn_id, _replaced(old, rows[successor], sources.get(successor, []))


def _with_successors(database: Database, memory_ids: Collection[int]) -> dict[int, Any]:
    """Return the rows of memories and of all that followed them, by id."""
    rows: dict[int, Any] = {}
    wanted, sought = set(memory_ids), set[int]()
    while wanted:
        for row in database.read(_MEMORIES_SQL, {"ids": sorted(wanted)}):
            rows[row[0]] = row
        sought |= wanted  # another program may have written a successor that is not there
        wanted = {row[4] for row in rows.values() if isinstance(row[4], int)} - sought
    return rows


def _last(rows: Mapping[int, Any], memory_id: int) -> int:
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
        record=RecordName("memory", str(new[0])),
        now=text_of(new[1]),
        date=new[5][:10],
        turns=tuple(turns),
    )


def _taken_back(old: Any, turn: SourceTurn) -> PastStatement:
    return PastStatement(
        statement=text_of(old[1]),
        slot=old[2],
        by=turn.citation,
        record=None,
        now=None,
        date=turn.ts[:10],
        turns=(turn,),
    )
