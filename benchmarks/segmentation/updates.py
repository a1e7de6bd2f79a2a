"""Measure forgetting on facts that changed: `python -m benchmarks.segmentation.updates`.

People tell over a year where they live, where they work, what they like best, and tell it again
when it has changed. Two months later they ask for it. The episodes are ranked by relevance alone,
by relevance with the time decay of searches, and by relevance times `1 - w + w R`, where R is the
probability of recall: when nothing was used, when the old value was used three times before it
changed, and when the new one was used once since. Printed are the share of questions for which the
present value ranks before all old ones, and for which it is in the first five; last the same for
facts, of which those that are over are not found.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import fsum
from typing import Final, NamedTuple

from benchmarks.quality.making import database_in_memory
from contracts import Scope
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.episodes.forming import form_episodes
from memory.episodes.retention import Retention, retrievability, reviewed
from memory.episodes.store import EpisodeStore
from memory.episodes.triples.extraction import extract_facts
from memory.index.indexing import embed_missing
from memory.retrieval.searching import default_options, search
from memory.workspace import Workspace
from search import TimeDecay

WEIGHTS: Final = (0.0, 0.1, 0.3, 0.5, 1.0)
USES: Final = ("nothing", "the old value", "the new value")
FIRST: Final = 5
_BEGIN: Final = datetime(2025, 1, 6, 18, tzinfo=UTC)
_DAYS: Final = 360
_ASKED_AFTER: Final = timedelta(days=60)

TOLD: Final = {
    "Which city do I live in?": (
        ("I live in {}.", "I moved to {} last week."),
        ("Berlin", "Oslo", "Madrid", "Lyon", "Graz", "Porto", "Turin", "Leeds"),
    ),
    "Which company do I work at?": (
        ("I work at {}.", "I just started working at {}."),
        ("Bosch", "Siemens", "Stripe", "Volvo", "Nokia", "Philips", "Airbus", "Lidl"),
    ),
    "What is my favourite band?": (
        ("My favourite band is {}.", "My favourite band is {} these days."),
        ("Muse", "Blur", "Wilco", "Interpol", "Portishead", "Radiohead", "Pulp", "Travis"),
    ),
    "What is my favourite dish?": (
        ("My favourite dish is {}.", "My favourite dish is {} these days."),
        ("lasagne", "ramen", "paella", "goulash", "risotto", "falafel", "pierogi", "moussaka"),
    ),
}
"""The question, the first statement and the later ones, and the values."""

SMALL_TALK: Final = (
    "The train was late again this morning.",
    "It has been raining since Tuesday.",
    "I repaired the old bicycle in the garage.",
    "The neighbours have a new fence.",
    "The film on Saturday was far too long.",
    "I could not find my umbrella anywhere.",
    "We planted tomatoes on the balcony.",
    "The kitchen needs a coat of paint.",
    "There was a long queue at the post office.",
    "My knees hurt after the run.",
)


class Asked(NamedTuple):
    """A question, the episodes that told its values in their order, and the ranked ones with their
    relevance, without and with the time decay of searches.
    """

    told: Sequence[int]
    ranked: Sequence[tuple[int, float]]
    decayed: Sequence[tuple[int, float]]


class Person(NamedTuple):
    """The questions of a person, the states of the episodes, whether the best fact is the present
    one for each question, and whether it is in the first five.
    """

    asked: Sequence[Asked]
    states: Mapping[int, Retention]
    facts: Sequence[tuple[bool, bool]]


def statements(chance: random.Random) -> list[tuple[int, str, str, str]]:
    """Return the day, the question, the sentence and the value of what a person tells, by day."""
    found = []
    for question, (forms, values) in TOLD.items():
        number = chance.choice((2, 3))
        days = sorted(chance.sample(range(_DAYS), number))
        for place, (day, value) in enumerate(zip(days, chance.sample(values, number), strict=True)):
            found.append((day, question, forms[place > 0].format(value), value))
    return sorted(found)


def person(number: int) -> Person:
    """Tell what a person said to a new database, and ask."""
    chance = random.Random(number)
    said = statements(chance)
    with database_in_memory("static") as workspace:
        told: dict[str, list[tuple[int, str]]] = {}
        for place, (day, question, sentence, value) in enumerate(said):
            turns = list(_session(chance, place, day, sentence))
            done = process_turns(workspace, turns)
            told.setdefault(question, []).append((done[-2].turn_id, value))
        form_episodes(workspace)
        extract_facts(workspace)
        embed_missing(workspace)
        read = workspace.storage.database.read
        owners: dict[int, int] = dict(read("SELECT id, episode_id FROM turns"))
        episodes = EpisodeStore(workspace.storage.database).many(set(owners.values()))
        return Person(
            [
                Asked(
                    [owners[turn_id] for turn_id, _ in values],
                    _ranked(workspace, question, decay=TimeDecay(enabled=False)),
                    _ranked(workspace, question, decay=None),
                )
                for question, values in told.items()
            ],
            {
                one.id: Retention(
                    one.stability, one.difficulty, datetime.fromisoformat(one.ended_at)
                )
                for one in episodes
            },
            [_found(workspace, question, values) for question, values in told.items()],
        )


def _session(chance: random.Random, place: int, day: int, sentence: str) -> Iterator[NewTurn]:
    talk = chance.sample(SMALL_TALK, 5)
    begun = _BEGIN + timedelta(days=day)
    for number, text in enumerate((*talk[:4], sentence, talk[4])):
        ts = (begun + timedelta(minutes=number)).isoformat()
        yield NewTurn(f"s{place}", text, ts=ts)


def _ranked(
    workspace: Workspace, question: str, *, decay: TimeDecay | None
) -> list[tuple[int, float]]:
    usual = default_options(workspace.config.search)
    options = replace(
        usual,
        max_results=60,
        min_score=0.0,
        scope=Scope(sources=("episode",)),
        decay=decay or usual.decay,
        fold="none",
    )
    hits = search(workspace, question, options).results
    return [(int(hit.metadata["episode_id"]), hit.score) for hit in hits]


def _found(
    workspace: Workspace, question: str, values: Sequence[tuple[int, str]]
) -> tuple[bool, bool]:
    """Return whether the present value is before all old ones among facts, and in the first."""
    options = replace(
        default_options(workspace.config.search), scope=Scope(sources=("triple",)), max_results=60
    )
    targets = [hit.metadata["target"] for hit in search(workspace, question, options).results]
    old = [value for _, value in values[:-1]]
    known = [target for target in targets if target in {*old, values[-1][1]}]
    return known[:1] == [values[-1][1]], values[-1][1] in targets[:FIRST]


def after_use(told: Person, use: str, end: datetime) -> dict[int, Retention]:
    """Return the states of episodes after the old values were used before each change, or the new
    one since.
    """
    states = dict(told.states)
    for asked in told.asked:
        for old, new in zip(asked.told, asked.told[1:], strict=False):
            begun, changed = told.states[old].reviewed_at, told.states[new].reviewed_at
            for part in (1, 2, 3) if use == "the old value" else ():
                at = begun + (changed - begun) * part / 4
                states[old] = reviewed(states[old], "used", at)
        if use == "the new value":
            new = asked.told[-1]
            at = told.states[new].reviewed_at + timedelta(days=7)
            states[new] = reviewed(states[new], "used", min(at, end))
    return states


def placed(
    asked: Asked, ranked: Sequence[tuple[int, float]], recall: Mapping[int, float]
) -> tuple[bool, bool]:
    """Return whether the present value is before all old ones, and in the first episodes."""
    order = sorted(ranked, key=lambda item: -item[1] * recall.get(item[0], 1.0))
    known = [key for key, _ in order if key in asked.told]
    return known[:1] == [asked.told[-1]], asked.told[-1] in [key for key, _ in order[:FIRST]]


def main(given: Sequence[str]) -> None:
    """Print a row for each way of ranking."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.segmentation.updates")
    parser.add_argument("--people", type=int, default=40, help="how many tell and ask")
    people = [person(number) for number in range(parser.parse_args(given).people)]
    now = _BEGIN + timedelta(days=_DAYS) + _ASKED_AFTER
    print(f"{'used':14} {'w':>10}  before the old  in the first {FIRST}")
    for use in USES:
        states = [after_use(one, use, now) for one in people]
        for weight in WEIGHTS:
            found = []
            for one, state in zip(people, states, strict=True):
                recall = {
                    key: 1 - weight + weight * retrievability(each, now)
                    for key, each in state.items()
                }
                found += [placed(asked, asked.ranked, recall) for asked in one.asked]
            _print(use, str(weight), found)
    decayed = [placed(asked, asked.decayed, {}) for one in people for asked in one.asked]
    _print("-", "time decay", decayed)
    _print("facts", "-", [fact for one in people for fact in one.facts])


def _print(use: str, weight: str, found: Sequence[tuple[bool, bool]]) -> None:
    first, among = (fsum(one[place] for one in found) / len(found) for place in (0, 1))
    print(f"{use:14} {weight:>10}  {first:14.3f}  {among:14.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])
