"""Signals: series of observations by type, such as mood, energy or sleep."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from contracts import InputError, NotFoundError
from memory.records.checking import (
    USUAL_LIMIT,
    checked_body,
    checked_limit,
    checked_time,
    identifier,
)
from memory.records.forms import SIGNALS
from memory.records.store import RecordStore
from memory.records.values import ShownSignal, Signal
from memory.records.writing import (
    Statement,
    as_stated_by,
    complete_record,
    labels_of_both,
    shown_as,
    stated,
    write_record,
)
from memory.storage import utc_text
from memory.values.inserted_values import text_of
from memory.values.scope_parsing import read_period
from memory.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSignal(Statement):
    """An observation at `observed_at` (ISO 8601), by default now; any `signal_type` is a series."""

    signal_type: str
    value: str
    observed_at: str | None = None


def write_signal(workspace: Workspace, new: NewSignal) -> ShownSignal:
    """Store an observation; the same value of a series at the same time is stored once.

    Raises InputError for invalid values, NotFoundError for unknown evidence.
    """
    given = stated(workspace, new)
    at = utc_text(new.now)
    signal = Signal(
        id=0,
        signal_type=identifier(new.signal_type, "signal_type"),
        value=checked_body(new.value, "value"),
        observed_at=checked_time(new.observed_at, "observed_at", now=new.now),
        source=given.source,
        created_at=at,
        updated_at=at,
        tags=given.tags or (),
        metadata=given.metadata or {},
    )
    change = write_record(
        workspace,
        SIGNALS,
        find=lambda store: store.same(signal),
        plan=lambda old: old or as_stated_by(given.source, None, signal),
        turn_ids=given.turn_ids,
    )
    return show_signals(workspace, [change.after])[0]


def get_signal(workspace: Workspace, signal_id: int) -> Signal:
    """Return a signal. Raises NotFoundError."""
    found = RecordStore(workspace.storage.database, SIGNALS).get(signal_id)
    if found is None:
        raise NotFoundError(f"there is no signal {signal_id}", hint="list them: mem signal list")
    return found


def list_signals(
    workspace: Workspace,
    *,
    signal_type: str | None = None,
    since: str | None = None,
    until: str | None = None,
    limit: int = USUAL_LIMIT,
) -> list[ShownSignal]:
    """Return the latest observations, of one series or of all, in the order of time.

    Times are dates or ISO 8601, both included. Raises InputError for invalid values.
    """
    conditions, values = ["1 = 1"], dict[str, Any]()
    if signal_type is not None:
        conditions.append("signal_type = :signal_type")
        values["signal_type"] = identifier(signal_type, "signal_type")
    values |= read_period(since, until)
    if since is not None:
        conditions.append("observed_at >= :since")
    if until is not None:
        conditions.append("observed_at <= :until")
    where = f"{' AND '.join(conditions)} ORDER BY observed_at DESC, id DESC{checked_limit(limit)}"
    rows = RecordStore(workspace.storage.database, SIGNALS).where(where, **values)
    return show_signals(workspace, rows[::-1])


def complete_signal(workspace: Workspace, row: Signal) -> None:
    """Give a signal its series as it is spelled here, unless it is stored there already."""
    with suppress(InputError):  # a series without a name stays as it is
        series = identifier(text_of(row.signal_type), "signal_type")
        complete_record(workspace, SIGNALS, replace(row, signal_type=series), lambda old: old)


def joined_signals(kept: Signal, gone: Signal) -> Signal:
    """Return an observation with the labels of another record of it."""
    return replace(kept, **labels_of_both(kept, gone))


def show_signals(workspace: Workspace, rows: Sequence[Signal]) -> list[ShownSignal]:
    """Return signals as they are shown."""
    return shown_as(workspace, SIGNALS, rows, ShownSignal)
