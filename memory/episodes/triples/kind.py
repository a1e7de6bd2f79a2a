"""Triples as a kind of record."""

from collections.abc import Mapping
from typing import Any, Final

from memory.values.record_kinds import RecordKind, numbered


def cite_triple(triple_id: int | str) -> str:
    """Format `triple 3`."""
    return f"triple {triple_id}"


def _about(metadata: Mapping[str, Any], occurred_at: str) -> str:
    confidence = metadata.get("confidence", 0)
    return f"fact of {occurred_at[:10]}, confidence {confidence:.2f}"


TRIPLE: Final = RecordKind(
    name="triple",
    plural="triples",
    cite=lambda row, _cwd: cite_triple(row.owner_id),
    read=numbered("triple"),
    hooks="memory.episodes.triples.hooks:TripleRecords",
    deleted="the triple is gone and is not made again; its memories remain",
    about=_about,
    on_request=True,
    rests_on=("turn", "memory", "episode"),
)
