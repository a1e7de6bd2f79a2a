"""Records of all five kinds for tests."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from memory.records.facts import NewFact, write_fact
from memory.records.open_loops import NewOpenLoop, write_open_loop
from memory.records.patterns import NewPattern, write_pattern
from memory.records.people import NewPerson, write_person
from memory.records.signals import NewSignal, write_signal
from memory.workspace import Workspace

NOW: Final = datetime(2050, 3, 4, 10, tzinfo=UTC)
"""A time to come, so that no fact has faded while a test runs."""

COFFEE: Final = NewFact(
    category="preference",
    key="coffee_order",
    value="Oat milk latte",
    now=NOW,
    metadata={"by": "Ana"},
)
SARAH: Final = NewPerson(
    name="Sarah Miller",
    aliases=["Sal"],
    relationship="coworker",
    notes="Plays the bassoon",
    now=NOW,
)
RUNS: Final = NewPattern(
    pattern_type="habit", description="Runs around the reservoir on Sundays", now=NOW
)
PASSPORT: Final = NewOpenLoop(topic="Renew the passport", priority=4, now=NOW)
MOOD: Final = NewSignal(signal_type="mood", value="Exuberant after the concert", now=NOW)

WRITERS: Final[dict[str, tuple[Callable[[Workspace, Any], Any], Any]]] = {
    "fact": (write_fact, COFFEE),
    "person": (write_person, SARAH),
    "pattern": (write_pattern, RUNS),
    "open_loop": (write_open_loop, PASSPORT),
    "signal": (write_signal, MOOD),
}
CITATIONS: Final = {
    "fact": "fact preference/coffee_order",
    "person": "person Sarah Miller",
    "pattern": "pattern 1",
    "open_loop": "loop 1",
    "signal": "signal 1",
}
WORDS: Final = {
    "fact": "latte",
    "person": "bassoon",
    "pattern": "reservoir",
    "open_loop": "passport",
    "signal": "exuberant",
}
"""A word that only the record of a kind holds."""


def state_all(workspace: Workspace) -> None:
    """Store one record of each kind."""
    for write, given in WRITERS.values():
        write(workspace, given)
