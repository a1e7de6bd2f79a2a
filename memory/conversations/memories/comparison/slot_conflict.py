"""Whether a memory tells already what a sentence tells of something that can be true only once."""

from typing import Final, Protocol

from ingest import Slot, slot_of
from memory.conversations.memories.comparison.word_similarity import Sentence, sentence

_BETWEEN: Final = " ,"
_WITH_WHOM: Final = frozenset(("at", "for", "to"))


class Held(Protocol):
    """What says something of a slot: a memory, or what an audit reads of one."""

    @property
    def content(self) -> str: ...
    @property
    def slot(self) -> str | None: ...
    @property
    def value(self) -> str | None: ...


def repeats(slot: Slot, words: Sentence, memory: Held) -> bool:
    """Whether a memory holds the value of a slot, and what else the sentence of it tells."""
    if memory.slot != slot.name or not is_within(slot, memory):
        return False
    more = sentence(slot.more).telling if slot.more else ()
    return words.firm.union(more).issubset(sentence(memory.content).words)


def contradicts(slot: Slot, memory: Held) -> bool:
    """Whether a memory of a slot cannot be true any more: another value, or with somebody else.

    A nurse at one hospital who is one at another has changed jobs, as has who is married to another
    a spouse; who is one in a town and since a year is told more of.
    """
    if not is_within(slot, memory):
        return True
    held = slot_of(memory.content)
    first, *whom = slot.more.casefold().split()[:2] or [""]
    other, *whose = held.more.casefold().split()[:2] if held and held.more else [""]
    return first == other and first in _WITH_WHOM and whom != whose


def is_within(slot: Slot, memory: Held) -> bool:
    """Whether a memory's value is that of a slot, or begins with it, as "Berlin, Germany" does."""
    value = memory.value or ""
    begins = slot.value != "" and value.startswith(slot.value)
    return value == slot.value or (begins and value[len(slot.value)] in _BETWEEN)
