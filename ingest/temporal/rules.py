"""The table of patterns that name a date, each with the function that resolves it."""

import re
from collections.abc import Callable, Iterable
from datetime import date, timedelta

from ingest.temporal.spans import (
    Span,
    month,
    nearest_year,
    one_day,
    quarter,
    shifted,
    week_of,
    weekend_of,
    whole_year,
)
from ingest.temporal.words import (
    AFTER_LAST,
    AFTER_NEXT,
    DAYS,
    LAST,
    MONTHS,
    NEXT,
    NUMBERS,
    THIS,
    UNITS,
    UNSPACED_DAYS,
    WEEKDAYS,
)

Resolver = Callable[[re.Match[str], date, int], Span | None]
"""Takes a match, the day of speaking, and the direction of the sentence (-1, 0, 1)."""

Table = tuple[tuple[str, Resolver], ...]


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_NUMBER = rf"(?P<count>\d{{1,3}}|(?:a\s+)?couple(?:\s+of)?|{_any(NUMBERS)})"
_UNIT = rf"(?P<unit>{_any(UNITS)})"
_MONTH = rf"(?P<month>{_any(MONTHS)})\.?"
_WEEKDAY = rf"(?P<weekday>{_any(WEEKDAYS)})"
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d|[.,]\d)"
_TO = r"(?:\s*[-–]\s*|\s+(?:to|till|until|through)\s+)"
_DAY = r"(?P<day>0?[1-9]|[12]\d|3[01])"


def _number(match: re.Match[str]) -> int:
    word = match["count"].casefold()
    return int(word) if word.isdecimal() else 2 if "couple" in word else NUMBERS[word]


def _full_date(match: re.Match[str], today: date, looks: int) -> Span:
    del today, looks
    return one_day(date(int(match["year"]), int(match["number"]), int(match["day"])))


def _slashed(match: re.Match[str], today: date, looks: int) -> Span | None:
    """A date with slashes: 03/05 is ambiguous; 13/05, 05/13 and 05/05 have one reading only."""
    first, second = int(match["first"]), int(match["second"])
    if first != second and first <= 12 and second <= 12:
        return None
    day, number = (second, first) if second > 12 else (first, second)
    return _of_year(match["year"], today, (number, day), looks)


def _of_year(year: str | None, today: date, month_day: tuple[int, int], looks: int) -> Span:
    number, day = month_day
    if not year:
        which = nearest_year(today, month_number=number, day_number=day, direction=looks)
        return one_day(date(which, number, day))
    value = int(year)
    return one_day(date(value + 2000 if value < 100 else value, number, day))


def _day_of_month(match: re.Match[str], today: date, looks: int) -> Span | None:
    if (
        not match["year"]
        and match["month"] in _OTHER_WORDS
        and not _BEFORE_DATES.search(match.string, max(0, match.start() - 8), match.start())
    ):
        return None
    name = match["month"].casefold()
    return _of_year(match["year"], today, (MONTHS[name], int(match["day"])), looks)


def _days_of_month(match: re.Match[str], today: date, looks: int) -> Span | None:
    """The days from one to another of a month: "from 3 to 10 June"."""
    last = _day_of_month(match, today, looks)
    first = last and last[0].replace(day=int(match["first"]))
    return (first, last[0], "day") if first and last and first < last[0] else None


def _month_of_year(match: re.Match[str], today: date, looks: int) -> Span | None:
    del today, looks
    return month(int(match["year"]), MONTHS[match["month"].casefold()])


def _bare_month(match: re.Match[str], today: date, looks: int) -> Span | None:
    """The month without a year: that of a past or coming time, else the nearest."""
    number = MONTHS[match["month"].casefold()]
    which = match["which"].casefold()
    if match["month"] == "mar" or (which in ("this", "ce") and match["month"] in _OTHER_WORDS):
        return None
    if re.fullmatch(LAST, which):
        return month(today.year - (number >= today.month), number)
    if re.fullmatch(NEXT, which):
        return month(today.year + (number <= today.month), number)
    if re.fullmatch(THIS, which) or number == today.month:
        return month(today.year, number)
    year = nearest_year(today.replace(day=1), month_number=number, day_number=1, direction=looks)
    return month(year, number)


def _ago(match: re.Match[str], today: date, looks: int) -> Span:
    del looks
    return shifted(today, -_number(match), UNITS[match["unit"].casefold()])


def _ahead(match: re.Match[str], today: date, looks: int) -> Span | None:
    """That many units from today; in the past, "in two days" is a duration."""
    if looks < 0 or (match["count"].casefold() in ("a", "an") and match["unit"] == "day"):
        return None
    return shifted(today, _number(match), UNITS[match["unit"].casefold()])


def _weekday(match: re.Match[str], today: date, looks: int) -> Span | None:
    word = match["weekday"]
    if word in ("sat", "sun", "mon"):  # also ordinary words: "sat", "sun", French "my"
        return None
    ahead = (WEEKDAYS[word.casefold()] - today.weekday()) % 7
    groups = match.groupdict()
    which = (groups.get("which") or "").casefold()
    if re.fullmatch(f"{LAST}|{AFTER_LAST}", which):
        return one_day(today - timedelta(days=7 - ahead))
    if which == "next":
        monday = today - timedelta(days=today.weekday())
        return one_day(monday + timedelta(days=7 + WEEKDAYS[word.casefold()]))
    if re.fullmatch(f"{NEXT}|{AFTER_NEXT}", which):
        return one_day(today + timedelta(days=ahead or 7))
    if looks < 0 and which != "this":
        return one_day(today - timedelta(days=7 - ahead))
    if looks > 0 and not which:  # nobody who speaks on a Monday calls that day "Monday"
        ahead = ahead or 7
    return one_day(today + timedelta(days=ahead))


def _period(match: re.Match[str], today: date, looks: int) -> Span:
    """Last, this or next week, month, year, weekend."""
    del looks
    groups = match.groupdict()
    which = (groups.get("which") or "").casefold()
    count = 0
    if groups.get("twice"):
        count = -2 if groups["twice"].casefold().endswith("last") else 2
    elif re.fullmatch(f"{LAST}|{AFTER_LAST}", which):
        count = -1
    elif re.fullmatch(rf"{NEXT}|{AFTER_NEXT}", which):
        count = 1
    unit = match["unit"].casefold()
    if unit in ("weekend", "wochenende", "week-end"):
        return weekend_of(today + timedelta(weeks=count))
    if unit in ("week", "woche") and not count:
        return week_of(today)
    return shifted(today, count, UNITS[unit])


def _weekend(match: re.Match[str], today: date, looks: int) -> Span:
    del match
    if looks < 0 and today.weekday() < 6:
        return weekend_of(today - timedelta(weeks=1))
    return weekend_of(today)


def _year(match: re.Match[str], today: date, looks: int) -> Span:
    del today, looks
    return whole_year(int(match["year"]))


def _quarter(match: re.Match[str], today: date, looks: int) -> Span:
    del today, looks
    return quarter(int(match["year"]), int(match["quarter"]))


def near_day(days: int) -> Resolver:
    """The day this many days from today."""
    return lambda match, today, looks: one_day(today + timedelta(days=days))


def _hier(match: re.Match[str], today: date, looks: int) -> Span | None:
    """Yesterday in a French sentence, nothing in a German one, where it means here."""
    del looks
    return one_day(today - timedelta(days=1)) if _FRENCH.search(match.string) else None


_FRENCH = re.compile(
    r"\b(?:je|tu|il|elle|on|nous|vous|ils|le|la|les|un|une|du|au|est|ai|avons|avez|soir|matin)\b"
    r"|\b[jcdlnsm]['’]",
    re.IGNORECASE,
)
_OTHER_WORDS = ("may", "march", "mar", "mars")
"""Months that in lower case are also ordinary words: "this may", "10 may"."""

_BEFORE_DATES = re.compile(r"\b(?:on|by|until|since|from|the|le|el|am)\s+\Z|^\Z", re.IGNORECASE)
NUMERIC: Table = (
    (r"(?<![\w.\-/])(?P<year>(?:19|20)\d\d)-(?P<number>\d\d)-(?P<day>\d\d)"
     r"(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\w\-/])", _full_date),
    (r"(?<![\w.\-/])(?P<year>(?:19|20)\d\d)/(?P<number>\d\d?)/(?P<day>\d\d?)(?![\w\-/])",
     _full_date),
    (r"(?P<year>(?:19|20)\d\d)年(?P<number>\d\d?)月(?P<day>\d\d?)日", _full_date),
    (r"(?<![\w.\-/])(?<!version )(?P<day>\d\d?)\.(?P<number>\d\d?)\.(?P<year>(?:19|20)\d\d)"
     r"(?![\w\-/]|\.\d)", _full_date),
    (r"(?<![\w.\-/])(?P<first>\d\d?)[/-](?P<second>\d\d?)[/-](?P<year>(?:19|20)\d\d)(?![\w\-/])",
     _slashed),
    (r"\b(?:on|by|until|before|after|since|due|le|el|am)\s+(?P<year>)"
     r"(?P<first>\d\d?)/(?P<second>\d\d?)(?![\w\-/%]|\.\d)", _slashed),
    (rf"(?<![\w.:/-])(?:from\s+)?(?:the\s+)?(?P<first>\d\d?)(?:st|nd|rd|th)?{_TO}(?:the\s+)?{_DAY}(?:st|nd|rd|th)?"
     rf"\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?(?![\w])", _days_of_month),
    (rf"(?<!\w)(?:from\s+)?{_MONTH}\s+(?P<first>\d\d?)(?:st|nd|rd|th)?{_TO}{_DAY}(?:st|nd|rd|th)?(?![\w:]|[.,/]\d)"
     rf"(?:,?\s+{_YEAR})?", _days_of_month),
    (rf"(?<![\w.:/])(?:the\s+)?{_DAY}(?:st|nd|rd|th|er|\.)?[\s-]{{1,3}}(?:of\s+|de\s+|d['’])?{_MONTH}"
     rf"(?:(?:,?\s+|-)(?:del?\s+)?{_YEAR})?(?![\w])", _day_of_month),
    (rf"(?<!\w){_MONTH}\s+(?:the\s+)?{_DAY}(?:st|nd|rd|th)?(?![\w:]|[.,/]\d)"
     rf"(?:,?\s+{_YEAR})?(?!\s?(?:%|percent))", _day_of_month),
    (rf"(?<!\w){_MONTH}\s+(?:of\s+|de\s+)?{_YEAR}(?!\w)", _month_of_year),
    (rf"\bQ(?P<quarter>[1-4])\s*(?:of\s+)?{_YEAR}", _quarter),
    (rf"(?<!\w)(?:in|since|from|until|till|by|around|during|before|after|seit|bis|en|depuis|desde"
     rf"|hasta)\s+(?:early\s+|late\s+|mid[\s-])?{_YEAR}(?![\w-])", _year),
)  # fmt: skip
WORDY: Table = (
    *((rf"(?<!\w)(?:{words})(?!\w)", near_day(days)) for days, words in DAYS.items()),
    *((rf"(?:{words})", near_day(days)) for days, words in UNSPACED_DAYS.items()),
    (r"(?<!\w)hier(?!\w)", _hier),
    (rf"(?<!\w){_NUMBER}\s+{_UNIT}\s+ago\b", _ago),
    (rf"(?<!\w)(?:vor|il\s+y\s+a|hace)\s+{_NUMBER}\s+{_UNIT}(?!\w)", _ago),
    (rf"(?<!\w)(?:in|dans|en|dentro\s+de)\s+{_NUMBER}\s+{_UNIT}(?:['’]\s+time)?(?!\w)", _ahead),
    (rf"(?<!\w){_NUMBER}\s+{_UNIT}\s+from\s+(?:now|today)\b", _ahead),
    (r"(?<!\w)(?:the\s+)?(?P<unit>week|month|year|weekend)\s+(?P<twice>before\s+last|after\s+next)\b",
     _period),
    (rf"(?<!\w)(?:the\s+|el\s+|la\s+)?(?P<which>{LAST}|{NEXT}|{THIS})\s+(?P<unit>weekend|week-end"
     r"|wochenende|week|month|year|woche|monat|jahr|semaine|semana|mois|mes|an|année|año)(?!\w|\s+of)",
     _period),
    (rf"(?<!\w)(?:la\s+|le\s+|l['’]|el\s+)(?P<unit>semaine|mois|année|an|semana|mes|año)\s+"
     rf"(?P<which>{AFTER_LAST}|{AFTER_NEXT})(?!\w)", _period),
    (r"(?<!\w)(?:(?:on|at|over|for|during)\s+the\s+weekend|am\s+wochenende|ce\s+week-end"
     r"|el\s+fin\s+de\s+semana)(?!\w)", _weekend),
    (rf"(?<!\w)(?:el\s+)?{_WEEKDAY}\s+(?P<which>{AFTER_LAST}|{AFTER_NEXT})(?!\w)", _weekday),
    (rf"(?<!\w)(?:the\s+|el\s+)?(?P<which>{LAST}|{NEXT}|{THIS})\s+{_WEEKDAY}(?!\w)", _weekday),
    (rf"(?<!\w)(?:on|by|until|till|since|from|before|after|am|bis|seit|el)\s+{_WEEKDAY}(?!\w)",
     _weekday),
    (rf"(?<!\w)(?P<which>in|since|until|till|by|during|im|en|seit|bis|desde|early\s+in|late\s+in"
     rf"|{LAST}|{NEXT}|{THIS})\s+(?:early\s+|late\s+|mid[\s-])?{_MONTH}(?!\w|\s+\d)", _bare_month),
)  # fmt: skip
