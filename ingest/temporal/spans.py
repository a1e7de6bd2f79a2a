"""Arithmetic on days, weeks (Monday to Sunday), months and years."""

import calendar
from datetime import date, timedelta

from ingest.temporal.values import Granularity
from ingest.temporal.words import Unit

Span = tuple[date, date | None, Granularity]
"""The first day, the last day (None for a single one) and the precision stated."""


def one_day(day: date) -> Span:
    """`day` alone."""
    return day, None, "day"


def week_of(day: date) -> Span:
    """The week that contains `day`."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6), "week"


def weekend_of(day: date) -> Span:
    """Saturday and Sunday of the week that contains `day`."""
    saturday = day + timedelta(days=5 - day.weekday())
    return saturday, saturday + timedelta(days=1), "weekend"


def month(year: int, number: int) -> Span:
    """A calendar month."""
    last = calendar.monthrange(year, number)[1]
    return date(year, number, 1), date(year, number, last), "month"


def quarter(year: int, number: int) -> Span:
    """Three calendar months, the first quarter from January."""
    _, last, _ = month(year, 3 * number)
    return date(year, 3 * number - 2, 1), last, "quarter"


def whole_year(number: int) -> Span:
    """A calendar year."""
    return date(number, 1, 1), date(number, 12, 31), "year"


def shifted(day: date, count: int, unit: Unit) -> Span:
    """The span "`count` units from `day`": that day, or the week, month or year around it."""
    if unit == "day":
        return one_day(day + timedelta(days=count))
    if unit == "week":
        return week_of(day + timedelta(weeks=count))
    if unit == "month":
        months = day.year * 12 + day.month - 1 + count
        return month(months // 12, months % 12 + 1)
    return whole_year(day.year + count)


def nearest_year(day: date, *, month_number: int, day_number: int, direction: int) -> int:
    """The year of a date without one: -1 before, 1 after, 0 as near as possible.

    Today counts as both. 29 February looks for a leap year.
    """
    found = []
    for year in range(day.year - 8, day.year + 9):
        try:
            found.append(date(year, month_number, day_number))
        except ValueError:
            continue
    if not found:
        raise ValueError(f"{month_number}-{day_number} exists in no year")
    before = [other for other in found if other <= day] or found
    after = [other for other in found if other >= day] or found
    if direction < 0:
        return before[-1].year
    if direction > 0:
        return after[0].year
    return min(before[-1], after[0], key=lambda other: abs(other - day)).year
