"""What an import answers with, and how it says how far it is."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line of an import that was not taken, counted from 1, and why."""

    line: int
    reason: str


@dataclass(slots=True)
class ImportReport:
    """What an import did, counted in documents unless the name says otherwise.

    `turns` and `memories` are those that were new here; those that were not are in `unchanged`.
    `older` are those of which the database holds something newer, which stays. `chunks` were
    stored; the vectors of `vectors` of them came with them, those of `embedded` were computed.
    """

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    older: int = 0
    failed: int = 0
    roots: int = 0
    turns: int = 0
    memories: int = 0
    chunks: int = 0
    vectors: int = 0
    embedded: int = 0
    seconds: float = 0.0
    errors: list[BadLine] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


ImportCallback = Callable[[int, int], None]
"""Told how many documents are done, and of how many."""
