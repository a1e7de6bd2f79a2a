"""The watched places of transcripts, and how far each transcript was read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from contracts import NotFoundError
from contracts.named_tuple import NamedTuple
from ingest.histories.agents.places import Agent
from memory.index.database_trust import allowed_paths, consent_to_roots
from memory.storage import Database, utc_now
from memory.values.status_reports import ChatSourceStatus
from memory.workspace import Workspace

MOST_TROUBLES: Final = 20
"""The troubles of a source that a status lists."""

_MOST_TROUBLE_CHARS: Final = 300


class ChatSource(NamedTuple):
    """A place whose transcripts of an agent are followed; `tool_output`: with what tools said."""

    agent: Agent
    path: Path
    tool_output: bool = False


class Progress(NamedTuple):
    """The cursor of a transcript, as its reader wrote it, its stored turns, and what kept it from
    more.
    """

    cursor: Mapping[str, Any]
    turns: int = 0
    trouble: str | None = None


def add_source(workspace: Workspace, source: ChatSource) -> bool:
    """Watch a place from now on; return whether that is new. The user named it."""
    sql = """INSERT INTO chat_sources (agent, path, tool_output, added_at)
        VALUES (:agent, :path, :tool_output, :now)
        ON CONFLICT (agent, path) DO UPDATE SET tool_output = :tool_output"""
    values = {
        "agent": source.agent,
        "path": str(source.path),
        "tool_output": source.tool_output,
        "now": utc_now(),
    }
    is_new = source[:2] not in [known[:2] for known in all_sources(workspace.storage.database)]
    with workspace.storage.database.transaction() as tx:
        tx.run(sql, values)
    consent_to_roots(workspace, [str(source.path)])
    return is_new


def remove_source(workspace: Workspace, agent: Agent, path: Path) -> None:
    """Stop watching a place; what was captured stays. Raises NotFoundError for an unknown one."""
    sql = "DELETE FROM chat_sources WHERE agent = :agent AND path = :path RETURNING 1"
    with workspace.storage.database.transaction() as tx:
        rows = tx.run(sql, {"agent": agent, "path": str(path)})
    if not rows:
        raise NotFoundError(
            f"{path} is not a watched place of {agent}", hint="see which are: mem chats list"
        )


def all_sources(database: Database) -> list[ChatSource]:
    """Return the remembered sources, by agent and path."""
    sql = "SELECT agent, path, tool_output FROM chat_sources ORDER BY agent, path"
    return [ChatSource(row[0], Path(row[1]), bool(row[2])) for row in database.read(sql)]


def known_sources(workspace: Workspace) -> list[ChatSource]:
    """Return the sources that may be read: those that the user named, or consented to."""
    sources = all_sources(workspace.storage.database)
    if not sources:
        return []
    allowed = set(allowed_paths(workspace, [str(source.path) for source in sources]))
    return [source for source in sources if str(source.path) in allowed]


def progress_of(database: Database, path: Path) -> Progress | None:
    """Return how far a transcript was read; None for a new one."""
    sql = "SELECT cursor, turns, trouble FROM transcripts WHERE path = :path"
    for cursor, turns, trouble in database.read(sql, {"path": str(path)}):
        return Progress(json.loads(cursor), turns, trouble)
    return None


def note_progress(database: Database, agent: Agent, path: Path, progress: Progress) -> None:
    """Keep how far a transcript was read; its turns are added to those that are known.

    Two processes may read the same one: each counts what it has stored.
    """
    sql = """INSERT INTO transcripts (path, agent, cursor, turns, read_at, trouble)
        VALUES (:path, :agent, :cursor, :turns, :now, :trouble)
        ON CONFLICT (path) DO UPDATE SET agent = :agent, cursor = :cursor,
        turns = transcripts.turns + :turns, read_at = :now, trouble = :trouble"""
    trouble = progress.trouble
    values = {
        "path": str(path),
        "agent": agent,
        "cursor": json.dumps(progress.cursor),
        "turns": progress.turns,
        "trouble": trouble[:_MOST_TROUBLE_CHARS] if trouble else None,
        "now": utc_now(),
    }
    with database.transaction() as tx:
        tx.run(sql, values)


def read_sources(workspace: Workspace) -> list[ChatSourceStatus]:
    """Return the state of every source, also of those that may not be read."""
    database = workspace.storage.database
    sources = all_sources(database)
    if not sources:
        return []
    allowed = set(known_sources(workspace))
    sql = "SELECT path, turns, read_at, trouble FROM transcripts WHERE agent = :agent ORDER BY path"
    states = []
    for source in sources:
        rows = [
            row
            for row in database.read(sql, {"agent": source.agent})
            if Path(row[0]) == source.path or Path(row[0]).is_relative_to(source.path)
        ]
        troubles = [f"{path}: {trouble}" for path, _, _, trouble in rows if trouble]
        if source not in allowed:
            troubles.insert(0, "it is not read until you consent: mem config trust")
        elif not source.path.exists():
            troubles.insert(0, "it is not there just now; what was captured stays")
        states.append(
            ChatSourceStatus(
                agent=source.agent,
                path=str(source.path),
                tool_output=source.tool_output,
                transcripts=len(rows),
                turns=sum(row[1] for row in rows),
                last_read_at=max((row[2] for row in rows), default=None),
                troubles=troubles[:MOST_TROUBLES],
            )
        )
    return states
