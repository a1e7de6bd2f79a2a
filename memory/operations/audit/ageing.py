"""Outdated memories: plans with a past date, and statements never repeated.

Nothing counts how often a memory was in an answer. "Never recalled" means that it was never said a
second time, since hits and `last_seen_at` are the only evidence.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from memory.conversations.memories.scoring import age_in_days
from memory.operations.audit.values import AuditFinding, Entry, of_memory

_PLAN: Final = '"plan"'
_DATE: Final = re.compile(r"(week(?:end)? of )?\b(\d{4}-\d{2}(?:-\d{2})?)\b")
_DAYS_MORE: Final = {"week of ": 6, "weekend of ": 1}


def past_plans(entries: Sequence[Entry], *, now: datetime) -> Iterator[AuditFinding]:
    """Find plans whose dates are all past; a month is past after its last day."""
    today = now.date().isoformat()
    for entry in entries:
        found = _DATE.findall(entry.content) if _PLAN in entry.tags else []
        dates = [_last_day(date, _DAYS_MORE.get(of, 0)) for of, date in found]
        if dates and all(date < today[: len(date)] for date in dates):
            yield of_memory("stale", entry, why=f"it is a plan for {max(dates)}, which is gone")


def _last_day(date: str, days_more: int) -> str:
    """Return the end of a week named by its first day; text that is not a date stays unchanged."""
    try:
        return (datetime.fromisoformat(date) + timedelta(days=days_more)).date().isoformat()
    except ValueError:
        return date


def forgotten(
    entries: Sequence[Entry], *, now: datetime, stale_days: float, quiet_days: float
) -> Iterator[AuditFinding]:
    """Find memories said once: stale after so many days, never recalled after fewer."""
    for entry in entries:
        if entry.hits or entry.last_seen_at:
            continue
        age_days = age_in_days(None, entry.created_at, now=now)
        if age_days >= stale_days:
            why = f"it is {age_days:.0f} days old and was never said again"
            yield of_memory("stale", entry, why=why)
        elif age_days >= quiet_days:
            why = f"it was never said again in {age_days:.0f} days"
            yield of_memory("never-recalled", entry, why=why)
