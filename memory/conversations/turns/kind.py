"""Turns as a kind of record."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from contracts import ChunkRow
from memory.values.record_kinds import RecordKind, numbered


def cite_turn(session_id: str, turn_id: int | str, occurred_at: str) -> str:
    """Format `session S turn 42, 2026-03-04`; the day is in UTC."""
    return f"session {session_id} turn {turn_id}, {occurred_at[:10]}"


def _cite(row: ChunkRow, cwd: Path) -> str:
    return cite_turn(row.session_id or "", row.owner_id, row.occurred_at)


def _speaker(metadata: Mapping[str, Any]) -> str:
    """Return the speaker, by name or else by role."""
    return str(metadata.get("speaker") or metadata.get("role") or "user")


TURN: Final = RecordKind(
    name="turn",
    plural="turns",
    cite=_cite,
    read=numbered("turn"),
    hooks="memory.conversations.turns.hooks:TurnRecords",
    deleted="the turn is gone, and so are the memories derived from it alone",
    speaker=_speaker,
)
