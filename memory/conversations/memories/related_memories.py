"""The memories that a fact repeats, contradicts or ends; consolidation decides about them."""

from collections.abc import Sequence

from memory.config.sections.conversations import ExtractorConfig
from memory.conversations.memories.comparison.endings import (
    Ending,
    can_be_undone,
    endings_of,
    keys_for,
)
from memory.conversations.memories.comparison.facts import Fact, slot_held
from memory.conversations.memories.comparison.sentence_similarity import (
    Sentence,
    affirmed,
    is_negation_of,
    may_say_the_same,
    say_the_same,
    sentence,
)
from memory.conversations.memories.comparison.slot_conflict import contradicts, repeats
from memory.conversations.memories.comparison.word_similarity import nearness
from memory.conversations.memories.store import MemoryStore, SimilarMemory
from memory.conversations.memories.values import INSTRUCTION, Memory
from memory.storage.action_log import calling_agent


class RelatedMemories:
    """Reads of the memories that a fact concerns, within the transaction of its consolidation."""

    def __init__(self, store: MemoryStore, config: ExtractorConfig) -> None:
        self._store = store
        self._config = config

    def known_by_turn(self, fact: Fact) -> Memory | None:
        """Return the memory that this turn created or confirmed before, whatever its status."""
        if fact.turn_id is None:
            return None
        for memory in self._store.of_turn(fact.turn_id):
            is_held = fact.slot is not None and repeats(fact.slot, fact.words, memory)
            if is_held or sentence(memory.content).key == fact.words.key:
                return memory
        return None

    def same(self, fact: Fact, alike: Sequence[SimilarMemory]) -> Memory | None:
        """Return the active memory that says the same; a slot has at most one per value."""
        slot = fact.slot.name if fact.slot and fact.slot.value else None
        for memory in self._store.with_words(fact.words.key):
            if memory.slot == slot:
                return memory
        if fact.slot is not None:
            held = self._store.of_slot(fact.slot.name)
            return next((one for one in held if repeats(fact.slot, fact.words, one)), None)
        return next((self._store.get(one.id) for one in alike if self._says(one, fact.words)), None)

    def rivals(self, fact: Fact, alike: Sequence[SimilarMemory]) -> list[Memory]:
        """Return the active memories that cannot be true together with this fact, newest first."""
        slot = fact.slot
        held = self._store.of_slot(slot.name) if slot is not None and slot.value else []
        found = [memory for memory in held if slot is not None and contradicts(slot, memory)]
        said = self._store.with_words(" ".join(affirmed(fact.words)))
        found += [one for one in said if is_negation_of(sentence(one.content), fact.words)]
        denials = [one.id for one in alike if is_negation_of(Sentence(one.words), fact.words)]
        found += self._store.get_many(denials).values() if denials else ()
        found += [memory for memory in self._having_ended(fact) if can_be_undone(memory)]
        distinct = {memory.id: memory for memory in found if _may_end(memory)}.values()
        return sorted(distinct, key=lambda memory: (memory.occurred_at, memory.id), reverse=True)

    def enders(self, fact: Fact) -> list[Memory]:
        """Return the memories that ended this fact after it was said, newest first."""
        ended = self._having_ended(fact)
        return [memory for memory in ended if memory.occurred_at > fact.said_at]

    def ended(self, fact: Fact, *, by: Memory | None) -> list[Memory]:
        """Return the memories that a fact ends, unless they were repeated since.

        `by` is the memory of the fact, if it has one, and never among them.
        """
        over = {
            memory.id: memory
            for ending in fact.ends
            for memory in self._covered(ending)
            if self._reaches(fact, ending, memory) and (by is None or memory.id != by.id)
        }
        return list(over.values())

    def turns_of(self, memory: Memory) -> set[int]:
        """Return the turns that a memory is linked to."""
        return {link.turn_id for link in self._store.links(memory.id)}

    def _says(self, old: SimilarMemory, new: Sentence) -> bool:
        least, nearest = self._config.merge_jaccard, self._config.merge_cosine
        if not may_say_the_same(old.words, new.words, least=least):
            return False
        return say_the_same(sentence(old.content), new, least=least, near=nearness, nearest=nearest)

    def _having_ended(self, fact: Fact) -> list[Memory]:
        """Return the active memories that have ended what this fact states, newest first."""
        return [
            memory
            for memory in self._store.with_any_word(keys_for(fact.words, fact.slot))
            if any(ending.covers(fact.words, fact.slot) for ending in endings_of(memory))
        ]

    def _reaches(self, fact: Fact, ending: Ending, memory: Memory) -> bool:
        """Return whether an ending holds for a memory.

        Whatever a slot holds is ended only if another turn said so. What is taken back is what one
        turn alone has said.
        """
        if memory.occurred_at > fact.said_at:
            return False
        if ending.is_open and fact.turn_id in self.turns_of(memory):
            return False
        return not fact.only_takes_back or memory.hits == 0

    def _covered(self, ending: Ending) -> list[Memory]:
        """Return the active memories with a statement that an ending covers."""
        found = {memory.id: memory for memory in self._store.with_words(ending.words.key)}
        if ending.slot is not None:
            found |= {memory.id: memory for memory in self._store.of_slot(ending.slot.name)}
        else:
            alike = self._store.similar(ending.words.telling)
            found |= self._store.get_many([one.id for one in alike])
        return [
            memory
            for memory in found.values()
            if ending.covers(sentence(memory.content), slot_held(memory)) and _may_end(memory)
        ]


def _may_end(memory: Memory) -> bool:
    """Return whether the caller may end a memory: an agent ends no standing instruction."""
    return INSTRUCTION not in memory.tags or calling_agent() is None
