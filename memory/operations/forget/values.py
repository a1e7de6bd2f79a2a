"""Requests to forget, and their results."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from contracts.named_tuple import NamedTuple
from memory.values.record_kinds import RecordName

Why: TypeAlias = Literal["chosen", "source"]


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """The records to forget: everything that any of these fields names.

    `records`     these records, of any kind
    `memory_ids`, `turn_ids`, `text_ids`  these records, by kind
    `text`        all records with this text, ignoring case and the form of accents
    `query`       the results of a search for it, up to `max_results`
    `session_id`  a whole conversation
    `since`, `until`  turns said in that time; with a session or `pii`: of those only
    `pii`         records tagged as personal data
    `with_sources`  include the source turns of the memories
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
        """Return the records that are named one by one."""
        ids = {"turn": self.turn_ids, "memory": self.memory_ids, "text": self.text_ids}
        given = [RecordName(kind, str(each)) for kind, several in ids.items() for each in several]
        return (*given, *self.records)


class Chosen(NamedTuple):
    """The ids of the records to remove, by kind, and the sessions to remove completely."""

    records: Mapping[str, frozenset[str]]
    sessions: frozenset[str] = frozenset()

    def of(self, kind: str) -> frozenset[str]:
        """Return the ids of those of a kind."""
        return self.records.get(kind, frozenset())

    def joined(self, more: Mapping[str, frozenset[str]]) -> "Chosen":
        """Return these records and others."""
        kinds = dict.fromkeys((*self.records, *more))
        return self._replace(
            records={kind: self.of(kind) | more.get(kind, frozenset()) for kind in kinds}
        )


@dataclass(frozen=True, slots=True)
class Forgotten:
    """One record, or former value of one, that was or would be removed.

    `why` is `chosen` or `source` (no other source).
    """

    kind: str
    id: str
    citation: str
    why: Why


@dataclass(frozen=True, slots=True)
class Check:
    """One part of the proof: what was searched, whether nothing was found, and the findings."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class ForgetReport:
    """The result of a removal.

    `elsewhere` names copies that this program does not remove; `kept` the source turns of forgotten
    memories that stay. `ok` is whether nothing remains: in the checks, where they were requested,
    and on the disk.
    """

    forgotten: list[Forgotten]
    ok: bool
    dry_run: bool
    seconds: float
    kept: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
