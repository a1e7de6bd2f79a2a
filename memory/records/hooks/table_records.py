"""The hooks that the five kinds share, each by its form."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from contracts import NotFoundError
from memory.conversations.turns.store import TurnStore
from memory.index.numbered_records import NumberedRecords
from memory.index.record_chunks import RecordText, remove_record
from memory.index.record_exchange import RecordImport, RecordImporter, numbers_in
from memory.records.forms import RecordForm
from memory.records.importing import TableImporter
from memory.records.store import RecordStore
from memory.records.values import R
from memory.records.writing import write_record
from memory.storage import Transaction
from memory.storage.action_log import is_others, require_owner, still_marked
from memory.values.record_fields import checked_metadata, checked_tags
from memory.values.record_kinds import RecordKind
from memory.values.reports import Record
from memory.workspace import Workspace

TEXTS: Final = "source, tags, metadata"
CODES: Final = "created_at, updated_at"


_MADE_OF_SQL: Final = """
SELECT DISTINCT l.record_id FROM record_links AS l JOIN {table} AS r ON r.id = l.record_id
WHERE l.source = :links AND l.turn_id IN (:ids) AND l.reason = 'source' AND r.source <> 'user'
    AND NOT EXISTS (SELECT 1 FROM record_links AS other
        WHERE other.source = l.source AND other.record_id = l.record_id
        AND other.reason = 'source' AND other.turn_id NOT IN (:ids))
"""
_OF_SESSION: Final = """id IN (SELECT l.record_id FROM record_links AS l
        JOIN turns AS t ON t.id = l.turn_id
        WHERE l.source = :kind AND t.session_id = :session_id)
    AND id NOT IN (SELECT l.record_id FROM record_links AS l JOIN turns AS t ON t.id = l.turn_id
        WHERE l.source = :kind AND t.session_id <> :session_id)
    AND source <> 'user'"""


class TableRecords(NumberedRecords[R]):
    """The hooks of one kind, by its form."""

    form: ClassVar[RecordForm[Any]]

    shown: ClassVar["staticmethod[[Workspace, Sequence[Any]], Sequence[object]]"]
    """Returns rows as they are shown."""

    completed: ClassVar["staticmethod[[Workspace, Any], None]"]
    """Completes a row, see `complete`."""

    joined: ClassVar["staticmethod[[Any, Any], Any]"]
    """Returns a row with what another row of the same record adds."""

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

    def show(self, record_id: str) -> object:
        return self.shown(self.workspace, [self.row(record_id)])[0]

    def complete(self, row: R) -> None:
        self.completed(self.workspace, row)

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
        """Replace metadata or tags; tags for personal data follow the text.

        Raises ForbiddenError where an agent would label a record of others.
        """
        row = self.row(record_id)
        if is_others(row.metadata):
            require_owner(f"{self.cite_row(row)} is not an agent's")
        changes: dict[str, Any] = {}
        if metadata is not None:
            changes["metadata"] = still_marked(checked_metadata(metadata), row.metadata)
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

    def conditions(self) -> Mapping[str, str]:
        """Return those of a time, of a tag, and of resting on one session alone."""
        return {
            "session_id": _OF_SESSION,
            "since": f"{self.form.occurred_at} >= :since",
            "until": f"{self.form.occurred_at} <= :until",
            "tag": "list_holds(tags, :tag)",
        }

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

    def remove_deleted(self, tx: Transaction, ids: Sequence[int]) -> None:
        """Remove also the links of those that another program has deleted."""
        self.remove(tx, [str(key) for key in {*ids} - {*self._findable(ids)}])

    def written(self, rows: Sequence[R]) -> Iterator[dict[str, Any]]:
        links = self._store.links([row.id for row in rows])
        for row in rows:
            values = {name: getattr(row, name) for name in self.form.row.__dataclass_fields__}
            own = [link._asdict() for link in links.get(row.id, ())]
            yield {**values, "metadata": dict(row.metadata), "links": own}

    def importer(self, work: RecordImport) -> RecordImporter:
        return TableImporter(work, self.form, self.joined)
