"""What a checkup finds, and what it works on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memory.storage import Space, Storage
from memory.workspace import Workspace

SHOWN = 3
"""Examples that a fact names."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is not as it should be.

    `fact` is what is wrong, `repair` what mends it: what `fix` does if there is one, else what to
    type. `is_note`: it is no damage, and worth knowing. `blocks`: until it is mended, other checks
    could not tell anything.
    """

    fact: str
    repair: str
    fix: Callable[[], None] | None = None
    count: int = 1
    is_note: bool = False
    blocks: bool = False


@dataclass(frozen=True)
class DoctorContext:
    """The database under examination. `files`: the disk is compared with it, too."""

    workspace: Workspace
    files: bool = False
    marked: set[str] = field(default_factory=set)
    """Paths of files that a repair has left to the next sync."""

    @property
    def storage(self) -> Storage:
        return self.workspace.storage

    @property
    def path(self) -> Path | None:
        return self.workspace.path

    @property
    def space(self) -> Space | None:
        """The active space."""
        return self.storage.active_space()


def some(examples: Sequence[object]) -> str:
    """A few examples as they may stand in a fact: `a, b, c, ...`."""
    named = [str(example) for example in examples[:SHOWN]]
    return ", ".join(named + ["..."] * (len(examples) > SHOWN))


def tally(what: str, number: int, examples: Sequence[object] = ()) -> str:
    """How many there are of something, and a few of them: `chunks without a vector: 2 (a, b)`."""
    return f"{what}: {number:,}" + (f" ({some(examples)})" if examples else "")
