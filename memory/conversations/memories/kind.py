"""Memories as a kind of record."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from contracts import ChunkRow
from memory.values.record_kinds import RecordKind, numbered


def cite_memory(memory_id: int | str) -> str:
    """Format `memory 12`."""
    return f"memory {memory_id}"


def _cite(row: ChunkRow, cwd: Path) -> str:
    return cite_memory(row.owner_id)


def _about(metadata: Mapping[str, Any], occurred_at: str) -> str:
    return f"{metadata.get('layer', 'mid')}-term memory, {occurred_at[:10]}"


MEMORY: Final = RecordKind(
    name="memory",
    plural="memories",
    cite=_cite,
    read=numbered("memory"),
    hooks="memory.conversations.memories.records:MemoryRecords",
    deleted="the memory is gone; the turns it was derived from remain",
    about=_about,
    provenance="memory.conversations.provenance:provenance_of",
)
