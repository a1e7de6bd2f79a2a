"""New content of a transcript, in batches: each with the cursor that is kept once it is stored."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

from contracts import InputError
from contracts.named_tuple import NamedTuple
from ingest.histories.agents import aider, claude_code, codex, gemini_cli, openclaw
from ingest.histories.agents.lines import Place, is_same, lines_after, place_at
from ingest.histories.agents.messages import ReadOptions
from ingest.histories.agents.places import Agent, storing_of
from ingest.histories.values import HistoryTurn, Item, Omitted
from memory.conversations.capture.stores import store_items

MOST_WHOLE_BYTES: Final = 64 * 1024 * 1024
"""The most bytes of a transcript that is read as a whole."""

TURNS_AT_ONCE: Final = 200
CHARS_AT_ONCE: Final = 1_000_000


class LineReader(Protocol):
    """The reader of one agent's lines; `state` is small and goes into the cursor."""

    state: dict[str, Any]

    def items(self, value: object, place: str) -> Iterator[Item]:
        """The turns of the next line."""
        ...


class Batch(NamedTuple):
    """Items in their order, and the cursor after them."""

    items: list[Item]
    cursor: Mapping[str, Any]


_READERS: Final[Mapping[str, Callable[[str, Mapping[str, Any], ReadOptions], LineReader]]] = {
    "claude-code": claude_code.Reader,
    "codex": codex.Reader,
    "gemini-cli": gemini_cli.Reader,
    "openclaw": openclaw.Reader,
}


def batches(
    agent: Agent, path: Path, cursor: Mapping[str, Any], options: ReadOptions
) -> Iterator[Batch]:
    """Yield what a transcript holds beyond a cursor; all of it for an empty one.

    A file that no longer has what was before the cursor is read from its beginning. Raises
    OSError for an unreadable file, MemError for an unreadable database.
    """
    storing = storing_of(agent, path)
    if storing == "lines":
        yield from _of_lines(agent, path, cursor, options)
    elif storing == "store":
        yield from _of_store(agent, path, cursor, options)
    else:
        yield from _of_whole(agent, path, cursor, options)


def _of_lines(
    agent: Agent, path: Path, cursor: Mapping[str, Any], options: ReadOptions
) -> Iterator[Batch]:
    with path.open("rb") as stream:
        place, state = Place(*cursor.get("place", ())), cursor.get("state", {})
        if not is_same(stream, place):
            place, state = Place(), {}
        reader = _READERS[agent](path.stem, state, options)
        items: list[Item] = []
        turns = chars = 0
        at, skips = place.offset, place.skips
        for line in lines_after(stream, place):
            where = f"{path.name}, byte {line.start:,}"
            found = (
                [Omitted("broken", where, line.fault)]
                if line.fault
                else list(reader.items(line.value, where))
                if not line.skips and line.value is not None
                else []
            )
            items += found
            at, skips = line.end, line.skips
            turns += len(found)
            chars += sum(len(one.text) for one in found if isinstance(one, HistoryTurn))
            if turns >= TURNS_AT_ONCE or chars >= CHARS_AT_ONCE:
                yield Batch(items, _cursor(path, at, skips, reader))
                items, turns, chars = [], 0, 0
        if items or at != place.offset:
            yield Batch(items, _cursor(path, at, skips, reader))


def _cursor(path: Path, at: int, skips: bool, reader: LineReader) -> dict[str, Any]:
    with path.open("rb") as stream:
        return {"place": list(place_at(stream, at, skips=skips)), "state": dict(reader.state)}


def _of_store(
    agent: Agent, path: Path, cursor: Mapping[str, Any], options: ReadOptions
) -> Iterator[Batch]:
    state = dict(cursor.get("state", {}))
    items = list(store_items(agent, path, state, options))
    for start in range(0, len(items), TURNS_AT_ONCE):
        part = items[start : start + TURNS_AT_ONCE]
        is_last = start + TURNS_AT_ONCE >= len(items)
        yield Batch(part, {"state": state} if is_last else cursor)
    if not items and state != cursor.get("state"):
        yield Batch([], {"state": state})


def _of_whole(
    agent: Agent, path: Path, cursor: Mapping[str, Any], options: ReadOptions
) -> Iterator[Batch]:
    found = path.stat()
    stamp = {"size": found.st_size, "mtime_ns": found.st_mtime_ns}
    if cursor == stamp:
        return
    if found.st_size > MOST_WHOLE_BYTES:
        raise InputError(
            f"{path.name} has more than {MOST_WHOLE_BYTES:,} bytes", hint="move its older part away"
        )
    data = path.read_bytes()
    if agent == "aider":
        text = data.decode("utf-8-sig", "replace")
        items = list(aider.history_items(text, str(path.parent), options))
    else:
        items = list(_of_object(path, data, options))
    for start in range(0, max(1, len(items)), TURNS_AT_ONCE):
        is_last = start + TURNS_AT_ONCE >= len(items)
        yield Batch(items[start : start + TURNS_AT_ONCE], stamp if is_last else cursor)


def _of_object(path: Path, data: bytes, options: ReadOptions) -> Iterator[Item]:
    """The turns of a session of Gemini CLI that is one JSON object; half of one waits."""
    try:
        value = json.loads(data.decode("utf-8-sig", "replace"), strict=False)
    except (ValueError, RecursionError):
        yield Omitted("broken", path.name, "it is not JSON, or not complete")
        return
    yield from gemini_cli.Reader(path.stem, {}, options).items(value, path.name)
