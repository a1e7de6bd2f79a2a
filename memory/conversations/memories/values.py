"""What memories are to those who store, list and explain them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Layer: TypeAlias = Literal["mid", "long"]
Status: TypeAlias = Literal["active", "archived", "deleted"]
Origin: TypeAlias = Literal["rules", "llm", "user", "import"]
LinkReason: TypeAlias = Literal["source", "merge", "conflict"]
Outcome: TypeAlias = Literal["create", "merge", "archive"]

LAYERS: tuple[Layer, ...] = ("mid", "long")
STATUSES: tuple[Status, ...] = ("active", "archived", "deleted")


@dataclass(frozen=True, slots=True)
class ExtractedMemory:
    """What became of one fact: a new memory, one that was there already, or one that is over."""

    id: int | None
    content: str
    action: Outcome


@dataclass(frozen=True, slots=True)
class Memory:
    """A row of `memories`. Times are ISO 8601 UTC text.

    `occurred_at` is when it was said last, `created_at` when this system first heard it. `slot` and
    `value` name what can be true only once, such as a home, if it is that. `superseded_by` is the
    memory that took the place of an archived one.
    """

    id: int
    layer: Layer
    content: str
    created_at: str
    last_seen_at: str | None
    hits: int
    score: float
    importance: int
    status: Status
    tags: tuple[str, ...]
    occurred_at: str
    updated_at: str
    origin: Origin
    slot: str | None = None
    value: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    superseded_by: int | None = None


@dataclass(frozen=True, slots=True)
class MemoryLink:
    """Why a memory knows a turn: it was found there, said there again, or decided there.

    `text[start_char:end_char]` of the turn is the evidence, where a rule found it.
    """

    memory_id: int
    turn_id: int
    reason: LinkReason
    rule: str
    start_char: int | None
    end_char: int | None
    created_at: str


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """Some memories in the order asked for; `next_cursor` leads to the next page, if there is one.

    `warnings` say what a search for a query's memories had to do without.
    """

    memories: list[Memory]
    next_cursor: str | None = None
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Remembered(Memory):
    """The memory that holds what was to be remembered, and what became of it there.

    `action` is `create`, `merge` when a memory said it already, or `archive` when something newer
    contradicts it. `replaced` are the ids of memories that had to give way.
    """

    action: Outcome = "create"
    replaced: list[int] = field(default_factory=list)
