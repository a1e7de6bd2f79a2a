"""The report of an import, and its progress callback."""

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line of an import that was skipped, counted from 1, and the reason."""

    line: int
    reason: str


@dataclass(slots=True)
class ImportReport:
    """The result of an import, counted in documents unless the name says otherwise.

    `turns`, `memories` and other `records`, such as facts, are the new ones; known ones are in
    `unchanged`. `older` are those of which the database holds something newer, which stays.
    `chunks` were stored; of their vectors, `vectors` were imported and `embedded` computed.
    """

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    older: int = 0
    failed: int = 0
    roots: int = 0
    turns: int = 0
    memories: int = 0
    records: int = 0
    chunks: int = 0
    vectors: int = 0
    embedded: int = 0
    seconds: float = 0.0
    errors: list[BadLine] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


ImportCallback = Callable[[int, int], None]
"""Receives the number of documents done, and their total."""
