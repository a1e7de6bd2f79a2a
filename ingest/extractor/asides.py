"""What is said in passing: "my wife Anna and I", "as a nurse I"."""

import re
from collections.abc import Iterator
from functools import cache

from ingest.extractor.callings import role
from ingest.extractor.lexicon import BELONGING, DIETS, HEALTH_STATES, PEOPLE, PETS
from ingest.extractor.naming import is_quality
from ingest.extractor.rules.rule import PREFERENCE, RELATION, WORK
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told

_AS_A = re.compile(r"^(?:as|being) (?P<role>an? [^,]{3,60}?),? (?:i|my|we)\b", re.IGNORECASE)


@cache
def _with_name() -> re.Pattern[str]:
    nouns = sorted(PEOPLE | PETS, key=len, reverse=True)
    return re.compile(
        rf"\b(?:my|our) (?P<x>(?:(?:own|best|older|younger|little|big|twin|oldest|youngest|"
        rf"eldest|late|new|old) )?(?:{'|'.join(nouns)})),? (?:named |called "
        rf")?(?P<name>(?-i:(?!I'|(?:I|Because|Last|Next|On|In|Today|Yesterday|Every|So|And|But|"
        rf"Mr|Mrs|Dr|God|Mom|Dad)\b)[A-Z][\w-]+))(?!'s? (?:birthday|party|house|wedding))\b(?! "
        rf"(?:and (?-i:[A-Z])))",
        re.IGNORECASE,
    )


def asides(said: str, told: Told) -> Iterator[Candidate]:
    """Give the names of people and pets, and callings, that a clause mentions."""
    for match in _with_name().finditer(said):
        if is_quality(match["name"]):
            continue
        yield Candidate(
            f"{told.subject}'s {match['x'].lower()} is named {match['name']}",
            tags=RELATION.tags,
            rule="mentioned by name",
        )
    calling = _AS_A.match(said)
    if calling and not re.search(r"\b(?:is|are|was|them|you|it)\b", calling["role"]):
        said = calling["role"]
        known = said.casefold() in BELONGING | HEALTH_STATES | DIETS
        for found in [said] if known else role(said, told):
            kind = PREFERENCE if found.endswith(("vegan", "vegetarian")) else WORK
            yield Candidate(f"{told.subject} is {found}", tags=kind.tags, rule="as a")
