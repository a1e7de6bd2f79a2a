"""What a checkup answers with."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Outcome: TypeAlias = Literal["fine", "problem", "note", "not checked"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem, or a note, of the check of that name.

    `repair` says what mends it; `fixable`: `mem doctor --fix` does.
    """

    check: str
    fact: str
    count: int
    repair: str
    fixable: bool


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How a check went, and how long it took."""

    name: str
    outcome: Outcome
    seconds: float


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """A checkup: the database is well when there are no `problems`.

    `fixed` was mended. `notes` are no damage and worth knowing. `marked` files are indexed anew by
    the next sync.
    """

    database: str
    healthy: bool
    problems: list[Finding]
    notes: list[Finding]
    fixed: list[Finding]
    marked: list[str]
    checks: list[CheckResult]
    seconds: float
