"""What a sentence about one person takes from the one before it: "I visit her", "I grew up there".

The verb of a claim has to be its own: "I love cooking. My girlfriend hates it." proves of the
girlfriend that she hates cooking, and not that she loves it.
"""

import re
from collections.abc import Set as AbstractSet
from typing import Final

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from ingest.extractor.llm.case import Case
from ingest.extractor.llm.clauses import Whose, owned_person
from ingest.extractor.llm.contents import Item, people_in
from ingest.extractor.llm.languages import ENGLISH
from ingest.extractor.llm.languages.all_languages import DETERMINER
from ingest.extractor.llm.languages.relations import RELATIONS
from ingest.extractor.llm.names_and_numbers import content_words, names, plain_words

_PERSON: Final = deferred(r"\b(?:s?he|him|his|her|they|them|their|we|us|our)\b", re.IGNORECASE)
_THING: Final = deferred(
    r"\b(?:it|its|there(?! (?:is|are|was|were)\b|')|(?:that|this)(?=\W*$))\b", re.IGNORECASE
)
_THEM: Final = deferred(r"\bthem\b", re.IGNORECASE)
_NOUN: Final = deferred(r"\bthe\s\w", re.IGNORECASE)
_NAME: Final = r"[A-ZÀ-Ý][\w-]+"
_CLEFT: Final = deferred(r"\b(?:is|was)\s+\w+\s*$")
"""Of "Berlin is where I live", what comes before "I"."""

_BE_OR_HAVE: Final = deferred(r"\b(?:is|are|was|were|has|have|had|named|called)\b")


class Told(NamedTuple):
    """What of a quote is told of one subject, `text` in all and in its clauses."""

    subject: Whose
    text: str
    clauses: tuple[str, ...]
    is_inner: bool = False


def told_by(case: Case, parts: list[Told], place: int) -> AbstractSet[Item]:
    """The items of a claim that a part tells, together with what it takes from its neighbours."""
    part = parts[place]
    told = case.contents.said_in(part.text)
    verb = _verb(case)
    clauses = [one for one in part.clauses if _is_said(case, verb, one)]
    if not clauses:
        return told
    if any(kind == "word" for kind, _ in told):
        told |= {item for item in verb if item[0] == "word"}
    if place:
        told |= _taken(case, parts[place - 1], part, clauses)
    if place + 1 < len(parts):
        told |= _explained(case, part, parts[place + 1])
    return told


def _is_said(case: Case, verb: set[Item], clause: str) -> bool:
    """Whether a clause has a word of the verb, or one of its kind: "visits", "go"."""
    words = {("word", word) for word in plain_words(clause)}
    return bool(verb & (case.contents.said_in(clause) | words))


def _verb(case: Case) -> set[Item]:
    """The verb of a claim, with its kinds; of "User is a nurse" the noun."""
    if not case.language.is_spaced:
        return set()
    person = rf"\W*'s\s(?:[\w-]+\s){{0,2}}?(?:{ENGLISH.person})\b"
    rest = re.sub(person, "", case.contents.text, count=1)
    first, *_ = [*rest.split(), ""]
    is_verb = first in plain_words(case.passage.quote) and not (
        _BE_OR_HAVE.match(first) or ENGLISH.find("known").fullmatch(first)
    )
    told = [first] if is_verb else _contents(case, rest)
    plain = [word for word in told if word[0].islower()]
    word = next(iter(plain or _contents(case, _BE_OR_HAVE.split(rest)[-1]) or told), "")
    verb: set[Item] = {("word", one) for one in plain_words(word)}
    if word != first:
        return verb
    kinds = case.contents.kinds - case.people
    return verb | {("kind", kind) for kind in kinds if RELATIONS[kind].search(word)}


def _contents(case: Case, text: str) -> list[str]:
    """The words of a text that are not grammatical, in order."""
    language = ENGLISH if case.contents.foreign else case.language
    words = re.findall(r"[^\W\d_][\w'-]*", text)
    return [
        word for word in words if content_words(word, language) and not DETERMINER.match(f"{word} ")
    ]


def _taken(case: Case, before: Told, part: Told, clauses: list[str]) -> AbstractSet[Item]:
    """What a part takes from the one before it, by a word for it in the clause of the verb."""
    told = case.contents.said_in(before.text)
    is_cleft = part.is_inner and _CLEFT.search(before.text)
    is_them = before.subject == "speaker" and any(map(_THEM.search, clauses))
    if is_cleft or is_them or any(_THING.search(one) for one in clauses):
        return told
    heads = _heads(case, before)
    is_meant = bool(case.people & people_in(before.text) or heads & _names(case))
    person = _PERSON if case.language is ENGLISH else case.language.find("third")
    is_person = is_meant and any(person.search(one) for one in clauses)
    is_place = bool(heads) and before.subject == "other" and any(map(_NOUN.search, clauses))
    if (
        is_person
        or is_place
        or repeats_name(case, before, part)
        or _is_of_their_work(case, before, part)
    ):
        return {item for item in told if item[0] == "kind" or item[1] in _taken_words(case)}
    return set()


def _taken_words(case: Case) -> set[str]:
    """The words of a claim that may be of a person or place told before: names, and "sister"."""
    return _names(case) | {word for word in case.contents.words if people_in(word)}


def _explained(case: Case, part: Told, after: Told) -> AbstractSet[Item]:
    """What is said of a name by the sentence after it: "I'm married to Tom. Tom is a chef."."""
    heads = _heads(case, after) & _names(case) & plain_words(part.text)
    if heads and re.match(rf"\W*{_NAME} is an?\b", after.text):
        return case.contents.said_in(after.text)
    return set()


def repeats_name(case: Case, before: Told, part: Told) -> bool:
    """Whether a part begins with a name that the one before it has."""
    return bool(_heads(case, part) & plain_words(before.text))


def _is_of_their_work(case: Case, before: Told, part: Told) -> bool:
    """Whether "my boss" is of what the speaker tells before: "I work at Acme"."""
    owned = re.search(owned_person(case.language), part.text, re.IGNORECASE)
    return before.subject == "speaker" and any(
        owned and kind.search(owned[0]) and kind.search(before.text) for kind in RELATIONS.values()
    )


def _heads(case: Case, part: Told) -> set[str]:
    """The name at the head of a part: "Tom is", "my friend Tom is"."""
    head = re.match(rf"\W*(?:(?i:{owned_person(case.language)}),?\s)?({_NAME})", part.text)
    return plain_words(head[1]) if head and not case.language.is_grammatical(head[1]) else set()


def _names(case: Case) -> set[str]:
    return plain_words(" ".join(names(f"{case.claim.subject} {case.contents.text}")))
