"""The findings of distillation in an utterance: commitments, what closes them, people, states."""

from collections.abc import Mapping
from datetime import date
from typing import Final, Literal, TypeAlias

from contracts.named_tuple import NamedTuple

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

    `words` are the stems that name it; with none of them ("done!", "sent it") it is about the
    commitment just before. `verb` is what the speaker did, in its base form, "" for a state of the
    thing, "have" where somebody has it.
    """

    words: frozenset[str]
    verb: str
    start: int
    end: int


class Acquaintance(NamedTuple):
    """Somebody of the speaker's, by name: "sister", "Clémence"."""

    name: str
    relation: str
    start: int
    end: int


Series: TypeAlias = Literal["mood", "energy", "sleep", "stress"]
SERIES: Final[Mapping[str, Series]] = {
    "mood": "mood",
    "energy": "energy",
    "sleep": "sleep",
    "stress": "stress",
}
"""The series of states by name."""


class State(NamedTuple):
    """The speaker's own state now: `value` in words, `score` on the scale of its series."""

    series: Series
    value: str
    score: float | None
    start: int
    end: int


class StatedFact(NamedTuple):
    """A lasting fact, which a model finds; the rules have it as a memory."""

    category: str
    key: str
    value: str
    start: int
    end: int


class Habit(NamedTuple):
    """Something done again and again; `kind` as patterns have it."""

    kind: str
    description: str
    start: int
    end: int


class Done(NamedTuple):
    """A commitment that a model says is done, by its topic."""

    topic: str
    start: int
    end: int


class Findings(NamedTuple):
    """All that one utterance proves; `by` who found it."""

    commitments: tuple[Commitment, ...] = ()
    closings: tuple[Closing, ...] = ()
    people: tuple[Acquaintance, ...] = ()
    states: tuple[State, ...] = ()
    facts: tuple[StatedFact, ...] = ()
    habits: tuple[Habit, ...] = ()
    done: tuple[Done, ...] = ()
    by: Literal["rules", "llm"] = "rules"
