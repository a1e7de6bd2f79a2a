"""The hooks of the five kinds: showing, listing, labels, removal with evidence, export."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any, ClassVar, Final

from contracts import NotFoundError
from memory.conversations.memories.slots.withdrawn_facts import remove_withdrawals
from memory.conversations.memories.store import MemoryStore
from memory.conversations.turns.store import TurnStore
from memory.index.numbered_records import NumberedRecords
from memory.index.record_chunks import RecordText, remove_record
from memory.index.record_exchange import RecordImport, RecordImporter, numbers_in
from memory.index.record_hooks import RecordFilter
from memory.records.decay import is_archived_by_hand, standing
from memory.records.distillation.restoring import archive_facts, state_facts
from memory.records.distillation.slot_facts import (
    facts_copied_from,
    facts_of_texts,
    former_copied_from,
    withdraw_facts,
)
from memory.records.facts import complete_fact, get_fact, show_facts, superseded_facts
from memory.records.forms import FACTS, OPEN_LOOPS, PATTERNS, PEOPLE, SIGNALS, RecordForm
from memory.records.importing import TableImporter
from memory.records.kind import cite_fact
from memory.records.open_loops import complete_open_loop, show_open_loops
from memory.records.patterns import complete_pattern, show_patterns
from memory.records.people import complete_person, get_person, show_people
from memory.records.signals import complete_signal, show_signals
from memory.records.store import FORMER, History, RecordStore
from memory.records.values import Fact, OpenLoop, Pattern, Person, R, Signal
from memory.records.writing import write_record
from memory.storage import Transaction
from memory.storage.capabilities.text_columns import TextColumns
from memory.values.record_fields import checked_metadata, checked_tags
from memory.values.record_kinds import RecordKind
from memory.values.reports import Record
from memory.workspace import Workspace

_TEXTS: Final = "source, tags, metadata"
_CODES: Final = "created_at, updated_at"

_MADE_OF_SQL: Final = """
SELECT DISTINCT l.record_id FROM record_links AS l JOIN {table} AS r ON r.id = l.record_id
WHERE l.source = :links AND l.turn_id IN (:ids) AND l.reason = 'source' AND r.source <> 'user'
    AND NOT EXISTS (SELECT 1 FROM record_links AS other
        WHERE other.source = l.source AND other.record_id = l.record_id
        AND other.reason = 'source' AND other.turn_id NOT IN (:ids))
"""
_FORMER_SQL: Final = """
SELECT h.id, f.category, f.key, h.updated_at FROM fact_history AS h JOIN facts AS f
    ON f.id = h.fact_id WHERE h.id IN (:ids) OR h.fact_id IN (:facts) ORDER BY h.id
"""
_OF_SESSION: Final = """id IN (SELECT l.record_id FROM record_links AS l
        JOIN turns AS t ON t.id = l.turn_id
        WHERE l.source = :links AND t.session_id = :session_id)
    AND id NOT IN (SELECT l.record_id FROM record_links AS l JOIN turns AS t ON t.id = l.turn_id
        WHERE l.source = :links AND t.session_id <> :session_id)
    AND source <> 'user'"""


class TableRecords(NumberedRecords[R]):
    """The hooks of one kind, by its form."""

    form: ClassVar[RecordForm[Any]]

    def __init__(self, workspace: Workspace, kind: RecordKind) -> None:
        super().__init__(workspace, kind)
        self._store: RecordStore[R] = RecordStore(workspace.storage.database, self.form)

    def rows(self, ids: Iterable[int]) -> list[R]:
        return self._store.many(ids)

    def row(self, record_id: str) -> R:
        found = self._store.get(int(record_id))
        if found is None:
            raise NotFoundError(
                f"there is no {self.kind.name.replace('_', ' ')} {record_id}",
                hint=f"list them: GET /memory/manage?source={self.kind.name}",
            )
        return found

    def record(self, row: R, chunks: int) -> Record:
        text = self.searchable(row)
        return Record(
            id=f"{self.kind.name}:{row.id}",
            source=self.kind.name,
            path=None,
            state=self.state(row),
            reason=None,
            size_bytes=len(text.text.encode()),
            chunks=chunks,
            tags=list(row.tags),
            metadata=dict(row.metadata),
            created_at=row.created_at,
            updated_at=row.updated_at,
            modified_at=text.occurred_at,
        )

    def state(self, row: R) -> str:
        """Return the state of a row in lists of records."""
        return "indexed"

    def update(
        self,
        record_id: str,
        *,
        metadata: Mapping[str, Any] | None,
        tags: Sequence[str] | None,
    ) -> None:
        """Replace metadata or tags; tags for personal data follow the text."""
        row = self.row(record_id)
        changes: dict[str, Any] = {}
        if metadata is not None:
            changes["metadata"] = checked_metadata(metadata)
        if tags is not None:
            changes["tags"] = checked_tags(tags)
        write_record(
            self.workspace,
            self.form,
            find=lambda store: store.get(row.id),
            plan=lambda old: replace(old or self.row(record_id), **changes),  # type: ignore[type-var]  # R
        )

    def searchable(self, row: R) -> RecordText:
        return self.form.searchable(row, self.workspace.config.records)

    def cite_row(self, row: R) -> str:
        return self.form.cite(row)

    def changed_elsewhere(self) -> list[int]:
        return self._store.changed_elsewhere()

    def index(self, ids: Sequence[int], *, is_changed: bool = False) -> None:
        """Rebuild the chunks of records, which another program may have written or changed."""
        for row in self.rows(ids):
            self.complete(row)
        super().index(ids, is_changed=is_changed)

    def texts(self, ids: Collection[str]) -> Iterable[str]:
        return [text for row in self.rows(self.keys(ids)) for text in self.texts_of(row)]

    def texts_of(self, row: R) -> list[str]:
        """Return every text of a record."""
        return [self.form.title(row), self.form.body(row)]

    def _texts(self) -> Iterator[tuple[int, str]]:
        for ids in numbers_in(self.workspace, self.table):
            yield from ((row.id, "\n".join(self.texts_of(row))) for row in self.rows(ids))

    def about(self, row: R) -> Any:
        return [dict(row.metadata), row.tags, row.source]

    def matching(self, conditions: RecordFilter) -> list[str]:
        """Return the records of a time, with a tag, or resting on one session alone."""
        known = {
            "session_id": _OF_SESSION,
            "since": f"{self.form.occurred_at} >= :since",
            "until": f"{self.form.occurred_at} <= :until",
            "tag": "list_holds(tags, :tag)",
        }
        given = {name: value for name, value in conditions._asdict().items() if value is not None}
        where = " AND ".join(known[name] for name in given)
        sql = f"SELECT id FROM {self.table} WHERE {where}"
        return [str(row[0]) for row in self.database.read(sql, {**given, "links": self.kind.name})]

    def sources(self, ids: Collection[str]) -> Mapping[str, Collection[str]]:
        links = self._store.links(self.keys(ids)).values()
        return {"turn": sorted({str(link.turn_id) for each in links for link in each})}

    def made_of_nothing_else(self, chosen: Mapping[str, Collection[str]]) -> Collection[str]:
        """Return the records whose evidence is chosen; those that the user stated stay."""
        return self._resting_on(self.kind.name, self.table, chosen.get("turn", ()))

    def _resting_on(self, links: str, table: str, turn_ids: Collection[str]) -> list[str]:
        sql = _MADE_OF_SQL.format(table=table)
        rows = self.database.read(sql, {"links": links, "ids": self.keys(turn_ids)})
        return [str(row[0]) for row in rows]

    def stay_forgotten(self, tx: Transaction, ids: Collection[str]) -> None:
        TurnStore(self.database).read_no_more(tx, self.sources(ids)["turn"])

    def remove(self, tx: Transaction, ids: Collection[str]) -> None:
        keys = self.keys(ids)
        for key in keys:
            remove_record(self.workspace, tx, self.kind.name, str(key))
        self._store.delete(tx, keys)

    def written(self, rows: Sequence[R]) -> Iterator[dict[str, Any]]:
        links = self._store.links([row.id for row in rows])
        for row in rows:
            values = {name: getattr(row, name) for name in self.form.row.__dataclass_fields__}
            own = [link._asdict() for link in links.get(row.id, ())]
            yield {**values, "metadata": dict(row.metadata), "links": own}

    def importer(self, work: RecordImport) -> RecordImporter:
        return TableImporter(work, self.form)


class FactRecords(TableRecords[Fact]):
    """The hooks of facts, which are cited by category and key and have a history."""

    form = FACTS
    table = "facts"
    text_column = "value"
    columns = (
        TextColumns(
            "facts", texts=f"category, key, value, {_TEXTS}", codes=f"expires_at, {_CODES}"
        ),
        TextColumns("fact_history", texts="value, source", codes="updated_at, replaced_at"),
        TextColumns("record_links", codes="source, reason, created_at"),
    )

    def complete(self, row: Fact) -> None:
        complete_fact(self.workspace, row)

    def id_of(self, named: str) -> str:
        return str(get_fact(self.workspace, named).id)

    def show(self, record_id: str) -> object:
        """Return a fact with its former values."""
        return show_facts(self.workspace, [self.row(record_id)])[0]

    def state(self, row: Fact) -> str:
        present = standing(row, datetime.now(UTC), self.workspace.config.records)
        if present == "current" and superseded_facts(self.database, [row.id]):
            return "superseded"
        return "indexed" if present == "current" else present

    def texts_of(self, row: Fact) -> list[str]:
        history = History(self.database).of([row.id]).get(row.id, {})
        return [*super().texts_of(row), row.key, *(former.value for former in history.values())]

    def made_of_nothing_else(self, chosen: Mapping[str, Collection[str]]) -> Collection[str]:
        """Return also those that distillation made of the chosen memories."""
        memories = self.keys(chosen.get("memory", ()))
        return [*super().made_of_nothing_else(chosen), *self._copies(memories)]

    def rewrite(self, tx: Transaction, source: str, former: Mapping[int, str]) -> None:
        """Take back what distillation made of former texts of memories, and state what these say
        now. With a memory that is gone, the former values of its fact go too.
        """
        if source == "memory":
            copies = facts_of_texts(self.database, former)
            staying = MemoryStore(self.workspace.storage).get_many(former)
            going = [fact for fact, memory in copies.items() if memory not in staying]
            changed = [fact for fact, memory in copies.items() if memory in staying]
            going += archive_facts(self.workspace, tx, changed)
            self.remove(tx, [*map(str, going)])
            state_facts(self.workspace, tx, former)

    def _copies(self, memory_ids: Collection[int]) -> list[str]:
        return [str(key) for key in facts_copied_from(self.database, memory_ids)]

    def former(self, going: Mapping[str, Collection[str]]) -> Mapping[str, str]:
        """Return also those that distillation made of the memories, or that rest on the turns."""
        numbers = former_copied_from(self.database, self.keys(going.get("memory", ())))
        numbers += map(int, self._resting_on(FORMER, "fact_history", going.get("turn", ())))
        facts = self.keys(going.get(self.kind.name, ()))
        rows = self.database.read(_FORMER_SQL, {"ids": numbers, "facts": facts})
        return {
            str(number): f"{cite_fact(category, key)}, formerly, {updated_at[:10]}"
            for number, category, key, updated_at in rows
        }

    def forget_former(self, tx: Transaction, going: Mapping[str, Collection[str]]) -> None:
        History(self.database).remove(tx, map(int, self.former(going)))

    def stay_forgotten(self, tx: Transaction, ids: Collection[str]) -> None:
        super().stay_forgotten(tx, ids)
        names = {(fact.category, fact.key) for fact in self.rows(self.keys(ids))}
        if names:
            withdraw_facts(tx, names)

    def withdraw(self, tx: Transaction, source: str, ids: Collection[str]) -> int:
        """Remove former values that rest on these turns alone, and facts archived with these
        memories.
        """
        if source == "memory":
            memories = self.keys(ids)
            copies = self._store.many(facts_copied_from(self.database, memories))
            self.remove(tx, [str(fact.id) for fact in copies if is_archived_by_hand(fact)])
            remove_withdrawals(tx, memories)
            return 0
        numbers = [int(each) for each in self._resting_on(FORMER, "fact_history", ids)]
        History(self.database).remove(tx, numbers)
        return len(numbers)

    def written(self, rows: Sequence[Fact]) -> Iterator[dict[str, Any]]:
        history = History(self.database).of([row.id for row in rows])
        numbers = [number for each in history.values() for number in each]
        links = self._store.links(numbers, source=FORMER)
        for row, values in zip(rows, super().written(rows), strict=True):
            former = [
                {**asdict(one), "links": [link._asdict() for link in links.get(number, ())]}
                for number, one in history.get(row.id, {}).items()
            ]
            yield {**values, "history": former}


class PersonRecords(TableRecords[Person]):
    """The hooks of people, who are cited by name."""

    form = PEOPLE
    table = "people"
    text_column = "name"
    inserted = "substr(name_key, 1, 1) = ' '"
    columns = (
        TextColumns(
            "people",
            texts=f"name, name_key, aliases, relationship, last_contact, notes, {_TEXTS}",
            codes=f"sentiment, {_CODES}",
        ),
    )

    def id_of(self, named: str) -> str:
        return str(get_person(self.workspace, named).id)

    def complete(self, row: Person) -> None:
        complete_person(self.workspace, row)

    def show(self, record_id: str) -> object:
        """Return a person."""
        return show_people(self.workspace, [self.row(record_id)])[0]

    def about(self, row: Person) -> Any:
        return [*super().about(row), row.last_contact]


class PatternRecords(TableRecords[Pattern]):
    """The hooks of patterns."""

    form = PATTERNS
    table = "patterns"
    text_column = "description"
    inserted = "substr(description_key, 1, 1) = ' '"
    columns = (
        TextColumns(
            "patterns",
            texts=f"description, description_key, {_TEXTS}",
            codes=f"pattern_type, last_observed, {_CODES}",
        ),
    )

    def complete(self, row: Pattern) -> None:
        complete_pattern(self.workspace, row)

    def show(self, record_id: str) -> object:
        """Return a pattern."""
        return show_patterns(self.workspace, [self.row(record_id)])[0]


class OpenLoopRecords(TableRecords[OpenLoop]):
    """The hooks of open loops."""

    form = OPEN_LOOPS
    table = "open_loops"
    text_column = "topic"
    inserted = "substr(topic_key, 1, 1) = ' '"
    columns = (
        TextColumns(
            "open_loops",
            texts=f"topic, topic_key, resolution, {_TEXTS}",
            codes=f"first_mentioned, last_mentioned, resolved_at, {_CODES}",
        ),
    )

    def complete(self, row: OpenLoop) -> None:
        complete_open_loop(self.workspace, row)

    def show(self, record_id: str) -> object:
        """Return an open or resolved loop."""
        return show_open_loops(self.workspace, [self.row(record_id)])[0]


class SignalRecords(TableRecords[Signal]):
    """The hooks of signals."""

    form = SIGNALS
    table = "signals"
    text_column = "value"
    columns = (
        TextColumns(
            "signals", texts=f"signal_type, value, {_TEXTS}", codes=f"observed_at, {_CODES}"
        ),
    )

    def complete(self, row: Signal) -> None:
        complete_signal(self.workspace, row)

    def show(self, record_id: str) -> object:
        """Return a signal."""
        return show_signals(self.workspace, [self.row(record_id)])[0]
