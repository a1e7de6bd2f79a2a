"""The values of a context: its parts, its messages, and what was left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from memory.conversations.memories.values import Memory
from memory.conversations.turns.values import Turn

PartKind: TypeAlias = Literal[
    "system", "instruction", "fact", "record", "triple", "episode", "turn", "file", "recent"
]
KINDS: tuple[PartKind, ...] = get_args(PartKind)
"""Kinds of parts, in the order in which a context has them."""


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a context.

    `text` is as in `markdown`, without the speaker; `is_excerpt`: some sentences of a longer text.
    `citation` is what `mem show` takes, None for the system message. `turn_id`, `session_id` and
    `memory_id` name the record, if it is of that kind; of a triple, its newest memory. `score`, in
    [0, 1], is the relevance to the question, None for what is there without one. `outdated` are its
    statements that are over.
    """

    kind: PartKind
    text: str
    citation: str | None = None
    speaker: str | None = None
    occurred_at: str | None = None
    session_id: str | int | None = None
    turn_id: int | None = None
    memory_id: int | None = None
    role: str | None = None
    score: float | None = None
    is_excerpt: bool = False
    outdated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The number of parts that were tried and had no room, and their tokens."""

    parts: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a session for one question.

    `short_term` are its last turns, oldest first; `mid_term` and `long_term_hint` memories, most
    important first. `parts` are what an agent should read, in their order, within `max_tokens`: the
    system message, standing instructions, current facts, matching records, on request triples and
    episodes, the best turns of all sessions, matching files, and the session's recent turns.
    `messages` are the same for a chat model, and `markdown` is the same as one text of `tokens`
    tokens. `matched` is false if nothing seems to answer the question, or there is none. `timings`
    has the milliseconds of each step. `warnings` name the parts of the search that were
    unavailable.
    """

    short_term: list[Turn]
    mid_term: list[Memory]
    long_term_hint: list[Memory]
    warnings: list[str] = field(default_factory=list)
    query: str | None = None
    matched: bool = False
    parts: list[Part] = field(default_factory=list)
    messages: list[Mapping[str, str]] = field(default_factory=list)
    markdown: str = ""
    tokens: int = 0
    max_tokens: int = 0
    left_out: LeftOut = field(default_factory=LeftOut)
    timings: Mapping[str, float] = field(default_factory=dict)
