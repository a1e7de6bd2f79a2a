"""Values of memories: rows, links, pages and outcomes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from memory.values.results import Superseded

Layer: TypeAlias = Literal["mid", "long"]
Status: TypeAlias = Literal["active", "archived", "deleted"]
Origin: TypeAlias = Literal["rules", "llm", "user", "import"]
LinkReason: TypeAlias = Literal["source", "merge", "conflict"]
MemoryAction: TypeAlias = Literal["create", "merge", "archive"]

LAYERS: tuple[Layer, ...] = ("mid", "long")
IMPORTANT: Final = 1
"""The importance of what a person asked to keep: it does not fade."""

STATUSES: tuple[Status, ...] = ("active", "archived", "deleted")

INSTRUCTION: Final = "instruction"
"""The tag of a standing instruction, which only the owner gives."""

UNCONFIRMED: Final = "unconfirmed"
"""The tag of an archived memory that may be the present value of its slot in place of another."""


@dataclass(frozen=True, slots=True)
class ExtractedMemory:
    """The outcome of one fact: a new memory, an existing one, or an archived one."""

    id: int | None
    content: str
    action: MemoryAction


@dataclass(frozen=True, slots=True)
class Memory:
    """A row of `memories`. Times are ISO 8601 UTC text.

    `occurred_at` is when it was last said, `created_at` when it was first stored. `slot` and
    `value` are set for a fact with one true value, such as a home. `superseded_by` is the
    memory that replaced an archived one.
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
class ShownMemory(Memory):
    """A memory as it is shown. `superseded` tells which fact has the current value of its slot, if
    an active memory does not.
    """

    superseded: Superseded | None = None


@dataclass(frozen=True, slots=True)
class MemoryLink:
    """The reason for a link to a turn: the memory was found, repeated or decided there.

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
    """A page of memories in the requested order; `next_cursor` leads to the next page, if any.

    `warnings` name the parts of the search that were unavailable.
    """

    memories: list[ShownMemory]
    next_cursor: str | None = None
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Remembered(Memory):
    """The memory that holds a remembered text, and the outcome.

    `action` is `create`, `merge` when a memory said it already, or `archive` when something newer
    contradicts it. `replaced` are the ids of memories that it replaced.
    """

    action: MemoryAction = "create"
    replaced: list[int] = field(default_factory=list)
