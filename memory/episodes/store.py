"""Rows of `episodic_memory`, and which episode each turn belongs to."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, Final

from contracts.named_tuple import NamedTuple
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.episodes.values import Episode
from memory.storage import Database, Transaction

_COLUMNS: Final = tuple(field.name for field in fields(Episode))
_SELECT: Final = f"SELECT {', '.join(_COLUMNS)} FROM episodic_memory"
_INSERT_SQL: Final = f"""
INSERT INTO episodic_memory ({", ".join(_COLUMNS)})
VALUES ({", ".join(f":{name}" for name in _COLUMNS)}) RETURNING id
"""
_UPDATE_SQL: Final = f"""
UPDATE episodic_memory SET {", ".join(f"{name} = :{name}" for name in _COLUMNS[1:])} WHERE id = :id
"""
_WAITING_SQL: Final = """
SELECT session_id, count(*), max(ts) FROM turns WHERE episode_id IS NULL
GROUP BY session_id ORDER BY min(ts), session_id
"""
_FIRST_WAITING_SQL: Final = """
SELECT ts, id FROM turns WHERE session_id = :session_id AND episode_id IS NULL
AND length(digest) > 0 ORDER BY ts, id LIMIT 1
"""
_PLACES_SQL: Final = """
SELECT id, ts, episode_id FROM turns
WHERE session_id = :session_id AND length(digest) > 0 AND (ts, id) >= (:ts, :id) ORDER BY ts, id
"""
_BEFORE_SQL: Final = """
SELECT id, ts, episode_id FROM turns
WHERE session_id = :session_id AND length(digest) > 0 AND (ts, id) < (:ts, :id)
ORDER BY ts DESC, id DESC LIMIT :limit
"""
_BETWEEN_SQL: Final = """
SELECT id FROM turns WHERE session_id = :session_id AND length(digest) > 0
AND (ts, id) >= (:begin_ts, :begin_id) AND (ts, id) <= (:ts, :id)
"""
_TURNS_SQL: Final = "SELECT id FROM turns WHERE episode_id IN (:ids)"
_ASSIGN_SQL: Final = "UPDATE turns SET episode_id = :episode_id WHERE id IN (:ids)"
_FREE_SQL: Final = """
SELECT count(*) FROM turns WHERE id IN (:ids) AND episode_id IS NULL
"""


class Waiting(NamedTuple):
    """The turns of a session without an episode: their number, and when the last one was said."""

    session_id: str
    number: int
    last_at: str


class Place(NamedTuple):
    """A turn in its session, and its episode if it has one."""

    turn_id: int
    ts: str
    episode_id: int | None


class EpisodeStore:
    """Reads and writes of episodes. In a transaction of the same thread they see its changes."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._turns = TurnStore(database)

    def get(self, episode_id: int) -> Episode | None:
        found = self.many([episode_id])
        return found[0] if found else None

    def many(self, episode_ids: Iterable[int]) -> list[Episode]:
        """Return those of these episodes that exist, by id."""
        return self._read(f"{_SELECT} WHERE id IN (:ids) ORDER BY id", ids=list(episode_ids))

    def after(self, episode_id: int, *, limit: int) -> list[Episode]:
        """Return the first episodes above an id; forgotten and incomplete ones are left out."""
        sql = f"""{_SELECT} WHERE id > :after AND summary <> '' AND message_count >= 0
            ORDER BY id LIMIT :limit"""
        return self._read(sql, after=episode_id, limit=limit)

    def page(self, where: str, values: dict[str, Any], *, limit: int) -> list[Episode]:
        """Return the first episodes that meet conditions, the latest first."""
        sql = f"{_SELECT} WHERE {where} ORDER BY started_at DESC, id DESC LIMIT :limit"
        return self._read(sql, **values, limit=limit)

    def extracted(self, *, most_tries: int, limit: int) -> list[Episode]:
        """Return the first episodes that a model has not summarised, with few failed tries."""
        sql = f"""{_SELECT} WHERE written_by = 'extract' AND summary <> ''
            AND model_tries < :most_tries ORDER BY model_tries, id LIMIT :limit"""
        return self._read(sql, most_tries=most_tries, limit=limit)

    def insert(self, tx: Transaction, episode: Episode, *, keeps_id: bool = False) -> int:
        """Store an episode and return its id: a new one, or its own if `keeps_id` and it is
        free.
        """
        values = _row_of(episode)
        if not keeps_id or self.get(episode.id) is not None:
            values["id"] = None
        ((episode_id,),) = tx.run(_INSERT_SQL, values)
        return int(episode_id)

    def update(self, tx: Transaction, episode: Episode) -> None:
        """Write all columns of an existing episode."""
        tx.run(_UPDATE_SQL, _row_of(episode))

    def delete(self, tx: Transaction, episode_id: int) -> None:
        """Remove an episode; its turns have none then."""
        tx.run("DELETE FROM episodic_memory WHERE id = :id", {"id": episode_id})

    def waiting(self) -> list[Waiting]:
        """Return the sessions with turns that have no episode, the earliest first."""
        return [Waiting(*row) for row in self._database.read(_WAITING_SQL)]

    def places(self, session_id: str, *, before: int) -> list[Place]:
        """Return the turns of a session from the first one without an episode on, and up to
        `before` turns before it.
        """
        first = self._database.read(_FIRST_WAITING_SQL, {"session_id": session_id})
        if not first:
            return []
        place = {"session_id": session_id, "ts": first[0][0], "id": first[0][1]}
        earlier = self._database.read(_BEFORE_SQL, {**place, "limit": before})
        rows = [*reversed(earlier), *self._database.read(_PLACES_SQL, place)]
        return [Place(*row) for row in rows]

    def turns(self, episode_ids: Sequence[int]) -> list[Turn]:
        """Return the turns of episodes, in the order in which they were said."""
        rows = self._database.read(_TURNS_SQL, {"ids": list(episode_ids)})
        return self._turns.many(row[0] for row in rows)

    def of_turns(self, turn_ids: Iterable[int]) -> list[int]:
        """Return the episodes to which these turns belong."""
        sql = """SELECT DISTINCT episode_id FROM turns
            WHERE id IN (:ids) AND episode_id IS NOT NULL ORDER BY episode_id"""
        return [row[0] for row in self._database.read(sql, {"ids": list(turn_ids)})]

    def assign(self, tx: Transaction, turn_ids: Iterable[int], episode_id: int) -> None:
        """Put turns into an episode."""
        tx.run(_ASSIGN_SQL, {"ids": list(turn_ids), "episode_id": episode_id})

    def between(self, session_id: str, first_id: int, last_id: int) -> list[Turn]:
        """Return the turns of a session from one to another, in the order in which they were said.

        Both have to be turns of it; else there are none.
        """
        ends = {turn.id: turn for turn in self._turns.many([first_id, last_id])}
        if any(
            key not in ends or ends[key].session_id != session_id for key in (first_id, last_id)
        ):
            return []
        begin, end = sorted((ends[key].ts, key) for key in (first_id, last_id))
        values = {"begin_ts": begin[0], "begin_id": begin[1], "ts": end[0], "id": end[1]}
        rows = self._database.read(_BETWEEN_SQL, {"session_id": session_id, **values})
        return self._turns.many(row[0] for row in rows)

    def without_turns(self, episode: Episode) -> list[int]:
        """Return the episodes of the same session with the same summary that have no turns."""
        sql = """SELECT id FROM episodic_memory WHERE session_id = :session_id
            AND summary = :summary AND message_count <= 0 ORDER BY id"""
        values = {"session_id": str(episode.session_id), "summary": episode.summary}
        return [row[0] for row in self._database.read(sql, values)]

    def are_free(self, turn_ids: Sequence[int]) -> bool:
        """Return whether all of these turns exist and belong to no episode."""
        ((number,),) = self._database.read(_FREE_SQL, {"ids": list(turn_ids)})
        return bool(number == len(turn_ids))

    def _read(self, sql: str, **parameters: Any) -> list[Episode]:
        return [Episode(*row) for row in self._database.read(sql, parameters)]


def _row_of(episode: Episode) -> dict[str, Any]:
    return {name: getattr(episode, name) for name in _COLUMNS}
