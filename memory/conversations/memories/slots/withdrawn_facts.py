"""Turns of which a memory states no fact any more: the user has forgotten that fact by its name."""

from collections.abc import Collection, Iterable
from typing import Final

from memory.storage import Database, Transaction, utc_now

WITHDRAWN: Final = "withdrawn_fact"
"""The `source` of the links from a memory, as `record_id`, to these turns."""

_READ_SQL: Final = f"""
SELECT record_id, turn_id FROM record_links
WHERE source = '{WITHDRAWN}' AND record_id IN (:ids) ORDER BY record_id, turn_id
"""
_WITHDRAW_SQL: Final = f"""
INSERT INTO record_links (source, record_id, turn_id, reason, created_at)
SELECT '{WITHDRAWN}', memory_id, turn_id, 'source', :now
FROM memory_links WHERE memory_id IN (:ids)
ON CONFLICT (source, record_id, turn_id, reason) DO NOTHING
"""
_WITHDRAW_OF_SQL: Final = _WITHDRAW_SQL.replace("(:ids)", "(:ids) AND turn_id IN (:turns)")


def withdrawn_turns(database: Database, memory_ids: Iterable[int]) -> dict[int, list[int]]:
    """Return these turns of each memory that has any."""
    found: dict[int, list[int]] = {}
    for memory_id, turn_id in database.read(_READ_SQL, {"ids": list(memory_ids)}):
        found.setdefault(memory_id, []).append(turn_id)
    return found


def withdraw(tx: Transaction, memory_ids: Iterable[int]) -> None:
    """Let these memories state no fact of any turn that they have now."""
    tx.run(_WITHDRAW_SQL, {"ids": list(memory_ids), "now": utc_now()})


def withdraw_of(tx: Transaction, memory_id: int, turn_ids: Collection[int]) -> None:
    """Let a memory state no fact of these turns, as far as it has them."""
    values = {"ids": [memory_id], "turns": list(turn_ids), "now": utc_now()}
    if turn_ids:
        tx.run(_WITHDRAW_OF_SQL, values)


def remove_withdrawals(tx: Transaction, memory_ids: Collection[int]) -> None:
    """Remove what is noted of memories that are removed."""
    values = {"source": WITHDRAWN, "ids": list(memory_ids)}
    tx.run("DELETE FROM record_links WHERE source = :source AND record_id IN (:ids)", values)
