"""The day by which something is to be done, as it is said."""

import calendar
import re
from datetime import date, datetime, timedelta
from typing import Final

from ingest.temporal import resolve
from ingest.temporal.words import MONTHS, WEEKDAYS

_DAYS: Final = "|".join(sorted((day for day in WEEKDAYS if len(day) > 5), key=len, reverse=True))
_MONTH: Final = "|".join(sorted((name for name in MONTHS if len(name) > 3), key=len, reverse=True))
_BARE_DAY: Final = re.compile(
    r"(?i)\b(?P<day>monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
)
_END_OF: Final = re.compile(r"(?i)\b(?:the )?end of (?:the |this )?(?P<unit>day|week|month|year)\b")
_NTH: Final = re.compile(
    r"(?i)\b(?:(?P<before>before|by|on|until|for) )?the (?P<day>[0-3]?\d)(?:st|nd|rd|th)\b"
)
_MID: Final = re.compile(
    r"(?i)\b(?:by |until |before |in )?(?:the )?mid(?:dle of)?[ -](?P<month>[a-z]{3,9})\b"
)
_BEFORE_MONTH: Final = re.compile(
    r"(?i)\b(?:before|by) (?P<month>january|february|march|april|may|june|july|august|september|october|november|december)\b(?! \d)"
)
WHEN: Final = re.compile(
    r"(?i)\b(?:by|before|until|on|this|next|in) (?:the )?(?:end of (?:the |this )?\w+|\d+\w*(?: (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*)?|(?:mid |late |early |the middle of )?(?:jan|feb|mar|apr|jun|jul|aug|sept|oct|nov|dec)\w*(?: \d+\w*)?|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|today|then|week(?:end)?|month|morning|afternoon|evening|noon|midnight)(?: (?:morning|afternoon|evening|night|noon|lunchtime|at the latest))?\b|"
    r"\bthe \d{1,2}(?:st|nd|rd|th)\b(?: of (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*)?|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|"
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?\b|"
    r"\b(?:today|tonight|tomorrow|tmrw|tmr|tomo|(?:mon|tues|wednes|thurs|fri|satur|sun)day|later|soon|asap|first thing)(?: (?:morning|afternoon|evening|night|noon|lunchtime))?\b"
)
"""Words of a time to come."""


def due_date(text: str, said_at: datetime) -> date | None:
    """Return the last day that a text names from the day it was said on, None if it names none."""
    today = said_at.date()
    text = _MID.sub(r"on the 15th of \g<month>", text)
    try:
        found = _end_of(text, today) or _nth(text, today) or _before_month(text, today)
        if found is not None:
            return found
        days = _days(text, said_at)
        if not days and (bare := _BARE_DAY.search(text)):
            days = _days(f"on {bare['day']}", said_at)
    except (ValueError, OverflowError):  # after the year 9999
        return None
    ahead = [day for day in days if timedelta() <= day - today <= timedelta(days=730)]
    return max(ahead) if ahead else None


def _days(text: str, said_at: datetime) -> list[date]:
    """Return the days that a text names. On a Monday "on Monday" is a week later, as in memories:
    that day itself is "today", or "this Monday".
    """
    days: list[date] = []
    for moment in resolve(text, said_at):
        said = text[moment.start : moment.end]
        is_later = moment.begin == said_at.date() and _BARE_DAY.search(said)
        week = timedelta(weeks=bool(is_later) and not re.search(r"(?i)\bthis\b", said))
        days.append((moment.until or moment.begin) + week)
    return days


def _end_of(text: str, today: date) -> date | None:
    match = _END_OF.search(text)
    if match is None:
        return None
    unit = match["unit"].lower()
    if unit == "day":
        return today
    if unit == "week":
        return today + timedelta(days=6 - today.weekday())
    if unit == "month":
        return today.replace(day=calendar.monthrange(today.year, today.month)[1])
    return date(today.year, 12, 31)


def _nth(text: str, today: date) -> date | None:
    match = _NTH.search(text)
    if match is None or re.match(rf"(?i) (?:of )?(?:{_MONTH})", text[match.end() :]):
        return None
    for months in range(3):
        year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
        number = int(match["day"])
        if 1 <= number <= calendar.monthrange(year, month + 1)[1]:
            day = date(year, month + 1, number)
            if day >= today:
                return day - timedelta(days=(match["before"] or "").lower() == "before")
    return None


def _before_month(text: str, today: date) -> date | None:
    match = _BEFORE_MONTH.search(text)
    if match is None:
        return None
    month = MONTHS[match["month"].lower()]
    year = today.year + (month <= today.month)
    return date(year, month, 1) - timedelta(days=1)
