"""The (entity, relation, target) of a memory's sentence; none for what is not a lasting fact.

A memory of a slot has the relation of its slot, so that "works for Bosch" and "works at Bosch" are
one fact; another one that of the few forms of sentence that are plain. Plans, events, endings and
standing instructions are not facts: only the memory has them.
"""

import re
from collections.abc import Sequence
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest.extractor.facts import normalised
from ingest.extractor.words.lexicon import KIN, MANY_KIN, MANY_PETS, PETS

_NO_FACTS: Final = frozenset(("instruction", "plan", "event", "end", "secret"))
"""Tags of memories that are not facts."""

_SLOTS: Final = {
    "name": "is named",
    "last name": "has last name",
    "nickname": "goes by",
    "age": "has age",
    "birthday": "has birthday",
    "year of birth": "was born in",
    "home": "lives in",
    "address": "lives at",
    "mother tongue": "has native language",
    "job/role": "works as",
    "job/employer": "works at",
    "school": "studies at",
    "diet": "is",
    "relationship": "is",
    "children": "has children",
}
"""The relation of a slot, by its name without the subject; others are `has` and their name."""

_SIGNED: Final = {
    ("opinion", "+"): "likes",
    ("opinion", "-"): "dislikes",
    ("allergy", "+"): "is allergic to",
    ("allergy", "-"): "is not allergic to",
}
"""The relation of a slot whose value is a sign: what it is about is in its name."""

_SAME: Final = {
    **dict.fromkeys(("loves", "enjoys", "is into", "is a fan of"), "likes"),
    **dict.fromkeys(("is fond of", "is keen on"), "likes"),
    "hates": "dislikes",
    "works for": "works at",
}
"""Relations of sentences without a slot that are the same as those of slots."""

_SUBJECT: Final = (
    r"(?P<entity>(?:The )?[A-Z][\w.-]*(?: [A-Z][\w.-]*)?(?:'s [\w-]+(?: [A-Z][\w-]*)?)*?)"
)
_NEGATION: Final = r"(?:does not |doesn't |is not |cannot )"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        rf"{_SUBJECT} is (?P<relation>)(?P<target>\d+ (?:years|months|weeks) old)",
        rf"{_SUBJECT} (?P<relation>is from|is allergic to|is into|is a fan of|is fond of"
        r"|is keen on|is interested in|is passionate about|is married to|is engaged to"
        r"|is afraid of) (?P<target>.+)",
        rf"{_SUBJECT} (?P<relation>is) (?P<target>(?:an?|the) [^,;.]+|(?!\w+ing$)[\w-]+)",
        rf"{_SUBJECT} (?P<relation>was born in|was raised in|grew up in|works in|works as|works at"
        r"|works for|works with|studies at|lives (?:in|at|with|near)|graduated from|comes from"
        r"|volunteers at|belongs to) (?P<target>.+)",
        rf"{_SUBJECT} (?P<relation>{_NEGATION}?(?:speaks?|eats?|drinks?|plays?|owns?|runs?|drives?"
        r"|wears?|studies|study|teaches|teach|collects?|practi[sc]es?|uses?|knows?|has|have"
        r"|keeps?|prefers?|likes?|loves?|enjoys?|hates?)) (?!been |\w+ed )(?P<target>.+)",
        rf"{_SUBJECT}'s (?P<of>[a-z][\w -]*?) (?:is|are|include)(?: named| called)? (?P<target>.+)",
    )
)
"""Forms of sentences of memories without a slot; `of` is the noun that something has, without a
relation it is an age.
"""

_BEINGS: Final = KIN | MANY_KIN | PETS | MANY_PETS

_NAMED: Final = re.compile(
    r"(?P<role>\S.*'s (?:\w+ )?\w+) is (?:named|called) (?P<name>[A-Z][\w-]*(?: [A-Z][\w-]*)?)"
)
_ROLE_AND_NAME: Final = re.compile(r"(?P<role>\S.*'s (?P<noun>[a-z]+)) (?P<name>[A-Z][\w-]*)")
_SOME: Final = re.compile(r"(?P<owner>.+)'s (?P<noun>[a-z]+)")
_LONGEST: Final = 200
_EDGE: Final = " \t\r\n.,;:!"


class Fact(NamedTuple):
    """A fact as a sentence states it."""

    entity: str
    relation: str
    target: str

    @property
    def key(self) -> str:
        """Return what facts share that are the same: no case, no articles, no edges."""
        return "\n".join(normalised(part) for part in self)


class Naming(NamedTuple):
    """The statement that somebody known by a role has a name: `User's sister`, `Ida`."""

    role: str
    name: str


def fact_of(
    content: str, *, slot: str | None, value: str | None, tags: Sequence[str]
) -> Fact | None:
    """Return the fact of a memory."""
    text = " ".join(content.replace("’", "'").split()).strip(_EDGE)
    if not text or len(text) > _LONGEST or not _NO_FACTS.isdisjoint(tags):
        return None
    named = naming_of(text)
    if named is not None and (role := role_of(named.role)) is not None:
        found: Fact | None = Fact(role[0], f"has {role[1]}", named.name)
    else:
        found = _of_slot(text, slot, value) if slot and value else _of_form(text)
    return found if found and all(normalised(part) for part in found) else None


def naming_of(content: str) -> Naming | None:
    """Return whose name a memory tells, if it does."""
    match = _NAMED.fullmatch(" ".join(content.replace("’", "'").split()).strip(_EDGE))
    return Naming(match["role"], match["name"]) if match else None


def role_of(entity: str) -> tuple[str, str] | None:
    """Return the owner and the noun of an entity such as `User's sister`; None for another."""
    match = _SOME.fullmatch(entity)
    return (match["owner"], match["noun"]) if match else None


def _of_slot(text: str, slot: str, value: str) -> Fact | None:
    parts = slot.split("/")
    size = _subject_size(parts)
    entity = _spelled(text, "'s ".join(parts[:size]))
    if entity is None or size == len(parts):
        return None
    kind, what = parts[size], "/".join(parts[size + 1 :])
    if (kind, value) in _SIGNED:
        return Fact(_plain(entity), _SIGNED[kind, value], _spelled(text, what) or what)
    if kind == "preference":
        return _of_form(text)
    target = _spelled(text, value) or value
    relation = _SLOTS.get("/".join(parts[size:]))
    if value == "relationship":
        target = "in a relationship"
    if kind == "relationship" and (more := text.partition(target)[2]).startswith(" to "):
        target += more
    return Fact(_plain(entity), relation or f"has {' '.join(parts[size:])}", target)


def _subject_size(parts: Sequence[str]) -> int:
    """Return the number of parts of a slot's name that are its subject."""
    heads = {name.partition("/")[0] for name in _SLOTS}
    heads |= {"opinion", "allergy", "preference", "favourite"}
    return next((at for at in range(1, len(parts)) if parts[at] in heads), len(parts) - 1)


def _of_form(text: str) -> Fact | None:
    for form in _FORMS:
        match = form.fullmatch(text)
        if match is None:
            continue
        found = match.groupdict()
        noun = found.get("of")
        if noun is not None and noun.split()[-1] in _BEINGS:
            return None
        relation = found.get("relation") or ("has age" if noun is None else f"has {noun}")
        target = found["target"].strip(_EDGE)
        return Fact(_plain(found["entity"]), _SAME.get(relation, relation), target)
    return None


def _plain(entity: str) -> str:
    """Return an entity by its name where it is given with its role: `User's sister Ida`."""
    entity = entity.removeprefix("The ").removeprefix("the ")
    match = _ROLE_AND_NAME.fullmatch(entity)
    return match["name"] if match else entity


def _spelled(text: str, words: str) -> str | None:
    """Return words as a text spells them, None if it has them not."""
    match = re.search(re.escape(words), text, re.IGNORECASE)
    return match[0] if match else None
