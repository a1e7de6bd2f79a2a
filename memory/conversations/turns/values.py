"""A turn as it is given, and as it is kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, get_args

from memory.index.neighbours import body_offset

Role: TypeAlias = Literal["user", "assistant", "system", "tool"]
Extraction: TypeAlias = Literal["off", "rules", "llm", "done", "failed"]
"""How far memories are made of a turn: not wanted; stored, and the rules have not looked yet; the
rules have, and a language model is to; done; given up by the model, so that what the rules found
stands."""

ROLES: Final[tuple[Role, ...]] = get_args(Role)


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn that somebody hands in.

    `ts` is when it was said, ISO 8601 (UTC where it names no zone); None: now. `speaker` is who of
    several people has the role. `client_id` names the turn for whoever sends it: the same one again
    in a session stores nothing. `long_term_opt_in` decides for its session whether turns outlive
    it; None leaves that as it is, for a new session as configured.
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


@dataclass(frozen=True, slots=True)
class Turn:
    """A row of `turns`. `ts` is when it was said, `recorded_at` when it came here."""

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
        """Where what was said begins, behind a `Name: ` that repeats the speaker."""
        return body_offset(self.text, self.speaker)

    @property
    def body(self) -> str:
        """What was said, without the name of who said it."""
        return self.text[self.body_offset :]


@dataclass(frozen=True, slots=True)
class AddedTurn:
    """What became of a turn that was handed in; `repeated`: it was there already."""

    turn: Turn
    repeated: bool = False
