"""The hooks of triples: reading with what they rest on, listing, removal, export.

A fact rests on memories, these on turns, and on the episodes of those turns. What is removed or
changed there is removed or changed here in the same transaction.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from contracts import InputError
from memory.conversations.memories.store import MemoryStore
from memory.episodes.triples.importing import TripleImporter
from memory.episodes.triples.inserted_rows import complete_triple
from memory.episodes.triples.kind import cite_triple
from memory.episodes.triples.reading import existing_triple, read_triple
from memory.episodes.triples.store import IS_CURRENT, TripleStore
from memory.episodes.triples.values import Triple, TripleContent
from memory.episodes.triples.writing import Removed, TripleWriter, record_text
from memory.index.numbered_records import READ_AT_ONCE, NumberedRecords
from memory.index.record_chunks import RecordText
from memory.index.record_exchange import RecordImport, RecordImporter
from memory.index.record_hooks import hooks_of
from memory.storage import Transaction
from memory.storage.capabilities.text_columns import TextColumns
from memory.values.record_kinds import RecordKind
from memory.values.reports import Record
from memory.values.text_checks import caseless
from memory.workspace import Workspace


class TripleRecords(NumberedRecords[Triple]):
    """The hooks of triples."""

    table = "semantic_memory"
    text_column = "text"
    findable = IS_CURRENT
    told = "trim(r.entity || ' ' || r.relation || ' ' || r.target)"
    inserted = "key IS NULL AND entity <> ''"
    columns = (
        TextColumns(
            "semantic_memory",
            texts="entity, relation, target, key",
            codes="source_episodic_ids, last_accessed_at, created_at, updated_at, occurred_at",
        ),
        TextColumns("semantic_sources", texts="entity"),
    )

    def __init__(self, workspace: Workspace, kind: RecordKind) -> None:
        super().__init__(workspace, kind)
        self._store = TripleStore(workspace.storage.database)
        self._memories = MemoryStore(workspace.storage)

    def rows(self, ids: Iterable[int]) -> list[Triple]:
        return self._store.many(ids)

    def row(self, record_id: str) -> Triple:
        return existing_triple(self.workspace, int(record_id))

    def show(self, record_id: str) -> TripleContent:
        """Return a fact with its state and what it rests on."""
        return read_triple(self.workspace, int(record_id))

    def record(self, row: Triple, chunks: int) -> Record:
        state = self.show(str(row.id)).state if row.entity else "deleted"
        return Record(
            id=f"{self.kind.name}:{row.id}",
            source=self.kind.name,
            path=None,
            state="indexed" if state == "current" else state,
            reason=None,
            size_bytes=len(row.text.encode()),
            chunks=chunks,
            tags=list(self.searchable(row).tags) if row.entity else [],
            metadata=self.about(row),
            created_at=row.created_at,
            updated_at=row.updated_at,
            modified_at=row.occurred_at,
        )

    def update(
        self,
        record_id: str,
        *,
        metadata: Mapping[str, Any] | None,
        tags: Sequence[str] | None,
    ) -> None:
        """Raise InputError: a fact says what its memories say."""
        content = self.show(record_id)
        if not content.memories:
            raise InputError(
                f"{content.citation} was inserted by another program, without tags or metadata",
                hint=f"forget it: mem forget --id {content.citation!r}",
            )
        raise InputError(
            f"{content.citation} says what {content.memories[0].citation} says",
            hint=f"edit that: mem memories edit {content.memories[0].memory_id}",
        )

    def searchable(self, row: Triple) -> RecordText:
        ids = [source.memory_id for source in self._store.sources_of([row.id])]
        return record_text(row, list(self._memories.get_many(ids).values()))

    def complete(self, row: Triple) -> None:
        complete_triple(self.workspace, row)

    def cite_row(self, row: Triple) -> str:
        return cite_triple(row.id)

    def known(self, ids: Collection[str]) -> list[str]:
        return [str(row.id) for row in self.rows(self.keys(ids)) if row.entity]

    def holding(self, wanted: str) -> list[str]:
        """Return the facts that contain a text which none of their memories contains; with the
        memories that contain it, the others lose it too.
        """
        found, last = list[str](), 0
        while rows := self._store.after(last, limit=READ_AT_ONCE):
            holding = [row.id for row in rows if wanted in caseless(row.text)]
            found += [str(key) for key in holding if not self._is_remembered(key, wanted)]
            last = rows[-1].id
        return found

    def _is_remembered(self, triple_id: int, wanted: str) -> bool:
        said = self._memories.get_many(one.memory_id for one in self._store.sources_of([triple_id]))
        return any(wanted in caseless(memory.content) for memory in said.values())

    def sources(self, ids: Collection[str]) -> Mapping[str, Collection[str]]:
        memories = [source.memory_id for source in self._store.sources_of(self.keys(ids))]
        kept = [str(key) for key in memories]
        return {**hooks_of(self.workspace, "memory").sources(kept), "memory": kept}

    def made_of_nothing_else(self, chosen: Mapping[str, Collection[str]]) -> Collection[str]:
        """Return the facts all of whose memories are chosen, or made of the chosen turns."""
        made = hooks_of(self.workspace, "memory").made_of_nothing_else(chosen)
        going = {*chosen.get("memory", ()), *made}
        touched = self._store.sources(self.keys(going))
        sources = self._store.sources_of({source.triple_id for source in touched.values()})
        staying = {source.triple_id for source in sources if str(source.memory_id) not in going}
        found = {source.triple_id for source in sources} - staying
        return self.known([str(key) for key in found])

    def remove(self, tx: Transaction, ids: Collection[str]) -> None:
        """Remove facts; memories of theirs that stay do not become facts again."""
        writer = TripleWriter(self.workspace, tx)
        for triple in self.rows(self.keys(ids)):
            writer.dismiss(triple)

    def withdraw(self, tx: Transaction, source: str, ids: Collection[str]) -> int:
        keys = self.keys(ids)
        removed = Removed(**{_REMOVED[source]: frozenset(keys)})
        writer = TripleWriter(self.workspace, tx, removed=removed)
        return writer.withdraw(self._memories_of(source, keys))

    def renew(self, tx: Transaction, source: str, ids: Collection[str]) -> None:
        keys = self.keys(ids)
        if source == "episode":
            self._store.mark_episodes_unread(tx, keys)
            TripleWriter(self.workspace, tx).derive(
                {*self._store.sources(self._memories_of(source, keys))}
            )
        else:
            TripleWriter(self.workspace, tx).renew(keys)

    def _memories_of(self, source: str, keys: Sequence[int]) -> Sequence[int]:
        if source == "turn":
            return self._store.memories_of_turns(keys)
        return self._store.memories_of_episodes(keys) if source == "episode" else keys

    def about(self, row: Triple) -> dict[str, Any]:
        return {
            "entity": row.entity,
            "relation": row.relation,
            "target": row.target,
            "confidence": row.confidence,
            "source_episodic_ids": list(row.source_episodic_ids),
        }

    def written(self, rows: Sequence[Triple]) -> Iterator[dict[str, Any]]:
        for row in rows:
            sources = self._store.sources_of([row.id])
            yield {**asdict(row), "memory_ids": [source.memory_id for source in sources]}

    def importer(self, work: RecordImport) -> RecordImporter:
        return TripleImporter(work)


_REMOVED = {"turn": "turns", "memory": "memories", "episode": "episodes"}
