"""Capture of transcripts: what is new in them becomes turns, each message once.

A hook, a watcher and an import all come here. Turns are stored before the cursor moves, and the
database knows a message by the agent's own id: whatever is read twice is stored once.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from contracts import InputError, MemError
from contracts.named_tuple import NamedTuple
from ingest.histories.agents.messages import ReadOptions
from ingest.histories.agents.places import Agent
from ingest.histories.clock import changed_at
from ingest.histories.values import HistoryTurn, Item, Omitted
from memory.conversations.capture.reading import batches
from memory.conversations.capture.sources import Progress, note_progress, progress_of
from memory.conversations.pipeline import TurnResult, process_turns
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import NewTurn
from memory.storage.action_log import IMPORTED
from memory.workspace import Workspace

_LEFT_OUT: Final = "left out "
"""The beginning of a trouble with a part of a transcript; it lasts, unlike one with all of it."""


class Stored(NamedTuple):
    """The outcome of a batch: its turns, those that are new with the results, and what is left out.

    Of `turns` all that are not among the `results` were known.
    """

    turns: list[HistoryTurn]
    results: list[TurnResult]
    omitted: list[Omitted]


def capture(
    workspace: Workspace,
    agent: Agent,
    path: Path,
    *,
    options: ReadOptions | None = None,
    afresh: bool = False,
    extract: bool = True,
) -> Iterator[Stored]:
    """Store what is new in a transcript, a batch at a time; `afresh` reads all of it again.

    A transcript that is gone gives nothing. Raises what reading it does, after keeping the reason
    for `mem status`.
    """
    database, path = workspace.storage.database, Path(path).absolute()
    before = progress_of(database, path)
    cursor = {} if before is None or afresh else before.cursor
    earlier = before.trouble or "" if before is not None else ""
    trouble = earlier if earlier.startswith(_LEFT_OUT) and not afresh else None
    if trouble != (earlier or None):
        note_progress(database, agent, path, Progress(cursor))  # it can be read again
    try:
        for batch in batches(agent, path, cursor, options or ReadOptions()):
            stored = _store(workspace, agent, path, batch.items, extract=extract)
            faults = [one for one in stored.omitted if one.reason == "broken"]
            if faults:
                trouble = f"{_LEFT_OUT}{faults[-1].place}: {faults[-1].detail}"
            cursor = batch.cursor
            note_progress(database, agent, path, Progress(cursor, len(stored.results), trouble))
            yield stored
    except FileNotFoundError:
        return
    except (OSError, MemError) as error:
        said = error.message if isinstance(error, MemError) else error.strerror or "unreadable"
        note_progress(database, agent, path, Progress(cursor, trouble=said))
        raise


def _store(
    workspace: Workspace, agent: Agent, path: Path, items: list[Item], *, extract: bool
) -> Stored:
    turns = [item for item in items if isinstance(item, HistoryTurn)]
    omitted = [item for item in items if isinstance(item, Omitted)]
    store = TurnStore(workspace.storage.database)
    ids = [turn.client_id for turn in turns]
    known, forgotten = store.known_messages(ids), store.removed_messages(ids)
    if gone := sum(one in forgotten and one not in known for one in ids):
        omitted.append(Omitted("forgotten", path.name, messages=gone))
    turns = [turn for turn in turns if turn.client_id in known or turn.client_id not in forgotten]
    wanted = [turn for turn in turns if turn.client_id not in known]
    new = [_new(agent, path, turn, extract=extract) for turn in wanted]
    try:
        results = process_turns(workspace, new) if new else []
    except InputError:
        results = list(_one_by_one(workspace, new, omitted))
    return Stored(turns, [item for item in results if not item.repeated], omitted)


def _one_by_one(
    workspace: Workspace, new: list[NewTurn], omitted: list[Omitted]
) -> Iterator[TurnResult]:
    for turn in new:
        try:
            yield from process_turns(workspace, [turn])
        except InputError as error:
            omitted.append(Omitted("broken", f"message {turn.client_id}", error.message))


def _new(agent: Agent, path: Path, turn: HistoryTurn, *, extract: bool) -> NewTurn:
    return NewTurn(
        session_id=turn.session_id,
        text=turn.text,
        role=turn.role,
        ts=turn.ts or changed_at(path),
        metadata={**turn.metadata, IMPORTED: agent},
        client_id=turn.client_id,
        auto_extract=extract,
        is_message=True,
    )
