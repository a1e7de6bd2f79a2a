"""Values of records: rows of the five tables, and the same as they are shown.

All times are ISO 8601 UTC. Every row has the fields of `source` on: `source` says who stated it
(`user`, `api`, `distillation`, or another name), `tags` filter searches, `metadata` is any JSON
object.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar, get_args

from memory.values.results import Superseded

Sentiment: TypeAlias = Literal["positive", "negative", "neutral"]
PatternType: TypeAlias = Literal["habit", "schedule", "preference", "communication"]
LinkReason: TypeAlias = Literal["source", "resolution"]
Standing: TypeAlias = Literal["current", "archived", "expired"]
FactState: TypeAlias = Literal["current", "superseded", "archived", "expired"]
FactAction: TypeAlias = Literal["created", "reinforced", "replaced", "kept"]

SENTIMENTS: Final[tuple[Sentiment, ...]] = get_args(Sentiment)
PATTERN_TYPES: Final[tuple[PatternType, ...]] = get_args(PatternType)
LINK_REASONS: Final[tuple[LinkReason, ...]] = get_args(LinkReason)

USER: Final = "user"
API: Final = "api"
DISTILLATION: Final = "distillation"
_BY_AGENT: Final = "agent "
"""The beginning of a source that is an agent where the mark in the metadata does not tell it."""


def agent_source(name: str) -> str:
    """Return the source that names an agent as one; `name` may do so already."""
    return name if is_agent_source(name) else f"{_BY_AGENT}{name}"


def is_agent_source(source: str) -> bool:
    """Return whether a source names an agent as one."""
    return source.startswith(_BY_AGENT)


class StoredRecord(Protocol):
    """The fields that rows of every kind have."""

    @property
    def id(self) -> int: ...
    @property
    def source(self) -> str: ...
    @property
    def created_at(self) -> str: ...
    @property
    def updated_at(self) -> str: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def metadata(self) -> Mapping[str, Any]: ...


R = TypeVar("R", bound=StoredRecord)


@dataclass(frozen=True, slots=True)
class Fact:
    """A row of `facts`: the present value of one category and key.

    `confidence` in [0, 1] is as stated at `updated_at`; see `memory.records.decay` for its present
    value. From `expires_at` on the fact is over.
    """

    id: int
    category: str
    key: str
    value: str
    confidence: float
    expires_at: str | None
    source: str
    created_at: str
    updated_at: str
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Person:
    """A row of `people`; `name_key` is the caseless name, `last_contact` a time or any text."""

    id: int
    name: str
    name_key: str
    aliases: tuple[str, ...]
    relationship: str
    last_contact: str | None
    sentiment: Sentiment
    notes: str
    source: str
    created_at: str
    updated_at: str
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A row of `patterns`: what was observed `frequency` times, the last time `last_observed`."""

    id: int
    pattern_type: PatternType
    description: str
    description_key: str
    frequency: int
    last_observed: str
    confidence: float
    source: str
    created_at: str
    updated_at: str
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """A row of `open_loops`: a topic that is not done, or `resolved` (1) at `resolved_at`.

    `priority` is 0 to 5, higher is more urgent. `resolution` says in words what closed it.
    """

    id: int
    topic: str
    topic_key: str
    first_mentioned: str
    mention_count: int
    last_mentioned: str
    resolved: int
    priority: int
    resolved_at: str | None
    resolution: str
    source: str
    created_at: str
    updated_at: str
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Signal:
    """A row of `signals`: one observation of the series `signal_type`."""

    id: int
    signal_type: str
    value: str
    observed_at: str
    source: str
    created_at: str
    updated_at: str
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A turn that a record rests on; `reason` is `source`, or `resolution` if it closed a loop."""

    turn_id: int
    citation: str
    reason: LinkReason


@dataclass(frozen=True, slots=True)
class FormerValue:
    """A value that a fact had, or that was stated and did not count, until `replaced_at`: one that
    never counted has that time as its `updated_at`. The `source` of an agent is `agent NAME`.
    """

    value: str
    confidence: float
    source: str
    updated_at: str
    replaced_at: str


@dataclass(frozen=True, slots=True)
class ShownFact(Fact):
    """A fact as it is shown: with its present confidence, whether it still holds, and the values
    it had before, the latest first.

    `superseded` tells what is current in its place: a memory, or a fact of another name.
    """

    citation: str = ""
    evidence: list[Evidence] = field(default_factory=list)
    effective_confidence: float = 0.0
    state: FactState = "current"
    history: list[FormerValue] = field(default_factory=list)
    superseded: Superseded | None = None


@dataclass(frozen=True, slots=True)
class WrittenFact(ShownFact):
    """A fact after a statement, and the outcome.

    `action` is `created`, `reinforced` when it had the value already, `replaced` when it had
    another, or `kept` when the stated value counts less than the present one.
    """

    action: FactAction = "created"


@dataclass(frozen=True, slots=True)
class ShownPerson(Person):
    """A person as shown."""

    citation: str = ""
    evidence: list[Evidence] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ShownPattern(Pattern):
    """A pattern as shown."""

    citation: str = ""
    evidence: list[Evidence] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ShownOpenLoop(OpenLoop):
    """An open loop as shown."""

    citation: str = ""
    evidence: list[Evidence] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ShownSignal(Signal):
    """A signal as shown."""

    citation: str = ""
    evidence: list[Evidence] = field(default_factory=list)
