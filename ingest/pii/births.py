"""Dates of birth: dates after a word that says so."""

import re
from collections.abc import Iterator

from ingest.pii.values import Finding

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DATE = (
    r"\d{4}-\d\d-\d\d|\d{1,2}[./\-]\d{1,2}[./\-](?:\d{4}|\d\d)"
    rf"|(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTH}\b(?:,?\s+\d{{4}})?"
    rf"|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}})?"
)
_BORN = re.compile(
    r"\b(?:born(?:\s+on)?|(?:birthday|birth\s?date|date\s+of\s+birth|d\.?o\.?b\.?)"
    r"\s*(?:is|was|:|=)?(?:\s+on)?)\s*"
    rf"(?P<date>{_DATE})",
    re.IGNORECASE,
)
_CUES = ("born", "birth", "dob", "d.o.b")


def birth_dates(text: str) -> Iterator[Finding]:
    """The date after "born on", "birthday is" and the like, with a year or without."""
    lowered = text.lower()
    if any(cue in lowered for cue in _CUES):
        for found in _BORN.finditer(text):
            yield Finding(found.start("date"), found.end("date"), "birth_date")
