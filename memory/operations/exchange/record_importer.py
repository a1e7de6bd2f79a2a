"""Storing of imported turns and memories that are new, with their links and actions."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from memory.conversations.memories.store import MemoryStore
from memory.conversations.memories.values import Memory, MemoryLink
from memory.conversations.memories.word_similarity import sentence
from memory.conversations.memories.writing import record_text
from memory.conversations.turns.adding import rewrite_after, turn_record
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.index.record_chunks import RecordText, RecordVectors, put_records, record_vectors
from memory.operations.exchange.lines import LineError, checked, checked_moment, row_of
from memory.operations.exchange.record_lines import (
    ACTION_FIELDS,
    RECORDS_AT_ONCE,
    action_of_line,
    hexadecimal,
    memory_of_line,
    turn_of_line,
)
from memory.operations.exchange.reports import ImportReport
from memory.storage import Space, Transaction
from memory.storage.vectors import from_float16
from memory.workspace import Workspace


@dataclass(slots=True)
class RecordImporter:
    """Reads the records of an import, and stores new ones.

    `space` is the database's if the vectors of the export are of the same, else None. A turn is
    identified by its session, time and words, once for each time it was said, or by its client_id;
    a memory by its words and its creation time. Both may get other numbers here than in the export.
    """

    workspace: Workspace
    report: ImportReport
    space: Space | None = None
    turn_ids: dict[int, int] = field(default_factory=dict)
    turns_here: set[int] = field(default_factory=set)
    nameless: int = 0
    memory_ids: dict[int, int] = field(default_factory=dict)
    new_memories: set[int] = field(default_factory=set)
    superseded: dict[int, int] = field(default_factory=dict)
    sessions: list[tuple[str, bool, str]] = field(default_factory=list)
    turns: list[tuple[Turn, bytes]] = field(default_factory=list)
    memories: list[tuple[Memory, list[MemoryLink]]] = field(default_factory=list)
    vectors: dict[bytes, bytes] = field(default_factory=dict)
    actions: list[dict[str, Any]] = field(default_factory=list)

    def take(self, kind: str, values: Mapping[str, Any]) -> None:
        """Read a line. Raises LineError for an unusable one."""
        _TAKERS[kind](self, values)
        waiting = len(self.turns) + len(self.memories) + len(self.actions)
        if waiting >= RECORDS_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Store the waiting records."""
        self._store_turns()
        self._store_memories()
        self._store_actions()
        self.vectors.clear()

    def finish(self) -> None:
        """Store the rest, and the links from archived memories to their replacements."""
        self.flush()
        with self.workspace.storage.database.transaction() as tx:
            for old, new in self.superseded.items():
                if old in self.new_memories and new in self.memory_ids:
                    values = {"id": self.memory_ids[old], "by": self.memory_ids[new]}
                    tx.run("UPDATE memories SET superseded_by = :by WHERE id = :id", values)
        if self.nameless:
            self.report.warnings.append(
                f"{self.nameless:,} turns came without their client_id: another turn of their "
                "session has it here"
            )

    def take_session(self, values: Mapping[str, Any]) -> None:
        name, opt_in = checked(values, "session_id", str), values.get("long_term_opt_in")
        if not isinstance(opt_in, bool):
            raise LineError(f"its long_term_opt_in is {opt_in!r:.40}")
        self.sessions.append((name, opt_in, checked_moment(values, "created_at")))

    def take_turn(self, values: Mapping[str, Any]) -> None:
        turn, digest = turn_of_line(values)
        self._take_vectors(values)
        self.turns.append((turn, digest))

    def take_memory(self, values: Mapping[str, Any]) -> None:
        memory, links = memory_of_line(values)
        self._take_vectors(values)
        self.memories.append((memory, links))

    def take_action(self, values: Mapping[str, Any]) -> None:
        self.actions.append(action_of_line(values))

    def _take_vectors(self, values: Mapping[str, Any]) -> None:
        for content, text in checked(values, "vectors", dict).items():
            row = row_of(text)
            if self.space is None or row is None:
                continue
            if len(row) != 2 * self.space.dimensions:
                raise LineError(f"its vector has {len(row) // 2} dimensions")
            self.vectors[hexadecimal(content)] = row

    def _store_turns(self) -> None:
        waiting, self.turns = self.turns, []
        sessions, self.sessions = self.sessions, []
        store = TurnStore(self.workspace.storage.database)
        new = [item for item in waiting if not self._is_known(*item)]
        known = self._known(turn_record(store, turn) for turn, _ in new)
        stored: list[Turn] = []
        with self.workspace.storage.database.transaction() as tx:
            for name, opt_in, created_at in sessions:
                store.touch_session(tx, name, opt_in=None, usual=opt_in, now=created_at)
            for turn, digest in new:
                store.touch_session(
                    tx, turn.session_id, opt_in=None, usual=True, now=turn.recorded_at
                )
                here = self._named(store, turn, digest)
                if here is not None:
                    here = replace(here, id=store.insert(tx, here, digest, keeps_id=True))
                    self._note(turn.id, here.id)
                    stored.append(here)
            put_records(self.workspace, tx, [turn_record(store, turn) for turn in stored], known)
            rewrite_after(self.workspace, tx, stored)
        self.report.turns += len(stored)

    def _is_known(self, turn: Turn, digest: bytes) -> bool:
        sql = """SELECT id FROM turns WHERE session_id = :session_id AND ts = :ts
            AND digest = :digest ORDER BY id"""
        values = {"session_id": turn.session_id, "ts": turn.ts, "digest": digest}
        for (here,) in self.workspace.storage.database.read(sql, values):
            if here not in self.turns_here:
                self._note(turn.id, here)
                self.report.unchanged += 1
                return True
        return False

    def _named(self, store: TurnStore, turn: Turn, digest: bytes) -> Turn | None:
        """Return the turn to store, None if it exists here under its client_id."""
        client_id = turn.client_id
        found = store.with_client_id(turn.session_id, client_id) if client_id is not None else None
        if found is None:
            return turn
        if found[1] == digest:
            self._note(turn.id, found[0].id)
            self.report.unchanged += 1
            return None
        self.nameless += 1
        return replace(turn, client_id=None)

    def _note(self, number: int, here: int) -> None:
        self.turn_ids[number] = here
        self.turns_here.add(here)

    def _store_memories(self) -> None:
        waiting, self.memories = self.memories, []
        store = MemoryStore(self.workspace.storage)
        new = [(memory, links) for memory, links in waiting if not self._is_here(memory)]
        known = self._known(record_text(memory) for memory, _ in new if memory.status == "active")
        records: list[RecordText] = []
        with self.workspace.storage.database.transaction() as tx:
            for memory, links in new:
                here = replace(memory, superseded_by=None)
                here = replace(here, id=store.insert(tx, here, keeps_id=True))
                self.memory_ids[memory.id] = here.id
                self.new_memories.add(memory.id)
                if memory.superseded_by is not None:
                    self.superseded[memory.id] = memory.superseded_by
                if here.status == "active":
                    store.put_words(tx, here.id, sentence(here.content).telling)
                    records.append(record_text(here))
                self._link(tx, store, here.id, links)
            put_records(self.workspace, tx, records, known)
        self.report.memories += len(new)

    def _link(
        self, tx: Transaction, store: MemoryStore, memory_id: int, links: list[MemoryLink]
    ) -> None:
        for link in links:
            turn_id = self.turn_ids.get(link.turn_id)
            if turn_id is not None:
                store.link(tx, replace(link, memory_id=memory_id, turn_id=turn_id))

    def _is_here(self, memory: Memory) -> bool:
        sql = "SELECT id FROM memories WHERE words = :words AND created_at = :created_at"
        values = {"words": sentence(memory.content).key, "created_at": memory.created_at}
        rows = self.workspace.storage.database.read(sql, values)
        if rows:
            self.memory_ids[memory.id] = rows[0][0]
            self.report.unchanged += 1
        return bool(rows)

    def _store_actions(self) -> None:
        """Store the actions on records that are new here; those on others are already known."""
        waiting, self.actions = self.actions, []
        names = {"turn": self.turn_ids, "memory": self.memory_ids}
        sql = f"""INSERT INTO actions ({", ".join(ACTION_FIELDS)})
            SELECT {", ".join(f":{name}" for name in ACTION_FIELDS)}
            WHERE NOT EXISTS (SELECT 1 FROM actions WHERE source = :source AND at = :at
                AND record_id = :record_id AND action = :action)"""
        rows = [
            {
                **values,
                "record_id": names.get(values["source"], {}).get(
                    values["record_id"], values["record_id"]
                ),
                "numbers": json.dumps(values["numbers"]),
            }
            for values in waiting
        ]
        if rows:
            with self.workspace.storage.database.transaction() as tx:
                tx.run_many(sql, rows)

    def _known(self, records: Iterator[RecordText]) -> RecordVectors:
        """Return the imported vectors if they are complete; else those of the model here."""
        wanted = list(records)
        if self.space is not None and self.vectors:
            rows = {content: from_float16(row) for content, row in self.vectors.items()}
            return RecordVectors(None, self.space, rows)
        return record_vectors(self.workspace, wanted)


_TAKERS: Final[dict[str, Callable[[RecordImporter, Mapping[str, Any]], None]]] = {
    "session": RecordImporter.take_session,
    "turn": RecordImporter.take_turn,
    "memory": RecordImporter.take_memory,
    "action": RecordImporter.take_action,
}
