"""Names of places, and the days that stand beside them: "in Berlin" is one, "in a hurry" is not."""

import re

from contracts.lazy_regex import deferred
from ingest.extractor.wording import Told, cut, dated
from ingest.extractor.words import boundaries
from ingest.extractor.words.lexicon import LANGUAGES, NATIONALITIES, NO_NAMES
from ingest.extractor.words.patterns import any_of
from ingest.extractor.words.place_names import PLACES

_CAPITAL = r"[A-Z\u00c0-\u024f][\w'.-]*"
_PARTICLE = (
    r"(?:,? (?:de|da|do|del|la|le|al|am|of|upon|an der|"
    rf"on(?! (?:\w+day|[A-Z][a-z]{{2}} \d|{any_of(boundaries.MONTHS).title()})))(?= [A-Z]))?"
)
_NAMED = deferred(
    r"(?:(?:an?|the) (?:[\w-]+ ){0,3}(?:in|of|near|called|named|outside(?: of)?) |(?:just )?(?:near|outside(?: of)?) |"
    r"(?:upstate|downtown|central|rural|greater|northern|southern|eastern|western|north|south|east|west|sunny|beautiful|good old) )?"
    rf"(?:[Tt]he )?{_CAPITAL}{_PARTICLE}(?:,? {_CAPITAL}{_PARTICLE})*"
)
_SMALL = deferred(r"[^\W\d_]+(?:[ ,'-]+[^\W\d_]+){0,3}")
_AFTER = deferred(
    rf"^\s*(?:$|[,.;!]|(?:{any_of(boundaries.AFTER_PLACES)})\b|in [A-Z]|"
    r"for (?:\w+ )?(?:\d+|about|almost|over|nearly|many|ten|five|two|three|four|six|seven|eight|nine|twenty|years|good)\b)"
)
_NO_PLACE = deferred(rf"(?i)(?:the )?(?:{any_of(boundaries.NO_PLACES)})\b")
_PASSING = deferred(rf"(?i)\b(?:(?:{any_of(boundaries.VISITS | boundaries.STAYS)})\b(?! living)|{any_of(boundaries.FOR_A_WHILE)})")  # fmt: skip


_VISITING = deferred(rf"(?i)\b(?:{any_of(boundaries.VISITS)})\b(?! (?:job|new job|work))")


def place(text: str, told: Told) -> list[str]:
    """A town, region or country by name; "for the weekend" is no place to live."""
    del told
    found = _leading(text.strip())
    if not found or _PASSING.search(text[len(found) :]) or not _AFTER.match(text[len(found) :]):
        return []
    return [_capital(found)]


def new_home(text: str, told: Told) -> list[str]:
    """A place that somebody moved to, with or without a day in the past."""
    found = _leading(text.strip())
    rest = text[len(found) :]
    if not found or _VISITING.search(rest):
        return []
    when = dated(rest, told, -1)
    if when.first is not None and when.first > told.said_at.date():
        return []
    is_time = when.first is not None or re.match(
        r" (?:from|when|after|almost|nearly|about|over (?=a |\d)|a |years|\d+|some|last|over the|in the|during|for)",
        rest,
    )
    return [_capital(found)] if is_time or _AFTER.match(rest) else []


def town(text: str, told: Told) -> list[str]:
    """A place alone."""
    found = place(cut(text), told)
    return found if found and not re.search(r"[a-z] (?:in|of|near) ", found[0]) else []


def _leading(text: str) -> str:
    """Return the name of a place at the beginning of a text, empty if there is none."""
    match = _NAMED.match(text)
    if match is None:
        return _small(text)
    found = match[0].rstrip(" ,.'")
    first = re.sub(
        r"^(?:.* (?:of|in|near|called|named) )?(?:the )?", "", found, flags=re.IGNORECASE
    ).split()
    if not first or _NO_PLACE.match(found) or first[0].casefold() in NATIONALITIES | LANGUAGES:
        return ""
    return "" if first[0].casefold() in NO_NAMES and len(first) == 1 else found


def _small(text: str) -> str:
    """Return a known place written in lower case."""
    match = _SMALL.match(text.removeprefix("the "))
    words = match[0].replace(",", " ,").split() if match else []
    for count in range(min(3, len(words)), 0, -1):
        if " ".join(words[:count]).casefold() in PLACES:
            length = len(" ".join(words[:count]))
            return text[: length + (4 if text.startswith("the ") else 0)]
    return ""


def _capital(found: str) -> str:
    if not found.islower():
        return found
    short = found.removeprefix("the ") in ("usa", "uk", "uae", "nyc", "la", "sf")
    known = found.upper() if short else found.title()
    return re.sub(r"(?i)^the ", "the ", known).replace(" De ", " de ")
