"""The log of actions on turns and memories: who did what, in ids, codes and numbers, without text.

So a forgotten record leaves no text here, and its history can still be explained.
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
    """One action on a record at a time (ISO 8601 UTC).

    `code` is the reason (`conflict`, `ended`, `score`, `age`, `capacity` ...), `numbers` the values
    that decided it: scores, days, ids of other records.
    """

    at: str
    actor: str
    action: str
    code: str | None = None
    numbers: Mapping[str, Any] = field(default_factory=dict)


class ActionLog:
    """A log writer for one actor and one kind of record, in the transaction of the action."""

    def __init__(self, tx: Transaction, actor: Actor, *, source: str = "memory") -> None:
        self._tx = tx
        self._actor = actor
        self._source = source

    def note(
        self, record_id: int, deed: Deed, code: str | None = None, **numbers: float | None
    ) -> None:
        """Log one action; numbers with the value None are left out."""
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
    """Return the last actions on a record, newest first."""
    values = {"source": source, "record_id": record_id, "limit": limit}
    rows = database.read(_OF_RECORD_SQL, values)
    return [
        Action(at, actor, action, code, json.loads(numbers))
        for at, actor, action, code, numbers in rows
    ]
