"""Names of relatives and pets that are said in passing: "my wife Anna and I", "Theo, my husband"."""

import re
from collections.abc import Iterator
from functools import cache

from contracts.lazy_regex import deferred
from ingest.extractor.readings.names import is_quality
from ingest.extractor.rules.rule import KIN as KIND
from ingest.extractor.subjects import WITH
from ingest.extractor.values import Candidate
from ingest.extractor.wording import Told
from ingest.extractor.words.boundaries import UNREAL
from ingest.extractor.words.lexicon import FIRST_NAMES, KIN, MANY_KIN, MANY_PETS, NO_NAMES, PETS
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.place_names import PLACES

_NAME = r"[A-Z][^\W\d_]+(?:-[A-Z][^\W\d_]+)?"
_DOUBT = deferred(rf"(?i)\b(?:{any_of(UNREAL)}|dream\w*)\b")
_REACH = 80
_FONDLY = deferred(
    rf"^(?:(?:beloved|sweet|beautiful|lovely|dear|own|other|(?:little|big|old|new)(?= (?:{any_of(PETS | MANY_PETS)})$))[ -])+"
)
"""What is said of a relative out of love, and does not tell one from another."""


@cache
def _named() -> re.Pattern[str]:
    one, many = any_of(KIN | PETS), any_of(MANY_KIN | MANY_PETS)
    return re.compile(
        rf"\b(?:[Mm]y|[Oo]ur) (?:(?P<who>{WITH}(?:{one}))(?: (?:named |called )?(?P<name>{_NAME})"
        rf"(?!'s? (?:birthday|party|house|wedding)| and (?!I\b)[A-Z])\b|, (?:named |called )?(?P<aside>{_NAME})(?=,(?! and (?:I|me) (?!was\b|am\b))|\)| who\b|[.!?]))|"
        rf"(?P<several>(?:\w+ )?(?:{many})),? (?:named |called )?(?P<names>{_NAME}(?:, {_NAME})*,? and {_NAME}))"
    )


@cache
def _after() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![.!?:'])(?<=[a-z,] )(?P<name>{_NAME}), my (?P<who>{WITH}(?:{any_of(KIN | PETS)}))(?=,|\)|[.!?]|$)"
    )


def named_in_passing(text: str, told: Told) -> Iterator[Candidate]:
    """Yield the names of relatives and pets that a turn mentions, also in a question."""
    for match in (*_named().finditer(text), *_after().finditer(text)):
        groups = match.groupdict()
        name = groups.get("name") or groups.get("aside") or groups.get("names") or ""
        who = _FONDLY.sub("", (groups.get("who") or groups.get("several") or "").lower())
        if not name or not all(map(_is_name, re.split(r", and | and |, ", name))):
            continue
        if _DOUBT.search(text, max(0, match.start() - _REACH), match.end()):
            continue
        verb = "are" if groups.get("several") else "is"
        content = f"{told.subject}'s {who} {verb} named {name}"
        start, end = match.span()
        yield Candidate(content, tags=KIND.tags, rule="named in passing", start=start, end=end)


def _is_name(word: str) -> bool:
    small = word.casefold()
    if small in FIRST_NAMES:
        return True
    return small not in NO_NAMES and small not in PLACES and not is_quality(word)
