"""Reading of the SQLite databases in which agents keep conversations; they are never written to.

Each table is read in one go, so that no lock is held while turns are stored.
"""

import json
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from contracts import InputError
from ingest.histories.agents import cursor, opencode
from ingest.histories.agents.messages import ReadOptions
from ingest.histories.agents.places import Agent
from ingest.histories.values import Item, Omitted
from memory.storage.capabilities.other_programs import ForeignFile
from memory.storage.opening import open_foreign

_HINT: Final = "name the database in which the agent keeps its conversations"
_LAST: Final = 2**62
_AT_ONCE: Final = 200
"""Messages of OpenCode whose parts are read together."""


def store_items(
    agent: Agent, path: Path, state: dict[str, Any], options: ReadOptions
) -> Iterator[Item]:
    """The turns of a database since `state`, which is brought up to what was read.

    Raises what `open_foreign` does, BusyError while another program locks it.
    """
    with open_foreign(path, hint=_HINT) as file:
        tables = file.tables()
        if agent == "cursor" and "cursorDiskKV" in tables:
            yield from _cursor_items(file, state, options)
        elif agent == "opencode" and {"message", "part"} <= tables:
            yield from _opencode_items(file, state, options)
        else:
            raise InputError(f"{path} holds no conversations of {agent}", hint=_HINT)


def _cursor_items(file: ForeignFile, state: dict[str, Any], options: ReadOptions) -> Iterator[Item]:
    since, unsettled = state.get("since", 0), set(state.get("unsettled", ()))
    rows = file.between(
        "cursorDiskKV", ("key", "value"), column="key", low="composerData:", high="composerData;"
    )
    latest, waiting = since, []
    for row in rows:
        name = _text(row["key"]).removeprefix("composerData:")
        place = f"conversation {name[:80]}"
        composer = _object(row["value"])
        if composer is None:
            if row["value"]:
                yield Omitted("broken", place, "it is not a JSON object")
            continue
        changed = composer.get("lastUpdatedAt")
        if isinstance(changed, int | float) and not isinstance(changed, bool):
            if changed < since and name not in unsettled:
                continue
            latest = max(latest, changed) if changed < _LAST else latest
        if not cursor.is_settled(composer):
            waiting.append(name)
        yield from cursor.composer_items(composer, _bubbles(file, composer, name), place, options)
    state.update(since=latest, unsettled=waiting)


def _bubbles(
    file: ForeignFile, composer: Mapping[str, Any], name: str
) -> dict[str, Mapping[str, Any] | None]:
    if not cursor.bubble_ids(composer):
        return {}
    start = f"bubbleId:{name}"
    rows = file.between(
        "cursorDiskKV", ("key", "value"), column="key", low=f"{start}:", high=f"{start};"
    )
    return {_text(row["key"])[len(start) + 1 :]: _object(row["value"]) for row in rows}


def _opencode_items(
    file: ForeignFile, state: dict[str, Any], options: ReadOptions
) -> Iterator[Item]:
    since, unsettled = state.get("since", 0), set(state.get("unsettled", ()))
    low = min([since, *state.get("unsettled_since", ())])
    rows = file.between(
        "message",
        ("id", "session_id", "time_updated", "data"),
        column="time_updated",
        low=low,
        high=_LAST,
    )
    waiting: dict[str, int] = {}
    latest = since
    for start in range(0, len(rows), _AT_ONCE):
        batch = rows[start : start + _AT_ONCE]
        parts = _parts(file, sorted(_text(row["id"]) for row in batch))
        for row in batch:
            own, updated = _text(row["id"]), row["time_updated"]
            if updated < since and own not in unsettled:
                continue
            latest = max(latest, updated)
            message = _object(row["data"])
            if message is None:
                yield Omitted("broken", f"message {own[:80]}", "it is not a JSON object")
            elif not opencode.is_whole(message):
                waiting[own] = updated
            else:
                yield from opencode.message_items(
                    message,
                    parts.get(own, []),
                    session_id=_text(row["session_id"]),
                    place=f"message {own[:80]}",
                    options=options,
                )
    state.update(since=latest, unsettled=list(waiting), unsettled_since=list(waiting.values()))


def _parts(file: ForeignFile, own: list[str]) -> dict[str, list[Mapping[str, Any]]]:
    """The parts of the messages between the first and the last of these ids, in order."""
    rows = file.between(
        "part", ("id", "message_id", "data"), column="message_id", low=own[0], high=f"{own[-1]}\0"
    )
    wanted = set(own)
    found: dict[str, list[Mapping[str, Any]]] = {}
    for name, group in groupby(rows, key=lambda row: _text(row["message_id"])):
        if name in wanted:
            ordered = sorted(group, key=lambda row: _text(row["id"]))
            parts = (_object(row["data"]) for row in ordered)
            found[name] = [part for part in parts if part is not None]
    return found


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _object(value: object) -> dict[str, Any] | None:
    """The JSON object of a column, None for anything else."""
    try:
        found = json.loads(_text(value), strict=False)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
