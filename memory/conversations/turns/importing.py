"""Import of sessions and turns that are new."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final, get_args

from memory.conversations.turns.adding import rewrite_after, turn_record
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import ROLES, Extraction, Turn
from memory.index.record_chunks import put_records
from memory.index.record_exchange import RecordImport
from memory.values.line_values import (
    LineError,
    checked,
    checked_moment,
    hexadecimal,
    one_of,
    texts_of,
)

_FIELDS: Final = tuple(item.name for item in fields(Turn))


class TurnImporter:
    """The importer of turns.

    A turn is identified by its session, time and words, once for each time it was said, or by its
    client_id. It keeps its number where that is free.
    """

    types = ("session", "turn")

    def __init__(self, work: RecordImport) -> None:
        self._work = work
        self._workspace = work.workspace
        self._store = TurnStore(work.workspace.storage.database)
        self._numbers = work.numbers.setdefault("turn", {})
        self._here: set[int] = set()
        self._nameless = 0
        self._sessions: list[tuple[str, bool, str]] = []
        self._turns: list[tuple[Turn, bytes]] = []

    def take(self, line_type: str, values: Mapping[str, Any]) -> int:
        """Keep a line until `store`; return the number of turns kept."""
        if line_type == "session":
            self._sessions.append(_session_of_line(values))
        else:
            item = turn_of_line(values)
            self._work.take_vectors(values)
            self._turns.append(item)
        return len(self._turns)

    def store(self) -> None:
        """Store the waiting sessions and turns."""
        waiting, self._turns = self._turns, []
        sessions, self._sessions = self._sessions, []
        store = self._store
        new = [item for item in waiting if not self._is_known(*item)]
        known = self._work.known(turn_record(store, turn) for turn, _ in new)
        stored: list[Turn] = []
        with self._workspace.storage.database.transaction() as tx:
            for name, opt_in, created_at in sessions:
                store.touch_session(tx, name, opt_in=None, usual=opt_in, now=created_at)
            for turn, digest in new:
                store.touch_session(
                    tx, turn.session_id, opt_in=None, usual=True, now=turn.recorded_at
                )
                here = self._named(turn, digest)
                if here is not None:
                    here = replace(here, id=store.insert(tx, here, digest, keeps_id=True))
                    self._note(turn.id, here.id)
                    stored.append(here)
            put_records(self._workspace, tx, [turn_record(store, turn) for turn in stored], known)
            rewrite_after(self._workspace, tx, stored)
        self._work.added["turn"] += len(stored)

    def finish(self) -> None:
        """Report turns that could not keep their client_id."""
        if self._nameless:
            self._work.warnings.append(
                f"{self._nameless:,} turns came without their client_id: another turn of their "
                "session has it here"
            )

    def _is_known(self, turn: Turn, digest: bytes) -> bool:
        sql = """SELECT id FROM turns WHERE session_id = :session_id AND ts = :ts
            AND digest = :digest ORDER BY id"""
        values = {"session_id": turn.session_id, "ts": turn.ts, "digest": digest}
        for (here,) in self._workspace.storage.database.read(sql, values):
            if here not in self._here:
                self._note(turn.id, here)
                self._work.unchanged += 1
                return True
        return False

    def _named(self, turn: Turn, digest: bytes) -> Turn | None:
        """Return the turn to store, None if it exists here under its client_id."""
        if turn.client_id is None:
            return turn
        found = self._store.with_client_id(turn.session_id, turn.client_id)
        if found is None:
            return turn
        if found[1] == digest:
            self._note(turn.id, found[0].id)
            self._work.unchanged += 1
            return None
        self._nameless += 1
        return replace(turn, client_id=None)

    def _note(self, number: int, here: int) -> None:
        self._numbers[number] = here
        self._here.add(here)


def _session_of_line(values: Mapping[str, Any]) -> tuple[str, bool, str]:
    name, opt_in = checked(values, "session_id", str), values.get("long_term_opt_in")
    if not isinstance(opt_in, bool):
        raise LineError(f"its long_term_opt_in is {opt_in!r:.40}")
    return name, opt_in, checked_moment(values, "created_at")


def turn_of_line(values: Mapping[str, Any]) -> tuple[Turn, bytes]:
    """Return the turn of a line and the digest of its content. Raises LineError."""
    given: dict[str, Any] = {name: values.get(name) for name in _FIELDS}
    for name in ("session_id", "text"):
        checked(given, name, str)
    for name in ("speaker", "client_id"):
        if given[name] is not None:
            checked(given, name, str)
    for name in ("ts", "recorded_at"):
        checked_moment(given, name)
    checked(given, "id", int)
    checked(given, "metadata", dict)
    one_of(given, "role", ROLES)
    one_of(given, "extraction", get_args(Extraction))
    lists: dict[str, Any] = {name: texts_of(given, name) for name in ("image_paths", "tags")}
    return Turn(**{**given, **lists}), hexadecimal(checked(values, "digest", str))
