"""What the extractor takes and gives; the memory layer stores it, and models give the same."""

from datetime import datetime
from typing import Final, Literal, TypeAlias

from contracts.named_tuple import NamedTuple

MODEL: Final = "llm"
"""Stands for the name of a rule where a language model found a fact."""

Action: TypeAlias = Literal["create", "archive"]

MOST_CHARS = 100_000
"""A longer text is a document, which nobody says."""


class Utterance(NamedTuple):
    """What somebody said. Only what a user says is mined; `speaker` is who it was, in a group.

    `said_at` is aware and in UTC: "yesterday" is the day before it. `before` is what the same
    person said in their previous turn of the session: "No wait, it's John" corrects it. `earlier`
    is what they said before that, where a part to play or a text to work on may begin; of a named
    `speaker` all that they said, where they are alone with an assistant. `own` is False for what
    was imported or written by another agent: no standing instruction comes from it.
    """

    text: str
    said_at: datetime
    role: str = "user"
    speaker: str | None = None
    before: str = ""
    own: bool = True
    earlier: tuple[str, ...] = ()


class Candidate(NamedTuple):
    """A fact in the third person: "User likes JRPGs", found at `text[start:end]`.

    `ends` are sentences that stop being true with it: "User lives in Berlin", or "User lives
    somewhere" for any home. With an empty `content` it only takes them back. `archive` says that
    `content` itself is over, and stores nothing. `certain` is False for what may not be the present
    value: it replaces nothing. `importance` is 1 for who somebody is, for health and for what the
    user asks to have remembered. The first tag is the kind: identity, preference, work ...
    """

    content: str
    action: Action = "create"
    importance: int = 0
    tags: tuple[str, ...] = ()
    rule: str = ""
    start: int = 0
    end: int = 0
    ends: tuple[str, ...] = ()
    certain: bool = True


class Slot(NamedTuple):
    """What has one value at a time: `user/home` is `berlin`, `user/opinion/tea` is `+` or `-`.

    An empty value stands for any: "User lives somewhere" is over when User has no home any more.
    `more` is what the sentence tells besides, as "at Google" of who works as an engineer.
    """

    name: str
    value: str
    more: str = ""
