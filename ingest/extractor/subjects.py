"""Whose clause it is: of the person who speaks, of both of a couple, or of a relative or pet."""

import re
from functools import cache

from contracts.named_tuple import NamedTuple
from ingest.extractor.wording import base_form
from ingest.extractor.words.adverbs import ADVERBS
from ingest.extractor.words.boundaries import FOND
from ingest.extractor.words.lexicon import KIN, MANY_KIN, MANY_PETS, PETS
from ingest.extractor.words.patterns import any_of


class Statement(NamedTuple):
    """A `predicate` in the first person, "live in Oslo", of a `subject`, "User's sister Ida".

    `relation` is what the subject is to the speaker: "" for the speaker, "we" for them and others,
    "clause" where it is neither.
    """

    subject: str
    predicate: str
    relation: str = ""
    plural: bool = False
    given: str = ""


WITH = rf"(?:(?:{any_of(FOND)}|\d+[- ]year[- ]old)[ -]){{0,2}}"
"""Adjectives before a relative, which stay with them."""

_ADVERB = re.compile(rf"(?i)^(?:(?:{any_of(ADVERBS)}) )+")
_AUXILIARY = re.compile(r"(?i)^(is|are|was|were|has|have|does|do|'s) ")


@cache
def _relative() -> re.Pattern[str]:
    return re.compile(
        rf"(?i)^(?:my|our) (?P<who>{WITH}(?P<noun>{any_of(KIN | MANY_KIN | PETS | MANY_PETS)}))"
        r"(?P<given>,? (?:(?:named|called) )?(?-i:(?!I\b)[A-Z])[\w'-]*(?<!'s)"
        r"(?:,| and (?-i:(?!I\b)[A-Z])\w+)?)?(?P<own>'s)?(?P<both> and (?:i|me|myself))? (?P<rest>.+)$"
    )


def statement(clause: str, speaker: str) -> Statement | None:
    """Return a plain clause in its parts; None if there is nothing but one word.

    A clause whose subject is no person, "Rex is my dog", is a predicate as a whole.
    """
    head, _, rest = clause.partition(" ")
    lower = head.lower()
    if lower == "i" and rest:
        return Statement(speaker, rest)
    if lower == "we" and rest:
        return Statement(speaker, _first_person(rest), "we")
    if lower not in ("my", "our"):
        return Statement(speaker, clause, "clause") if rest else None
    match = _relative().match(clause)
    return Statement(speaker, f"my {rest}") if match is None else _of(match, speaker)


def _of(match: re.Match[str], speaker: str) -> Statement:
    noun = match["noun"].lower()
    who = f"{speaker}'s {match['who'].lower()}"
    rest = match["rest"].strip()
    if match["own"]:
        named = re.match(r"name is (?P<name>.+)", rest, re.IGNORECASE)
        return Statement(who, f"am called {named['name']}" if named else f"my {rest}", noun)
    if match["both"]:
        return Statement(speaker, _first_person(rest), "we")
    given = re.sub(r"\b(?:named|called)\b|,", "", match["given"] or "").strip()
    plural = noun in MANY_KIN | MANY_PETS
    subject = f"{who} {given}" if given and not plural else who
    return Statement(subject, _first_person(rest), noun, plural, given)


def _first_person(rest: str) -> str:
    rest = _ADVERB.sub("", rest)
    if match := _AUXILIARY.match(rest):
        return f"{base_form(match[1])} {_ADVERB.sub('', rest[match.end() :])}"
    verb, _, more = rest.partition(" ")
    return f"{base_form(verb)} {more}".strip()
