"""The log of actions on turns and memories: who did what, in ids, codes and numbers, without text.

So a forgotten record leaves no text here, and its history can still be explained. The token that a
request came with is known to whatever is done for it, without being handed through every call. So
the rule of what an agent may change is here: only what agents wrote and nobody else has stated.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from contracts import ForbiddenError
from contracts.named_tuple import NamedTuple
from memory.storage import Database, Transaction, utc_now
from memory.storage.values import read_json

Actor: TypeAlias = Literal["gc", "extractor", "llm", "user", "import", "retention"]
Deed: TypeAlias = Literal[
    "created",
    "merged",
    "promoted",
    "demoted",
    "archived",
    "deleted",
    "edited",
    "forgotten",
    "restored",
]

_INSERT_SQL = """
INSERT INTO actions (at, actor, action, source, record_id, code, numbers, token)
VALUES (:at, :actor, :action, :source, :record_id, :code, :numbers, :token)
"""
_OF_RECORD_SQL = """
SELECT at, actor, action, code, numbers, token FROM actions
WHERE source = :source AND record_id = :record_id ORDER BY id DESC LIMIT :limit
"""


@dataclass(frozen=True, slots=True)
class Action:
    """One action on a record at a time (ISO 8601 UTC).

    `code` is the reason (`conflict`, `ended`, `score`, `age`, `capacity` ...), `numbers` the values
    that decided it: scores, days, ids of other records. `token` is the name of the token that a
    request for it came with.
    """

    at: str
    actor: str
    action: str
    code: str | None = None
    numbers: Mapping[str, Any] = field(default_factory=dict)
    token: str | None = None


AGENT: Final = "agent"
"""The key in the metadata of a record that an agent wrote: the name of its token."""

IMPORTED: Final = "imported"
"""The key in the metadata of a record that came with a history of another program."""

IS_CERTAIN: Final = "certain"
"""The key in the metadata of a memory or fact; false: it replaces nothing that is certain."""

ENDS: Final = "ends"
"""The key in a memory's metadata with the sentences that it ended."""

_MARKS: Final = (AGENT, IMPORTED, IS_CERTAIN, ENDS)
"""The keys in metadata that an agent cannot change."""


class Caller(NamedTuple):
    """The token of a request, by its name. An agent has it, or its owner: the person."""

    token: str
    is_owner: bool


_CALLER: ContextVar[Caller | None] = ContextVar("caller", default=None)


@contextmanager
def called_by(caller: Caller | None) -> Iterator[None]:
    """Let what is done in the block, and in threads that it waits for, be done for this caller."""
    before = _CALLER.set(caller)
    try:
        yield
    finally:
        _CALLER.reset(before)


def calling_agent() -> str | None:
    """Return the name of the agent's token that the present request came with; None for others."""
    caller = _CALLER.get()
    return None if caller is None or caller.is_owner else caller.token


def marked(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the metadata of a record to be stored, with the agent's name if one stores it."""
    agent = calling_agent()
    return metadata if agent is None else {**metadata, AGENT: agent}


def is_others(metadata: Mapping[str, Any]) -> bool:
    """Return whether an agent asks for a record with this metadata, and no agent wrote that."""
    return calling_agent() is not None and AGENT not in metadata


def require_own(citation: str, metadata: Mapping[str, Any]) -> None:
    """Raise ForbiddenError where an agent would change what no agent wrote."""
    if is_others(metadata):
        require_owner(f"{citation} is the owner's")


def require_owner(
    fact: str,
    *,
    hint: str = "ask the owner, who does it with mem, or over HTTP with a token made by "
    "mem token create NAME --owner --scope write; over MCP every caller is an agent",
) -> None:
    """Raise ForbiddenError where an agent asks, with the fact that concerns the owner alone."""
    agent = calling_agent()
    if agent is not None:
        raise ForbiddenError(f"{fact}, and {agent} asks as an agent", hint=hint)


def still_marked(new: Mapping[str, Any], old: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the new metadata of a record; an agent cannot change who wrote it, how certain it is,
    nor what it ended.
    """
    if calling_agent() is None:
        return new
    return {
        **{name: value for name, value in new.items() if name not in _MARKS},
        **{name: old[name] for name in _MARKS if name in old},
    }


class ActionLog:
    """A log writer for one actor and one kind of record, in the transaction of the action."""

    def __init__(self, tx: Transaction, actor: Actor, *, source: str = "memory") -> None:
        self._tx = tx
        self._actor = actor
        self._source = source

    def note(
        self, record_id: int, deed: Deed, code: str | None = None, **numbers: float | None
    ) -> None:
        """Log one action; numbers with the value None are left out."""
        caller = _CALLER.get()
        values = {
            "at": utc_now(),
            "actor": self._actor,
            "action": deed,
            "source": self._source,
            "record_id": record_id,
            "code": code,
            "numbers": json.dumps({name: n for name, n in numbers.items() if n is not None}),
            "token": caller.token if caller else None,
        }
        self._tx.run(_INSERT_SQL, values)


def actions_of(
    database: Database, record_id: int, *, source: str = "memory", limit: int = 20
) -> list[Action]:
    """Return the last actions on a record, newest first."""
    values = {"source": source, "record_id": record_id, "limit": limit}
    rows = database.read(_OF_RECORD_SQL, values)
    return [
        Action(at, actor, action, code, read_json(numbers), token)
        for at, actor, action, code, numbers, token in rows
    ]
