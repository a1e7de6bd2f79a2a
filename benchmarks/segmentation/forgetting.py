"""Measure forgetting as a weight of ranking: `python -m benchmarks.segmentation.forgetting FOLDER`.

The episodes of conversations that went on for months are ranked for questions that are asked two
months after their end: by relevance alone, and by relevance times `1 - w + w R`, where R is the
probability of recall. Every other question was asked before, on days after the end, and what it
used was reinforced: nothing, the first episode found, or the one with the evidence. The share of
the evidence in the first episodes is printed for all of the rest, and for older and later
episodes.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import fsum
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from benchmarks.quality.beir import Question, read_judgements, rows
from benchmarks.quality.making import database_in_memory
from contracts import Scope
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.episodes.forming import form_episodes
from memory.episodes.retention import Retention, retrievability, reviewed
from memory.episodes.store import EpisodeStore
from memory.index.indexing import embed_missing
from memory.retrieval.searching import default_options, search
from memory.workspace import Workspace
from search import TimeDecay

Use: TypeAlias = Literal["nothing", "the first", "the evidence"]

WEIGHTS: Final = (0.0, 0.1, 0.3, 0.5, 1.0)
ASKED_FOR_DAYS: Final = 60
_EVERY_S: Final = 30
_DATE: Final = "%I:%M %p on %d %B, %Y"
"""The form of the dates of LoCoMo's sessions."""


class Placed(NamedTuple):
    """Evidence of a question: whether it is in the older half, and in the first episodes."""

    is_old: bool
    is_found: bool


class Told(NamedTuple):
    """A conversation: states of its episodes, the older ones, the episode of each message, and the
    ranked episodes of each question, with their relevance.
    """

    states: Mapping[int, Retention]
    old: frozenset[int]
    episode_of: Mapping[str, int]
    ranked: Mapping[str, Sequence[tuple[int, float]]]


def told(said: Sequence[Mapping[str, Any]], asked: Sequence[Question]) -> Told:
    """Tell a conversation to a new database, form its episodes, and rank them for each question."""
    with database_in_memory("static") as workspace:
        added = add_turns(workspace, list(_turns(said)))
        names = {item.turn.id: str(row["_id"]) for item, row in zip(added, said, strict=True)}
        form_episodes(workspace)
        embed_missing(workspace)
        read = workspace.storage.database.read
        owners: dict[int, int] = dict(read("SELECT id, episode_id FROM turns"))
        episodes = EpisodeStore(workspace.storage.database).many(set(owners.values()))
        ended = sorted(one.ended_at for one in episodes)
        return Told(
            states={
                one.id: Retention(
                    one.stability, one.difficulty, datetime.fromisoformat(one.ended_at)
                )
                for one in episodes
            },
            old=frozenset(one.id for one in episodes if one.ended_at < ended[len(ended) // 2]),
            episode_of={names[turn_id]: owner for turn_id, owner in owners.items()},
            ranked={question.id: _ranked(workspace, question) for question in asked},
        )


def _turns(said: Sequence[Mapping[str, Any]]) -> Iterator[NewTurn]:
    numbers: dict[str, int] = {}
    for row in said:
        about = row["metadata"]
        session = f"{row['group']}/{about['session']}"
        numbers[session] = numbers.get(session, 0) + 1
        begun = datetime.strptime(about["date"], _DATE).replace(tzinfo=UTC)
        ts = begun + timedelta(seconds=_EVERY_S * numbers[session])
        yield NewTurn(
            session,
            row["text"],
            ts=ts.isoformat(),
            speaker=about.get("speaker"),
            auto_extract=False,
        )


def _ranked(workspace: Workspace, question: Question) -> list[tuple[int, float]]:
    options = replace(
        default_options(workspace.config.search),
        max_results=60,
        min_score=0.0,
        scope=Scope(sources=("episode",)),
        decay=TimeDecay(enabled=False),
        fold="none",
    )
    hits = search(workspace, question.text, options).results
    return [(int(hit.metadata["episode_id"]), hit.score) for hit in hits]


def after_use(
    conversation: Told, asked: Sequence[Question], use: Use, end: datetime
) -> dict[int, Retention]:
    """Return the states after questions that were asked on days after the end."""
    states = dict(conversation.states)
    if use == "nothing":
        return states
    used: set[tuple[int, str]] = set()
    for number, question in enumerate(asked):
        at = end + timedelta(days=1 + ASKED_FOR_DAYS * number / len(asked))
        found = conversation.ranked[question.id][:1]
        episodes = (
            {episode_id for episode_id, _ in found}
            if use == "the first"
            else {conversation.episode_of[key] for key in question.relevant}
        )
        for episode_id in episodes:
            today = (episode_id, at.date().isoformat())
            if today not in used:
                used.add(today)
                states[episode_id] = reviewed(states[episode_id], "used", at)
    return states


def placed(
    conversation: Told, asked: Sequence[Question], use: Use, *, first: int
) -> dict[float, list[Placed]]:
    """Return the evidence of every other question, by the weight of recall, in the `first`
    episodes.
    """
    end = max(state.reviewed_at for state in conversation.states.values())
    states = after_use(conversation, asked[::2], use, end)
    now = end + timedelta(days=ASKED_FOR_DAYS + 2)
    recall = {key: retrievability(state, now) for key, state in states.items()}
    found: dict[float, list[Placed]] = {weight: [] for weight in WEIGHTS}
    for question in asked[1::2]:
        for weight, evidence in found.items():
            ranked = sorted(
                conversation.ranked[question.id],
                key=lambda item: -item[1] * (1 - weight + weight * recall[item[0]]),
            )
            best = {episode_id for episode_id, _ in ranked[:first]}
            for key in question.relevant:
                owner = conversation.episode_of[key]
                evidence.append(Placed(owner in conversation.old, owner in best))
    return found


def main(given: Sequence[str]) -> None:
    """Print a row for each use and weight."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.segmentation.forgetting")
    parser.add_argument("folder", type=Path, help="a collection: dated sessions with questions")
    parser.add_argument("--first", type=int, default=5, help="episodes that are looked at")
    options = parser.parse_args(given)
    folder = options.folder
    said: dict[str, list[dict[str, Any]]] = {}
    for row in rows(folder / "corpus.jsonl"):
        said.setdefault(row["group"], []).append(row)
    relevant, asked = read_judgements(folder), dict[str, list[Question]]()
    for row in rows(folder / "queries.jsonl"):
        if row["_id"] in relevant:
            question = Question(row["text"], relevant[row["_id"]], row["_id"])
            asked.setdefault(row["group"], []).append(question)
    conversations = {group: told(said[group], asked[group]) for group in sorted(asked)}
    print("reinforced     weight    all  older  later")
    for use in get_args(Use):
        parts = [
            placed(one, asked[group], use, first=options.first)
            for group, one in conversations.items()
        ]
        for weight in WEIGHTS:
            evidence = [one for part in parts for one in part[weight]]
            old = [one for one in evidence if one.is_old]
            late = [one for one in evidence if not one.is_old]
            shares = "  ".join(f"{_share(part):5.3f}" for part in (evidence, old, late))
            print(f"{use:14} {weight:6.1f}  {shares}")


def _share(evidence: Sequence[Placed]) -> float:
    return fsum(one.is_found for one in evidence) / max(len(evidence), 1)


if __name__ == "__main__":
    main(sys.argv[1:])
