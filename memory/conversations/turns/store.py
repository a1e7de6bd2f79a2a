"""Rows of `turns` and `sessions`; the only code that knows their tables."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, Final

from contracts.named_tuple import NamedTuple
from memory.conversations.turns.values import Extraction, Turn
from memory.index.neighbours import body_offset
from memory.storage import Database, Transaction, content_hash
from memory.storage.action_log import AGENT, require_owner
from memory.values.inserted_values import UNKNOWN_TIME, object_of, text_of, texts_of, time_of

_COLUMNS: Final = tuple(field.name for field in fields(Turn))
_SELECT: Final = f"SELECT {', '.join(_COLUMNS)} FROM turns"
_WRITTEN: Final = (*_COLUMNS, "digest")
_INSERT_SQL: Final = f"""
INSERT INTO turns ({", ".join(_WRITTEN)}) VALUES ({", ".join(f":{name}" for name in _WRITTEN)})
RETURNING id
"""
_COMPLETE_SQL: Final = f"""
UPDATE turns SET {", ".join(f"{name} = :{name}" for name in _WRITTEN[1:])} WHERE id = :id
"""
_IS_INSERTED: Final = "length(digest) = 0"
_SESSION_SQL: Final = """
INSERT INTO sessions (session_id, long_term_opt_in, created_at)
VALUES (:session_id, CAST(coalesce(:opt_in, :usual) AS INTEGER), :now)
ON CONFLICT (session_id) DO UPDATE
SET long_term_opt_in = coalesce(CAST(:opt_in AS INTEGER), sessions.long_term_opt_in)
"""
_OPT_IN_SQL: Final = "SELECT long_term_opt_in FROM sessions WHERE session_id = :session_id"
_BEFORE_SQL: Final = f"""
{_SELECT} WHERE session_id = :session_id AND (ts, id) < (:ts, :id)
ORDER BY ts DESC, id DESC LIMIT :limit
"""
_MESSAGES_SQL: Final = """
SELECT text, speaker, ts, recorded_at, metadata FROM turns
WHERE session_id = :session_id AND role = 'user' AND (ts, id) < (:ts, :id)
ORDER BY ts DESC, id DESC LIMIT :limit
"""
_AFTER_SQL: Final = f"""
{_SELECT} WHERE session_id = :session_id AND (ts, id) > (:ts, :id)
ORDER BY ts, id LIMIT :limit
"""
_BESIDE_SQL: Final = """
SELECT t.id,
    (SELECT b.id FROM turns AS b WHERE b.session_id = t.session_id AND (b.ts, b.id) < (t.ts, t.id)
        ORDER BY b.ts DESC, b.id DESC LIMIT 1),
    (SELECT a.id FROM turns AS a WHERE a.session_id = t.session_id AND (a.ts, a.id) > (t.ts, t.id)
        ORDER BY a.ts, a.id LIMIT 1)
FROM turns AS t WHERE t.id IN (:ids)
"""
IS_WAITING: Final = "extraction IN ('rules', 'llm')"
"""Repeated beside one of these states, or SQLite does not use the partial index on both."""

LAST_ID: Final = 2**63 - 1
"""Above every id: a turn with this id sorts after all of its moment."""


class Message(NamedTuple):
    """A message of a user, its time, the person, and the agent that sent it as theirs, if any."""

    body: str
    speaker: str | None
    ts: str
    agent: object


class TurnStore:
    """Reads and writes of turns. In a transaction of the same thread they see its changes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, turn_id: int) -> Turn | None:
        found = self.many([turn_id])
        return found[0] if found else None

    def many(self, turn_ids: Iterable[int]) -> list[Turn]:
        """Return those of these turns that exist, in the order in which they were said."""
        sql = f"{_SELECT} WHERE id IN (:ids) ORDER BY ts, id"
        return self._read(sql, ids=list(turn_ids))

    def with_client_id(self, session_id: str, client_id: str) -> tuple[Turn, bytes] | None:
        """Return the turn with that id from its sender, and the digest of its content."""
        sql = f"""SELECT {", ".join(_COLUMNS)}, digest FROM turns
            WHERE session_id = :session_id AND client_id = :client_id"""
        rows = self._database.read(sql, {"session_id": session_id, "client_id": client_id})
        return (turn_of(rows[0][:-1]), bytes(rows[0][-1])) if rows else None

    def message(self, client_id: str) -> Turn | None:
        """Return the turn of a message, in whatever session it was first stored."""
        sql = f"{_SELECT} WHERE client_id = :client_id ORDER BY id LIMIT 1"
        found = self._read(sql, client_id=client_id)
        return found[0] if found else None

    def known_messages(self, client_ids: Iterable[str]) -> set[str]:
        """Return those of these messages that have a turn."""
        sql = "SELECT client_id FROM turns WHERE client_id IN (:ids)"
        return {row[0] for row in self._database.read(sql, {"ids": list(client_ids)})}

    def removed_messages(self, client_ids: Iterable[str]) -> set[str]:
        """Return those of these messages whose turns were removed."""
        digests = {message_digest(client_id): client_id for client_id in client_ids}
        sql = "SELECT digest FROM removed_messages WHERE digest IN (:digests)"
        rows = self._database.read(sql, {"digests": list(digests)})
        return {digests[bytes(row[0])] for row in rows}

    def note_removed(self, tx: Transaction, client_ids: Iterable[str]) -> None:
        """Remember that the turns of these messages were removed."""
        sql = "INSERT INTO removed_messages (digest) VALUES (:digest) ON CONFLICT DO NOTHING"
        tx.run_many(sql, [{"digest": message_digest(client_id)} for client_id in client_ids])

    def beside(self, turn_ids: Iterable[int]) -> dict[int, tuple[int | None, int | None]]:
        """Return the ids of the turns before and after each of these turns in its session."""
        rows = self._database.read(_BESIDE_SQL, {"ids": list(turn_ids)})
        return {turn_id: (before, after) for turn_id, before, after in rows}

    def before(self, session_id: str, ts: str, turn_id: int, *, limit: int) -> list[Turn]:
        """Return the last turns of a session before a position, in the order of the session."""
        found = self._read(_BEFORE_SQL, session_id=session_id, ts=ts, id=turn_id, limit=limit)
        return found[::-1]

    def messages_before(self, turn: Turn, *, limit: int) -> list[Message]:
        """Return the last messages of users before a turn of their session, newest first."""
        place = {"session_id": turn.session_id, "ts": turn.ts, "id": turn.id, "limit": limit}
        rows = self._database.read(_MESSAGES_SQL, place)
        return [_message_of(*row) for row in rows]

    def after(self, session_id: str, ts: str, turn_id: int, *, limit: int) -> list[Turn]:
        """Return the first turns of a session after a position."""
        return self._read(_AFTER_SQL, session_id=session_id, ts=ts, id=turn_id, limit=limit)

    def window(self, session_id: str, *, size: int) -> list[Turn]:
        """Return the newest turns of a session, in the session's order."""
        sql = f"{_SELECT} WHERE session_id = :session_id ORDER BY ts DESC, id DESC LIMIT :size"
        return self._read(sql, session_id=session_id, size=size)[::-1]

    def waiting(self, state: Extraction, *, after: int = 0, limit: int) -> list[Turn]:
        """Return the first turns above an id that wait for rules or a model, by id."""
        sql = f"""{_SELECT} WHERE {IS_WAITING} AND extraction = :state AND id > :after
            ORDER BY id LIMIT :limit"""
        return self._read(sql, state=state, after=after, limit=limit)

    def count(self) -> int:
        return int(self._database.read("SELECT count(*) FROM turns")[0][0])

    def insert(self, tx: Transaction, turn: Turn, digest: bytes, *, keeps_id: bool = False) -> int:
        """Store a turn and return its id: a new one, or its own if `keeps_id` and it is free."""
        values = _row_of(turn, digest)
        if not keeps_id or self.get(turn.id) is not None:
            values["id"] = None
        ((turn_id,),) = tx.run(_INSERT_SQL, values)
        return int(turn_id)

    def touch_session(
        self, tx: Transaction, session_id: str, *, opt_in: bool | None, usual: bool, now: str
    ) -> None:
        """Record a session and its opt-in; for None a known session keeps its own.

        Raises ForbiddenError where an agent would change that of a known session.
        """
        values = {"session_id": session_id, "opt_in": opt_in, "usual": usual, "now": now}
        name = {"session_id": session_id}
        known = self._database.read(_OPT_IN_SQL, name) if opt_in is not None else ()
        if known and bool(known[0][0]) != opt_in:
            require_owner(f"an agent cannot change whether session {session_id!r} is kept")
        tx.run(_SESSION_SQL, values)

    def inserted(self, *, after: int = 0, limit: int) -> list[Turn]:
        """Return the first turns above an id that another program inserted, by id."""
        sql = f"{_SELECT} WHERE {_IS_INSERTED} AND id > :after ORDER BY id LIMIT :limit"
        return self._read(sql, after=after, limit=limit)

    def has_inserted(self) -> bool:
        """Return whether another program inserted turns that are not yet complete."""
        return bool(self._database.read(f"SELECT 1 FROM turns WHERE {_IS_INSERTED} LIMIT 1"))

    def complete(self, tx: Transaction, turn: Turn, digest: bytes) -> None:
        """Write all columns of a turn that another program inserted."""
        tx.run(_COMPLETE_SQL, _row_of(turn, digest))

    def set_extraction(self, tx: Transaction, turn_ids: Iterable[int], state: Extraction) -> None:
        """Set how far extraction of these turns has come."""
        sql = "UPDATE turns SET extraction = :state WHERE id = :id"
        tx.run_many(sql, ({"state": state, "id": turn_id} for turn_id in turn_ids))

    def read_no_more(self, tx: Transaction, turn_ids: Iterable[str]) -> None:
        """Let nothing more be made of these turns: somebody has forgotten what they led to."""
        self.set_extraction(tx, map(int, turn_ids), "off")

    def describe(self, tx: Transaction, turn: Turn) -> None:
        """Write the metadata and the tags of an existing turn."""
        sql = "UPDATE turns SET metadata = :metadata, tags = :tags WHERE id = :id"
        metadata, tags = json.dumps(dict(turn.metadata)), json.dumps(turn.tags)
        tx.run(sql, {"id": turn.id, "metadata": metadata, "tags": tags})

    def delete(
        self, tx: Transaction, turn_ids: Iterable[int], *, keep_sessions: bool = False
    ) -> None:
        """Remove turns with their links, and sessions that are then empty unless those stay."""
        sql = "DELETE FROM turns WHERE id IN (:ids) RETURNING session_id"
        sessions = {row[0] for row in tx.run(sql, {"ids": list(turn_ids)})}
        if not keep_sessions:
            self.end_sessions(tx, sessions)

    def end_sessions(self, tx: Transaction, names: Iterable[str]) -> int:
        """Remove those of these sessions that have no turn left and return the number removed."""
        sql = """DELETE FROM sessions WHERE session_id IN (:names)
            AND NOT EXISTS (SELECT 1 FROM turns WHERE turns.session_id = sessions.session_id)
            RETURNING 1"""
        return len(tx.run(sql, {"names": list(names)}))

    def _read(self, sql: str, **parameters: Any) -> list[Turn]:
        return [turn_of(row) for row in self._database.read(sql, parameters)]


def _message_of(
    text: str, speaker: str | None, ts: str, recorded_at: str, metadata: str
) -> Message:
    """Return the message of a row, with as little work as possible: there may be hundreds."""
    agent = object_of(metadata).get(AGENT) if f'"{AGENT}"' in text_of(metadata) else None
    when = time_of(ts, otherwise=time_of(recorded_at, otherwise=UNKNOWN_TIME))
    body = text_of(text)
    return Message(body[body_offset(body, speaker) :], speaker, when, agent)


def message_digest(client_id: str) -> bytes:
    """Return what is kept of the id of a message that was removed."""
    return content_hash(client_id)


def _row_of(turn: Turn, digest: bytes) -> dict[str, Any]:
    return {name: getattr(turn, name) for name in _COLUMNS} | {
        "image_paths": json.dumps(turn.image_paths),
        "metadata": json.dumps(dict(turn.metadata)),
        "tags": json.dumps(turn.tags),
        "digest": digest,
    }


def turn_of(row: Sequence[Any]) -> Turn:
    """Return the turn of a row with the columns in the order of the fields.

    Another program may have inserted the row: see `memory.values.inserted_values`.
    """
    turn_id, session_id, ts, role, text, speaker, images, metadata, tags, client_id, *rest = row
    extraction, recorded = rest
    recorded_at = time_of(recorded, otherwise=UNKNOWN_TIME)
    return Turn(
        turn_id,
        text_of(session_id),
        time_of(ts, otherwise=recorded_at),
        role,
        text_of(text),
        speaker,
        texts_of(images),
        object_of(metadata),
        texts_of(tags),
        client_id,
        extraction,
        recorded_at,
    )
