"""The decay of facts: their present confidence, and the moment from which they answer no search.

Both follow from the stored confidence, the time of the last statement and the configuration, never
from a run: one that is missed or repeated changes nothing. The moment is a column of the fact's
chunk, by which searches filter.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from math import ceil, log
from typing import Any, Final

from memory.config.sections.conversations import RecordsConfig
from memory.records.values import DISTILLATION, Fact, Standing
from memory.storage import utc_text
from memory.storage.meta import read_meta, write_meta
from memory.storage.values import Row
from memory.values.inserted_values import expiry_of, time_of
from memory.workspace import Workspace

_WEEK: Final = timedelta(days=7)
_MOST_WEEKS: Final = 400_000
"""More weeks than the calendar has years for."""

_DECAY_KEY: Final = "facts_decay"
"""The settings by which the moments in the chunks were computed."""

_AT_ONCE: Final = 500
_FACTS_SQL: Final = """
SELECT f.id, f.confidence, f.updated_at, f.expires_at, c.hidden_from, c.occurred_at
FROM facts AS f JOIN chunks AS c ON c.source = 'fact' AND c.owner_id = CAST(f.id AS TEXT)
WHERE f.id > :after ORDER BY f.id LIMIT :limit
"""
_RENEW_SQL: Final = """
UPDATE chunks SET hidden_from = :hidden_from, occurred_at = :updated_at
WHERE source = 'fact' AND owner_id = :owner_id
"""


def effective_confidence(
    confidence: float, updated_at: str, now: datetime, config: RecordsConfig
) -> float:
    """Return `confidence * (1 - decay_per_week) ** weeks`: whole weeks beyond `decay_after_days`
    since the last statement.
    """
    age = now - datetime.fromisoformat(updated_at)
    weeks = (age - timedelta(days=config.decay_after_days)) // _WEEK
    return _faded(confidence, max(weeks, 0), config)


def hidden_from(
    confidence: float, updated_at: str, expires_at: str | None, config: RecordsConfig
) -> str | None:
    """Return when a fact stops answering: its expiry or its archiving, whichever is first.

    None for one that never does.
    """
    archived = _archived_from(confidence, updated_at, config)
    return min((moment for moment in (archived, expires_at) if moment), default=None)


def standing(fact: Fact, now: datetime, config: RecordsConfig) -> Standing:
    """Return whether a fact holds now."""
    if fact.expires_at is not None and fact.expires_at <= utc_text(now):
        return "expired"
    present = effective_confidence(fact.confidence, fact.updated_at, now, config)
    return "archived" if present < config.archive_below or not fact.confidence else "current"


def is_archived_by_hand(fact: Fact) -> bool:
    """Return whether a fact is archived because its memory is."""
    return fact.source == DISTILLATION and fact.confidence == 0


def _faded(confidence: float, weeks: int, config: RecordsConfig) -> float:
    return float(confidence * (1 - config.decay_per_week) ** weeks)


def _archived_from(confidence: float, updated_at: str, config: RecordsConfig) -> str | None:
    if confidence < config.archive_below or not confidence:
        return updated_at
    weeks = _weeks_until_archived(confidence, config)
    if weeks is None:
        return None
    try:
        begun = datetime.fromisoformat(updated_at) + timedelta(days=config.decay_after_days)
        return utc_text(begun + weeks * _WEEK)
    except OverflowError:
        return None


def _weeks_until_archived(confidence: float, config: RecordsConfig) -> int | None:
    """Return the first number of weeks after which the confidence is below the threshold."""
    kept = 1 - config.decay_per_week
    if kept == 1 or config.archive_below == 0:
        return None
    if kept == 0:
        return 1
    weeks = max(ceil(log(config.archive_below / confidence) / log(kept)), 1)
    if weeks > _MOST_WEEKS:
        return None
    while weeks > 1 and _faded(confidence, weeks - 1, config) < config.archive_below:
        weeks -= 1
    while _faded(confidence, weeks, config) >= config.archive_below:
        weeks += 1
    return weeks


def is_renewal_due(workspace: Workspace) -> bool:
    """Return whether the moments in the chunks may be of other settings."""
    database = workspace.storage.database
    is_other = read_meta(database, _DECAY_KEY) != _settings(workspace)
    return is_other and bool(database.read("SELECT 1 FROM facts LIMIT 1"))


def renew_moments(workspace: Workspace, *, is_ended: Callable[[], bool] = lambda: False) -> int:
    """Compute the moments of all facts by the present settings and times; return how many were
    different.

    Where none is, nothing is locked. It stops between two transactions when `is_ended` says so.
    """
    database, config = workspace.storage.database, workspace.config.records
    changed, place = 0, {"after": 0, "limit": _AT_ONCE}
    while not is_ended():
        rows = database.read(_FACTS_SQL, place)
        if any(_renewal(row, config) for row in rows):
            with database.transaction() as tx:
                found = [_renewal(row, config) for row in tx.run(_FACTS_SQL, place)]
                renewals = [each for each in found if each is not None]
                tx.run_many(_RENEW_SQL, renewals)
            changed += len(renewals)
        if not rows:
            if is_renewal_due(workspace):
                with database.transaction() as tx:
                    write_meta(tx, _DECAY_KEY, _settings(workspace))
            return changed
        place["after"] = rows[-1][0]
    return changed


def _renewal(row: Row, config: RecordsConfig) -> dict[str, Any] | None:
    """Return the moment and the time that a fact's chunk should have, None if it has them."""
    fact_id, confidence, written_at, until, present, occurred_at = row
    updated_at = time_of(written_at, otherwise=occurred_at)
    moment = hidden_from(confidence, updated_at, expiry_of(until), config)
    if (moment, updated_at) == (present, occurred_at):
        return None
    return {"hidden_from": moment, "updated_at": updated_at, "owner_id": str(fact_id)}


def _settings(workspace: Workspace) -> list[Any]:
    config = workspace.config.records
    return [config.decay_after_days, config.decay_per_week, config.archive_below]
