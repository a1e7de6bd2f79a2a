"""The hooks of episodes: reading with their turns, listing, removal, export.

An episode rests on its turns: when some of them are removed it is summarised again from the rest in
the same transaction, and removed when none is left.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from contracts import InputError
from memory.conversations.turns.store import TurnStore
from memory.episodes.building import EpisodeWriter, built, record_text
from memory.episodes.importing import EpisodeImporter
from memory.episodes.inserted_rows import complete_episode
from memory.episodes.kind import cite_episode
from memory.episodes.listing import existing_episode, read_episode
from memory.episodes.store import EpisodeStore
from memory.episodes.values import Episode, EpisodeContent
from memory.index.numbered_records import NumberedRecords
from memory.index.record_chunks import RecordText, RecordVectors
from memory.index.record_exchange import RecordImport, RecordImporter
from memory.storage import Transaction
from memory.storage.capabilities.text_columns import TextColumns
from memory.values.record_kinds import RecordKind
from memory.values.reports import Record
from memory.values.text_checks import caseless
from memory.workspace import Workspace

_MADE_OF_SQL: Final = """
SELECT DISTINCT episode_id FROM turns AS t WHERE id IN (:ids) AND episode_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM turns AS other WHERE other.episode_id = t.episode_id
        AND other.id NOT IN (:ids))
"""
_SOURCES_SQL: Final = "SELECT id FROM turns WHERE episode_id IN (:ids)"


class EpisodeRecords(NumberedRecords[Episode]):
    """The hooks of episodes."""

    table = "episodic_memory"
    text_column = "summary"
    findable = "r.summary <> ''"
    told = "r.summary"
    inserted = "message_count < 0"
    columns = (
        TextColumns(
            "episodic_memory",
            texts="summary, session_id",
            codes="last_accessed_at, created_at, updated_at, started_at, ended_at, written_by, "
            "facts_at",
        ),
    )

    def __init__(self, workspace: Workspace, kind: RecordKind) -> None:
        super().__init__(workspace, kind)
        self._store = EpisodeStore(workspace.storage.database)

    def rows(self, ids: Iterable[int]) -> list[Episode]:
        return self._store.many(ids)

    def row(self, record_id: str) -> Episode:
        return existing_episode(self.workspace, int(record_id))

    def show(self, record_id: str) -> EpisodeContent:
        """Return an episode with its turns."""
        return read_episode(self.workspace, int(record_id))

    def record(self, row: Episode, chunks: int) -> Record:
        return Record(
            id=f"{self.kind.name}:{row.id}",
            source=self.kind.name,
            path=None,
            state="indexed" if row.summary else "deleted",
            reason=None,
            size_bytes=len(row.summary.encode()),
            chunks=chunks,
            tags=list(record_text(row).tags),
            metadata=self.about(row),
            created_at=row.created_at,
            updated_at=row.updated_at,
            modified_at=row.ended_at,
        )

    def update(
        self,
        record_id: str,
        *,
        metadata: Mapping[str, Any] | None,
        tags: Sequence[str] | None,
    ) -> None:
        """Raise InputError: everything about an episode follows from its turns."""
        raise InputError(
            f"{self.cite_row(self.row(record_id))} is made of its turns and has no tags or "
            "metadata of its own",
            hint="change those of its turns",
        )

    def searchable(self, row: Episode) -> RecordText:
        return record_text(row)

    def complete(self, row: Episode) -> None:
        complete_episode(self.workspace, row)

    def cite_row(self, row: Episode) -> str:
        return cite_episode(row.id)

    def holding(self, wanted: str) -> list[str]:
        """Return the episodes that contain a text which none of their turns contains; with the
        turns that contain it, the others lose it too.
        """
        found = super().holding(wanted)
        return [key for key in found if not self._is_said_in(int(key), wanted)]

    def _is_said_in(self, episode_id: int, wanted: str) -> bool:
        return any(wanted in caseless(turn.text) for turn in self._store.turns([episode_id]))

    def sources(self, ids: Collection[str]) -> Mapping[str, Collection[str]]:
        rows = self.database.read(_SOURCES_SQL, {"ids": self.keys(ids)})
        return {"turn": [str(row[0]) for row in rows]}

    def made_of_nothing_else(self, chosen: Mapping[str, Collection[str]]) -> Collection[str]:
        """Return the episodes of which every turn is chosen."""
        rows = self.database.read(_MADE_OF_SQL, {"ids": self.keys(chosen.get("turn", ()))})
        return [str(row[0]) for row in rows]

    def remove(self, tx: Transaction, ids: Collection[str]) -> None:
        """Remove episodes; turns of theirs that stay are not summarised again."""
        writer = EpisodeWriter(self.workspace, tx, RecordVectors())
        for episode in self.rows(self.keys(ids)):
            writer.dismiss(episode)

    def withdraw(self, tx: Transaction, source: str, ids: Collection[str]) -> int:
        if source != "turn":
            return 0
        going = set(self.keys(ids))
        writer = EpisodeWriter(self.workspace, tx, RecordVectors())
        episodes = self.rows(self._store.of_turns(going))
        for episode in episodes:
            left = [turn for turn in self._store.turns([episode.id]) if turn.id not in going]
            if not left:
                writer.remove(episode.id)
            elif episode.summary:
                writer.rewrite(built(self.workspace, left, episode))
        return len(episodes)

    def about(self, row: Episode) -> dict[str, Any]:
        return {
            "session_id": row.session_id,
            "start_message_id": row.start_message_id,
            "end_message_id": row.end_message_id,
            "written_by": row.written_by,
        }

    def written(self, rows: Sequence[Episode]) -> Iterator[dict[str, Any]]:
        turns = TurnStore(self.workspace.storage.database)
        for row in rows:
            ids = self.database.read(_SOURCES_SQL, {"ids": [row.id]})
            said = turns.many(each[0] for each in ids)
            yield {**asdict(row), "turn_ids": [turn.id for turn in said]}

    def importer(self, work: RecordImport) -> RecordImporter:
        return EpisodeImporter(work)
