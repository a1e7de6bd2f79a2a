"""A kind of record of its own: notes, with a table, declared as any other kind is."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from contracts import ChunkRow, NotFoundError
from memory.index.numbered_records import NumberedRecords
from memory.index.record_chunks import RecordText, RecordVectors, put_records, remove_record
from memory.index.record_exchange import RecordImport
from memory.storage import Transaction
from memory.storage.capabilities.text_columns import TextColumns
from memory.values.line_values import checked
from memory.values.record_kinds import RecordKind, numbered
from memory.values.reports import Record
from memory.workspace import Workspace

WRITTEN_AT = "2024-05-01T10:00:00.000Z"

_TABLE = """CREATE TABLE IF NOT EXISTS notes (
    id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL,
    tags TEXT NOT NULL, metadata TEXT NOT NULL)"""
_LINES = """CREATE TABLE IF NOT EXISTS note_authors (
    note_id INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE, author TEXT NOT NULL)"""


@dataclass(frozen=True)
class Note:
    """A row of `notes`."""

    id: int
    title: str
    body: str
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] | None = None


def know_notes(workspace: Workspace) -> None:
    """Give a workspace the kind, and its database the tables."""
    workspace.kinds.add("note", "tests.memory.note_kind:NOTE")
    with workspace.storage.database.transaction() as tx:
        tx.run(_TABLE)
        tx.run(_LINES)


def write_note(workspace: Workspace, note: Note) -> None:
    """Store a note, and make it searchable."""
    with workspace.storage.database.transaction() as tx:
        insert(tx, note)
        put_records(workspace, tx, [record_text(note)], RecordVectors())


def insert(tx: Transaction, note: Note) -> None:
    sql = """INSERT INTO notes VALUES (:id, :title, :body, :tags, :metadata)
        ON CONFLICT (id) DO UPDATE SET title = :title, body = :body, tags = :tags,
            metadata = :metadata"""
    stored = {"tags": json.dumps(note.tags), "metadata": json.dumps(note.metadata or {})}
    tx.run(sql, {**asdict(note), **stored})


def record_text(note: Note) -> RecordText:
    return RecordText(
        source="note",
        owner_id=str(note.id),
        text=note.body,
        title=note.title,
        occurred_at=WRITTEN_AT,
        recorded_at=WRITTEN_AT,
        tags=note.tags,
        metadata=dict(note.metadata or {}),
    )


class NoteRecords(NumberedRecords[Note]):
    table = "notes"
    text_column = "body"
    columns = (
        TextColumns("notes", texts="title, body, tags, metadata"),
        TextColumns("note_authors", texts="author"),
    )

    def rows(self, ids: Iterable[int]) -> list[Note]:
        sql = """SELECT id, title, body, tags, metadata FROM notes
            WHERE id IN (:ids) ORDER BY id"""
        return [
            Note(*row[:3], tags=tuple(json.loads(row[3])), metadata=json.loads(row[4]))
            for row in self.database.read(sql, {"ids": list(ids)})
        ]

    def row(self, record_id: str) -> Note:
        found = self.rows([int(record_id)])
        if not found:
            raise NotFoundError(f"there is no note {record_id}", hint="write one")
        return found[0]

    def show(self, record_id: str) -> Note:
        return self.row(record_id)

    def record(self, row: Note, chunks: int) -> Record:
        return Record(
            id=f"note:{row.id}",
            source="note",
            path=None,
            state="indexed",
            reason=None,
            size_bytes=len(row.body.encode()),
            chunks=chunks,
            tags=list(row.tags),
            metadata=dict(row.metadata or {}),
            created_at=WRITTEN_AT,
            updated_at=WRITTEN_AT,
            modified_at=WRITTEN_AT,
        )

    def update(
        self, record_id: str, *, metadata: Mapping[str, Any] | None, tags: Sequence[str] | None
    ) -> None:
        note = self.row(record_id)
        note = note if metadata is None else replace(note, metadata=metadata)
        write_note(self.workspace, note if tags is None else replace(note, tags=tuple(tags)))

    def remove(self, tx: Transaction, ids: Collection[str]) -> None:
        for record_id in ids:
            remove_record(self.workspace, tx, "note", record_id)
            tx.run("DELETE FROM notes WHERE id = :id", {"id": record_id})

    def searchable(self, row: Note) -> RecordText:
        return record_text(row)

    def cite_row(self, row: Note) -> str:
        return f"note {row.id}"

    def about(self, row: Note) -> Any:
        return [row.title, dict(row.metadata or {})]

    def written(self, rows: Sequence[Note]) -> Iterable[dict[str, Any]]:
        return [asdict(row) for row in rows]

    def importer(self, work: RecordImport) -> "NoteImporter":
        return NoteImporter(work)


class NoteImporter:
    types = ("note",)

    def __init__(self, work: RecordImport) -> None:
        self._work = work
        self._waiting: list[Note] = []

    def take(self, line_type: str, values: Mapping[str, Any]) -> int:
        note = Note(
            *(checked(values, "id", int), checked(values, "title", str)),
            *(checked(values, "body", str), tuple(values["tags"]), values["metadata"]),
        )
        self._work.take_vectors(values)
        self._waiting.append(note)
        return len(self._waiting)

    def store(self) -> None:
        waiting, self._waiting = self._waiting, []
        records = [record_text(note) for note in waiting]
        known = self._work.known(records)
        with self._work.workspace.storage.database.transaction() as tx:
            for note in waiting:
                insert(tx, note)
            put_records(self._work.workspace, tx, records, known)

    def finish(self) -> None:
        self._work.added["note"] += 1


def _cite(row: ChunkRow, cwd: Path) -> str:
    return f"note {row.owner_id}"


def _about(metadata: Mapping[str, Any], occurred_at: str) -> str:
    return f"a note of {occurred_at[:10]}"


NOTE = RecordKind(
    name="note",
    plural="notes",
    cite=_cite,
    read=numbered("note"),
    hooks="tests.memory.note_kind:NoteRecords",
    deleted="the note is gone",
    about=_about,
)
