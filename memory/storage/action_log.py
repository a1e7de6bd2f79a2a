"""What was done to turns and memories, and by whom: ids, codes and numbers, never a word of text.

So that what is forgotten leaves nothing here, and what happened to it can still be told.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from memory.storage import Database, Transaction, utc_now

Actor: TypeAlias = Literal["gc", "extractor", "llm", "user", "import", "retention"]
Deed: TypeAlias = Literal[
    "created",
    "merged",
    "promoted",
    "demoted",
    "archived",
    "deleted",
    "edited",
    "forgotten",
    "restored",
]

_INSERT_SQL = """
INSERT INTO actions (at, actor, action, source, record_id, code, numbers)
VALUES (:at, :actor, :action, :source, :record_id, :code, :numbers)
"""
_OF_RECORD_SQL = """
SELECT at, actor, action, code, numbers FROM actions
WHERE source = :source AND record_id = :record_id ORDER BY id DESC LIMIT :limit
"""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that was done to a record, at that time (ISO 8601 UTC).

    `code` says why (`conflict`, `ended`, `score`, `age`, `capacity` ...), `numbers` what it was
    decided by: scores, days, ids of other records.
    """

    at: str
    actor: str
    action: str
    code: str | None = None
    numbers: Mapping[str, Any] = field(default_factory=dict)


class ActionLog:
    """Writes down, in the transaction that does it, what one actor does to records of one kind."""

    def __init__(self, tx: Transaction, actor: Actor, *, source: str = "memory") -> None:
        self._tx = tx
        self._actor = actor
        self._source = source

    def note(
        self, record_id: int, deed: Deed, code: str | None = None, **numbers: float | None
    ) -> None:
        """One action; numbers that are None are left out."""
        values = {
            "at": utc_now(),
            "actor": self._actor,
            "action": deed,
            "source": self._source,
            "record_id": record_id,
            "code": code,
            "numbers": json.dumps({name: n for name, n in numbers.items() if n is not None}),
        }
        self._tx.run(_INSERT_SQL, values)


def actions_of(
    database: Database, record_id: int, *, source: str = "memory", limit: int = 20
) -> list[Action]:
    """The last actions on a record, the newest first."""
    values = {"source": source, "record_id": record_id, "limit": limit}
    rows = database.read(_OF_RECORD_SQL, values)
    return [
        Action(at, actor, action, code, json.loads(numbers))
        for at, actor, action, code, numbers in rows
    ]
