"""The provenance of hits: the turns behind memories, and what turns said that is over."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from contracts.named_tuple import NamedTuple
from memory.storage import Database
from memory.values.record_kinds import RecordName
from memory.values.results import Superseded


class SourceTurn(NamedTuple):
    """A turn that stated a memory, at `start_char` of its text if a rule found it there."""

    turn_id: int
    session_id: str
    ts: str
    citation: str
    start_char: int | None = None


class PastStatement(NamedTuple):
    """A statement that is over. `slot` is what it was about, None if that can have many values.

    `by` cites the memory or the fact that took its place, which is `record`, `now` is what that
    says, `date` the day of it, and `turns` those that said so, latest first. If it was only taken
    back, `by` cites the turn.
    """

    statement: str
    slot: str | None
    by: str
    record: RecordName | None
    now: str | None
    date: str
    turns: tuple[SourceTurn, ...] = ()

    @property
    def shown(self) -> Superseded:
        """The same as results show it."""
        is_memory = self.record is not None and self.record.source == "memory"
        memory_id = int(self.record.record_id) if self.record and is_memory else None
        return Superseded(self.statement, self.slot, self.by, self.date, memory_id, self.now)


class Provenance(NamedTuple):
    """The source turns of memories, latest first, and the past statements of turns, memories and
    facts.
    """

    sources: Mapping[int, Sequence[SourceTurn]]
    past: Mapping[RecordName, Sequence[PastStatement]]


class ProvenanceReader(Protocol):
    """Reads the provenance of memories, turns and facts by their ids."""

    def __call__(
        self,
        database: Database,
        *,
        memories: Collection[int] = (),
        turns: Collection[int] = (),
        facts: Collection[int] = (),
    ) -> Provenance:
        """Return the sources of these memories, and the past statements of all these records."""
        ...
