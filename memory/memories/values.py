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

    `occurred_at` is when it was said last, `created_at` when this system first heard it. `words`
    is the content as `likeness` compares it; `slot` and `value` name what can be true only once,
    if it is such. `superseded_by` is the memory that took the place of an archived one.
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
    words: str = ""
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

    `total` counts all that the filters let through, None where a query found them.
    """

    memories: list[Memory]
    next_cursor: str | None = None
