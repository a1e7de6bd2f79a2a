"""A copy of a memory in another place, row by row, with the same numbers.

The source is read from one snapshot. Each transaction of the target also notes how far the copy
is, so that an interrupted one continues there. What is derived is made again: keyword entries from
the texts; vectors are copied. At the end every table of both is counted and digested.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from contracts import InputError, StorageError
from contracts.named_tuple import NamedTuple
from memory.index.documents import stored_fields
from memory.operations.migration.digests import Digest
from memory.storage import Space, Storage, Transaction
from memory.storage.meta import KEYWORDS, read_meta, write_meta
from memory.storage.opening import tables_to_copy
from memory.storage.values import CopiedTable
from memory.storage.vectors import from_float16
from search import KEYWORD_FORM

MIGRATION: Final = "migration"
"""The key of `meta` in a target that is being filled: how far it is."""

ROWS_AT_ONCE: Final = 500
VECTORS_AT_ONCE: Final = 2_000
ENTRIES_AT_ONCE: Final = 256

_OF_PROCESSES: Final = (MIGRATION, KEYWORDS, "watcher")
"""Keys of `meta` that are not copied, apart from those that end with `_holder`."""

MigrationCallback = Callable[[str, int], None]
"""Is told the name of a table and how many of its rows are there."""


class MigratedTable(NamedTuple):
    """A table that both sides have alike: its rows, and their digest."""

    name: str
    rows: int
    digest: str


@dataclass(slots=True)
class MigrationReport:
    """Tables copied by a migration, equal on both sides. `continued`: an earlier one began it."""

    tables: list[MigratedTable] = field(default_factory=list)
    keyword_entries: int = 0
    continued: bool = False
    seconds: float = 0.0


def migrate(
    source: Storage, target: Storage, *, progress: MigrationCallback | None = None
) -> MigrationReport:
    """Copy everything that a memory holds into an empty one, or finish a copy that was interrupted.

    Raises InputError when the target holds anything else or the source has changed since the copy
    began, StorageError when both differ at the end.
    """
    started = time.monotonic()
    report = MigrationReport()
    with source.database.snapshot():
        copying = _Copying(source, target, progress or _say_nothing)
        report.continued = copying.begin()
        for table in tables_to_copy():
            copying.copy(table)
        copying.copy_vectors()
        report.keyword_entries = copying.make_keywords()
        report.tables = copying.compare()
    copying.end()
    report.seconds = round(time.monotonic() - started, 3)
    return report


def _say_nothing(_table: str, _rows: int) -> None:
    pass


class _Copying:
    def __init__(self, source: Storage, target: Storage, progress: MigrationCallback) -> None:
        self._source, self._target, self._progress = source, target, progress
        self._state: dict[str, Any] = {}

    def begin(self) -> bool:
        """Note the state of the source in the target; return whether a copy had begun."""
        state = {
            "sequence": self._source.sequence(),
            "records": self._source.record_changes(after=0, limit=1).newest,
        }
        known = read_meta(self._target.database, MIGRATION)
        if known is None:
            self._check_empty()
            self._state = {"of": state, "copied": {}}
            with self._target.database.transaction() as tx:
                self._note(tx)
            return False
        if known["of"] != state:
            raise InputError(
                "the memory has changed since the copy of it began",
                hint="empty the target, stop what writes to the memory (mem serve, mem watch), "
                "and begin again",
            )
        self._state = known
        return True

    def _check_empty(self) -> None:
        names = [table.name for table in tables_to_copy() if table.name != "meta"]
        held = [
            name
            for name in names
            if self._target.database.read(f"SELECT EXISTS (SELECT 1 FROM {name})")[0][0]
        ]
        if held:
            raise InputError(
                f"the target holds something already, in {', '.join(held[:3])}",
                hint="name an empty one: another schema, or a file that does not exist",
            )

    def _note(self, tx: Transaction) -> None:
        write_meta(tx, MIGRATION, self._state)

    def copy(self, table: CopiedTable) -> None:
        """Copy the rows of a table that are not there."""
        columns = ", ".join(table.columns)
        values = ", ".join(
            "NULL" if name in table.own_references else f":{name}" for name in table.columns
        )
        insert = f"INSERT INTO {table.name} ({columns}) VALUES ({values}) RETURNING {table.key[0]}"
        done: dict[str, Any] = self._state["copied"].setdefault(table.name, {"rows": 0})
        for rows in _batches(self._source, table, after=_unpacked(done.get("after"))):
            named = [dict(zip(table.columns, row, strict=True)) for row in rows]
            done["rows"] += len(rows)
            done["after"] = _packed([named[-1][name] for name in table.key])
            with self._target.database.transaction() as tx:
                tx.insert_many(insert, named)
                self._note(tx)
            self._progress(table.name, done["rows"])
        for column in table.own_references:
            self._refer(table, column)

    def _refer(self, table: CopiedTable, column: str) -> None:
        """Write the references to rows of the same table, once all of them are there."""
        key = table.key[0]
        sql = f"SELECT {key}, {column} FROM {table.name} WHERE {column} IS NOT NULL"
        rows = self._source.database.read(sql)
        update = f"UPDATE {table.name} SET {column} = :other WHERE {key} = :key"
        with self._target.database.transaction() as tx:
            tx.run_many(update, ({"key": row[0], "other": row[1]} for row in rows))

    def copy_vectors(self) -> None:
        """Copy the spaces with their vectors."""
        done: dict[str, Any] = self._state.setdefault("spaces", {})
        for space in self._source.spaces().all():
            known = done.get(str(space.id))
            if known is None:
                with self._target.database.transaction() as tx:
                    made = self._target.spaces().create(tx, space)
                    known = done[str(space.id)] = {"id": made.id, "after": -1}
                    self._note(tx)
            self._fill(space, space._replace(id=known["id"]), known)

    def _fill(self, space: Space, made: Space, done: dict[str, Any]) -> None:
        for batch in self._source.health.vectors.rows(space):
            waiting = [(key, v) for key, v in batch if v is not None and key > done["after"]]
            for start in range(0, len(waiting), VECTORS_AT_ONCE):
                some = waiting[start : start + VECTORS_AT_ONCE]
                done["after"] = some[-1][0]
                with self._target.database.transaction() as tx:
                    self._target.put_vectors(tx, made, from_float16(dict(some)))
                    self._note(tx)
                self._progress(f"vectors of {space.model}", done["after"])

    def make_keywords(self) -> int:
        """Make the keyword entries that are missing; return how many there are."""
        keywords = self._target.health.keywords
        missing = keywords.missing()
        for start in range(0, len(missing), ENTRIES_AT_ONCE):
            fields = stored_fields(self._target, missing[start : start + ENTRIES_AT_ONCE])
            with self._target.database.transaction() as tx:
                keywords.add(tx, fields)
            self._progress("keyword entries", start + len(fields))
        return keywords.counts().entries

    def compare(self) -> list[MigratedTable]:
        """Return every table with what both have of it. Raises StorageError where they differ."""
        found = []
        for table in tables_to_copy():
            there, here = _digest(self._source, table), _digest(self._target, table)
            found.append(self._same(table.name, there, here))
        for space in self._source.spaces().all():
            made = space._replace(id=self._state["spaces"][str(space.id)]["id"])
            there, here = _of_vectors(self._source, space), _of_vectors(self._target, made)
            found.append(self._same(f"vectors of {space.model}", there, here))
        return found

    def _same(self, name: str, there: Digest, here: Digest) -> MigratedTable:
        if there.value != here.value:
            raise StorageError(
                f"{name} has {there.rows:,} rows, and its copy {here.rows:,} others",
                hint="empty the target, and begin again",
            )
        return MigratedTable(name, there.rows, there.value)

    def end(self) -> None:
        """Let the copy be a memory like any other."""
        health = self._target.health
        with self._target.database.transaction() as tx:
            for counter in health.lagging_counters():
                health.advance_counter(tx, table=counter.table)
            tx.run("DELETE FROM meta WHERE key = :key", {"key": MIGRATION})
            write_meta(tx, KEYWORDS, KEYWORD_FORM)


def _batches(
    storage: Storage, table: CopiedTable, *, after: Sequence[Any] | None = None
) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the rows of a table after a key, in the order of the key."""
    places = [table.columns.index(name) for name in table.key]
    key, values = ", ".join(table.key), ", ".join(f":after_{name}" for name in table.key)
    head = f"SELECT {', '.join(table.columns)} FROM {table.name}"
    own = "1 = 1"
    if table.name == "meta":
        own = "key NOT IN (:processes) AND key NOT LIKE '%_holder'"
    while True:
        condition = own if after is None else f"{own} AND ({key}) > ({values})"
        given = dict(zip((f"after_{name}" for name in table.key), after or (), strict=False))
        sql = f"{head} WHERE {condition} ORDER BY {key} LIMIT {ROWS_AT_ONCE}"
        more = {"processes": list(_OF_PROCESSES)} if table.name == "meta" else {}
        rows = storage.database.read(sql, {**given, **more})
        if not rows:
            return
        yield rows
        after = [rows[-1][place] for place in places]


def _digest(storage: Storage, table: CopiedTable) -> Digest:
    digest = Digest()
    for rows in _batches(storage, table):
        digest.add(rows)
    return digest


def _of_vectors(storage: Storage, space: Space) -> Digest:
    digest = Digest()
    for rows in storage.health.vectors.rows(space):
        sound = {key: v for key, v in rows if v is not None}
        # A memory of an older program has numbers between those that are stored now.
        digest.add((key, row.v) for key, row in from_float16(sound).items())
    return digest


def _packed(key: Sequence[Any]) -> list[Any]:
    """Return a key as JSON can hold it."""
    return [{"hex": part.hex()} if isinstance(part, bytes) else part for part in key]


def _unpacked(key: Sequence[Any] | None) -> list[Any] | None:
    if key is None:
        return None
    return [bytes.fromhex(part["hex"]) if isinstance(part, dict) else part for part in key]
