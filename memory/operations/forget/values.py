"""What is to be forgotten, and what became of that."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from memory.values.record_kinds import RecordName


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """What is to go: all that any of these names, whatever the others name.

    `records`     these records, of any kind that can be forgotten
    `memory_ids`, `turn_ids`, `text_ids`  the same of the kinds that programs name by their ids
    `text`        whatever holds this text, letter case aside
    `query`       what a search for it finds, up to `max_results`
    `session_id`  a whole conversation
    `since`, `until`  what was said in that time; beside a session or `pii`: of those alone
    `pii`         what is tagged as personal
    `with_sources`  the turns that the memories were made of go too
    """

    memory_ids: tuple[int, ...] = ()
    turn_ids: tuple[int, ...] = ()
    text_ids: tuple[str, ...] = ()
    text: str | None = None
    query: str | None = None
    max_results: int = 10
    session_id: str | int | None = None
    since: str | None = None
    until: str | None = None
    pii: bool = False
    with_sources: bool = False
    records: tuple[RecordName, ...] = ()

    def named(self) -> tuple[RecordName, ...]:
        """The records that are named one by one."""
        ids = {"turn": self.turn_ids, "memory": self.memory_ids, "text": self.text_ids}
        given = [RecordName(kind, str(each)) for kind, several in ids.items() for each in several]
        return (*given, *self.records)


class Chosen(NamedTuple):
    """The ids of the records that are to go, by kind, and the sessions that are to end."""

    records: Mapping[str, frozenset[str]]
    sessions: frozenset[str] = frozenset()

    def of(self, kind: str) -> frozenset[str]:
        """The ids of those of a kind."""
        return self.records.get(kind, frozenset())

    def joined(self, more: Mapping[str, frozenset[str]]) -> "Chosen":
        """These records and others."""
        kinds = dict.fromkeys((*self.records, *more))
        return self._replace(
            records={kind: self.of(kind) | more.get(kind, frozenset()) for kind in kinds}
        )


@dataclass(frozen=True, slots=True)
class Forgotten:
    """One record that has gone, or would; `why` is `chosen` or `source` (made of nothing else)."""

    kind: str
    id: str
    citation: str
    why: Literal["chosen", "source"]


@dataclass(frozen=True, slots=True)
class Check:
    """One part of the proof: what was looked for, whether nothing was found, and what was."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class ForgetReport:
    """What was forgotten. `elsewhere` names what says it too and is not this program's to remove;
    `kept` the turns that forgotten memories were made of. `ok` is whether nothing is left: of the
    checks, where those were asked for, and of what the disk held.
    """

    forgotten: list[Forgotten]
    ok: bool
    dry_run: bool
    seconds: float
    kept: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
