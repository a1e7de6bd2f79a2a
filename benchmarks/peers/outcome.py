"""The measurements of one engine in one mode."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PeerOutcome:
    """Medians of one engine in one mode over one collection; None where it has no meaning.

    engine, mode   such as `chromadb 1.5.9`, `vector`
    settings       how the engine is set, and what `chunks_a_s` includes
    ours           whether it is this program
    chunks_a_s     stored and indexed, durably
    cold_ms        a new process, from its start to its end, with one answer
    p50_ms, p99_ms of distinct questions to a warm process
    recall         recall@10 of the vector search beside exact float32 cosines
    disk_bytes     all its files; build_bytes, query_bytes: peak resident memory
    raw            the single measurements by name
    """

    engine: str
    mode: str
    settings: str
    ours: bool
    chunks: int
    chunks_a_s: float | None
    cold_ms: float
    p50_ms: float
    p99_ms: float
    recall: float | None
    disk_bytes: int
    build_bytes: int | None
    query_bytes: int | None
    raw: Mapping[str, Sequence[float]]

    @property
    def is_hybrid(self) -> bool:
        return self.mode.startswith("hybrid")

    def as_json(self) -> dict[str, Any]:
        return asdict(self)
