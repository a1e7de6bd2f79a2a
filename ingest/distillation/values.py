"""The findings of distillation in an utterance: commitments, what closes them, people, states."""

from datetime import date
from typing import Literal, NamedTuple, TypeAlias

Binding: TypeAlias = Literal["promise", "task", "reminder", "debt", "answer"]
"""A way to bind oneself: to another person, to themselves, by asking to be reminded, by
owing something, or by owing an answer.
"""


class Listener(NamedTuple):
    """The other side of an utterance: `name` where it is one person, `is_model` for an assistant."""

    name: str = ""
    is_model: bool = False


class Commitment(NamedTuple):
    """A duty that the speaker takes on, found at `text[start:end]`.

    `topic` is in the words of the speaker: "send the slides". `to` is who waits for it, "" for
    nobody in particular; `due` its last day, if one is said.
    """

    topic: str
    binding: Binding
    to: str
    due: date | None
    start: int
    end: int


class Closing(NamedTuple):
    """A statement that something is done, or no longer needed.

    `words` are the stems that name it; with none of them ("done!") it is about the commitment just
    before. `is_answer` says that somebody was told, asked or paid.
    """

    words: frozenset[str]
    is_answer: bool
    start: int
    end: int


class Acquaintance(NamedTuple):
    """Somebody of the speaker's, by name: "sister", "Clémence"."""

    name: str
    relation: str
    start: int
    end: int


class State(NamedTuple):
    """The speaker's own state now: `value` in words, `score` on the scale of its series."""

    series: Literal["mood", "energy", "sleep", "stress"]
    value: str
    score: float | None
    start: int
    end: int


class Findings(NamedTuple):
    """All that one utterance proves."""

    commitments: tuple[Commitment, ...] = ()
    closings: tuple[Closing, ...] = ()
    people: tuple[Acquaintance, ...] = ()
    states: tuple[State, ...] = ()
