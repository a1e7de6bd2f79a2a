"""The hooks that kinds share whose records have a number each in their own table."""

import json
from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from contracts import InputError
from memory.index.record_chunks import (
    RecordText,
    chunk_counts,
    is_text_of,
    put_records,
    record_vectors,
    remove_misplaced,
    remove_record,
)
from memory.index.record_exchange import numbers_in, vectors_of_records
from memory.index.record_hooks import RecordFilter, RecordHooks
from memory.storage import Space, Transaction
from memory.values.inserted_values import text_of
from memory.values.reports import Record, RecordPage
from memory.values.text_checks import caseless

READ_AT_ONCE: Final = 1000
INDEXED_AT_ONCE: Final = 200
LARGEST_ID: Final = 2**63 - 1


class Numbered(Protocol):
    """A row of the table."""

    @property
    def id(self) -> int: ...


R = TypeVar("R", bound=Numbered)


class NumberedRecords(RecordHooks, Generic[R]):
    """The hooks of a kind whose records are numbered rows, listed newest first."""

    text_column: ClassVar[str]
    """The column, and the field of a row, with the text of a record."""

    findable: ClassVar[str] = "1 = 1"
    """The condition on a row `r` of the table that makes it searchable."""

    inserted: ClassVar[str] = ""
    """The condition on a row that another program inserted and that is to be completed."""

    told: ClassVar[str] = ""
    """The searchable text of a row `r`; "" where `changed_elsewhere` has a way of its own."""

    outdated: ClassVar[str] = "1 = 0"
    """The condition on such a row and a chunk `c` of it that an older version wrote."""

    @abstractmethod
    def rows(self, ids: Iterable[int]) -> list[R]:
        """Return those of these rows that exist, in the order of reports."""

    @abstractmethod
    def row(self, record_id: str) -> R:
        """Return one row. Raises NotFoundError for an unknown id."""

    @abstractmethod
    def record(self, row: R, chunks: int) -> Record:
        """Return a row as lists of records show it."""

    @abstractmethod
    def cite_row(self, row: R) -> str:
        """Return the citation of a row."""

    @abstractmethod
    def searchable(self, row: R) -> RecordText:
        """Return the searchable side of a row."""

    @abstractmethod
    def about(self, row: R) -> Any:
        """Return the metadata of a row, as a value for JSON."""

    @abstractmethod
    def written(self, rows: Sequence[R]) -> Iterable[dict[str, Any]]:
        """Return the values of rows as export lines, without vectors."""

    def page(self, *, limit: int, cursor: str | None) -> RecordPage:
        before = LARGEST_ID if cursor is None else self._number_in(cursor)
        sql = f"SELECT id FROM {self.table} WHERE id < :before ORDER BY id DESC LIMIT :limit"
        ids = [row[0] for row in self.database.read(sql, {"before": before, "limit": limit + 1})]
        rows = sorted(self.rows(ids[:limit]), key=lambda row: -row.id)
        records = self._records(rows)
        return RecordPage(records, records[-1].id if len(ids) > limit else None)

    def _number_in(self, cursor: str) -> int:
        number = cursor.removeprefix(f"{self.kind.name}:")
        if not (number.isascii() and number.isdecimal()):
            raise InputError(f"the cursor is {cursor!r}", hint="give a page's next_cursor")
        return min(int(number), LARGEST_ID)

    def get(self, record_id: str) -> Record:
        return self._records([self.row(record_id)])[0]

    def _records(self, rows: Sequence[R]) -> list[Record]:
        chunks = chunk_counts(self.database, self.kind.name, [str(row.id) for row in rows])
        return [self.record(row, chunks.get(str(row.id), 0)) for row in rows]

    def keys(self, ids: Iterable[str]) -> list[int]:
        return [int(each) for each in ids if each.isdecimal() and int(each) <= LARGEST_ID]

    def known(self, ids: Collection[str]) -> list[str]:
        sql = f"SELECT id FROM {self.table} WHERE id IN (:ids)"
        rows = self.database.read(sql, {"ids": self.keys(ids)})
        return [str(row[0]) for row in sorted(rows)]

    def cited(self, ids: Collection[str]) -> dict[str, str]:
        return {str(row.id): self.cite_row(row) for row in self.rows(self.keys(ids))}

    def holding(self, wanted: str) -> list[str]:
        return [str(key) for key, text in self._texts() if wanted in caseless(text)]

    def _texts(self) -> Iterator[tuple[int, str]]:
        sql = f"""SELECT id, {self.text_column} FROM {self.table}
            WHERE id > :after ORDER BY id LIMIT :limit"""
        after = 0
        while rows := self.database.read(sql, {"after": after, "limit": READ_AT_ONCE}):
            yield from ((row[0], text_of(row[1])) for row in rows)
            after = rows[-1][0]

    def conditions(self) -> Mapping[str, str]:
        """Return the SQL of each field of a `RecordFilter`, which may name the `:kind`; none of a
        kind without such fields.
        """
        return {}

    def matching(self, conditions: RecordFilter) -> list[str]:
        known = self.conditions()
        given = {name: value for name, value in conditions._asdict().items() if value is not None}
        if not known:
            return []
        where = " AND ".join(known[name] for name in given)
        sql = f"SELECT id FROM {self.table} WHERE {where}"
        return [str(row[0]) for row in self.database.read(sql, {**given, "kind": self.kind.name})]

    def texts(self, ids: Collection[str]) -> Iterable[str]:
        return [getattr(row, self.text_column) for row in self.rows(self.keys(ids))]

    def facts(self, ids: Collection[str]) -> Iterable[str]:
        rows = self.rows(self.keys(ids))
        return [json.dumps(self.about(row), ensure_ascii=False) for row in rows]

    def lines(self, space: Space | None) -> Iterator[tuple[str, dict[str, Any]]]:
        for ids in numbers_in(self.workspace, self.table):
            owners = [str(key) for key in ids]
            vectors = vectors_of_records(self.workspace, space, self.kind.name, owners)
            rows = sorted(self.rows(ids), key=lambda row: row.id)
            for row, values in zip(rows, self.written(rows), strict=True):
                yield self.kind.name, {**values, "vectors": vectors.get(str(row.id), {})}

    def index(self, ids: Sequence[int], *, is_changed: bool = False) -> None:
        """Rebuild the chunks of records; of changed ones no word of the former text remains."""
        for start in range(0, len(ids), INDEXED_AT_ONCE):
            batch = ids[start : start + INDEXED_AT_ONCE]
            with self.database.snapshot():
                records = [self.searchable(row) for row in self.rows(batch)]
            known = record_vectors(self.workspace, records)
            erasing = self.database.erasing() if is_changed else nullcontext()
            with erasing, self.database.transaction() as tx:
                rows = self.rows(self._findable(batch))  # others may have changed them meanwhile
                for row in rows if is_changed else ():
                    remove_record(self.workspace, tx, self.kind.name, str(row.id))
                self.prepare(tx, rows)
                records = [self.searchable(row) for row in rows]
                remove_misplaced(tx, records)
                put_records(self.workspace, tx, records, known)

    def changed_elsewhere(self) -> list[int]:
        """Return the records whose text another program has changed: that of their chunks is
        another. Compares all records of the kind.
        """
        if not self.told:
            return []
        # An inner join would let SQLite look through the table again for each chunk of the kind.
        sql = f"""SELECT r.id, {self.told}, c.start_char, c.text FROM {self.table} AS r
            LEFT JOIN chunks AS c
                ON c.owner_id = CAST(r.id AS TEXT) AND c.source = '{self.kind.name}'
            WHERE {self.findable} AND coalesce(c.text, {self.told}) <> {self.told}"""
        told, parts = dict[int, str](), dict[int, list[tuple[int, str]]]()
        for key, text, start, part in self.database.read(sql):
            told[key] = text_of(text)
            parts.setdefault(key, []).append((start, part))
        return sorted(key for key, text in told.items() if not is_text_of(text, parts[key]))

    def deleted_elsewhere(self) -> list[int]:
        """Return the numbers of records that have chunks and are not, or no longer, searchable:
        another program has deleted them.

        Counts the records of the kind that have chunks and the first chunks, and compares them
        where there are more of these.
        """
        chunks = "FROM chunks WHERE source = :source AND ordinal = 0"
        rows, values = f"FROM {self.table} AS r WHERE {self.findable}", {"source": self.kind.name}
        ((n_chunks,),) = self.database.read(f"SELECT count(*) {chunks}", values)
        ((n_rows,),) = self.database.read(f"SELECT count(*) {rows}")
        if not n_chunks or n_chunks <= n_rows - len(self.unfound()):
            return []
        owners = {row[0] for row in self.database.read(f"SELECT owner_id {chunks}", values)}
        searchable = self.database.read(f"SELECT r.id {rows}")
        return sorted(self.keys(owners - {str(row[0]) for row in searchable}))

    def remove_deleted(self, tx: Transaction, ids: Sequence[int]) -> None:
        """Remove the chunks of those of these records that are not searchable now."""
        for key in {*ids} - {*self._findable(ids)}:
            remove_record(self.workspace, tx, self.kind.name, str(key))

    def unfound(self) -> list[int]:
        """Return the searchable rows that have no chunk, such as those of other programs."""
        sql = f"""SELECT r.id FROM {self.table} AS r WHERE {self.findable}
            AND NOT EXISTS (SELECT 1 FROM chunks AS c
                WHERE c.owner_id = CAST(r.id AS TEXT) AND c.source = '{self.kind.name}')"""
        return [row[0] for row in self.database.read(sql)]

    def _findable(self, ids: Sequence[int]) -> list[int]:
        sql = f"SELECT r.id FROM {self.table} AS r WHERE r.id IN (:ids) AND {self.findable}"
        return [row[0] for row in self.database.read(sql, {"ids": list(ids)})]

    def has_inserted(self) -> bool:
        """Return whether there are rows to complete; a lookup in an index."""
        return bool(self.inserted and self._inserted(after=0, limit=1))

    def complete_inserted(self, *, is_ended: Callable[[], bool]) -> int:
        """Complete the rows that other programs inserted, each in a transaction of its own.

        Return their number. `is_ended` stops it between two; the next run does the rest.
        """
        done = last = 0
        while self.inserted and (ids := self._inserted(after=last, limit=READ_AT_ONCE)):
            for row in self.rows(ids):
                if is_ended():
                    return done
                self.complete(row)
                done += 1
            last = ids[-1]
        return done

    def _inserted(self, *, after: int, limit: int) -> list[int]:
        sql = f"""SELECT id FROM {self.table} WHERE {self.inserted} AND id > :after
            ORDER BY id LIMIT :limit"""
        return [row[0] for row in self.database.read(sql, {"after": after, "limit": limit})]

    def complete(self, row: R) -> None:
        """Complete a row that meets `inserted`, as if this program had written it."""

    def prepare(self, tx: Transaction, rows: Sequence[R]) -> None:
        """Write what else belongs to searchable rows."""
