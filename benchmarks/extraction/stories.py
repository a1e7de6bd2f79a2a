"""Tell the labelled conversations to a database: `python -m benchmarks.extraction.stories`.

Each says what must be remembered at its end, what must be over by then, and which questions must be
answered first. They were written without looking at the rules.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from benchmarks.harness.processes import ROOT
from benchmarks.quality.making import database_in_memory
from memory.conversations.memories.comparison.sentence_similarity import sentence
from memory.conversations.memories.store import SELECT_SQL, memory_of
from memory.conversations.memories.values import Memory
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.retrieval.searching import search
from memory.workspace import Workspace
from search import SearchOptions

STORIES: Final = (
    ROOT / "tests" / "memory" / "conversations" / "memories" / "labelled" / "stories.jsonl"
)
_BEGIN: Final = datetime(2026, 11, 2, 9, tzinfo=UTC)
"""The time of the first turn of a story without times; the next ones follow by the hour."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question, and what the first result must hold."""

    query: str
    first: str


@dataclass(frozen=True, slots=True)
class Story:
    """A conversation. Of each group in `current` one sentence must be remembered at the end, and
    none in `over`.
    """

    turns: tuple[NewTurn, ...]
    current: tuple[tuple[str, ...], ...]
    over: tuple[tuple[str, ...], ...]
    asks: tuple[Ask, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The faults of one story.

    `lost` were remembered and are archived although they are true; `unknown` were never remembered;
    `kept` are still current although they are over; `asks` are the questions that something else
    answers first, with that.
    """

    story: Story
    lost: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    asks: list[tuple[Ask, str]] = field(default_factory=list)


def read_stories(path: Path = STORIES) -> list[Story]:
    """The stories of a file, one a line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [_story(json.loads(line)) for line in lines if line.strip()]


def _story(row: dict[str, Any]) -> Story:
    turns = tuple(
        NewTurn(
            "story",
            said["text"],
            ts=said.get("ts") or (_BEGIN + timedelta(hours=number)).isoformat(),
            speaker=said.get("speaker"),
        )
        for number, said in enumerate(row["turns"])
    )
    asks = tuple(Ask(one["query"], one["first"]) for one in row.get("asks", ()))
    return Story(turns, _groups(row["current"]), _groups(row["over"]), asks)


def _groups(rows: Sequence[str | list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple((row,) if isinstance(row, str) else tuple(row) for row in rows)


def tell(story: Story) -> Outcome:
    """Tell a story to a new database, and ask its questions."""
    with database_in_memory("static") as workspace:
        for turn in story.turns:
            process_turns(workspace, [turn])
        return _judged(workspace, story)


def _judged(workspace: Workspace, story: Story) -> Outcome:
    rows = workspace.storage.database.read(f"{SELECT_SQL} ORDER BY id")
    memories = [memory_of(row) for row in rows]
    found = Outcome(story)
    for group in story.current:
        held = [memory for memory in memories if _says(memory, group)]
        if not held:
            found.unknown.append(group[0])
        elif all(memory.status != "active" for memory in held):
            found.lost.append(held[-1].content)
    for group in story.over:
        found.kept.extend(
            memory.content
            for memory in memories
            if memory.status == "active" and _says(memory, group)
        )
    for ask in story.asks:
        results = search(workspace, ask.query, SearchOptions(max_results=5)).results
        text = results[0].text if results else ""
        if ask.first.casefold() not in text.casefold():
            found.asks.append((ask, text))
    return found


def _says(memory: Memory, group: Sequence[str]) -> bool:
    return any(sentence(memory.content).key == sentence(said).key for said in group)


def lines(outcomes: Sequence[Outcome], *, failures: bool) -> Iterator[str]:
    """The totals, and if asked for each story with a fault."""
    current = sum(len(one.story.current) for one in outcomes)
    over = sum(len(one.story.over) for one in outcomes)
    asks = sum(len(one.story.asks) for one in outcomes)
    lost = sum(len(one.lost) for one in outcomes)
    unknown = sum(len(one.unknown) for one in outcomes)
    kept = sum(len(one.kept) for one in outcomes)
    wrong = sum(len(one.asks) for one in outcomes)
    yield (
        f"{len(outcomes)} stories: {lost} wrong archivings and {unknown} never remembered of "
        f"{current}; {kept} missed endings of {over}; "
        f"{asks - wrong} of {asks} questions answered first"
    )
    for one in outcomes if failures else ():
        if one.lost or one.unknown or one.kept or one.asks:
            yield "\n" + "\n".join(f"> {turn.text}" for turn in one.story.turns)
            yield from (f"  wrongly archived: {said}" for said in one.lost)
            yield from (f"  never remembered: {said}" for said in one.unknown)
            yield from (f"  not over: {said}" for said in one.kept)
            yield from (f"  {ask.query} {ask.first}, not: {text}" for ask, text in one.asks)


def main(given: Sequence[str]) -> None:
    """Tell all stories and print their totals."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.extraction.stories", description=__doc__
    )
    parser.add_argument("file", nargs="?", type=Path, default=STORIES, help="other stories")
    parser.add_argument("--failures", action="store_true", help="list what went wrong")
    options = parser.parse_args(given)
    outcomes = [tell(story) for story in read_stories(options.file)]
    print(*lines(outcomes, failures=options.failures), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
