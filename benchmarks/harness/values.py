"""The result of a benchmark, and the effort it may take."""

from dataclasses import dataclass
from math import ceil


@dataclass(frozen=True, slots=True)
class Goal:
    """A limit: a figure is good if at most this, or with `at_least` if no less."""

    value: float
    at_least: bool = False

    def is_met(self, value: float) -> bool:
        return value >= self.value if self.at_least else value <= self.value


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number with the goal and, in `beside`, values for comparison.

    `raw` holds every single measurement in the figure's unit, in order.
    """

    benchmark: str
    what: str
    value: float
    unit: str
    goal: Goal | None = None
    beside: str = ""
    raw: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Effort:
    """The numbers of repetitions, and the sizes of collections of fixed size."""

    cold_runs: int = 11
    questions: int = 300
    asking_clients: int = 4
    reindexes: int = 3
    small_files: int = 10_000
    tree_files: tuple[int, ...] = (10_000, 100_000)
    large_file_mb: int = 50
    identifiers_of_a_kind: int = 20
    watched_files: tuple[int, ...] = (1_000, 10_000)
    saves: int = 200
    stormed_files: int = 5000
    watched_s: float = 20
    turns: int = 100_000
    collected_memories: int = 100_000
    records_of_a_kind: int = 10_000
    history_turns: int = 20_000
    history_mb: int = 200
    captured_turns: int = 5_000


FULL = Effort()
QUICK = Effort(
    cold_runs=3,
    questions=40,
    asking_clients=1,
    reindexes=1,
    small_files=500,
    tree_files=(500,),
    large_file_mb=1,
    identifiers_of_a_kind=4,
    watched_files=(50,),
    saves=4,
    stormed_files=40,
    watched_s=0.3,
    turns=400,
    collected_memories=400,
    records_of_a_kind=40,
    history_turns=200,
    history_mb=1,
    captured_turns=200,
)


def percentile(values: tuple[float, ...], share: float) -> float:
    """The smallest value that at least `share` of the values do not exceed (nearest rank)."""
    return sorted(values)[max(0, ceil(share * len(values)) - 1)]


def spread(values: tuple[float, ...], *, unit: str) -> str:
    """The spread of the values: `p95 14.2 ms of 11 runs`."""
    return f"p95 {percentile(values, 0.95):,.0f} {unit} of {len(values)} runs"
