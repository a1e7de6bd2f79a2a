"""Resolve the dates in a text against the day it was said.

The patterns are tried from the most exact to the least, and a place belongs to the first that
matches, so "3 May 2027" is never also "May 2027". An ambiguous date (03/05) does not count.
"""

import re
from bisect import bisect
from collections.abc import Iterator
from datetime import date, datetime
from functools import cache

from contracts.lazy_regex import deferred
from ingest.temporal.rules import NUMERIC, WORDY, Resolver, near_day
from ingest.temporal.tense import direction
from ingest.temporal.values import Moment

Compiled = tuple[tuple[re.Pattern[str], Resolver], ...]

_CLOCK = (
    r"(?:\s+(?:morning|afternoon|evening|night|früh|abend|nachmittag|matin|soir|por\s+la\s+\w+))?"
    r"(?:,?\s+(?:(?:at|around|um|gegen|à|a\s+las)\s+)(?:noon|midnight|"
    r"\d{1,2}(?:[:h.]\d\d)?(?:\s?[ap](?:m\b|\.m\.)|\s+o['’]clock|\s+uhr)?)(?![\d%]))?"
)
_TIME = deferred(_CLOCK, re.IGNORECASE)
_DIGIT = deferred(r"\d")
_ANY = deferred(
    r"\d|[昨今明前后後一][天日昨]|\b(?:yes|toda|tonight|tomo|tmrw|night|day\b|week|month|year|ago\b|last\b|past\b|next\b"
    r"|this\b|coming|previous|upcoming|in\b.{1,12}day|in\b|since|until|till|by\b|during|around|before|after|from\b"
    r"|on\b|at\b|over\b|heut|gest|vorg|überm|ueberm|morgen|vor\b|in\b|am\b|im\b|seit|bis\b|diese|letzte"
    r"|nächste|kommende|vorige|vergangene|hier\b|demain|aujourd|avant|après|ce\b|cet|il\s+y|dans|le\b|la\b"
    r"|hoy|ayer|ante|mañana|pasado|anoche|hace\b|esta\b|el\b|en\b|dentro|últim|pr[óo]xim|prochain|derni|viene)",
    re.IGNORECASE,
)
"""A part that every date has; most turns have none, and need no further work."""


def resolve(text: str, said_at: datetime) -> list[Moment]:
    """The moments that `text` names, in order, relative to the day of `said_at` in its zone."""
    if not _ANY.search(text):
        return []
    today = said_at.date()
    found: list[Moment] = []
    for moment in _moments(text, today):
        place = bisect(found, moment.start, key=lambda one: one.start)
        before, after = found[max(0, place - 1) : place], found[place : place + 1]
        if all(one.end <= moment.start for one in before) and all(
            moment.end <= one.start for one in after
        ):
            found.insert(place, moment)
    return found


def _moments(text: str, today: date) -> Iterator[Moment]:
    numeric, wordy = _compiled()
    for pattern, resolver in (*(numeric if _DIGIT.search(text) else ()), *wordy):
        for match in pattern.finditer(text):
            looks = direction(text, match.start(), match.end())
            try:
                span = resolver(match, today, looks)
            except (ValueError, OverflowError):  # 31 April, or a year outside the calendar
                continue
            if span is not None:
                begin, until, granularity = span
                end = match.end()
                if granularity == "day" and (clock := _TIME.match(text, end)):
                    end = clock.end()
                yield Moment(match.start(), end, begin, until, granularity)


@cache
def _compiled() -> tuple[Compiled, Compiled]:
    """The patterns with and without a digit, compiled when a text first looks like it holds a date.

    "Morgen" with a capital is the morning, so only that word is compared by its case.
    """
    numeric, wordy = (
        tuple((re.compile(pattern, re.IGNORECASE), resolver) for pattern, resolver in table)
        for table in (NUMERIC, WORDY)
    )
    morgen = re.compile(r"(?<!\w)(?<!(?:am|en) )(?<!(?:ute|ten) )morgen(?!\w)")
    return numeric, ((morgen, near_day(1)), *wordy)
