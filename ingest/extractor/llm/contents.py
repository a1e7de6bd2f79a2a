"""What a claim tells: its numbers, names, words and kinds, and which of them a text says."""

from typing import Self, TypeAlias

from contracts.named_tuple import NamedTuple
from ingest.extractor.llm.languages import ENGLISH, Language, language_of
from ingest.extractor.llm.languages.relations import PEOPLE, RELATIONS
from ingest.extractor.llm.names_and_numbers import alike, content_words, numbers, plain_words

Item: TypeAlias = tuple[str, str | int]
"""A number, a word, or a kind of people or of relation."""

_VAGUE = frozenset({"has", "habit", "think"})
"""Relations that clauses of every kind have words for."""


class Contents(NamedTuple):
    """The parts of a claim; `foreign` if it is told in another language than the turn."""

    text: str
    numbers: set[int]
    words: set[str]
    kinds: set[str]
    foreign: bool
    by_pairs: bool

    @classmethod
    def of(cls, text: str, language: Language) -> Self:
        """Take apart the content of a claim without the name of its subject."""
        foreign = language_of(text) not in (None, language)
        by_pairs = not language.is_spaced and not foreign
        words = content_words(text, ENGLISH if foreign else language)
        relations = {
            name for name, one in RELATIONS.items() if one.search(text) and name not in _VAGUE
        }
        return cls(
            text,
            numbers(text),
            {word for word in words if not word.isdigit()},
            relations | people_in(text),
            foreign,
            by_pairs,
        )

    def said_in(self, text: str) -> set[Item]:
        """The numbers, words and kinds of the claim that a text has."""
        found: set[Item] = {("number", number) for number in self.numbers & numbers(text)}
        found |= {("kind", kind) for kind in self.kinds if (PEOPLE | RELATIONS)[kind].search(text)}
        if self.by_pairs:
            return found | {("word", word) for word in self.words if word in text}
        said = plain_words(text)
        return found | {("word", word) for word in self.words if self._is_said(word, said)}

    def _is_said(self, word: str, said: set[str]) -> bool:
        return word in said or any(alike(word, one, foreign=self.foreign) for one in said)


def people_in(text: str) -> set[str]:
    """The kinds of people and pets in a text."""
    return {name for name, one in PEOPLE.items() if one.search(text)}
