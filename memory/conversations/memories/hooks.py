"""The hooks of memories: explanation, listing, editing, removal, export."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from memory.conversations.memories.comparison.endings import search_words
from memory.conversations.memories.editing import MemoryChange, edit_memory, get_memory
from memory.conversations.memories.importing import LINK_FIELDS, MemoryImporter
from memory.conversations.memories.kind import cite_memory
from memory.conversations.memories.slots.fact_keys import keys_of_slot
from memory.conversations.memories.slots.showing import shown_memories
from memory.conversations.memories.slots.withdrawn_facts import withdrawn_turns
from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import Memory
from memory.conversations.memories.why import Why, why
from memory.conversations.memories.writing import record_text, renew_changed
from memory.conversations.turns.store import TurnStore
from memory.index.numbered_records import NumberedRecords
from memory.index.record_chunks import RecordText, remove_record
from memory.index.record_exchange import RecordImport, RecordImporter
from memory.index.record_hooks import renew_derived, rewrite_derived, withdraw_derived
from memory.storage import Transaction
from memory.storage.capabilities.text_columns import TextColumns
from memory.values.record_kinds import RecordKind
from memory.values.reports import Record
from memory.workspace import Workspace

_FIELDS: Final = tuple(item.name for item in fields(Memory))
_CONDITIONS: Final = {
    "session_id": """id IN (SELECT memory_id FROM memory_links AS l JOIN turns AS t
        ON t.id = l.turn_id WHERE t.session_id = :session_id)
        AND id NOT IN (SELECT memory_id FROM memory_links AS l JOIN turns AS t
        ON t.id = l.turn_id WHERE t.session_id <> :session_id) AND origin <> 'user'""",
    "since": "occurred_at >= :since",
    "until": "occurred_at <= :until",
    "tag": "list_holds(tags_json, :tag)",
}
_SOURCES_SQL: Final = """SELECT DISTINCT turn_id FROM memory_links
    WHERE memory_id IN (:ids)"""
_MADE_OF_SQL: Final = """SELECT DISTINCT l.memory_id FROM memory_links AS l
    JOIN memories AS m ON m.id = l.memory_id
    WHERE l.turn_id IN (:ids) AND m.origin <> 'user'
    AND NOT EXISTS (SELECT 1 FROM memory_links AS other WHERE other.memory_id = l.memory_id
        AND other.turn_id NOT IN (:ids)
        AND NOT (other.reason = 'conflict' AND EXISTS (
            SELECT 1 FROM memory_links AS first WHERE first.memory_id = other.memory_id
            AND (first.created_at, first.turn_id) < (other.created_at, other.turn_id))))"""


class MemoryRecords(NumberedRecords[Memory]):
    """The hooks of memories."""

    table = "memories"
    text_column = "content"
    findable = "r.status = 'active' AND r.words <> ' '"
    told = "r.content"
    outdated = """c.body_offset = 0 AND c.start_char = 0
        AND (r.content LIKE 'User %' OR r.content LIKE 'User''s %')"""
    columns = (
        TextColumns(
            "memories",
            texts="content, metadata, tags_json, words, slot, value",
            codes="layer, created_at, last_seen_at, status, occurred_at, updated_at, origin",
        ),
        TextColumns("memory_words", texts="word"),
        TextColumns("memory_links", texts="rule", codes="reason, created_at"),
    )

    def __init__(self, workspace: Workspace, kind: RecordKind) -> None:
        super().__init__(workspace, kind)
        self._store = MemoryStore(workspace.storage)

    def rows(self, ids: Iterable[int]) -> list[Memory]:
        found = self._store.get_many(ids)
        return [found[key] for key in sorted(found)]

    def row(self, record_id: str) -> Memory:
        return get_memory(self.workspace, int(record_id))

    def show(self, record_id: str) -> Why:
        """Return a memory with its sources."""
        return why(self.workspace, self.row(record_id).id)

    def record(self, row: Memory, chunks: int) -> Record:
        return Record(
            id=f"{self.kind.name}:{row.id}",
            source=self.kind.name,
            path=None,
            state=self._state(row),
            reason=None,
            size_bytes=len(row.content.encode()),
            chunks=chunks,
            tags=list(row.tags),
            metadata=dict(row.metadata),
            created_at=row.created_at,
            updated_at=row.updated_at,
            modified_at=row.occurred_at,
        )

    def _state(self, row: Memory) -> str:
        if row.status != "active":
            return row.status
        (found,) = shown_memories(self.database, [row])
        return "indexed" if found.superseded is None else "superseded"

    def update(
        self,
        record_id: str,
        *,
        metadata: Mapping[str, Any] | None,
        tags: Sequence[str] | None,
    ) -> None:
        edit_memory(self.workspace, int(record_id), MemoryChange(tags=tags, metadata=metadata))

    def searchable(self, row: Memory) -> RecordText:
        return record_text(row)

    def cite_row(self, row: Memory) -> str:
        return cite_memory(row.id)

    def conditions(self) -> Mapping[str, str]:
        """Return those of a time, of a tag, and of one session alone."""
        return _CONDITIONS

    def sources(self, ids: Collection[str]) -> Mapping[str, Collection[str]]:
        rows = self.database.read(_SOURCES_SQL, {"ids": self.keys(ids)})
        return {"turn": [str(row[0]) for row in rows]}

    def made_of_nothing_else(self, chosen: Mapping[str, Collection[str]]) -> Collection[str]:
        """Return the memories derived only from the chosen turns; those a person wrote stay.

        A turn that ended a memory, which its link records as a conflict with another turn, is not a
        source of it.
        """
        rows = self.database.read(_MADE_OF_SQL, {"ids": self.keys(chosen.get("turn", ()))})
        return [str(row[0]) for row in rows]

    def stay_forgotten(self, tx: Transaction, ids: Collection[str]) -> None:
        TurnStore(self.database).read_no_more(tx, self.sources(ids)["turn"])

    def remove(self, tx: Transaction, ids: Collection[str]) -> None:
        withdraw_derived(self.workspace, tx, self.kind.name, self.keys(ids))
        for key in sorted(self.keys(ids)):
            remove_record(self.workspace, tx, self.kind.name, str(key))
            self._store.delete(tx, key)

    def changed_elsewhere(self) -> list[int]:
        """Return also those that have no chunk, whose words are not those of their content."""
        return sorted({*super().changed_elsewhere(), *self._store.edited_among(self.unfound())})

    def remove_deleted(self, tx: Transaction, ids: Sequence[int]) -> None:
        gone = {*ids} - {*self._findable(ids)}
        archived = {row.id for row in self.rows(gone)}
        former = self._store.indexed_texts(gone)
        super().remove_deleted(tx, ids)
        withdraw_derived(self.workspace, tx, self.kind.name, gone - archived)
        renew_derived(self.workspace, tx, self.kind.name, archived)
        rewrite_derived(self.workspace, tx, self.kind.name, former)

    def about(self, row: Memory) -> Any:
        return [dict(row.metadata), row.tags]

    def written(self, rows: Sequence[Memory]) -> Iterator[dict[str, Any]]:
        withdrawn = withdrawn_turns(self.database, [row.id for row in rows])
        for row in rows:
            links = [
                {name: getattr(link, name) for name in LINK_FIELDS}
                for link in self._store.links(row.id)
            ]
            values = {name: getattr(row, name) for name in _FIELDS}
            line = {**values, "metadata": dict(row.metadata), "links": links}
            yield line | ({"withdrawn": withdrawn[row.id]} if row.id in withdrawn else {})

    def importer(self, work: RecordImport) -> RecordImporter:
        return MemoryImporter(work)

    def index(self, ids: Sequence[int], *, is_changed: bool = False) -> None:
        """Rebuild the chunks of memories; changed ones get their slot and words again."""
        if is_changed:
            renew_changed(self.workspace, ids, former_of=_text_of_value)
        else:
            super().index(ids)

    def prepare(self, tx: Transaction, rows: Sequence[Memory]) -> None:
        """Write the words that find memories with the same meaning, and what they state."""
        for row in rows:
            self._store.put_words(tx, row.id, search_words(row))
        found_anew = {row.id: "" for row in rows}  # another program has restored them
        rewrite_derived(self.workspace, tx, self.kind.name, found_anew)


def _text_of_value(memory: Memory) -> str:
    """Return a sentence that states the value of a memory, "" for one that holds none."""
    names = keys_of_slot(memory.slot or "")
    return names.sentence.replace("{}", memory.value or "") if names else ""
