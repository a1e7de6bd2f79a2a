"""Rows of the tables of records, and their links to turns."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from types import SimpleNamespace
from typing import Any, Final, Generic
from unicodedata import normalize

from contracts.named_tuple import NamedTuple
from memory.index.record_chunks import is_text_of
from memory.records.forms import RecordForm
from memory.records.values import (
    DISTILLATION,
    Fact,
    FormerValue,
    LinkReason,
    R,
    agent_source,
    is_agent_source,
)
from memory.storage import Database, Transaction
from memory.storage.action_log import AGENT
from memory.storage.values import Row
from memory.values.inserted_values import UNKNOWN_TIME, expiry_of, object_of, texts_of, time_of

_LISTS: Final = ("tags", "aliases")
_OBJECTS: Final = ("metadata",)
_TIMES: Final = (
    *("created_at", "updated_at", "resolved_at"),
    *("first_mentioned", "last_mentioned", "last_observed", "observed_at"),
)


def _time_of(value: object) -> str | None:
    return None if value is None else time_of(value, otherwise=UNKNOWN_TIME)


_READ: Final[Mapping[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(_LISTS, texts_of),
    **dict.fromkeys(_OBJECTS, object_of),
    **dict.fromkeys(_TIMES, _time_of),
    "expires_at": expiry_of,
}
"""The reading of columns that another program may have written in its own way."""


_CHUNKS_SQL: Final = """
SELECT r.id, c.heading, c.start_char, c.text, {columns} FROM {table} AS r
LEFT JOIN chunks AS c ON c.owner_id = CAST(r.id AS TEXT) AND c.source = :kind
"""
"""An inner join would let SQLite look through the table again for each chunk of the kind."""
FORMER: Final = "former_fact"
"""The `source` of links that belong to a former value; its `record_id` is that of the history."""

_LINK_SQL: Final = """
INSERT INTO record_links (source, record_id, turn_id, reason, created_at)
VALUES (:source, :record_id, :turn_id, :reason, :created_at)
ON CONFLICT (source, record_id, turn_id, reason) DO NOTHING
"""
_LINKS_SQL: Final = """
SELECT record_id, turn_id, reason, created_at FROM record_links
WHERE source = :source AND record_id IN (:ids) ORDER BY record_id, created_at, turn_id
"""
_FORMER_SQL: Final = """
SELECT id, fact_id, value, confidence, source, updated_at, replaced_at FROM fact_history
WHERE fact_id IN (:ids) ORDER BY fact_id, replaced_at DESC, id DESC
"""
_REMEMBER_SQL: Final = """
INSERT INTO fact_history (fact_id, value, confidence, source, updated_at, replaced_at)
VALUES (:fact_id, :value, :confidence, :source, :updated_at, :replaced_at) RETURNING id
"""
_TURNS_SQL: Final = "SELECT id FROM turns WHERE id IN (:ids)"


class RecordLink(NamedTuple):
    """A turn that is the evidence of a record."""

    turn_id: int
    reason: LinkReason
    created_at: str


class RecordStore(Generic[R]):
    """Reads and writes of one kind's rows. In a transaction of the same thread they see its
    changes.
    """

    def __init__(self, database: Database, form: RecordForm[R]) -> None:
        self.database = database
        self._form = form
        self._names = tuple(item.name for item in fields(form.row))  # type: ignore[arg-type]  # R
        self._select = f"SELECT {', '.join(self._names)} FROM {form.table}"

    def many(self, ids: Iterable[int]) -> list[R]:
        """Return those of these rows that exist, by id."""
        return self.where("id IN (:ids) ORDER BY id", ids=list(ids))

    def get(self, record_id: int) -> R | None:
        return next(iter(self.many([record_id])), None)

    def same(self, row: R) -> R | None:
        """Return the row that is the same record."""
        return self.with_identity(**{name: getattr(row, name) for name in self._form.identity})

    def with_identity(self, **values: Any) -> R | None:
        """Return the row with these values in the columns of the identity, or with another form of
        their accents, as rows of earlier versions may have.
        """
        condition = " AND ".join(f"{name} = :{name}" for name in self._form.identity)
        rows = (self.where(condition, **form) for form in _forms(values))
        return next((found[0] for found in rows if found), None)

    def where(self, condition: str, **values: Any) -> list[R]:
        """Return the rows that meet a condition, which may end with an order and a limit."""
        rows = self.database.read(f"{self._select} WHERE {condition}", values)
        return [self._row(row) for row in rows]

    def column(self, name: str, condition: str) -> list[tuple[int, Any]]:
        """Return the id and one stored value of each row that meets a condition, by id: a scan of
        one column takes a tenth of the time of one of whole rows.
        """
        sql = f"SELECT id, {name} FROM {self._form.table} WHERE {condition} ORDER BY id"
        return [(row[0], row[1]) for row in self.database.read(sql)]

    def changed_elsewhere(self) -> list[int]:
        """Return the records whose text another program has changed: that of their chunks is
        another. Compares all records of the kind.
        """
        form = self._form
        reads = [(name, _READ.get(name, str)) for name in form.told]
        columns = ", ".join(f"r.{name}" for name in form.told)
        sql = _CHUNKS_SQL.format(columns=columns, table=form.table)
        changed, parts = set[int](), dict[int, tuple[str, list[tuple[int, str]]]]()
        for key, heading, start, text, *values in self.database.read(sql, {"kind": form.kind.name}):
            if text is None or not all(isinstance(one, str) for one in values):
                continue  # it has no chunk yet, or is damaged
            pairs = zip(reads, values, strict=True)
            row: Any = SimpleNamespace(**{name: read(value) for (name, read), value in pairs})
            title, body = form.title(row), form.body(row)
            if title != (heading or ""):
                changed.add(key)
            elif body != text:
                parts.setdefault(key, (body, []))[1].append((start, text))
        changed |= {key for key, (body, chunks) in parts.items() if not is_text_of(body, chunks)}
        return sorted(changed)

    def insert(self, tx: Transaction, row: R) -> R:
        """Store a row and return it with its id: its own if that is free, else a new one."""
        values = self._values(row)
        if not row.id or self.get(row.id) is not None:
            values["id"] = None
        names = ", ".join(self._names)
        marks = ", ".join(f":{name}" for name in self._names)
        sql = f"INSERT INTO {self._form.table} ({names}) VALUES ({marks}) RETURNING id"
        ((record_id,),) = tx.run(sql, values)
        return replace(row, id=record_id)  # type: ignore[type-var]  # every row is a dataclass

    def update(self, tx: Transaction, row: R) -> None:
        """Write all columns of an existing row."""
        columns = ", ".join(f"{name} = :{name}" for name in self._names[1:])
        tx.run(f"UPDATE {self._form.table} SET {columns} WHERE id = :id", self._values(row))

    def delete(self, tx: Transaction, ids: Sequence[int]) -> None:
        """Remove rows, which may be gone, with their links and their former values."""
        values = {"source": self._form.kind.name, "ids": list(ids), "former": FORMER}
        tx.run("DELETE FROM record_links WHERE source = :source AND record_id IN (:ids)", values)
        if self._form.table == "facts":
            tx.run(
                """DELETE FROM record_links WHERE source = :former AND record_id IN
                (SELECT id FROM fact_history WHERE fact_id IN (:ids))""",
                values,
            )
            tx.run("DELETE FROM fact_history WHERE fact_id IN (:ids)", values)
        tx.run(f"DELETE FROM {self._form.table} WHERE id IN (:ids)", values)

    def link(
        self, tx: Transaction, record_id: int, links: Iterable[RecordLink], *, source: str = ""
    ) -> None:
        """Link a record to turns; known links stay as they are."""
        owner = {"source": source or self._form.kind.name, "record_id": record_id}
        tx.run_many(_LINK_SQL, ({**owner, **link._asdict()} for link in links))

    def unlink(self, tx: Transaction, record_id: int) -> None:
        """Remove the links of a record."""
        values = {"source": self._form.kind.name, "id": record_id}
        tx.run("DELETE FROM record_links WHERE source = :source AND record_id = :id", values)

    def links(self, ids: Iterable[int], *, source: str = "") -> dict[int, list[RecordLink]]:
        """Return the links of these records, in the order of their creation."""
        values = {"source": source or self._form.kind.name, "ids": list(ids)}
        found: dict[int, list[RecordLink]] = {}
        for record_id, *link in self.database.read(_LINKS_SQL, values):
            found.setdefault(record_id, []).append(RecordLink(*link))
        return found

    def _row(self, row: Row) -> R:
        values = zip(self._names, row, strict=True)
        return self._form.row(
            **{name: _READ[name](value) if name in _READ else value for name, value in values}
        )

    def _values(self, row: R) -> dict[str, Any]:
        values = {name: getattr(row, name) for name in self._names}
        for name in (*_LISTS, *_OBJECTS):
            if name in values:
                plain = dict(values[name]) if name in _OBJECTS else list(values[name])
                values[name] = json.dumps(plain, ensure_ascii=False)
        return values


def _forms(values: Mapping[str, str]) -> list[Mapping[str, str]]:
    """Return values as they are, composed and decomposed, as far as these differ."""
    found = [values]
    for form in ("NFC", "NFD"):
        other = {name: normalize(form, value) for name, value in values.items()}
        if other not in found:
            found.append(other)
    return found


class History:
    """The former values of facts."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def of(self, fact_ids: Iterable[int]) -> dict[int, dict[int, FormerValue]]:
        """Return the former values of facts by fact and by number, the latest first."""
        found: dict[int, dict[int, FormerValue]] = {}
        for number, fact_id, *row in self.database.read(_FORMER_SQL, {"ids": list(fact_ids)}):
            *stated, updated_at, replaced_at = row
            times = (time_of(one, otherwise=UNKNOWN_TIME) for one in (updated_at, replaced_at))
            found.setdefault(fact_id, {})[number] = FormerValue(*stated, *times)
        return found

    def add(self, tx: Transaction, fact_id: int, former: FormerValue) -> int:
        """Store a former value and return its number."""
        values = {name: getattr(former, name) for name in FormerValue.__dataclass_fields__}
        ((number,),) = tx.run(_REMEMBER_SQL, {**values, "fact_id": fact_id})
        return int(number)

    def kept(self, fact_id: int, former: FormerValue) -> int | None:
        """Return the number of the same statement by the same source, if neither ever counted."""
        said = _statement(former)
        known = self.of([fact_id]).get(fact_id, {}).items() if said else ()
        return next((number for number, one in known if _statement(one) == said), None)

    def take_links(self, tx: Transaction, fact_id: int, number: int) -> None:
        """Give the evidence of a fact to one of its former values."""
        _move_links(tx, ("fact", fact_id), (FORMER, number))

    def give_back(self, tx: Transaction, fact_id: int, value: str) -> FormerValue | None:
        """Remove the latest former value of distillation that is this one, which becomes that of
        its fact again with its evidence; return it. What somebody stated stays beside it.
        """
        for number, former in self.of([fact_id]).get(fact_id, {}).items():
            if former.value == value and former.source == DISTILLATION:
                self.give_back_one(tx, fact_id, number)
                return former
        return None

    def give_back_one(self, tx: Transaction, fact_id: int, number: int) -> None:
        """Remove a former value, which becomes that of its fact again with its evidence."""
        _move_links(tx, (FORMER, number), ("fact", fact_id))
        self.remove(tx, [number])

    def stated(self, fact_ids: Iterable[int]) -> dict[int, dict[int, FormerValue]]:
        """Return the former values that the person or a program stated, by fact and by number, the
        latest first; none of distillation or an agent, and no fact without any.
        """
        found = {
            key: {number: one for number, one in each.items() if _is_stated(one.source)}
            for key, each in self.of(fact_ids).items()
        }
        return {key: each for key, each in found.items() if each}

    def move(self, tx: Transaction, fact_id: int, to_id: int) -> None:
        """Give the former values of a fact, with their evidence, to another one."""
        sql = "UPDATE fact_history SET fact_id = :to_id WHERE fact_id = :id"
        tx.run(sql, {"id": fact_id, "to_id": to_id})

    def remove_links_left(self, tx: Transaction) -> None:
        """Remove the links of former values that went with facts which another program deleted."""
        tx.run(
            """DELETE FROM record_links WHERE source = :former AND NOT EXISTS
            (SELECT 1 FROM fact_history AS h WHERE h.id = record_links.record_id)""",
            {"former": FORMER},
        )

    def remove(self, tx: Transaction, numbers: Iterable[int]) -> None:
        """Remove former values with their links."""
        values = {"ids": list(numbers), "former": FORMER}
        tx.run("DELETE FROM record_links WHERE source = :former AND record_id IN (:ids)", values)
        tx.run("DELETE FROM fact_history WHERE id IN (:ids)", values)


def _statement(former: FormerValue) -> tuple[str, str] | None:
    """Return the value and source of what never counted, None for what did for a time."""
    return None if former.updated_at < former.replaced_at else (former.value, former.source)


def _is_stated(source: str) -> bool:
    return source != DISTILLATION and not is_agent_source(source)


def _move_links(tx: Transaction, owner: tuple[str, int], to: tuple[str, int]) -> None:
    values = {"source": owner[0], "id": owner[1], "to_source": to[0], "to_id": to[1]}
    tx.run(
        """UPDATE record_links SET source = :to_source, record_id = :to_id
        WHERE source = :source AND record_id = :id""",
        values,
    )


def former_value(fact: Fact, replaced_at: str) -> FormerValue:
    """Return the value of a fact as one that it had until a time."""
    source = agent_source(fact.source) if AGENT in fact.metadata else fact.source
    return FormerValue(fact.value, fact.confidence, source, fact.updated_at, replaced_at)


def known_turns(database: Database, ids: Iterable[int]) -> set[int]:
    """Return those of these turns that exist."""
    return {row[0] for row in database.read(_TURNS_SQL, {"ids": list(ids)})}
