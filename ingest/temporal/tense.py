"""Detect whether a sentence looks back or ahead, for "on Friday" and "in March"."""

import re

from contracts.lazy_regex import deferred
from ingest.temporal.words import FUTURE_CUES, PAST_CUES

_PAST = deferred(
    r"(?<!\bis )(?<!\bare )(?<!\bam )(?<!\bbe )(?<!['’]s )(?<!['’]m )(?<!['’]re )"
    rf"\b(?:{PAST_CUES})\b",
    re.IGNORECASE,
)
"""A participle after "is" is not a past tense: "my flight is booked for August 20" looks ahead."""
_FUTURE = deferred(
    rf"(?:\b|(?=['’]))(?:{FUTURE_CUES}|(?:is|are|am|['’]s|['’]m|['’]re) "
    r"(?:booked|scheduled|planned|set|due|expected|confirmed|arranged|reserved|\w+ing))\b",
    re.IGNORECASE,
)
_BREAK = deferred(r"[.!?;:\n](?:\s|$)")
_CLAUSE = deferred(r"[.!?;:,\n](?:\s|$)")
_REACH = 120


def direction(text: str, start: int, end: int) -> int:
    """-1 if the words nearest to `text[start:end]` in its sentence look back, 1 ahead, else 0.

    Words before it count first: the verb of an English clause precedes its date.
    """
    before = text[max(0, start - _REACH) : start]
    breaks = [found.end() for found in _BREAK.finditer(before)]
    before = before[breaks[-1] :] if breaks else before
    past = _last(_PAST, before)
    future = _last(_FUTURE, before)
    if past != future:
        return -1 if past > future else 1
    after = _CLAUSE.split(text[end : end + _REACH], maxsplit=1)[0]
    found_past, found_future = _PAST.search(after), _FUTURE.search(after)
    if found_past and (not found_future or found_past.start() < found_future.start()):
        return -1
    return 1 if found_future else 0


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((found.start() for found in pattern.finditer(text)), default=-1)
