"""What a storage tells of its keyword index, so that words can be ranked in memory as it would.

Loaded by what does that, and by nothing else.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from contracts import KeywordQuery


@dataclass(frozen=True, slots=True)
class Term:
    """A word as the index holds it, or the beginning of such words.

    `word` is what it was made from, since a stem's stem may be another.
    """

    token: str
    is_prefix: bool = False
    word: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Terms:
    """A `KeywordQuery` of which every part is one term; its three parts mean what they do there."""

    any_of: tuple[Term, ...] = ()
    all_of: tuple[Term, ...] = ()
    none_of: tuple[Term, ...] = ()

    @property
    def every(self) -> tuple[Term, ...]:
        """The terms of all three parts, in their order."""
        return self.any_of + self.all_of + self.none_of


class KeywordStatistics(Protocol):
    """All that BM25 is made of. Read it within a `snapshot`."""

    def terms(self, query: KeywordQuery) -> Terms | None:
        """The terms of a query; None when it has phrases, whose places would have to be known."""
        ...

    def totals(self) -> tuple[int, int]:
        """How many chunks the keyword index counts, and how many words they have together."""
        ...

    def frequent(self, *, least: int) -> Iterator[tuple[int, str]]:
        """The tokens in `least` chunks or more, each after the number of its chunks, in any order.

        It reads the whole vocabulary, which takes seconds for a million chunks. To be used up or
        dropped within the snapshot.
        """
        ...

    def lengths(self, ids: Iterable[int] | None = None) -> Iterator[Mapping[int, int]]:
        """How many words each chunk has by its id, in rising order, some thousands at a time."""
        ...

    def places(self, term: Term, ids: Iterable[int] | None = None) -> str:
        """Where a term stands in these chunks, or in all: `chunk_id * 4 + column` for each place.

        The columns are counted from 0: text, title, neighbours, identifiers. The numbers are in
        decimal, separated by blanks, which the engine can put together without the interpreter.
        """
        ...
