"""The queue of turns for a language model, with its failures on each.

A turn waits by the state in its row. The table `enrichments` has more about turns that the model
failed on only, until they are done.
"""

from typing import Final

from contracts.named_tuple import NamedTuple
from memory.conversations.turns.store import IS_WAITING, TurnStore
from memory.conversations.turns.values import Extraction, Turn
from memory.storage import Database

_NEXT_SQL: Final = f"""
SELECT turns.id, coalesce(tries, 0), coalesce(by_rules, 0)
FROM turns LEFT JOIN enrichments ON turn_id = turns.id
WHERE {IS_WAITING} AND extraction = 'llm' AND coalesce(not_before, '') <= :now AND turns.id > :after
ORDER BY turns.id LIMIT 1
"""
_NOTE_SQL: Final = """
INSERT INTO enrichments (turn_id, tries, not_before, by_rules)
VALUES (:turn_id, :tries, :not_before, :by_rules)
ON CONFLICT (turn_id) DO UPDATE
SET tries = :tries, not_before = :not_before, by_rules = :by_rules
"""
_STATE_SQL: Final = """
UPDATE turns SET extraction = :state WHERE id = :turn_id AND extraction = 'llm'
"""


class Waiting(NamedTuple):
    """A waiting turn, the model's failures on it, and whether the rules have run on it."""

    turn: Turn
    tries: int = 0
    by_rules: bool = False


class ExtractionQueue:
    """Reads and writes of waiting turns, from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._turns = TurnStore(database)

    def next(self, *, now: str, after: int = 0) -> Waiting | None:
        """Return the first due turn above an id."""
        for turn_id, tries, by_rules in self._database.read(
            _NEXT_SQL, {"now": now, "after": after}
        ):
            turn = self._turns.get(turn_id)
            if turn is not None:
                return Waiting(turn, tries, bool(by_rules))
        return None

    def before(self, turn: Turn) -> Turn | None:
        """Return the turn before this one in its session."""
        found = self._turns.before(turn.session_id, turn.ts, turn.id, limit=1)
        return found[0] if found else None

    def number(self) -> int:
        """Return the number of waiting turns, including those retried later."""
        sql = f"SELECT count(*) FROM turns WHERE {IS_WAITING} AND extraction = 'llm'"
        rows = self._database.read(sql)
        return int(rows[0][0])

    def close(self, turn_id: int, state: Extraction) -> None:
        """Mark a turn as finished."""
        with self._database.transaction() as tx:
            tx.run(_STATE_SQL, {"turn_id": turn_id, "state": state})
            tx.run("DELETE FROM enrichments WHERE turn_id = :turn_id", {"turn_id": turn_id})

    def postpone(self, waiting: Waiting, *, not_before: str) -> None:
        """Postpone a turn; one removed meanwhile is ignored."""
        values = {
            "turn_id": waiting.turn.id,
            "tries": waiting.tries,
            "by_rules": int(waiting.by_rules),
            "not_before": not_before,
        }
        with self._database.transaction() as tx:
            if tx.run("SELECT 1 FROM turns WHERE id = :turn_id", {"turn_id": waiting.turn.id}):
                tx.run(_NOTE_SQL, values)

    def reopen(self) -> int:
        """Return the given-up turns to the queue, and return their number."""
        sql = "UPDATE turns SET extraction = 'llm' WHERE extraction = 'failed' RETURNING id"
        with self._database.transaction() as tx:
            tx.run("UPDATE enrichments SET tries = 0, not_before = ''")
            return len(tx.run(sql))
