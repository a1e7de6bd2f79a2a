"""The result of finding dates."""

from datetime import date
from typing import Literal

from contracts.named_tuple import NamedTuple

Granularity = Literal["day", "weekend", "week", "month", "quarter", "year"]


class Moment(NamedTuple):
    """A time that a text names: `text[start:end]`, including a clock time after the day.

    begin        its first day
    until        its last day (included), None when it is one day: "from 3 to 10 June" has one
    granularity  the precision stated: "three weeks ago" is the whole week that holds that day
    """

    start: int
    end: int
    begin: date
    until: date | None
    granularity: Granularity
