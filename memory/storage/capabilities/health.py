"""The state of a database as its backend can tell it, and how its parts are made again.

Everything that only reads may run in a snapshot.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from contracts import KeywordFields
from memory.storage.database import Transaction
from memory.storage.values import Row, Space


class Integrity(NamedTuple):
    """The faults that the backend finds, by what can be made again: nothing, indexes, words."""

    pages: list[str]
    indexes: list[str]
    words: list[str]


class Item(NamedTuple):
    """A table, an index or a trigger, and the statement that makes it."""

    name: str
    kind: str
    sql: str


class SchemaDifferences(NamedTuple):
    """How the tables differ from those that this program makes; `stray`: none of ours."""

    missing: list[Item]
    altered: list[Item]
    stray: list[Item]


class LaggingCounter(NamedTuple):
    """A table whose next number was given already: the largest one, and the last by its counter."""

    table: str
    largest: int
    counted: int | None


class KeywordCounts(NamedTuple):
    """How many keyword entries there are, and how many are counted where scores are computed."""

    entries: int
    counted: int


class KeywordHealth(Protocol):
    """The entries of the keyword index, which keep no text: only counts can be compared."""

    def missing(self) -> list[int]:
        """The chunks that answer and have no entry."""
        ...

    def orphans(self) -> list[int]:
        """The entries without a chunk."""
        ...

    def idle(self) -> list[int]:
        """The entries of chunks that do not answer and that nobody fills."""
        ...

    def counts(self) -> KeywordCounts:
        """Both numbers, which must be equal."""
        ...

    def strays(self) -> list[str]:
        """The generations that are said to have entries, and that no space has."""
        ...

    def forget_strays(self, tx: Transaction) -> None:
        """Say no more that those have entries."""
        ...

    def sample(self, *, limit: int) -> dict[int, list[int]]:
        """How many words each column of an entry has, of entries that answer drawn at random."""
        ...

    def word_counts(self, chunk_ids: Sequence[int]) -> dict[int, list[int]]:
        """The same of the entries of these chunks; those without one are missing."""
        ...

    def expected_counts(self, fields: Mapping[int, KeywordFields]) -> dict[int, list[int]]:
        """The same of entries that would be made of these texts."""
        ...

    def add(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
        """Give chunks without an entry one."""
        ...

    def remove(self, tx: Transaction, chunk_ids: Sequence[int]) -> None:
        """Remove entries, also of chunks that are not there, and log it."""
        ...

    def clear(self, tx: Transaction) -> None:
        """Remove every entry, whatever state they are in."""
        ...


class VectorHealth(Protocol):
    """The vectors of a space and their codes, as they are stored."""

    def rows(self, space: Space) -> Iterator[list[tuple[int, bytes, bytes | None]]]:
        """Chunk id, float16 row and int8 row (None: there is none) of each vector, some thousands
        at a time.
        """
        ...

    def foreign(self, space: Space) -> list[int]:
        """The chunks with a vector that were cut for another space."""
        ...

    def count(self, space: Space, chunk_ids: Sequence[int]) -> int:
        """How many vectors and codes there are of these chunks."""
        ...

    def remake_codes(self, tx: Transaction, space: Space, chunk_ids: Sequence[int]) -> None:
        """Make the codes of these chunks from their vectors."""
        ...

    def remove(self, tx: Transaction, space: Space, chunk_ids: Sequence[int]) -> None:
        """Remove the vectors of these chunks, and log it."""
        ...

    def clear(self, tx: Transaction, space: Space) -> None:
        """Remove every vector of a space, and log it."""
        ...


class StorageHealth(Protocol):
    """Checks of the database itself and the repairs that belong to them."""

    errors: tuple[type[Exception], ...]
    """What the engine raises for a statement that it cannot run on a damaged database."""

    @property
    def keywords(self) -> KeywordHealth:
        """The keyword index."""
        ...

    @property
    def vectors(self) -> VectorHealth:
        """The vectors of every space."""
        ...

    def integrity(self) -> Integrity:
        """Check what the engine can check: pages, indexes, the keyword index."""
        ...

    def remake_indexes(self, tx: Transaction) -> None:
        """Make the contents of every index again from its table."""
        ...

    def schema_differences(self) -> SchemaDifferences:
        """Compare tables, indexes and triggers with those of a new database."""
        ...

    def remake(self, tx: Transaction, items: Iterable[Item]) -> None:
        """Make missing tables, and indexes or triggers in place of those of the same name."""
        ...

    def drop(self, tx: Transaction, items: Iterable[Item]) -> None:
        """Remove tables or triggers that belong to nothing."""
        ...

    def dangling(self) -> dict[str, int]:
        """How many rows of each table refer to a row that is not there."""
        ...

    def remove_dangling(self, tx: Transaction, *, table: str) -> None:
        """Do with such rows what the removal of the row they refer to would do."""
        ...

    def lagging_counters(self) -> list[LaggingCounter]:
        """The tables that would give a number a second time."""
        ...

    def advance_counter(self, tx: Transaction, *, table: str) -> None:
        """Let the next number of a table be one that no row has had."""
        ...

    def document_chunks(self) -> Iterator[Row]:
        """The chunks of files and texts by owner, source, generation and ordinal.

        Their owner_id, source, generation, ordinal, uid, hash, text, heading, body_offset, gap,
        start_char, end_char, start_line, end_line; text, heading and gap as bytes, which may be no
        UTF-8.
        """
        ...

    def chunk_texts(self, tx: Transaction, source: str, owner_id: str) -> list[Row]:
        """The id of each chunk of an owner, and its text, heading and gap as bytes."""
        ...
