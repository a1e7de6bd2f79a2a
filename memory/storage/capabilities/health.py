"""The protocols of a backend's health checks, and of repairs of its parts.

Methods that only read may run in a snapshot.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from contracts import KeywordFields
from contracts.named_tuple import NamedTuple
from memory.storage.database import Transaction
from memory.storage.values import Row, Space


class Integrity(NamedTuple):
    """The faults that the backend finds, by what can be rebuilt: nothing, indexes, words."""

    pages: list[str]
    indexes: list[str]
    words: list[str]


class Item(NamedTuple):
    """A table, an index or a trigger, and the statement that creates it."""

    name: str
    kind: str
    sql: str


class SchemaDifferences(NamedTuple):
    """The differences from the tables that this program creates; `stray`: foreign ones."""

    missing: list[Item]
    altered: list[Item]
    stray: list[Item]


class LaggingCounter(NamedTuple):
    """A table whose next number was already used: the largest one, and the last by its counter."""

    table: str
    largest: int
    counted: int | None


class KeywordCounts(NamedTuple):
    """The number of keyword entries, and the number that is used to compute scores."""

    entries: int
    counted: int


class KeywordHealth(Protocol):
    """The entries of the keyword index, which keep no text: only counts can be compared."""

    def missing(self) -> list[int]:
        """Return the searchable chunks without an entry."""
        ...

    def orphans(self) -> list[int]:
        """Return the entries without a chunk."""
        ...

    def idle(self) -> list[int]:
        """Return the entries of chunks that are neither searchable nor being filled."""
        ...

    def counts(self) -> KeywordCounts:
        """Return both numbers, which must be equal."""
        ...

    def strays(self) -> list[str]:
        """Return the generations recorded as having entries that no space has."""
        ...

    def forget_strays(self, tx: Transaction) -> None:
        """Remove the record that those have entries."""
        ...

    def sample(self, *, limit: int) -> dict[int, list[int]]:
        """Return the word counts per column of random entries of searchable chunks."""
        ...

    def word_counts(self, chunk_ids: Sequence[int]) -> dict[int, list[int]]:
        """Return the word counts per column of these chunks' entries; those without one are
        missing.
        """
        ...

    def with_words(self, chunk_ids: Sequence[int]) -> list[int]:
        """Return those of these chunks whose words the index holds, with an entry or without."""
        ...

    def expected_counts(self, fields: Mapping[int, KeywordFields]) -> dict[int, list[int]]:
        """Return the word counts per column that entries of these texts would have."""
        ...

    def add(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
        """Add entries for chunks without one."""
        ...

    def remove(self, tx: Transaction, chunk_ids: Sequence[int]) -> None:
        """Remove entries, including those of missing chunks, and log it."""
        ...

    def clear(self, tx: Transaction) -> None:
        """Remove every entry, whatever state they are in."""
        ...


class VectorHealth(Protocol):
    """The vectors of a space, as they are stored."""

    def rows(self, space: Space) -> Iterator[list[tuple[int, bytes | None]]]:
        """Yield the chunk id and float16 row of each vector, in batches; None if it is damaged."""
        ...

    def count(self, space: Space, chunk_ids: Sequence[int]) -> int:
        """Return the number of rows with vectors of these chunks."""
        ...

    def remove(self, tx: Transaction, space: Space, chunk_ids: Sequence[int]) -> None:
        """Remove the vectors of these chunks, and log it."""
        ...

    def clear(self, tx: Transaction, space: Space) -> None:
        """Remove every vector of a space, and log it."""
        ...


class StorageHealth(Protocol):
    """Checks of the database itself and their repairs."""

    errors: tuple[type[Exception], ...]
    """The errors of the engine for a statement that fails on a damaged database."""

    @property
    def keywords(self) -> KeywordHealth:
        """The keyword index."""
        ...

    @property
    def vectors(self) -> VectorHealth:
        """The vectors of every space."""
        ...

    def integrity(self) -> Integrity:
        """Check everything that the engine can check: pages, indexes, the keyword index."""
        ...

    def remake_indexes(self, tx: Transaction) -> None:
        """Rebuild the contents of every index from its table."""
        ...

    def schema_differences(self) -> SchemaDifferences:
        """Compare tables, indexes and triggers with those of a new database."""
        ...

    def remake(self, tx: Transaction, items: Iterable[Item]) -> None:
        """Create missing tables, and replace indexes, triggers or views of the same name."""
        ...

    def drop(self, tx: Transaction, items: Iterable[Item]) -> None:
        """Remove tables or triggers that belong to nothing."""
        ...

    def text_columns(self) -> dict[str, list[str]]:
        """Return the columns that can hold text, by table, without those private to the engine."""
        ...

    def misplaced(self, *, of_others: bool = False) -> dict[str, int]:
        """Return how many values are of another type than their column, as a text among numbers,
        by `table.column`. It reads every row.

        In tables into which other programs insert, bytes for a text count with `of_others` alone,
        and only if they cannot be decoded.
        """
        ...

    def references(self, table: str) -> list[tuple[str, str]]:
        """Return the tables that refer to rows of a table, each with its column."""
        ...

    def dangling(self) -> dict[str, int]:
        """Return the number of rows of each table that refer to a missing row."""
        ...

    def remove_dangling(self, tx: Transaction, *, table: str) -> None:
        """Treat such rows as if the row they refer to were removed now."""
        ...

    def lagging_counters(self) -> list[LaggingCounter]:
        """Return the tables that would use a number a second time."""
        ...

    def advance_counter(self, tx: Transaction, *, table: str) -> None:
        """Make the next number of a table one that no row has had."""
        ...

    def document_chunks(self) -> Iterator[Row]:
        """Return the chunks of files and texts by owner, source, generation and ordinal.

        Their owner_id, source, generation, ordinal, uid, hash, text, heading, body_offset, gap,
        start_char, end_char, start_line, end_line; text, heading and gap as bytes, which may be
        invalid UTF-8.
        """
        ...

    def chunk_texts(self, tx: Transaction, source: str, owner_id: str) -> list[Row]:
        """Return the id of each chunk of an owner, and its text, heading and gap as bytes."""
        ...
