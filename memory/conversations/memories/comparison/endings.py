"""Endings: the statements that a memory has ended, and how they are found again.

"User no longer eats meat" ends "User eats meat". The memory keeps that sentence in its metadata, so
that the same said earlier is archived at once if it becomes known later.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from contracts.named_tuple import NamedTuple
from ingest import Slot, slot_of
from memory.conversations.memories.comparison.sentence_similarity import (
    Sentence,
    is_ended_by,
    sentence,
)
from memory.conversations.memories.comparison.slot_conflict import is_of_value
from memory.conversations.memories.values import Memory
from memory.storage.action_log import ENDS

_MARK: Final = "ends:"
"""Begins the search words of endings; no word of a sentence has a colon."""

_FINAL: Final = frozenset(("died", "dead", "death", "passed"))
"""Words of what cannot be undone: who speaks of a dog that died says nothing new."""

_NO_LONGER: Final = " no longer "

_ANY_WORDS: Final = "whatsoever"
"""Stands for one word or more in an ended statement: "User's wife whatsoever"."""


class Ending(NamedTuple):
    """A statement that is over. A slot without a value stands for any value of it; "whatsoever" in
    the words, which then have no slot, stands for any words there.
    """

    words: Sentence
    slot: Slot | None

    @property
    def is_open(self) -> bool:
        """Return whether it ends whatever a slot holds, or whatever words a statement has."""
        return self.is_form or (self.slot is not None and not self.slot.value)

    @property
    def is_form(self) -> bool:
        """Return whether it ends every statement of a form."""
        return _ANY_WORDS in self.words.words

    @property
    def word(self) -> str:
        """Return a word that every statement has that it covers, if it has no slot."""
        said = (word for word in self.words.telling if word != _ANY_WORDS)
        return max(said, key=lambda word: (len(word), word), default="")

    def covers(self, words: Sentence, slot: Slot | None) -> bool:
        """Return whether it ends a statement of these words and this slot: the same statement, or
        the same with a time or a name.
        """
        if self.words.words == words.words:
            return True
        if self.is_form:
            return self._has_form(words)
        if self.slot is None or slot is None:
            return self.slot is None and slot is None and is_ended_by(words, self.words)
        return self.slot.name == slot.name and (
            self.is_open or is_of_value(slot.value, self.slot.value)
        )

    @property
    def key(self) -> str:
        """Return a search word that every statement has that it covers: see `keys_for`."""
        if self.slot is not None:
            return f"{_MARK}{self.slot.name}"
        return f"{_MARK}{self.word}"

    def _has_form(self, words: Sentence) -> bool:
        """Return whether words have the form that is over; a death never is."""
        at = self.words.words.index(_ANY_WORDS)
        before, after = self.words.words[:at], self.words.words[at + 1 :]
        rest = words.words[at : len(words.words) - len(after)]
        is_whole = words.words == (*before, *rest, *after)
        return bool(before and rest) and is_whole and _FINAL.isdisjoint(words.words)


def ending_of(said: str) -> Ending:
    """Return the ending of a sentence."""
    words = sentence(said)
    return Ending(words, None if _ANY_WORDS in words.words else slot_of(said))


def ended_by(content: str) -> tuple[str, ...]:
    """Return the sentence that a content ends by its own words: what is "no longer" so."""
    return (content.replace(_NO_LONGER, " ", 1),) if _NO_LONGER in content else ()


def with_ends(metadata: Mapping[str, Any], ends: Iterable[str]) -> Mapping[str, Any]:
    """Return metadata with these ended sentences, after those that they have."""
    known = dict.fromkeys((*endings_in(metadata), *ends))
    return {**metadata, ENDS: list(known)} if known else metadata


def endings_of(memory: Memory) -> list[Ending]:
    """Return what a memory has ended."""
    return [ending_of(said) for said in endings_in(memory.metadata)]


def keys_for(words: Sentence, slot: Slot | None) -> list[str]:
    """Return the search words of all endings that may cover a statement."""
    names = [] if slot is None else [slot.name]
    return [f"{_MARK}{name}" for name in (*names, *words.telling)]


def search_words(memory: Memory) -> tuple[str, ...]:
    """Return the words by which consolidation finds an active memory: its own, and those of what it
    has ended.
    """
    ended = (ending.key for ending in endings_of(memory))
    return (*sentence(memory.content).telling, *dict.fromkeys(ended))


def can_be_undone(memory: Memory) -> bool:
    """Return whether what a memory has ended may begin again, which then ends the memory."""
    return _FINAL.isdisjoint(sentence(memory.content).words)


def endings_in(metadata: Mapping[str, Any]) -> Iterator[str]:
    """Return the ended sentences in metadata, which another program may have written."""
    said = metadata.get(ENDS)
    if isinstance(said, list):
        yield from (one for one in said if isinstance(one, str) and one.strip())
