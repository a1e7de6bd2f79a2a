"""Open loops: topics that wait, counted when they are mentioned again, until they are resolved."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from contracts import NotFoundError
from memory.records.checking import (
    checked_body,
    checked_limit,
    checked_priority,
    checked_time,
    optional_body,
    same_words,
)
from memory.records.forms import OPEN_LOOPS
from memory.records.store import RecordStore
from memory.records.values import OpenLoop, ShownOpenLoop
from memory.records.writing import (
    Statement,
    add_evidence,
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

_ORDER: Final = "ORDER BY resolved, priority DESC, mention_count DESC, last_mentioned DESC, id"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOpenLoop(Statement):
    """A mention of a topic that waits, at `mentioned_at` (ISO 8601), by default now.

    `priority` is 0 to 5, 0 unless given; None leaves that of a known topic.
    """

    topic: str
    priority: int | None = None
    mentioned_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution(Statement):
    """The evidence that closed a loop: turns as `evidence`, a `note` in words, or neither.

    `resolved_at` is when (ISO 8601), by default now.
    """

    note: str | None = None
    resolved_at: str | None = None


def write_open_loop(workspace: Workspace, new: NewOpenLoop) -> ShownOpenLoop:
    """Store an open loop, or count another mention of its topic; a resolved one is open again.

    Topics are equal whatever their case and spacing. An agent's mention of a topic of others only
    counts. Raises InputError for invalid values,
    NotFoundError for unknown evidence.
    """
    given = stated(workspace, new)
    at = utc_text(new.now)
    mentioned = checked_time(new.mentioned_at, "mentioned_at", now=new.now)
    priority = None if new.priority is None else checked_priority(new.priority)
    first = OpenLoop(
        id=0,
        topic=checked_body(new.topic, "topic"),
        topic_key=same_words(new.topic),
        first_mentioned=mentioned,
        mention_count=1,
        last_mentioned=mentioned,
        resolved=0,
        priority=priority or 0,
        resolved_at=None,
        resolution="",
        source=given.source,
        created_at=at,
        updated_at=at,
        tags=given.tags or (),
        metadata=given.metadata or {},
    )

    def plan(old: OpenLoop | None) -> OpenLoop:
        if old is None:
            return as_stated_by(given.source, None, first)
        counted = replace(
            old,
            mention_count=old.mention_count + 1,
            first_mentioned=min(old.first_mentioned, mentioned),
            last_mentioned=max(old.last_mentioned, mentioned),
            updated_at=at,
        )
        if is_others(old.metadata):
            return counted
        open_again = replace(
            counted,
            resolved=0,
            resolved_at=None,
            resolution="",
            priority=old.priority if priority is None else priority,
            tags=old.tags if given.tags is None else given.tags,
            metadata=old.metadata if given.metadata is None else given.metadata,
        )
        return as_stated_by(given.source, old, open_again)

    change = write_record(
        workspace,
        OPEN_LOOPS,
        find=lambda store: store.same(first),
        plan=plan,
        turn_ids=given.turn_ids,
    )
    return show_open_loops(workspace, [change.after])[0]


def resolve_open_loop(workspace: Workspace, loop_id: int, by: Resolution) -> ShownOpenLoop:
    """Resolve an open loop, with what closed it; a resolved one gains evidence and keeps its time.
    An agent resolves the loops of others too, but leaves the note of a resolved one.

    Raises NotFoundError for an unknown loop or unknown evidence, InputError for invalid values.
    """
    given = stated(workspace, by)
    note = optional_body(by.note, "note")
    at = utc_text(by.now)
    resolved_at = checked_time(by.resolved_at, "resolved_at", now=by.now)
    get_open_loop(workspace, loop_id)

    def plan(old: OpenLoop | None) -> OpenLoop:
        loop = old or get_open_loop(workspace, loop_id)
        resolution = loop.resolution if note is None else note
        if loop.resolved and (resolution == loop.resolution or is_others(loop.metadata)):
            return loop
        return replace(
            loop,
            resolved=1,
            resolved_at=loop.resolved_at or resolved_at,
            resolution=resolution,
            updated_at=at,
        )

    store = RecordStore(workspace.storage.database, OPEN_LOOPS)
    change = write_record(
        workspace,
        OPEN_LOOPS,
        find=lambda store: store.get(loop_id),
        plan=plan,
        beside=lambda tx, _, after: add_evidence(
            store, tx, after.id, given.turn_ids, reason="resolution"
        ),
    )
    return show_open_loops(workspace, [change.after])[0]


def get_open_loop(workspace: Workspace, loop_id: int) -> OpenLoop:
    """Return an open or resolved loop. Raises NotFoundError."""
    found = RecordStore(workspace.storage.database, OPEN_LOOPS).get(loop_id)
    if found is None:
        raise NotFoundError(f"there is no open loop {loop_id}", hint="list them: mem loop list")
    return found


def list_open_loops(
    workspace: Workspace, *, resolved: bool = False, limit: int | None = None
) -> list[ShownOpenLoop]:
    """Return the loops that are open, the most urgent and most mentioned first; with `resolved`
    the others after them. Raises InputError for an invalid limit.
    """
    store = RecordStore(workspace.storage.database, OPEN_LOOPS)
    condition = "1 = 1" if resolved else "resolved = 0"
    return show_open_loops(workspace, store.where(f"{condition} {_ORDER}{checked_limit(limit)}"))


def complete_open_loop(workspace: Workspace, row: OpenLoop) -> None:
    """Give an open loop the key of its topic, or count it as mentions of the same one.

    A row that had another topic before does not open that one again.
    """
    is_new = row.topic_key.startswith(" ")
    topic = text_of(row.topic).strip()
    resolved_at = row.resolved_at or (row.updated_at if row.resolved else None)
    whole = replace(row, topic=topic, topic_key=same_words(topic), resolved_at=resolved_at)

    def merged(old: OpenLoop) -> OpenLoop:
        end = row if is_new or (row.resolved and not old.resolved) else old
        return replace(
            joined_loops(old, row),
            resolved=end.resolved,
            resolved_at=resolved_at if end is row else old.resolved_at,
            resolution=end.resolution,
            priority=row.priority or old.priority,
            **stated_again(old, row),
        )

    complete_record(workspace, OPEN_LOOPS, whole, merged)


def joined_loops(kept: OpenLoop, gone: OpenLoop) -> OpenLoop:
    """Return a loop with the mentions of another record of it."""
    return replace(
        kept,
        mention_count=kept.mention_count + gone.mention_count,
        first_mentioned=min(kept.first_mentioned, gone.first_mentioned),
        last_mentioned=max(kept.last_mentioned, gone.last_mentioned),
        priority=kept.priority or gone.priority,
        resolution=kept.resolution or gone.resolution,
        **labels_of_both(kept, gone),
    )


def show_open_loops(workspace: Workspace, rows: Sequence[OpenLoop]) -> list[ShownOpenLoop]:
    """Return open loops as they are shown."""
    return shown_as(workspace, OPEN_LOOPS, rows, ShownOpenLoop)
