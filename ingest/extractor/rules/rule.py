"""What a rule is."""

from typing import NamedTuple

from ingest.extractor.values import Action


class Kind(NamedTuple):
    """What a rule's facts are about: their tags, the kind first, and how much they matter."""

    tags: tuple[str, ...]
    importance: int = 0


IDENTITY = Kind(("identity",), 1)
HEALTH = Kind(("health",), 1)
PREFERENCE = Kind(("preference", "interests"))
POSSESSION = Kind(("possession",))
RELATION = Kind(("relation",))
WORK = Kind(("work",))
STUDY = Kind(("work", "study"))
PLACE = Kind(("place",))
PLAN = Kind(("plan",))
GOAL = Kind(("plan", "goal"))
EVENT = Kind(("event",))
HABIT = Kind(("habit",))
STATE = Kind(("state",))
SKILL = Kind(("skill",))


class Rule(NamedTuple):
    """A sentence without its subject, in the first person: `like (?P<things>.+)`.

    `heads` are the words that it can begin with. Named groups are readings; `verb` is put into the
    third person. `content` takes them, {s} for the subject, and {is}, {has}, {does} in its number.
    `of_user` rules are about the user alone, not about a relative.
    """

    name: str
    heads: str
    pattern: str
    content: str
    kind: Kind
    action: Action = "create"
    of_user: bool = False
