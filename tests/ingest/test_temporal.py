"""Dates in texts, resolved against the day they were said on: a Wednesday."""

from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.temporal import Moment, resolve
from ingest.temporal.words import MONTHS, NUMBERS, WEEKDAYS

SAID = datetime(2026, 11, 18, 12, tzinfo=UTC)

RESOLVED = {
    "My flight is booked for August 20": "August 20 2027-08-20",
    "The room's reserved for August 20": "August 20 2027-08-20",
    "The room was reserved for August 20": "August 20 2026-08-20",
    "I got married on 18 November": "18 November 2026-11-18",
    "I saw it yesterday.": "yesterday 2026-11-17",
    "We met last night": "last night 2026-11-17",
    "the day before yesterday": "the day before yesterday 2026-11-16",
    "the day after tomorrow, maybe": "the day after tomorrow 2026-11-20",
    "tomorrow at 5": "tomorrow at 5 2026-11-19",
    "tomorrow morning at 5:30 pm!": "tomorrow morning at 5:30 pm 2026-11-19",
    "tonight at 8.": "tonight at 8 2026-11-18",
    "last Friday we met": "last Friday 2026-11-13",
    "last Wednesday": "last Wednesday 2026-11-11",
    "this Friday": "this Friday 2026-11-20",
    "next Friday": "next Friday 2026-11-27",
    "I went there on Friday": "on Friday 2026-11-13",
    "on Friday I met Tom": "on Friday 2026-11-13",
    "I'll leave on Friday at 5pm.": "on Friday at 5pm 2026-11-20",
    "I have to be there by Tuesday": "by Tuesday 2026-11-24",
    "I'll start on Wednesday": "on Wednesday 2026-11-25",
    "it's due this Wednesday": "this Wednesday 2026-11-18",
    "I'll be away from 3 to 10 June": "from 3 to 10 June 2027-06-03/2027-06-10",
    "the 3rd to the 10th of May 2028": "the 3rd to the 10th of May 2028 2028-05-03/2028-05-10",
    "we were there June 3-10": "June 3-10 2026-06-03/2026-06-10",
    "the fair is 3 – 10 June": "3 – 10 June 2026-06-03/2026-06-10",
    "It rained. I will go on Monday": "on Monday 2026-11-23",
    "last week": "last week 2026-11-09/2026-11-15 week",
    "this week": "this week 2026-11-16/2026-11-22 week",
    "next week": "next week 2026-11-23/2026-11-29 week",
    "the week after next": "the week after next 2026-11-30/2026-12-06 week",
    "the year before last": "the year before last 2024-01-01/2024-12-31 year",
    "this weekend": "this weekend 2026-11-21/2026-11-22 weekend",
    "next weekend": "next weekend 2026-11-28/2026-11-29 weekend",
    "we were in Rome over the weekend": "over the weekend 2026-11-14/2026-11-15 weekend",
    "next month": "next month 2026-12-01/2026-12-31 month",
    "last year": "last year 2025-01-01/2025-12-31 year",
    "in two days": "in two days 2026-11-20",
    "in 2 weeks' time": "in 2 weeks' time 2026-11-30/2026-12-06 week",
    "a week from now": "a week from now 2026-11-23/2026-11-29 week",
    "three weeks ago": "three weeks ago 2026-10-26/2026-11-01 week",
    "a couple of days ago": "a couple of days ago 2026-11-16",
    "12 months ago": "12 months ago 2025-11-01/2025-11-30 month",
    "two years ago": "two years ago 2024-01-01/2024-12-31 year",
    "3 May": "3 May 2027-05-03",
    "1 September": "1 September 2026-09-01",
    "it was on the 3rd of December": "the 3rd of December 2025-12-03",
    "I was born on May 3rd, 1990.": "May 3rd, 1990 1990-05-03",
    "May 3rd 2027": "May 3rd 2027 2027-05-03",
    "Oct. 5 works": "Oct. 5 2026-10-05",
    "2026-05-03": "2026-05-03 2026-05-03",
    "2026-05-03T10:00:00Z": "2026-05-03T10:00:00Z 2026-05-03",
    "2026/5/3": "2026/5/3 2026-05-03",
    "13/05/2026": "13/05/2026 2026-05-13",
    "05/13/2026": "05/13/2026 2026-05-13",
    "due on 25/12": "on 25/12 2026-12-25",
    "13.05.2026": "13.05.2026 2026-05-13",
    "in March": "in March 2027-03-01/2027-03-31 month",
    "We moved in March": "in March 2026-03-01/2026-03-31 month",
    "last March": "last March 2026-03-01/2026-03-31 month",
    "next November": "next November 2027-11-01/2027-11-30 month",
    "in March 2024": "March 2024 2024-03-01/2024-03-31 month",
    "I've lived here since 2019": "since 2019 2019-01-01/2019-12-31 year",
    "ready in Q3 2026": "Q3 2026 2026-07-01/2026-09-30 quarter",
    "29 February": "29 February 2028-02-29",
    "heute Abend": "heute Abend 2026-11-18",
    "Wir sehen uns morgen um 8 Uhr": "morgen um 8 Uhr 2026-11-19",
    "vorgestern": "vorgestern 2026-11-16",
    "in zwei Tagen": "in zwei Tagen 2026-11-20",
    "vor drei Wochen": "vor drei Wochen 2026-10-26/2026-11-01 week",
    "nächste Woche": "nächste Woche 2026-11-23/2026-11-29 week",
    "am 3. Mai 2027": "3. Mai 2027 2027-05-03",
    "Ich war am Freitag dort": "am Freitag 2026-11-13",
    "hier j'ai mangé": "hier 2026-11-17",
    "après-demain": "après-demain 2026-11-20",
    "il y a trois mois": "il y a trois mois 2026-08-01/2026-08-31 month",
    "la semaine prochaine": "la semaine prochaine 2026-11-23/2026-11-29 week",
    "vendredi prochain": "vendredi prochain 2026-11-20",
    "le 3 mai 2027": "3 mai 2027 2027-05-03",
    "voy mañana": "mañana 2026-11-19",
    "pasado mañana": "pasado mañana 2026-11-20",
    "hace dos años": "hace dos años 2024-01-01/2024-12-31 year",
    "el viernes pasado": "el viernes pasado 2026-11-13",
    "el 3 de mayo de 2026": "3 de mayo de 2026 2026-05-03",
    "昨天下雨": "昨天 2026-11-17",
    "2026年5月3日": "2026年5月3日 2026-05-03",
}

NOT_RESOLVED = (
    "03/05",
    "05/06/2026 has two readings",
    "open 24/7",
    "31 April",
    "February 30",
    "I may go",
    "I have 5 may be 6",
    "this may take a while",
    "March on!",
    "the sun sat on mon ami",
    "version 3.5.2024",
    "release 1.2.3 on 10.0.0.1",
    "I learned it in two days",
    "for three years",
    "port 2019, room 1984",
    "Guten Morgen!",
    "Ich bin hier",
    "por la mañana",
    "today's date is unknown"[8:],
    "in 99 parts",
    "build 20260503",
    "the next day we left",
    "the coming weeks",
    "the last week of school",
    "done in a day",
    "10 to 31 February",
    "order 2026-05-03-77",
)


def said(moment: Moment, text: str) -> str:
    until = f"/{moment.until}" if moment.until else ""
    kind = "" if moment.granularity == "day" else f" {moment.granularity}"
    return f"{text[moment.start : moment.end]} {moment.begin}{until}{kind}"


@pytest.mark.parametrize("text", RESOLVED)
def test_a_date_is_resolved(text: str) -> None:
    assert [said(moment, text) for moment in resolve(text, SAID)] == [RESOLVED[text]]


@pytest.mark.parametrize("text", NOT_RESOLVED)
def test_what_names_no_certain_day_is_left_alone(text: str) -> None:
    assert resolve(text, SAID) == []


def test_several_dates_come_in_their_order() -> None:
    text = "I was there last week, saw Tom yesterday, and will leave on 3 May 2027."
    assert [said(moment, text) for moment in resolve(text, SAID)] == [
        "last week 2026-11-09/2026-11-15 week",
        "yesterday 2026-11-17",
        "3 May 2027 2027-05-03",
    ]


def test_the_day_of_speaking_is_that_of_its_zone() -> None:
    late = datetime(2026, 11, 18, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    assert resolve("yesterday", late)[0].begin == date(2026, 11, 17)


_WORD = st.one_of(
    st.sampled_from(
        [*NUMBERS, *MONTHS, *WEEKDAYS, "on", "in", "ago", "last", "next", "this", "vor", "il y a"]
    ),
    st.sampled_from(
        ["days", "weeks", "years", "2026", "31", "0", "999", "/", ".", "-", "at", "hier"]
    ),
    st.text(max_size=6),
)


@given(
    st.lists(_WORD, max_size=14).map(" ".join),
    st.datetimes(timezones=st.just(UTC)),
)
def test_any_text_on_any_day_gives_places_that_do_not_overlap(text: str, at: datetime) -> None:
    found = resolve(text, at)
    assert all(0 <= moment.start < moment.end <= len(text) for moment in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(moment.until is None or moment.until >= moment.begin for moment in found)


@given(st.integers(1, 300), st.dates(date(1900, 1, 1), date(2200, 1, 1)))
def test_days_are_counted_as_the_calendar_does(count: int, day: date) -> None:
    at = datetime(day.year, day.month, day.day, tzinfo=UTC)
    assert resolve(f"{count} days ago", at)[0].begin == day - timedelta(days=count)
    assert resolve(f"in {count} days", at)[0].begin == day + timedelta(days=count)


@pytest.mark.parametrize("part", ["1 ", "in ", "last ", "yesterday ", "a couple ", "10/", "de "])
def test_long_text_of_one_kind_takes_no_long_time(part: str) -> None:
    """A pattern that tries all over again at each place would not end in minutes."""
    assert len(resolve(part * 5_000, SAID)) in (0, 5_000)
