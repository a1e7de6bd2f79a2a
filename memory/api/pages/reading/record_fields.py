"""A fact, an open loop or another record: its fields in words, and its evidence quoted."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from memory.conversations.turns.store import TurnStore
from memory.records.values import Evidence, FormerValue, ShownFact
from memory.workspace import Workspace

LONGEST_QUOTE: Final = 300

_INNER: Final = frozenset(
    {"id", "citation", "evidence", "history", "superseded", "name_key", "topic_key", "metadata"}
)
"""Fields that are shown in another way, or say nothing to a person."""


def record_values(workspace: Workspace, record: object) -> dict[str, Any]:
    """Return what the page of a record shows."""
    evidence: Sequence[Evidence] = getattr(record, "evidence", ())
    history: Sequence[FormerValue] = getattr(record, "history", ())
    return {
        "fields": _fields(record),
        "evidence": evidence,
        "quotes": quotes_of(workspace, evidence),
        "history": history,
        "superseded": getattr(record, "superseded", None),
        "fact": f"{record.category}/{record.key}" if isinstance(record, ShownFact) else None,
    }


def quotes_of(workspace: Workspace, evidence: Sequence[Evidence]) -> Mapping[int, str]:
    """Return the words of the turns that are still there, by the number of the turn."""
    turns = TurnStore(workspace.storage.database).many(link.turn_id for link in evidence)
    return {turn.id: turn.body[:LONGEST_QUOTE] for turn in turns}


def _fields(record: object) -> list[tuple[str, str]]:
    """Return the fields of a record that have a value, by their names in words."""
    names: Sequence[str] = list(getattr(record, "__dataclass_fields__", ()))
    given = {name: getattr(record, name) for name in names if name not in _INNER}
    return [
        (name.replace("_", " "), _told(name, value))
        for name, value in given.items()
        if value not in (None, "", (), [])
    ]


def _told(name: str, value: object) -> str:
    if name == "resolved":
        return "yes" if value else "no"
    if isinstance(value, str) and value.endswith("Z") and "T" in value:
        return f"{value[:10]} {value[11:16]}"
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)
