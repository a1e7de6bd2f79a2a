"""The protocol of keyword statistics, for ranking words in memory as the storage would.

Loaded only by that ranking.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from contracts import KeywordQuery


@dataclass(frozen=True, slots=True)
class Term:
    """A word as stored in the index, or the beginning of such words.

    `word` is its source, since the stem of a stem may differ.
    """

    token: str
    is_prefix: bool = False
    word: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Terms:
    """A `KeywordQuery` in which every part is one term; its three parts mean the same."""

    any_of: tuple[Term, ...] = ()
    all_of: tuple[Term, ...] = ()
    none_of: tuple[Term, ...] = ()

    @property
    def every(self) -> tuple[Term, ...]:
        """Return the terms of all three parts, in their order."""
        return self.any_of + self.all_of + self.none_of


class KeywordStatistics(Protocol):
    """The inputs of BM25. Read them within a `snapshot`."""

    def terms(self, query: KeywordQuery) -> Terms | None:
        """Return the terms of a query; None when it has phrases, whose places would be needed."""
        ...

    def totals(self) -> tuple[int, int]:
        """Return the number of chunks in the keyword index, and the total number of their words."""
        ...

    def frequent(self, *, least: int) -> Iterator[tuple[int, str]]:
        """Return the tokens in `least` chunks or more, each after its number of chunks, in any
        order.

        It reads the whole vocabulary, which takes seconds for a million chunks. Exhaust or drop it
        within the snapshot.
        """
        ...

    def lengths(self, ids: Iterable[int] | None = None) -> Iterator[Mapping[int, int]]:
        """Return the number of words of each chunk by its id, in rising order, in batches."""
        ...

    def places(self, term: Term, ids: Iterable[int] | None = None) -> str:
        """Return the places of a term in these chunks, or in all, as `chunk_id * 4 + column`.

        The columns are counted from 0: text, title, neighbours, identifiers. The numbers are in
        decimal, separated by blanks; the engine can build such a text without the interpreter.
        """
        ...
