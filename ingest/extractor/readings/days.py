"""Days: birthdays, and what was or will be done on a day or at a place that is named."""

import re

from contracts.lazy_regex import deferred
from ingest.extractor.readings.occupations import POINTING
from ingest.extractor.readings.places import place
from ingest.extractor.wording import Told, cut, dated
from ingest.extractor.words.boundaries import EVERYDAY, GOING_ON
from ingest.extractor.words.patterns import any_of
from ingest.temporal import resolve

_MOST_WORDS = 14
_EVERYDAY = deferred(rf"(?i)\b(?:{any_of(EVERYDAY)})\b")
_ONLY_DAY = deferred(
    r"(?:(?:on|in|by|from|until|since|after|before|to|the week of|the weekend of|again|back) ?)*[\d-]+"
    r"(?: to [\d-]+)?(?: at .+)?"
)
_MODIFIER = deferred(
    r"(?i)\b(?:an?|the|my|our|his|her|their|its|of|original|first|last|next|new|every|each|about|around|by|"
    r"for|to|was|were|and) (?:on|in|from) (?:the \w+ of )?\d{4}|\d{4}(?:-\d\d)* (?!and\b|to\b|at\b|with\b|in\b|"
    r"for\b|from\b|after\b|on\b|by\b|as\b|near\b|until\b)[a-z]"
)
"""A date that is no time of the deed: "a July 4 barbecue"."""

_TIME_FIRST = deferred(r"(?i)(?:on|in|since|at|from|after|by|to|with|for|near|the week|back)\b")

_GOES_ON = deferred(rf"(?:{any_of(GOING_ON)})\b")
_DISTANT = deferred(r"\b(?:days?|weeks?|months?|away|ago)\b")


def birthday(text: str, told: Told) -> list[str]:
    """A day of the year, with the year only when it was said."""
    text = re.sub(r",(?! ?\d{4}).*$|,? (?:not|and|but|so) .*$|^(?:on )?(?:the )?", "", cut(text))
    found = resolve(f"on {text}", told.said_at) or resolve(f"in {text.title()}", told.said_at)
    is_day = re.search(r"(?i)[a-z]{3}|\d[-/.]\d", text) and not _DISTANT.search(text)
    if not is_day or len(found) != 1 or found[0].granularity not in ("day", "month"):
        return []
    rest = text[: max(0, found[0].start - 3)] + text[max(0, found[0].end - 3) :]
    day, has_year = found[0].begin, re.search(r"(?:19|20)\d\d", text)
    if len(rest.split()) > 2:
        return []
    if found[0].granularity == "month":
        return [f"in {day:%B} {day.year}" if has_year else f"in {day:%B}"]
    return [day.isoformat() if has_year else f"{day:%B} {day.day}"]


_BORN = {"day": "on {:%Y-%m-%d}", "month": "in {:%B %Y}", "year": "in {:%Y}"}


def birth_date(text: str, told: Told) -> list[str]:
    """A day with its year, or the month or year alone."""
    text = cut(text)
    found = resolve(text, told.said_at)
    form = _BORN.get(found[0].granularity) if len(found) == 1 else None
    return [form.format(found[0].begin)] if form and re.search(r"(?:19|20)\d\d", text) else []


def ahead(text: str, told: Told) -> list[str]:
    """The rest of a plan that names its day, which is to come: "to Rome on 2026-12-24"."""
    text = cut(text)
    found = dated(text, told, 1)
    if found.last is None or found.last < told.said_at.date() or _ONLY_DAY.fullmatch(found.text):
        return []
    return _whole(found.text)


def coming(text: str, told: Told) -> list[str]:
    """The same, where the day alone is enough: "I am getting married in May"."""
    found = dated(cut(text), told, 1)
    is_over = found.last is None or found.last < told.said_at.date()
    return [] if is_over else _whole(found.text)


def trip(text: str, told: Told) -> list[str]:
    """Where somebody travels to, by name, with or without the day."""
    said = cut(text)
    found = dated(said, told, 1)
    if found.last is not None:
        return ahead(text, told) if re.search(r"[A-Z][a-z]", said) else []
    where = place(re.sub(r" for (?:the|a|two|my|our|\d+).*$", "", said), told)
    return [] if not where or not said.startswith(where[0]) else _whole(said)


def ago(text: str, told: Told) -> list[str]:
    """The same, where the day alone is enough: "I got married on 2 May 2020"."""
    found = dated(cut(text), told, -1)
    is_past = found.first is not None and found.first <= told.said_at.date()
    return _whole(found.text) if is_past and _TIME_FIRST.match(found.text) else []


def visited(text: str, told: Told) -> list[str]:
    """A place by name where somebody was, with the day: not of today or yesterday."""
    found = dated(cut(text), told, -1)
    today = told.said_at.date()
    if found.first is None or found.first > today or (today - found.first).days < 2:
        return []
    where = re.sub(r" (?:on|in|from|since) (?:the \w+ of )?\d{4}.*$", "", found.text)
    return _whole(found.text) if place(re.sub(r" (?:with|for) .*$", "", where), told) else []


def spare(text: str, told: Told) -> list[str]:
    """Nothing, or a day: what may stand behind a complete sentence."""
    text = text.strip()
    when = dated(text, told)
    rest = re.sub(r"(?:on|in|from|since|at) (?:the \w+ of )?\d{4}[\d-]*", "", when.text)
    is_end = not rest.strip(" ,.") or text.startswith(",") or _GOES_ON.match(text)
    return [""] if is_end else []


def _whole(text: str) -> list[str]:
    text = re.sub(r"^back |,? for (?:example|instance)\b", "", text)
    bad = (POINTING, _EVERYDAY, _MODIFIER)
    is_bad = len(text.split()) > _MOST_WORDS or any(one.search(text) for one in bad)
    return [] if is_bad else [text]
