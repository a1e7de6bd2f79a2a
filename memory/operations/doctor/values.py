"""The findings of a checkup, and its context."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memory.storage import Space, Storage, Transaction
from memory.workspace import Workspace

SHOWN = 3
"""The number of examples in a fact."""


@dataclass(frozen=True, slots=True)
class DoctorProblem:
    """One finding of a check.

    `fact` is the problem, `repair` its fix: the effect of `fix` if there is one, else a command to
    type. `is_note`: it is worth knowing but no damage. `blocks`: until it is fixed, other checks
    cannot give results.
    """

    fact: str
    repair: str
    fix: Callable[[], object] | None = None
    count: int = 1
    is_note: bool = False
    blocks: bool = False


@dataclass(frozen=True)
class DoctorContext:
    """The database under examination. `files`: the disk is compared with it, too."""

    workspace: Workspace
    files: bool = False
    marked: set[str] = field(default_factory=set)
    """Paths of files that a repair left to the next sync."""

    @property
    def storage(self) -> Storage:
        return self.workspace.storage

    @property
    def path(self) -> Path | None:
        return self.workspace.path

    @property
    def space(self) -> Space | None:
        """Return the active space."""
        return self.storage.active_space()

    def write(self, action: Callable[[Transaction], object]) -> None:
        """Do something in a transaction."""
        with self.storage.database.transaction() as tx:
            action(tx)


def some(examples: Sequence[object]) -> str:
    """Format a few examples for a fact: `a, b, c, ...`."""
    named = [str(example) for example in examples[:SHOWN]]
    return ", ".join(named + ["..."] * (len(examples) > SHOWN))


def noted(what: str, found: Sequence[object], repair: str) -> DoctorProblem:
    """Return a note that counts what was found, with a few examples."""
    return DoctorProblem(tally(what, len(found), found), repair, count=len(found), is_note=True)


def tally(what: str, number: int, examples: Sequence[object] = ()) -> str:
    """Format a count with a few examples: `chunks without a vector: 2 (a, b)`."""
    return f"{what}: {number:,}" + (f" ({some(examples)})" if examples else "")
