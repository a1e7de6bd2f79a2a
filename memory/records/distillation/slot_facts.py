"""The facts that a turn states, as far as its memories hold one value: a home, a job, a diet.

Nothing is extracted a second time: a memory that is archived, or not certain, becomes no fact.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from ingest import slot_of
from ingest.distillation import StatedFact
from memory.conversations.memories.slots.fact_keys import keys_of_slot
from memory.conversations.provenance import STATES
from memory.conversations.turns.values import Turn
from memory.storage import Database
from memory.storage.action_log import IS_CERTAIN
from memory.values.inserted_values import object_of, text_of

_MEMORIES_SQL: Final = f"""
SELECT m.content, m.slot, m.metadata, l.start_char, l.end_char
FROM memory_links AS l JOIN memories AS m ON m.id = l.memory_id
WHERE l.turn_id = :turn_id AND m.status = 'active' AND m.slot IS NOT NULL AND {STATES}
ORDER BY m.id
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


def facts_of_memories(database: Database, turn: Turn) -> Iterator[StatedFact]:
    """Yield the facts that the memories of a turn state, in the order of the memories."""
    for content, slot, metadata, start, end in database.read(_MEMORIES_SQL, {"turn_id": turn.id}):
        names = fact_name(slot)
        value = _value(text_of(content), slot)
        if names and value and object_of(metadata).get(IS_CERTAIN) is not False:
            yield StatedFact(*names, value, start or 0, end or len(turn.text))


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
