"""Patterns: what was observed again and again, more certain with each observation."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from contracts import NotFoundError
from memory.records.checking import (
    checked_body,
    checked_choice,
    checked_confidence,
    checked_limit,
    checked_time,
    same_words,
)
from memory.records.forms import PATTERNS
from memory.records.store import RecordStore
from memory.records.values import PATTERN_TYPES, Pattern, ShownPattern
from memory.records.writing import (
    Statement,
    as_stated_by,
    complete_record,
    labels_of_both,
    shown_as,
    stated,
    stated_again,
    write_record,
)
from memory.storage import utc_text
from memory.storage.action_log import is_others
from memory.values.inserted_values import text_of
from memory.workspace import Workspace

CLOSED_GAP: Final = 0.2
"""The share of its distance to 1 by which an observation raises a pattern's confidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPattern(Statement):
    """An observation of a pattern, at `observed_at` (ISO 8601), by default now."""

    pattern_type: str
    description: str
    confidence: float | None = None
    observed_at: str | None = None


def write_pattern(workspace: Workspace, new: NewPattern) -> ShownPattern:
    """Store a pattern, or note another observation of the one with that type and description.

    Descriptions are equal whatever their case and spacing. An agent's observation of a pattern of
    others counts, with no confidence and labels of its own. Raises InputError for invalid values,
    NotFoundError for unknown evidence.
    """
    given = stated(workspace, new)
    at = utc_text(new.now)
    first = Pattern(
        id=0,
        pattern_type=checked_choice(new.pattern_type, "pattern_type", PATTERN_TYPES),
        description=checked_body(new.description, "description"),
        description_key=same_words(new.description),
        frequency=1,
        last_observed=checked_time(new.observed_at, "observed_at", now=new.now),
        confidence=checked_confidence(new.confidence, given.source),
        source=given.source,
        created_at=at,
        updated_at=at,
        tags=given.tags or (),
        metadata=given.metadata or {},
    )

    def plan(old: Pattern | None) -> Pattern:
        if old is None:
            return as_stated_by(given.source, None, first)
        observed = replace(
            old,
            frequency=old.frequency + 1,
            last_observed=max(old.last_observed, first.last_observed),
            confidence=raised(old.confidence),
            updated_at=at,
        )
        if is_others(old.metadata):
            return observed
        stated_now = replace(
            observed,
            confidence=raised(max(old.confidence, new.confidence or 0.0)),
            tags=old.tags if given.tags is None else given.tags,
            metadata=old.metadata if given.metadata is None else given.metadata,
        )
        return as_stated_by(given.source, old, stated_now)

    change = write_record(
        workspace,
        PATTERNS,
        find=lambda store: store.same(first),
        plan=plan,
        turn_ids=given.turn_ids,
    )
    return show_patterns(workspace, [change.after])[0]


def raised(confidence: float) -> float:
    """Return the confidence after one more observation: a fifth of the way to 1."""
    return round(confidence + CLOSED_GAP * (1 - confidence), 6)


def get_pattern(workspace: Workspace, pattern_id: int) -> Pattern:
    """Return a pattern. Raises NotFoundError."""
    found = RecordStore(workspace.storage.database, PATTERNS).get(pattern_id)
    if found is None:
        raise NotFoundError(f"there is no pattern {pattern_id}", hint="list them: mem pattern list")
    return found


def list_patterns(
    workspace: Workspace, *, pattern_type: str | None = None, limit: int | None = None
) -> list[ShownPattern]:
    """Return patterns, the most certain first. Raises InputError for an invalid limit."""
    store = RecordStore(workspace.storage.database, PATTERNS)
    order = f"ORDER BY confidence DESC, frequency DESC, id{checked_limit(limit)}"
    if pattern_type is None:
        return show_patterns(workspace, store.where(f"1 = 1 {order}"))
    wanted = checked_choice(pattern_type, "pattern_type", PATTERN_TYPES)
    return show_patterns(workspace, store.where(f"pattern_type = :wanted {order}", wanted=wanted))


def complete_pattern(workspace: Workspace, row: Pattern) -> None:
    """Give a pattern the key of its description, or count it as observations of the same one."""
    description = text_of(row.description).strip()
    whole = replace(row, description=description, description_key=same_words(description))

    def merged(old: Pattern) -> Pattern:
        return replace(joined_patterns(old, row), **stated_again(old, row))

    complete_record(workspace, PATTERNS, whole, merged)


def joined_patterns(kept: Pattern, gone: Pattern) -> Pattern:
    """Return a pattern with the observations of another record of it."""
    return replace(
        kept,
        frequency=kept.frequency + gone.frequency,
        last_observed=max(kept.last_observed, gone.last_observed),
        confidence=raised(max(kept.confidence, gone.confidence)),
        **labels_of_both(kept, gone),
    )


def show_patterns(workspace: Workspace, rows: Sequence[Pattern]) -> list[ShownPattern]:
    """Return patterns as they are shown."""
    return shown_as(workspace, PATTERNS, rows, ShownPattern)
