"""Results of a checkup."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

CheckOutcome: TypeAlias = Literal["fine", "problem", "note", "not checked"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem or a note of the check of that name.

    `repair` describes its fix; `fixable`: `mem doctor --fix` does it.
    """

    check: str
    fact: str
    count: int
    repair: str
    fixable: bool


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check, and its duration."""

    name: str
    outcome: CheckOutcome
    seconds: float


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """A checkup: the database is healthy without `problems`.

    `fixed` findings were repaired. `notes` are worth knowing but no damage. The next sync indexes
    `marked` files again.
    """

    database: str
    healthy: bool
    problems: list[Finding]
    notes: list[Finding]
    fixed: list[Finding]
    marked: list[str]
    checks: list[CheckResult]
    seconds: float
