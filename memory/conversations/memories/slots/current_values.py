"""The one current value of a slot that records facts and memories fill, as of now.

It is told from the stored rows whenever it is read, and stored nowhere: when what is current is
forgotten, ended, expired or archived, the other is current again. What was said last is current; an
uncertain statement replaces no certain one, and distillation nothing that the person wrote.

Searches load this module, so it imports the rules of slots only where two statements meet.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final

from contracts.named_tuple import NamedTuple
from memory.conversations.memories.kind import cite_memory
from memory.conversations.memories.slots.fact_keys import keys_of_slot, slot_of_key
from memory.retrieval.answers.provenance import PastStatement, SourceTurn
from memory.storage import Database, utc_now
from memory.storage.action_log import AGENT, IS_CERTAIN
from memory.values.inserted_values import UNKNOWN_TIME, object_of, text_of, time_of
from memory.values.record_kinds import RecordName

_SLOTS_SQL: Final = """
SELECT DISTINCT slot FROM memories
WHERE id IN (:ids) AND slot IS NOT NULL AND status = 'active'
"""
_KEYS_SQL: Final = "SELECT category, key FROM facts WHERE id IN (:ids)"
_FACTS_SQL: Final = """
SELECT DISTINCT f.id, f.category, f.key, f.value, f.updated_at, f.source, f.metadata,
    (SELECT max(t.ts) FROM record_links AS l JOIN turns AS t ON t.id = l.turn_id
        WHERE l.source = 'fact' AND l.record_id = f.id AND l.reason = 'source')
FROM facts AS f JOIN chunks AS c ON c.source = 'fact' AND c.owner_id = CAST(f.id AS TEXT)
WHERE f.category IN (:categories) AND f.key IN (:keys)
    AND (c.hidden_from IS NULL OR c.hidden_from > :now)
"""
_COLUMNS: Final = "m.id, m.content, m.slot, m.value, m.occurred_at, m.origin, m.metadata"
_MEMORIES_SQL: Final = f"""
SELECT {_COLUMNS} FROM memories AS m WHERE m.slot IN (:slots) AND m.status = 'active'
"""
_ENDING_SQL: Final = f"""
SELECT DISTINCT {_COLUMNS} FROM memory_words AS w JOIN memories AS m ON m.id = w.memory_id
WHERE w.word IN (:words) AND m.status = 'active'
"""


class Statement(NamedTuple):
    """A memory or a fact that states the value of a slot.

    `content` is the sentence of a memory, and one made of a fact; `text` is how it is shown, and
    `now` the same beside its citation.
    """

    record: RecordName
    citation: str
    text: str
    now: str
    content: str
    slot: str
    value: str
    said_at: str
    is_certain: bool = True
    is_by_user: bool = False
    is_distilled: bool = False


class Replacement(NamedTuple):
    """A statement that does not have the current value of its slot, and the one that has."""

    said: Statement
    current: Statement

    def past(self, turns: Sequence[SourceTurn] = ()) -> PastStatement:
        """Return what is over; `turns` said what is current."""
        by = self.current
        return PastStatement(
            statement=self.said.text,
            slot=self.said.slot,
            by=by.citation,
            record=by.record,
            now=by.now,
            date=by.said_at[:10],
            turns=tuple(turns),
        )


def current_values(
    database: Database, *, memories: Collection[int] = (), facts: Collection[int] = ()
) -> dict[RecordName, Replacement]:
    """Return those of these records that do not have the current value of their slot, each with the
    statement that has.

    Archived memories, and facts that are over, are not among them: they say so themselves.
    """
    if not (memories or facts) or not has_facts(database):
        return {}
    slots = _slots(database, memories, facts)
    stated = [one for slot in slots for one in _facts_of(database, slot)]
    if not stated:
        return {}
    stated += map(_of_memory, database.read(_MEMORIES_SQL, {"slots": list(slots)}))
    found: dict[RecordName, Replacement] = {}
    for slot in slots:
        found |= _replaced(database, slot, [one for one in stated if one.slot == slot])
    asked = {RecordName("memory", str(each)) for each in memories}
    asked |= {RecordName("fact", str(each)) for each in facts}
    return {record: one for record, one in found.items() if record in asked}


def has_facts(database: Database) -> bool:
    """Return whether there are facts; a file of an older version that is only read has no table."""
    return bool(database.read_once("SELECT 1 FROM chunks WHERE source = 'fact' LIMIT 1"))


def agree(one: Statement, other: Statement) -> bool:
    """Return whether two statements of a slot can both be true: one value, or one in detail."""
    from ingest import Slot, slot_of
    from memory.conversations.memories.comparison.slot_conflict import contradicts

    both = ((one, other), (other, one))
    return any(
        not contradicts(slot_of(each.content) or Slot(each.slot, each.value), against)
        for each, against in both
    )


def _slots(database: Database, memories: Collection[int], facts: Collection[int]) -> list[str]:
    """Return the slots of these records that facts may fill."""
    found: dict[str | None, None] = {}
    if memories:
        rows = database.read(_SLOTS_SQL, {"ids": list(memories)})
        found |= dict.fromkeys(row[0] for row in rows)
    if facts:
        rows = database.read(_KEYS_SQL, {"ids": list(facts)})
        found |= dict.fromkeys(slot_of_key(*row) for row in rows)
    return [slot for slot in found if slot is not None and keys_of_slot(slot) is not None]


def _facts_of(database: Database, slot: str) -> list[Statement]:
    """Return the present facts that fill a slot."""
    names = keys_of_slot(slot)
    if names is None:
        return []
    values = {"categories": list(names.categories), "keys": list(names.keys), "now": utc_now()}
    found = (_of_fact(slot, names.sentence, *row) for row in database.read(_FACTS_SQL, values))
    return [one for one in found if one is not None]


def _of_fact(
    slot: str,
    sentence: str,
    fact_id: int,
    *columns: Any,
) -> Statement | None:
    """Return a fact as a statement of a slot; None for a value that does not fill it."""
    from ingest import slot_of

    category, key, value, written_at, source, metadata, said_at = columns
    updated_at = time_of(written_at, otherwise=UNKNOWN_TIME)
    for content in (value, sentence.replace("{}", value)):
        held = slot_of(content)
        if held is not None and held.name == slot and held.value:
            break
    else:
        return None
    is_by_user = source == "user"
    return Statement(
        record=RecordName("fact", str(fact_id)),
        citation=f"fact {category}/{key}",
        text=f"{key.replace('_', ' ')}: {value}",
        now=value,
        content=content,
        slot=slot,
        value=held.value,
        said_at=updated_at if is_by_user else min(said_at or updated_at, updated_at),
        is_certain=object_of(metadata).get(IS_CERTAIN) is not False,
        is_by_user=is_by_user,
        is_distilled=source == "distillation",
    )


def _of_memory(row: Sequence[Any]) -> Statement:
    memory_id, content, slot, value, occurred_at, origin, metadata = row
    about = object_of(metadata)
    return Statement(
        record=RecordName("memory", str(memory_id)),
        citation=cite_memory(memory_id),
        text=text_of(content),
        now=text_of(content),
        content=text_of(content),
        slot=slot or "",
        value=value or "",
        said_at=occurred_at,
        is_certain=about.get(IS_CERTAIN) is not False,
        is_by_user=origin == "user" and AGENT not in about,
    )


def _replaced(
    database: Database, slot: str, stated: Sequence[Statement]
) -> dict[RecordName, Replacement]:
    """Return what replaces each statement of a slot that does not have its current value."""
    ended = _ended(database, slot, stated)
    present = [one for one in stated if one.record not in ended]
    if not present:
        return ended
    has_user = any(one.is_by_user for one in present)
    current = max(
        present,
        key=lambda one: (
            one.is_certain,
            not (has_user and one.is_distilled),
            one.said_at,
            one.record.source == "memory",
            int(one.record.record_id),
        ),
    )
    others = [one for one in present if one != current and not agree(one, current)]
    return {**ended, **{one.record: Replacement(one, current) for one in others}}


def _ended(
    database: Database, slot: str, stated: Sequence[Statement]
) -> dict[RecordName, Replacement]:
    """Return the facts of a slot that a memory has ended since: "no longer lives in Leiden"."""
    rows = database.read(_ENDING_SQL, {"words": [f"ends:{slot}"]})
    if not rows:
        return {}
    from ingest import slot_of
    from memory.conversations.memories.comparison.endings import ending_of, endings_in
    from memory.conversations.memories.comparison.sentence_similarity import sentence

    ends = [
        (_of_memory(row), ending_of(said)) for row in rows for said in endings_in(object_of(row[6]))
    ]
    return {
        one.record: Replacement(one, by)
        for by, ending in sorted(ends, key=lambda each: each[0].said_at)
        for one in stated
        if one.record.source == "fact"
        and by.is_certain
        and by.said_at > one.said_at
        and ending.covers(sentence(one.content), slot_of(one.content))
    }
