"""Turns and memories as records: citations, reading, editing and removal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from contracts import InputError, NotFoundError, Source
from ingest.pii import PII, SECRET, privacy_tags
from memory.conversations.memories.remembering import MemoryChange, edit_memory, get_memory
from memory.conversations.memories.store import Condition, MemoryStore
from memory.conversations.memories.values import Memory
from memory.conversations.memories.why import Why, why
from memory.conversations.turns.adding import turn_record
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import Turn
from memory.index.record_chunks import RecordVectors, chunk_counts, put_records
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.values.citations import RecordName, cite_turn
from memory.values.record_fields import checked_metadata, checked_tags
from memory.values.reports import Record, RecordPage
from memory.workspace import Workspace

AROUND: Final = 3
"""Turns shown before and after the requested one."""

_LARGEST_ID: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """A turn for display: `id` is `turn:42`, `speaker` a name where the turn has one."""

    id: str
    citation: str
    role: str
    speaker: str | None
    occurred_at: str
    text: str


@dataclass(frozen=True, slots=True)
class TurnContent:
    """A turn between those of its session, in the order of the session."""

    turn: SaidTurn
    session_id: str
    tags: list[str]
    metadata: dict[str, Any]
    image_paths: list[str]
    before: list[SaidTurn]
    after: list[SaidTurn]


def show_said(workspace: Workspace, name: RecordName) -> TurnContent | Why:
    """Return a turn with those around it, or a memory with its sources.

    Raises NotFoundError for an unknown id.
    """
    if name.source == "memory":
        return why(workspace, get_memory(workspace, int(name.record_id)).id)
    store = TurnStore(workspace.storage.database)
    with workspace.storage.database.snapshot():
        turn = _turn(workspace, name)
        place = turn.session_id, turn.ts, turn.id
        before = store.before(*place, limit=AROUND)
        after = store.after(*place, limit=AROUND)
    return TurnContent(
        turn=_said(turn),
        session_id=turn.session_id,
        tags=list(turn.tags),
        metadata=dict(turn.metadata),
        image_paths=list(turn.image_paths),
        before=[_said(each) for each in before],
        after=[_said(each) for each in after],
    )


def said_page(workspace: Workspace, source: str, *, limit: int, cursor: str | None) -> RecordPage:
    """Return turns or memories, newest first; `cursor` is a page's `next_cursor`."""
    before = _before(source, cursor)
    rows: Sequence[Turn | Memory]
    if source == "turn":
        rows = TurnStore(workspace.storage.database).page(before=before, limit=limit + 1)
    else:
        older = Condition("id < :before", {"before": before})
        rows = MemoryStore(workspace.storage).page([older], order="id", limit=limit + 1)
    records = _records(workspace, rows[:limit])
    return RecordPage(records, records[-1].id if len(rows) > limit else None)


def _before(source: str, cursor: str | None) -> int:
    if cursor is None:
        return _LARGEST_ID
    number = cursor.removeprefix(f"{source}:")
    if not (number.isascii() and number.isdecimal()):
        raise InputError(f"the cursor is {cursor!r}", hint="give a page's next_cursor")
    return min(int(number), _LARGEST_ID)


def get_said(workspace: Workspace, name: RecordName) -> Record:
    """Return one of them as a record. Raises NotFoundError for an unknown id."""
    is_turn = name.source == "turn"
    row = _turn(workspace, name) if is_turn else get_memory(workspace, int(name.record_id))
    return _records(workspace, [row])[0]


def update_said(
    workspace: Workspace,
    name: RecordName,
    *,
    metadata: Mapping[str, Any] | None = None,
    tags: Sequence[str] | None = None,
) -> Record:
    """Replace its metadata, its tags, or both; its text stays unchanged.

    Tags for personal data follow the text. Raises NotFoundError for an unknown id, InputError for
    metadata that is not JSON.
    """
    if name.source == "memory":
        edit_memory(workspace, int(name.record_id), MemoryChange(tags=tags, metadata=metadata))
        return get_said(workspace, name)
    new_metadata = None if metadata is None else checked_metadata(metadata)
    new_tags = None if tags is None else checked_tags(tags)
    store = TurnStore(workspace.storage.database)
    with workspace.storage.database.transaction() as tx:
        turn = _turn(workspace, name)
        if new_metadata is not None:
            turn = replace(turn, metadata=new_metadata)
        if new_tags is not None:
            own = [tag for tag in new_tags if tag not in (PII, SECRET)]
            turn = replace(turn, tags=(*own, *privacy_tags(turn.text)))
        store.describe(tx, turn)
        put_records(workspace, tx, [turn_record(store, turn)], RecordVectors())
    return get_said(workspace, name)


def delete_said(workspace: Workspace, name: RecordName) -> Record:
    """Forget it, with everything derived from it alone, and return its former state."""
    record = get_said(workspace, name)
    number = int(name.record_id)
    is_turn = name.source == "turn"
    forget(
        workspace,
        ForgetRequest(turn_ids=(number,)) if is_turn else ForgetRequest(memory_ids=(number,)),
    )
    return record


def _turn(workspace: Workspace, name: RecordName) -> Turn:
    found = TurnStore(workspace.storage.database).get(int(name.record_id))
    if found is None:
        raise NotFoundError(
            f"there is no turn {name.record_id}",
            hint="find what was said: mem search WORDS --source turn",
        )
    return found


def _said(turn: Turn) -> SaidTurn:
    return SaidTurn(
        id=f"turn:{turn.id}",
        citation=cite_turn(turn.session_id, turn.id, turn.ts),
        role=turn.role,
        speaker=turn.speaker,
        occurred_at=turn.ts,
        text=turn.text,
    )


def _records(workspace: Workspace, rows: Sequence[Turn | Memory]) -> list[Record]:
    source: Source = "turn" if rows and isinstance(rows[0], Turn) else "memory"
    owners = [str(row.id) for row in rows]
    chunks = chunk_counts(workspace.storage.database, source, owners)
    return [_record(row, chunks.get(str(row.id), 0)) for row in rows]


def _record(row: Turn | Memory, chunks: int) -> Record:
    is_turn = isinstance(row, Turn)
    return Record(
        id=f"{'turn' if is_turn else 'memory'}:{row.id}",
        source="turn" if is_turn else "memory",
        path=None,
        state="indexed" if isinstance(row, Turn) or row.status == "active" else row.status,
        reason=None,
        size_bytes=len((row.text if isinstance(row, Turn) else row.content).encode()),
        chunks=chunks,
        tags=list(row.tags),
        metadata=dict(row.metadata),
        created_at=row.recorded_at if isinstance(row, Turn) else row.created_at,
        updated_at=row.recorded_at if isinstance(row, Turn) else row.updated_at,
        modified_at=row.ts if isinstance(row, Turn) else row.occurred_at,
    )
