"""The parts of a rule."""

import re
from collections.abc import Mapping
from functools import cache

from contracts.named_tuple import NamedTuple


class Kind(NamedTuple):
    """The subject of a rule's facts: their tags, the kind first, and how much they matter."""

    tags: tuple[str, ...]
    importance: int = 0


NAME = Kind(("identity",), 1)
HEALTH = Kind(("health",), 1)
LIKE = Kind(("preference", "interests"))
KIN = Kind(("relation",))
WORK = Kind(("work",))
STUDY = Kind(("work", "study"))
PLACE = Kind(("place",))
PLAN = Kind(("plan",))
EVENT = Kind(("event",))
CONTACT = Kind(("contact",), 1)
LANGUAGE = Kind(("language",))
END = Kind(("end",))

ME, US, KINDRED, ALL, CLAUSE = "me", "me we", "me kin", "me we kin", "clause"
"""Whose statements a rule reads: the speaker's, theirs and ours, relatives', those of any clause."""


class Rule(NamedTuple):
    """A statement in the first person, "live in <place>", and its predicate in the third.

    A group in angle brackets is a reading by that name. `content` takes the groups and begins with
    a verb, or with `'s`. `ends` are predicates of the same subject that are over. `true` has what
    is said and the sentence that is made of it, `false` what the rule must leave alone. `of` tells
    whose statements it reads, `certain` whether its value is surely the present one.
    """

    name: str
    pattern: str
    content: str
    kind: Kind
    true: Mapping[str, str]
    false: tuple[str, ...]
    of: str = ME
    ends: tuple[str, ...] = ()
    certain: bool = True


_REST = r"(?P<spare>(?:[\s,].*)?)"


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return the expression of a rule's pattern; what may follow a complete sentence is a group."""
    ended = pattern if pattern.endswith((">", "$", ")$")) else f"{pattern}{_REST}"
    return re.compile(re.sub(r"(?<!P)<(\w+)>", r"(?P<\1>.+)", ended), re.IGNORECASE | re.DOTALL)
