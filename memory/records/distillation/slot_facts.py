"""The facts that a turn states, as far as its memories hold one value: a home, a job, a diet.

Nothing is extracted a second time: a memory that is archived, or not certain, becomes no fact.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from contracts.named_tuple import NamedTuple
from ingest import slot_of
from memory.conversations.memories.slots.fact_keys import keys_of_slot, slot_of_key
from memory.conversations.memories.slots.withdrawn_facts import WITHDRAWN, withdraw
from memory.conversations.provenance import STATES
from memory.conversations.turns.values import Turn
from memory.records.kind import FACT
from memory.records.store import FORMER
from memory.storage import Database, Transaction
from memory.storage.action_log import AGENT, IS_CERTAIN
from memory.values.inserted_values import object_of, text_of

if TYPE_CHECKING:
    from ingest.distillation import StatedFact

_STATING: Final = f"""m.status = 'active' AND m.slot IS NOT NULL AND {STATES}
    AND NOT EXISTS (SELECT 1 FROM record_links AS w
        WHERE w.source = '{WITHDRAWN}' AND w.record_id = m.id AND w.turn_id = l.turn_id)"""
_MEMORIES_SQL: Final = f"""
SELECT m.id, m.content, m.slot, m.metadata, l.start_char, l.end_char
FROM memory_links AS l JOIN memories AS m ON m.id = l.memory_id
WHERE l.turn_id = :turn_id AND {_STATING}
ORDER BY m.id
"""
_COPIES_SQL: Final = """
SELECT DISTINCT v.id, f.category, f.key, v.value, m.content, m.slot
FROM memories AS m JOIN memory_links AS l ON l.memory_id = m.id
    JOIN record_links AS r ON r.source = :links AND r.turn_id = l.turn_id AND r.reason = 'source'
    JOIN {values} AS v ON v.id = r.record_id JOIN facts AS f ON f.id = v.{fact}
WHERE m.id IN (:ids) AND m.slot IS NOT NULL AND v.source = 'distillation'
    AND NOT EXISTS (SELECT 1 FROM record_links AS other
        WHERE other.source = r.source AND other.record_id = v.id AND other.reason = 'source'
        AND other.turn_id NOT IN
            (SELECT turn_id FROM memory_links WHERE memory_id IN (:ids)))
"""
_PRESENT_SQL: Final = _COPIES_SQL.format(values="facts", fact="id")
_FORMER_SQL: Final = _COPIES_SQL.format(values="fact_history", fact="fact_id")
_TEXT_SQL: Final = """
SELECT f.id, f.value FROM facts AS f
WHERE f.category = :category AND f.key = :key AND f.source = 'distillation'
    AND NOT EXISTS (SELECT 1 FROM record_links AS other
        WHERE other.source = 'fact' AND other.record_id = f.id AND other.reason = 'source'
        AND EXISTS (SELECT 1 FROM memory_links WHERE memory_id = :id)
        AND other.turn_id NOT IN (SELECT turn_id FROM memory_links WHERE memory_id = :id)
        AND other.turn_id NOT IN (SELECT l.turn_id FROM memory_links AS l
            JOIN memories AS m ON m.id = l.memory_id
            WHERE m.slot = :slot AND m.status = 'archived'))
    AND NOT EXISTS (SELECT 1 FROM record_links AS r
        JOIN memory_links AS l ON l.turn_id = r.turn_id JOIN memories AS m ON m.id = l.memory_id
        WHERE r.source = 'fact' AND r.record_id = f.id AND r.reason = 'source'
        AND m.id <> :id AND m.slot = :slot AND m.status = 'active')
"""
"""The fact of a text that rests on its memory alone, and on archived ones of the slot; a deleted
one may have lost its links.
"""
_FORMER_TEXT_SQL: Final = """
SELECT v.id, v.value FROM fact_history AS v JOIN facts AS f ON f.id = v.fact_id
WHERE f.category = :category AND f.key = :key AND v.source = 'distillation'
    AND EXISTS (SELECT 1 FROM record_links AS r WHERE r.source = 'former_fact'
        AND r.record_id = v.id AND r.reason = 'source')
    AND NOT EXISTS (SELECT 1 FROM record_links AS r WHERE r.source = 'former_fact'
        AND r.record_id = v.id AND r.reason = 'source'
        AND r.turn_id NOT IN (SELECT turn_id FROM memory_links WHERE memory_id = :id))
"""
"""The former value of a text that rests on its memory alone."""
_RIVALS_SQL: Final = """
SELECT id FROM memories WHERE status = 'active' AND slot IN (:slots) AND id NOT IN (:ids)
"""
_NAMED_SQL: Final = "SELECT category, key, value FROM facts WHERE id IN (:ids)"
_OF_SLOT_SQL: Final = """
SELECT id, value FROM facts
WHERE category IN (:categories) AND key IN (:keys) AND source = 'distillation'
    AND NOT EXISTS (SELECT 1 FROM fact_history AS h WHERE h.fact_id = facts.id)
"""
_SLOTS_SQL: Final = "SELECT slot, id FROM memories WHERE id IN (:ids) AND slot IS NOT NULL"
_STATED_BY_SQL: Final = f"""
SELECT l.turn_id, m.id, m.slot, coalesce(m.value, '')
FROM memory_links AS l JOIN memories AS m ON m.id = l.memory_id JOIN turns AS t ON t.id = l.turn_id
WHERE m.id IN (:ids) AND m.metadata NOT LIKE :agents AND {_STATING}
    AND t.id <= :place AND coalesce(t.speaker, '') = ''
ORDER BY t.ts DESC, t.id DESC, m.id
"""
_WITHDRAWN_SQL: Final = f"""
SELECT m.slot, m.value, l.start_char, l.end_char FROM record_links AS w
    JOIN memories AS m ON m.id = w.record_id
    JOIN memory_links AS l ON l.memory_id = m.id AND l.turn_id = w.turn_id
WHERE w.source = '{WITHDRAWN}' AND w.turn_id = :turn_id AND m.slot IS NOT NULL
"""
_FORGOTTEN_SQL: Final = f"""
SELECT DISTINCT m.slot FROM record_links AS w JOIN memories AS m ON m.id = w.record_id
WHERE w.source = '{WITHDRAWN}' AND m.slot IS NOT NULL
"""
_FAVOURITE: Final = "user/favourite/"
_NAMES: Final[Mapping[str, tuple[str, str]]] = {
    "user/home": ("biographical", "home"),
    "user/address": ("biographical", "address"),
    "user/name": ("biographical", "name"),
    "user/last name": ("biographical", "last_name"),
    "user/nickname": ("biographical", "nickname"),
    "user/age": ("biographical", "age"),
    "user/birthday": ("biographical", "birthday"),
    "user/year of birth": ("biographical", "birth_year"),
    "user/nationality": ("biographical", "nationality"),
    "user/mother tongue": ("biographical", "native_language"),
    "user/school": ("biographical", "school"),
    "user/relationship": ("biographical", "relationship_status"),
    "user/children": ("biographical", "number_of_children"),
    "user/phone": ("biographical", "phone"),
    "user/e-mail": ("biographical", "email"),
    "user/time zone": ("biographical", "time_zone"),
    "user/pronouns": ("biographical", "pronouns"),
    "user/job/employer": ("work", "employer"),
    "user/job/role": ("work", "job_title"),
    "user/diet": ("health", "diet"),
}
"""The category and key of each slot that facts can fill."""


class StatedBy(NamedTuple):
    """The value of a slot that a turn states, by a memory."""

    turn_id: int
    memory_id: int
    slot: str
    value: str


def facts_of_memories(
    database: Database, turn: Turn, *, among: Collection[int] | None = None
) -> "Iterator[StatedFact]":
    """Yield the facts that the memories of a turn state, or some of them, in their order."""
    from ingest.distillation import StatedFact  # who stores a memory loads none of its rules

    rows = database.read(_MEMORIES_SQL, {"turn_id": turn.id})
    for number, content, slot, metadata, start, end in rows:
        names = fact_name(slot) if among is None or number in among else None
        value = _value(text_of(content), slot)
        if names and value and object_of(metadata).get(IS_CERTAIN) is not False:
            yield StatedFact(*names, value, start or 0, end or len(turn.text))


def facts_copied_from(database: Database, memory_ids: Collection[int]) -> list[int]:
    """Return the facts that distillation made of nothing but these memories, and that still have
    their value.
    """
    return _copies(database, _PRESENT_SQL, FACT.name, memory_ids)


def facts_of_texts(database: Database, former: Mapping[int, str]) -> list[int]:
    """Return the facts that distillation made of nothing but memories with these texts, which may
    have another one by now.
    """
    return _of_texts(database, _TEXT_SQL, former)


def former_of_texts(database: Database, former: Mapping[int, str]) -> list[int]:
    """Return the numbers of the former values that distillation made of nothing but memories with
    these texts, which have another one by now.
    """
    return _of_texts(database, _FORMER_TEXT_SQL, former)


def _of_texts(database: Database, sql: str, former: Mapping[int, str]) -> list[int]:
    found: list[int] = []
    for number, text in former.items():
        slot = slot_of(text)
        name = fact_name(slot.name) if slot else None
        if slot is None or name is None:
            continue
        values = {"category": name[0], "key": name[1], "id": number, "slot": slot.name}
        said = _said(_value(text, slot.name))
        found += [int(key) for key, value in database.read(sql, values) if _said(value) == said]
    return found


def rivals(database: Database, former: Mapping[int, str]) -> list[int]:
    """Return the other active memories of the slots that these texts of memories fill."""
    slots = {slot.name for slot in map(slot_of, former.values()) if slot}
    rows = database.read(_RIVALS_SQL, {"slots": sorted(slots), "ids": list(former)})
    return [int(row[0]) for row in rows]


def former_copied_from(database: Database, memory_ids: Collection[int]) -> list[int]:
    """Return the numbers of the former values that distillation made of nothing but these."""
    return _copies(database, _FORMER_SQL, FORMER, memory_ids)


def _copies(database: Database, sql: str, links: str, memory_ids: Collection[int]) -> list[int]:
    rows = database.read(sql, {"ids": list(memory_ids), "links": links})
    return [
        number
        for number, category, key, value, content, slot in rows
        if fact_name(slot) == (category, key) and _value(text_of(content), slot) == value
    ]


def same_statements(database: Database, fact_ids: Collection[int]) -> list[int]:
    """Return the facts of distillation that say what these say, under other names of their slots:
    `location/city` is another of `biographical/home`. Those with former values stay, since others
    may have stated them.
    """
    found: list[int] = []
    named = database.read(_NAMED_SQL, {"ids": list(fact_ids)})
    for category, key, value in named:
        names = keys_of_slot(slot_of_key(category, key) or "")
        if names is not None:
            about = {"categories": list(names.categories), "keys": list(names.keys)}
            rows = database.read(_OF_SLOT_SQL, about)
            found += [number for number, other in rows if _said(other) == _said(value)]
    return [number for number in found if number not in fact_ids]


def is_said(former: str, present: str) -> bool:
    """Return whether a text of a memory still fills the slot that a former one did, alike."""
    return slot_of(former) == slot_of(present)


def _said(value: object) -> str:
    return text_of(value).casefold().strip()


def withdraw_facts(tx: Transaction, names: Collection[tuple[str, str]]) -> None:
    """Let no memory state the facts of these categories and keys again, until another turn does."""
    rows = tx.run("SELECT id, slot FROM memories WHERE slot IS NOT NULL")
    slots = {slot_of_key(*name) for name in names}
    withdraw(tx, [number for number, slot in rows if slot in slots])


def withdrawn(
    database: Database, turn_id: int, facts: "Iterable[StatedFact]"
) -> "Iterator[StatedFact]":
    """Yield those of these facts that a turn states no more: the user has forgotten them by their
    names, under which another key, or the same value in the same words, is known too.
    """
    gone = database.read(_WITHDRAWN_SQL, {"turn_id": turn_id})
    for one in facts if gone else ():
        own, value = slot_of_key(one.category, one.key), one.value.casefold().strip()
        for slot, known, start, end in gone:
            is_there = start is None or (one.start < end and start < one.end)
            if slot == own or (known == value and is_there):
                yield one
                break


def forgotten_slots(database: Database) -> set[str]:
    """Return the slots of which the user has forgotten a fact by its name."""
    return {row[0] for row in database.read(_FORGOTTEN_SQL)}


def memories_of_slots(database: Database, memory_ids: Collection[int]) -> dict[str, list[int]]:
    """Return these memories by the slots that they fill."""
    found: dict[str, list[int]] = {}
    for slot, number in database.read(_SLOTS_SQL, {"ids": list(memory_ids)}):
        found.setdefault(slot, []).append(number)
    return found


def stated_by(database: Database, memory_ids: Collection[int], *, place: int) -> list[StatedBy]:
    """Return what the turns up to a place state by those of these memories which are active and no
    agent's, the last first. Nothing of a group, of whose facts none was removed.
    """
    values = {"ids": list(memory_ids), "agents": f'%"{AGENT}": %', "place": place}
    return [StatedBy(*row) for row in database.read(_STATED_BY_SQL, values)]


def fact_name(slot: str) -> tuple[str, str] | None:
    """Return the category and key of the fact about a slot; None for one that no fact fills."""
    if slot.startswith(_FAVOURITE):
        kind = slot.removeprefix(_FAVOURITE).replace("colour", "color")
        return "preference", f"favorite_{kind.replace(' ', '_')}"
    return _NAMES.get(slot)


def _value(content: str, slot: str) -> str:
    """Return the value of a slot as the sentence spells it, "" where a fact would not fill it."""
    held, names = slot_of(content), keys_of_slot(slot)
    if held is None or names is None or held.name != slot or not held.value:
        return ""
    start = content.casefold().rfind(held.value)
    value = content[start : start + len(held.value)] if start >= 0 else ""
    stated = slot_of(names.sentence.replace("{}", value)) if value else None
    return value if stated and stated.name == slot and stated.value == held.value else ""
