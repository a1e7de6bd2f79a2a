"""Rules for slots, which hold one true value at a time: repetition and contradiction."""

from typing import Final, Protocol

from ingest import Slot, slot_of
from memory.conversations.memories.comparison.sentence_similarity import Sentence, sentence

_BETWEEN: Final = " ,"
_WITH_WHOM: Final = frozenset(("at", "for", "to"))


class SlotStatement(Protocol):
    """A statement about a slot: a memory, or a record that an audit reads of one."""

    @property
    def content(self) -> str: ...
    @property
    def slot(self) -> str | None: ...
    @property
    def value(self) -> str | None: ...


def repeats(slot: Slot, words: Sentence, memory: SlotStatement) -> bool:
    """Return whether a memory holds the value of a slot, and everything else its sentence says."""
    if memory.slot != slot.name or not is_within(slot, memory):
        return False
    more = sentence(slot.more).telling if slot.more else ()
    return words.firm.union(more).issubset(sentence(memory.content).words)


def contradicts(slot: Slot, memory: SlotStatement) -> bool:
    """Return whether a memory of a slot is outdated: another value, or another counterpart.

    A nurse at one hospital who becomes one at another has changed jobs; a person married to
    somebody else has changed spouses; a nurse in a town, or since a year, only adds details.
    """
    if not is_within(slot, memory):
        return True
    held = slot_of(memory.content)
    first, *whom = slot.more.casefold().split()[:2] or [""]
    other, *whose = held.more.casefold().split()[:2] if held and held.more else [""]
    return first == other and first in _WITH_WHOM and whom != whose


def is_within(slot: Slot, memory: SlotStatement) -> bool:
    """Return whether a memory's value is that of a slot, or begins with it: "Berlin, Germany"."""
    return is_of_value(memory.value or "", slot.value)


def is_of_value(held: str, value: str) -> bool:
    """Return whether a held value is this one, or this one with more: "Berlin, Germany"."""
    begins = value != "" and held.startswith(value)
    return held == value or (begins and held[len(value)] in _BETWEEN)
