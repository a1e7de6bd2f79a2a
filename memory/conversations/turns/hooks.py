"""The hooks of turns: reading between neighbours, listing, editing, removal, export."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Final

from contracts import NotFoundError
from ingest.pii import privacy_tags
from memory.conversations.turns.adding import digest_of, rewrite_after, turn_record
from memory.conversations.turns.importing import TurnImporter
from memory.conversations.turns.kind import cite_turn
from memory.conversations.turns.removing import remove_turns
from memory.conversations.turns.showing import AROUND, TurnContent, display_turn
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.index.numbered_records import NumberedRecords
from memory.index.record_chunks import RecordText, RecordVectors, put_records
from memory.index.record_exchange import Line, RecordImport, RecordImporter
from memory.retrieval.answers.provenance import ProvenanceReader
from memory.storage import Space, Transaction
from memory.storage.action_log import require_own, still_marked
from memory.storage.capabilities.text_columns import TextColumns
from memory.values.citations import shown_session
from memory.values.record_fields import checked_metadata, checked_tags
from memory.values.record_kinds import RecordKind, RecordName, imported
from memory.values.reports import Record
from memory.workspace import Workspace

_FIELDS: Final = tuple(item.name for item in fields(Turn))
_DIGESTS_SQL: Final = "SELECT id, digest FROM turns WHERE id IN (:ids)"
_CONDITIONS: Final = {
    "session_id": "session_id = :session_id",
    "since": "ts >= :since",
    "until": "ts <= :until",
    "tag": "list_holds(tags, :tag)",
}


class TurnRecords(NumberedRecords[Turn]):
    """The hooks of turns."""

    table = "turns"
    text_column = "text"
    findable = "length(r.digest) > 0"
    told = "r.text"
    columns = (
        TextColumns(
            "turns",
            texts="text, metadata, session_id, speaker, client_id, image_paths, tags",
            codes="ts, role, extraction, recorded_at",
        ),
        TextColumns("sessions", texts="session_id", codes="created_at"),
        TextColumns("enrichments", codes="not_before"),
        TextColumns("chat_sources", texts="path", codes="agent, added_at"),
        TextColumns("transcripts", texts="path", names="trouble", codes="agent, cursor, read_at"),
    )

    def __init__(self, workspace: Workspace, kind: RecordKind) -> None:
        super().__init__(workspace, kind)
        self._store = TurnStore(workspace.storage.database)

    def rows(self, ids: Iterable[int]) -> list[Turn]:
        return self._store.many(ids)

    def row(self, record_id: str) -> Turn:
        found = self._store.get(int(record_id))
        if found is None:
            raise NotFoundError(
                f"there is no turn {record_id}",
                hint="find what was said: mem search WORDS --source turn",
            )
        return found

    def show(self, record_id: str) -> TurnContent:
        """Return a turn with those around it."""
        with self.database.snapshot():
            turn = self.row(record_id)
            place = turn.session_id, turn.ts, turn.id
            before = self._store.before(*place, limit=AROUND)
            after = self._store.after(*place, limit=AROUND)
            reader: ProvenanceReader = imported(self.workspace.kinds["memory"].provenance)
            past = reader(self.database, turns=(turn.id,)).past
        return TurnContent(
            turn=display_turn(turn),
            session_id=shown_session(turn.session_id),
            tags=list(turn.tags),
            metadata=dict(turn.metadata),
            image_paths=list(turn.image_paths),
            before=[display_turn(each) for each in before],
            after=[display_turn(each) for each in after],
            superseded=[one.shown for one in past.get(RecordName("turn", str(turn.id)), ())],
        )

    def record(self, row: Turn, chunks: int) -> Record:
        return Record(
            id=f"{self.kind.name}:{row.id}",
            source=self.kind.name,
            path=None,
            state="indexed",
            reason=None,
            size_bytes=len(row.text.encode()),
            chunks=chunks,
            tags=list(row.tags),
            metadata=dict(row.metadata),
            created_at=row.recorded_at,
            updated_at=row.recorded_at,
            modified_at=row.ts,
        )

    def update(
        self,
        record_id: str,
        *,
        metadata: Mapping[str, Any] | None,
        tags: Sequence[str] | None,
    ) -> None:
        """Replace metadata or tags, beside which stay those for what the text holds: personal data
        and secrets. Raises ForbiddenError where an agent would label a turn of others.
        """
        new_metadata = None if metadata is None else checked_metadata(metadata)
        new_tags = None if tags is None else checked_tags(tags)
        with self.database.transaction() as tx:
            turn = self.row(record_id)
            require_own(self.cite_row(turn), turn.metadata)
            if new_metadata is not None:
                turn = replace(turn, metadata=still_marked(new_metadata, turn.metadata))
            if new_tags is not None:
                labels = dict.fromkeys((*new_tags, *privacy_tags(turn.text)))
                turn = replace(turn, tags=tuple(labels))
            self._store.describe(tx, turn)
            put_records(self.workspace, tx, [self.searchable(turn)], RecordVectors())

    def searchable(self, row: Turn) -> RecordText:
        return turn_record(self._store, row)

    def cite_row(self, row: Turn) -> str:
        return cite_turn(row.session_id, row.id, row.ts)

    def conditions(self) -> Mapping[str, str]:
        return _CONDITIONS

    def remove(self, tx: Transaction, ids: Collection[str]) -> None:
        remove_turns(self.workspace, tx, self.rows(self.keys(ids)))

    def sessions(self, ids: Collection[str]) -> Collection[str]:
        return {row.session_id for row in self.rows(self.keys(ids))}

    def end_sessions(self, tx: Transaction, names: Collection[str]) -> int:
        return self._store.end_sessions(tx, names)

    def about(self, row: Turn) -> Any:
        return [dict(row.metadata), row.speaker, row.image_paths, row.client_id]

    def lines(self, space: Space | None) -> Iterator[Line]:
        """Yield sessions before turns."""
        sql = "SELECT session_id, long_term_opt_in, created_at FROM sessions ORDER BY session_id"
        for name, opt_in, created_at in self.database.read(sql):
            values = {"session_id": name, "long_term_opt_in": bool(opt_in)}
            yield "session", {**values, "created_at": created_at}
        yield from super().lines(space)

    def written(self, rows: Sequence[Turn]) -> Iterator[dict[str, Any]]:
        ids = [row.id for row in rows]
        digests: dict[int, bytes] = dict(self.database.read(_DIGESTS_SQL, {"ids": ids}))
        for row in rows:
            values = {name: getattr(row, name) for name in _FIELDS}
            digest = digests[row.id] or digest_of(row)  # inserted by another program
            yield {**values, "metadata": dict(row.metadata), "digest": digest.hex()}

    def importer(self, work: RecordImport) -> RecordImporter:
        return TurnImporter(work)

    def prepare(self, tx: Transaction, rows: Sequence[Turn]) -> None:
        """Rebuild the keyword entries of the turns that follow, which have words of these."""
        rewrite_after(self.workspace, tx, rows)
