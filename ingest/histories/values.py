"""The content of a chat history, whichever program wrote it."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from contracts.named_tuple import NamedTuple

HistoryForm = Literal["chatgpt", "claude", "openai-jsonl", "transcript", "sem-mem"]
SYMBIOSIS: Final = "symbiosis"
"""A database, not a list of turns; it is read elsewhere."""

FORMS: Final[tuple[str, ...]] = (*get_args(HistoryForm), SYMBIOSIS)

Reason = Literal[
    "broken",
    "empty",
    "forgotten",
    "hidden",
    "other-branch",
    "secret",
    "tool-output",
    "unknown-content",
]

EXPECTED: Final = frozenset({"empty", "forgotten", "hidden", "other-branch", "tool-output"})
"""Reasons to omit a message that are not a fault of the file."""

_MOST_TITLE: Final = 200

_ROLES: Final = {
    **dict.fromkeys(("user", "human", "you", "me", "prompter"), "user"),
    **dict.fromkeys(("assistant", "ai", "bot", "model"), "assistant"),
    **dict.fromkeys(("system", "developer"), "system"),
    **dict.fromkeys(("tool", "function", "tool_result", "ipython"), "tool"),
}


@dataclass(frozen=True, slots=True)
class HistoryTurn:
    """One turn. `ts` is ISO 8601 in UTC, None if unknown.

    `client_id` is the same whenever the same message is read again.
    """

    session_id: str
    text: str
    role: str
    ts: str | None
    client_id: str
    speaker: str | None = None
    image_paths: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


class Summary(NamedTuple):
    """A program's summary of a conversation, with the conversation's id and its own."""

    session_id: str
    text: str
    id: str
    ts: str | None = None


class Omitted(NamedTuple):
    """One or more omitted messages: the reason, and their place."""

    reason: Reason
    place: str
    detail: str = ""
    messages: int = 1


Item = HistoryTurn | Summary | Omitted


def role_of(name: object) -> str | None:
    """`user`, `assistant`, `system` or `tool` for a program's name of a role."""
    return _ROLES.get(name.strip().casefold()) if isinstance(name, str) else None


def storable(text: str) -> str:
    """The text without lone surrogates and NUL, which JSON can write and no database accepts."""
    plain = text if text.isascii() else text.encode("utf-8", "replace").decode()
    return plain.replace("\0", " ")


def name_of(value: object) -> str | None:
    """An id or a name as text: a text that is not blank, or a whole number."""
    if isinstance(value, str):
        return storable(value.strip()) or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return None


def title_of(value: object) -> str | None:
    """A title as every turn of its conversation carries it: no longer than a line."""
    found = name_of(value)
    return found if found is None else " ".join(found[:_MOST_TITLE].split())


class ContentIds:
    """Makes ids from the text, for formats whose messages have none.

    A message keeps its id when others are added around it; equal ones of a session are numbered.
    """

    def __init__(self, form: str) -> None:
        self._form = form
        self._seen: Counter[tuple[str, str]] = Counter()

    def __call__(self, session_id: str, *parts: str | None) -> str:
        joined = "\0".join(part or "" for part in parts)
        digest = hashlib.blake2b(joined.encode(), digest_size=9).hexdigest()
        self._seen[session_id, digest] += 1
        return f"{self._form}:{digest}-{self._seen[session_id, digest]}"
