"""Storing and indexing of turns, in one transaction and without waiting for a language model."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from contracts import InputError
from contracts.named_tuple import NamedTuple
from ingest.pii import privacy_tags
from memory.conversations.turns.speakers import name_before, speaker_of
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import ROLES, AddedTurn, NewTurn, Role, Turn
from memory.files.ingestion import MAX_TEXT_BYTES
from memory.index.documents import stored_fields
from memory.index.neighbours import PREVIOUS, neighbours_text
from memory.index.record_chunks import RecordText, put_records, record_vectors
from memory.storage import Transaction, content_hash, utc_now, utc_text
from memory.storage.action_log import marked
from memory.values.record_fields import checked_metadata
from memory.values.scope_parsing import read_time
from memory.values.text_checks import NAME_LIMIT, checked_text
from memory.workspace import Workspace

MOST_TURNS: Final = 10_000
"""The most turns stored together."""

MOST_NAME: Final = 500
"""The most characters of a session's id, of a client's id, and of a speaker's name."""


class _Ready(NamedTuple):
    """A checked turn, and the digest that recognises a repetition."""

    turn: Turn
    digest: bytes
    opt_in: bool | None
    is_message: bool


def add_turns(workspace: Workspace, turns: Sequence[NewTurn]) -> list[AddedTurn]:
    """Store turns and index them, all or none; return the results in their order.

    Raises InputError for an invalid turn, and for a `client_id` used again in its session with
    another text; ForbiddenError where an agent would change whether a session is kept.
    """
    if len(turns) > MOST_TURNS:
        raise InputError(
            f"there are {len(turns):,} turns, and {MOST_TURNS:,} are the most at once",
            hint="send them in parts",
        )
    now = utc_now()
    ready = [_of_batch(turns, at, now) for at in range(len(turns))]
    known = record_vectors(workspace, foreseen_records(item.turn for item in ready))
    store = TurnStore(workspace.storage.database)
    usual = workspace.config.long_term_opt_in
    added: list[AddedTurn] = []
    with workspace.storage.database.transaction() as tx:
        for item in ready:
            repeated = _known(store, item, among=added)
            if repeated is not None:
                added.append(AddedTurn(repeated, repeated=True))
                continue
            turn = replace(item.turn, speaker=speaker_of(item.turn, store))
            store.touch_session(tx, turn.session_id, opt_in=item.opt_in, usual=usual, now=now)
            added.append(AddedTurn(replace(turn, id=store.insert(tx, turn, item.digest))))
        new = [item.turn for item in added if not item.repeated]
        records = [turn_record(store, turn) for turn in new]
        put_records(workspace, tx, records, known)
        rewrite_after(workspace, tx, new)
    return added


def _of_batch(turns: Sequence[NewTurn], at: int, now: str) -> _Ready:
    """Return the row of a turn. Raises InputError for an invalid one, which it names by its place,
    from 0.
    """
    try:
        return _checked(turns[at], now)
    except InputError as error:
        if len(turns) == 1:
            raise
        raise InputError(f"turns.{at}: {error.message}", hint=error.hint) from error


def foreseen_records(turns: Iterable[Turn]) -> Iterator[RecordText]:
    """Yield the texts that may need embedding: the speaker of a text is decided later."""
    for turn in turns:
        yield _record(turn, [])
        name = name_before(turn.text)
        if turn.speaker is None and name is not None:
            yield _record(replace(turn, speaker=name), [])


def _known(store: TurnStore, item: _Ready, *, among: Sequence[AddedTurn]) -> Turn | None:
    """Return the same turn if it was stored before, or is `among` those being stored."""
    if item.turn.client_id is None:
        return None
    if item.is_message:
        return store.message(item.turn.client_id)
    found = store.with_client_id(item.turn.session_id, item.turn.client_id)
    if found is None:
        return None
    turn, digest = found
    if digest != item.digest:
        # A turn of the same batch is rolled back by this error.
        is_here = any(one.turn.id == turn.id and not one.repeated for one in among)
        raise InputError(
            f"the client_id {item.turn.client_id!r} belongs to another turn of session "
            f"{turn.session_id!r} {'of the same batch' if is_here else f'already, turn {turn.id}'}",
            hint="give each turn its own id; only a repetition has the same one",
        )
    return turn


def rewrite_after(workspace: Workspace, tx: Transaction, turns: Iterable[Turn]) -> None:
    """Rebuild the keyword entries of the turns that follow these, or followed them.

    The last turn of a session has no successor, so a new turn costs one lookup.
    """
    store = TurnStore(workspace.storage.database)
    own = {turn.id for turn in turns}
    behind = {
        later.id: later
        for turn in turns
        for later in store.after(turn.session_id, turn.ts, turn.id, limit=PREVIOUS)
        if later.id not in own
    }
    rewrite_neighbours(workspace, tx, behind)


def rewrite_neighbours(workspace: Workspace, tx: Transaction, turn_ids: Iterable[int]) -> None:
    """Rebuild the keyword entries of these turns with the text of the turns before them."""
    sql = "SELECT id FROM chunks WHERE source = 'turn' AND owner_id IN (:ids)"
    ids = [row[0] for row in tx.run(sql, {"ids": [str(key) for key in turn_ids]})]
    if ids:
        fields = stored_fields(workspace.storage, ids)
        workspace.storage.rewrite_keywords(tx, fields)


def turn_record(store: TurnStore, turn: Turn) -> RecordText:
    """Return the searchable text of a stored turn."""
    before = store.before(turn.session_id, turn.ts, turn.id, limit=PREVIOUS)
    return _record(turn, [each.body for each in before])


def _record(turn: Turn, previous: Sequence[str]) -> RecordText:
    about = {"turn_id": turn.id, "session_id": turn.session_id, "role": turn.role}
    return RecordText(
        source="turn",
        owner_id=str(turn.id),
        text=turn.text,
        body_offset=turn.body_offset,
        neighbours=neighbours_text(turn.body, previous),
        speaker=turn.speaker,
        occurred_at=turn.ts,
        recorded_at=turn.recorded_at,
        session_id=turn.session_id,
        tags=turn.tags,
        metadata={**turn.metadata, **about, **({"speaker": turn.speaker} if turn.speaker else {})},
    )


def _checked(turn: NewTurn, now: str) -> _Ready:
    """Return the row of a turn. Raises InputError for an invalid one."""
    session_id = session_name(turn.session_id)
    if turn.role not in ROLES:
        raise InputError(f"the role is {turn.role!r}", hint=f"roles are {', '.join(ROLES)}")
    role: Role = turn.role
    text = _text(turn.text)
    speaker = None if turn.speaker is None else _name("speaker", turn.speaker)
    client_id = None if turn.client_id is None else _name("client_id", turn.client_id)
    if not isinstance(turn.image_paths, tuple | list) or not all(
        isinstance(path, str) for path in turn.image_paths
    ):
        raise InputError(f"image_paths is {turn.image_paths!r}", hint="give a list of texts")
    row = Turn(
        id=0,
        session_id=session_id,
        ts=now if turn.ts is None else moment_of(turn.ts),
        role=role,
        text=text,
        speaker=speaker,
        image_paths=tuple(
            checked_text(path, "an image path", most=NAME_LIMIT) for path in turn.image_paths
        ),
        metadata=marked(checked_metadata(turn.metadata)),
        tags=privacy_tags(text),
        client_id=client_id,
        extraction="rules" if turn.auto_extract and role == "user" else "off",
        recorded_at=now,
    )
    return _Ready(row, digest_of(row), turn.long_term_opt_in, turn.is_message)


def digest_of(turn: Turn) -> bytes:
    """Return the digest that recognises a repetition of a turn, with its speaker as sent."""
    return content_hash("\0".join((turn.role, turn.speaker or "", turn.text)))


def session_name(session_id: str | int) -> str:
    """Return a session's id as stored; accepts numbers. Raises InputError for an invalid id."""
    if isinstance(session_id, int) and not isinstance(session_id, bool):
        session_id = str(session_id)
    return _name("session_id", session_id)


def moment_of(ts: str) -> str:
    """Return a time as it is stored. Raises InputError for an invalid one."""
    if not isinstance(ts, str):
        raise InputError(f"ts is {ts!r}", hint="write it as 2026-03-04T12:30:00Z")
    return utc_text(read_time(ts))


def _text(text: str) -> str:
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"the text is {text!r}", hint="send a text with at least one word")
    whole = checked_text(text, "the text")
    if len(whole.encode()) > MAX_TEXT_BYTES:
        raise InputError(
            f"the text has {len(whole):,} characters, and {MAX_TEXT_BYTES:,} bytes are the most",
            hint="send it in parts, or save it as a file and sync that",
        )
    return whole


def _name(what: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > MOST_NAME:
        raise InputError(
            f"{what} is {value!r:.80}", hint=f"give a text of 1 to {MOST_NAME} characters"
        )
    return checked_text(value, what)
