"""Values of turns: as submitted, and as stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, get_args

from memory.index.neighbours import body_offset

Role: TypeAlias = Literal["user", "assistant", "system", "tool"]
Extraction: TypeAlias = Literal["off", "rules", "llm", "done", "failed"]
"""States of extraction: not wanted; waiting for the rules; done by the rules and waiting for a
language model; done; given up by the model, so that the rules' memories remain.
"""

ROLES: Final[tuple[Role, ...]] = get_args(Role)


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn to be stored.

    `ts` is when it was said, ISO 8601 (UTC where it names no zone); None: now. `speaker` is the
    person, where several share the role. `client_id` is the sender's id of the turn: the same one
    again in a session stores nothing. `long_term_opt_in` decides for its session whether turns are
    kept; None leaves that unchanged, for a new session as configured. `is_message`: the `client_id`
    is that of a message, which is one turn whatever the session and the text it comes with.
    """

    session_id: str | int
    text: str
    role: str = "user"
    ts: str | None = None
    speaker: str | None = None
    image_paths: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    client_id: str | None = None
    auto_extract: bool = True
    long_term_opt_in: bool | None = None
    is_message: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """A row of `turns`. `ts` is when it was said, `recorded_at` when it was stored."""

    id: int
    session_id: str
    ts: str
    role: Role
    text: str
    speaker: str | None
    image_paths: tuple[str, ...]
    metadata: Mapping[str, Any]
    tags: tuple[str, ...]
    client_id: str | None
    extraction: Extraction
    recorded_at: str

    @property
    def body_offset(self) -> int:
        """Return where the utterance begins, after a `Name: ` that repeats the speaker."""
        return body_offset(self.text, self.speaker)

    @property
    def body(self) -> str:
        """Return the utterance without the speaker's name."""
        return self.text[self.body_offset :]


@dataclass(frozen=True, slots=True)
class AddedTurn:
    """The result for a submitted turn; `repeated`: it was already stored."""

    turn: Turn
    repeated: bool = False
