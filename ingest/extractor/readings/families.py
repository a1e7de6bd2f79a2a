"""Relatives and pets: who somebody has, how many, and by which name."""

import re
from functools import cache

from ingest.extractor.readings.names import given_name
from ingest.extractor.wording import Told, listed
from ingest.extractor.words.boundaries import AFTER_KIN, COUNTS, LOOKS
from ingest.extractor.words.lexicon import KIN, MANY_KIN, MANY_PETS, PETS
from ingest.extractor.words.patterns import any_of

_COUNT = rf"(?:{any_of(COUNTS)}|\d{{1,2}})"
_ADJECTIVE = rf"(?:(?:\d+|[a-z]+)[- ](?:year|month|week)s?[- ]old|{any_of(LOOKS)})"
_AFTER = re.compile(rf"\s*(?:$|[,.;:!(]|(?:{any_of(AFTER_KIN)})\b)")
_KEPT = frozenset("golden german border guinea maine older younger twin little".split())
"""What tells one from another, or names a breed, before a relative or pet."""

_WITH_NAME = re.compile(
    r"(?P<who>(?:[\w-]+ )?[\w-]+)(?:,| (?:named|called)|, (?:named|called)|, (?:his|her|its) name is) (?P<name>(?-i:[A-Z]).*)"
)
_AFTER_NAME = re.compile(r" (?:and|last|this|yesterday|in|on|from|who|at) ")
_FOR_ANOTHER = re.compile(r"\s*(?:for|to) (?:my|a|the|his|her)\b")


@cache
def _item() -> re.Pattern[str]:
    every = any_of(KIN | MANY_KIN | PETS | MANY_PETS)
    return re.compile(
        rf"(?i)(?:only |just )?({_COUNT}) ((?:{_ADJECTIVE} ){{0,3}})((?:guinea )?(?:{every}))\b(?![-'])"
    )


def household(text: str, told: Told) -> list[str]:
    """Relatives and pets with their number: "a sister and three cats"."""
    del told
    found, at = [], 0
    while match := _item().match(text, at):
        after = text[match.end() :]
        if match[1].lower() in ("my", "our") or not _AFTER.match(after):
            break
        found.append(re.sub("(?i)^(?:only|just) ", "", match[0]).replace("another", "a"))
        joint = re.match(r",? (?:and|&|plus) |, ", after)
        if joint is None:
            break
        at = match.end() + joint.end()
    return [listed(", ".join(found))] if found else []


def pet(text: str, told: Told) -> list[str]:
    """One pet or several, that are not a present for somebody else."""
    found = household(text, told)
    nouns = re.findall(r"[\w-]+", found[0]) if found else []
    is_pet = any(noun.lower() in PETS | MANY_PETS for noun in nouns)
    return found if is_pet and not _FOR_ANOTHER.match(text[len(found[0]) :]) else []


def relative(text: str, told: Told) -> list[str]:
    """What somebody is to the speaker: sister, older brother, dog."""
    del told
    match = re.match(rf"((?:{_ADJECTIVE} )?[\w-]+)(?=$|[.,!;])", text, re.IGNORECASE)
    noun = match[1].rpartition(" ")[2].lower() if match else ""
    return [match[1].lower()] if match and noun in KIN | PETS else []


def relative_named(text: str, told: Told) -> list[str]:
    """A relative or pet with a name: "dog named Rex" is "dog is named Rex"."""
    match = _WITH_NAME.match(text)
    if match is None:
        return []
    words = match["who"].lower().split()
    name = given_name(_AFTER_NAME.split(match["name"])[0], told)
    if words[-1] not in KIN | PETS or not name:
        return []
    who = " ".join(words) if words[0] in _KEPT else words[-1]
    return [f"{who} is named {name[0]}"]
