"""Memories as a kind of record."""

from collections.abc import Mapping
from typing import Any, Final

from memory.values.record_kinds import RecordKind, numbered


def cite_memory(memory_id: int | str) -> str:
    """Format `memory 12`."""
    return f"memory {memory_id}"


def _about(metadata: Mapping[str, Any], occurred_at: str) -> str:
    return f"{metadata.get('layer', 'mid')}-term memory, {occurred_at[:10]}"


MEMORY: Final = RecordKind(
    name="memory",
    plural="memories",
    cite=lambda row, _cwd: cite_memory(row.owner_id),
    read=numbered("memory"),
    hooks="memory.conversations.memories.hooks:MemoryRecords",
    deleted="the memory is gone; the turns it was derived from remain",
    about=_about,
    provenance="memory.conversations.provenance:provenance_of",
)
