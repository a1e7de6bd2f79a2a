"""Contexts beside many turns, memories, episodes and facts, by step.

`python -m benchmarks.contexts --database FILE` makes the database if there is none, which takes
minutes, and asks in this process, with the indexes of a server. The
clock of a busy machine says little, so the figures are of processor time except for the steps.
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.harness.values import percentile
from benchmarks.inputs.talking import TURNS_A_SESSION, Talk
from memory.api.server import OBJECTS_A_COLLECTION
from memory.config.loading import load_config
from memory.context.building import build_context
from memory.context.request import ContextRequest
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.values import NewTurn
from memory.episodes.forming import form_episodes
from memory.episodes.triples.extraction import extract_facts
from memory.retrieval.server_caches import server_caches_of, start_server_caches
from memory.workspace import Workspace

TURNS, FACTS = 100_000, 11_200
"""A conversation, and turns of a user that each state a fact: memories, and a triple of each."""

_BATCH = 400
_SESSIONS = 10
_SEED = 29
_AGAIN = 3
_POLL_S = 0.1


def fill(workspace: Workspace, *, turns: int, facts: int) -> None:
    """Tell a conversation and facts, form their episodes, and take the facts from those."""
    talk, begin = Talk(), datetime(2025, 1, 1, tzinfo=UTC)
    said = ((one["role"], one["text"]) for one in talk.turns(turns))
    _tell(workspace, said, begin=begin, name="s")
    begin += timedelta(days=600)
    _tell(workspace, (("user", talk.fact()) for _ in range(facts)), begin=begin, name="f")
    form_episodes(workspace, now=begin + timedelta(days=300))
    extract_facts(workspace)


def _tell(
    workspace: Workspace, said: Iterator[tuple[str, str]], *, begin: datetime, name: str
) -> None:
    told = (
        NewTurn(
            f"{name}{at // TURNS_A_SESSION}",
            text,
            role=role,
            ts=(begin + timedelta(hours=2 * (at // TURNS_A_SESSION), minutes=at)).isoformat(),
        )
        for at, (role, text) in enumerate(said)
    )
    while part := list(islice(told, _BATCH)):
        process_turns(workspace, part)


def measure(workspace: Workspace, *, questions: int) -> Iterator[str]:
    """Yield lines: new questions, the same ones again (the least of three), and each step."""
    start_server_caches(workspace)
    caches = server_caches_of(workspace)
    if caches is None or caches.index is None:
        raise RuntimeError("the indexes of a server were not started")
    caches.index.wait()
    while caches.index.keywords.status().is_reading_ahead:
        time.sleep(_POLL_S)
    gc.freeze()
    gc.set_threshold(OBJECTS_A_COLLECTION)
    talk, chance, steps = Talk(), Random(_SEED), dict[str, list[float]]()
    asked = [
        ContextRequest(f"s{chance.randrange(_SESSIONS)}", talk.question()) for _ in range(questions)
    ]

    def context(request: ContextRequest) -> None:
        caches.answers.clear()
        for step, ms in build_context(workspace, request).timings.items():
            steps.setdefault(step, []).append(ms)

    first = [_processor_ms(context, request) for request in asked]
    again = [[_processor_ms(context, request) for request in asked] for _ in range(_AGAIN)]
    chunks = ", ".join(f"{n:,} {name}" for name, n in workspace.storage.chunks_by_source().items())
    yield f"chunks: {chunks}"
    yield _line("new questions", first)
    yield _line(
        "the same again, the least of three", [min(each) for each in zip(*again, strict=True)]
    )
    for step, ms in steps.items():
        yield _line(f"{step}, by the clock", ms)
    caches.close()


def _processor_ms(context: Callable[[ContextRequest], None], request: ContextRequest) -> float:
    started = time.process_time()
    context(request)
    return (time.process_time() - started) * 1000


def _line(what: str, ms: Sequence[float]) -> str:
    values = tuple(ms)
    return f"{what}: p50 {median(values):.1f}, p95 {percentile(values, 0.95):.1f} ms"


def main(given: Sequence[str]) -> None:
    """Fill a database if there is none, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.contexts", description=__doc__)
    parser.add_argument("--database", type=Path, required=True, metavar="FILE", help="kept there")
    parser.add_argument("--turns", type=int, default=TURNS, metavar="N", help="of a conversation")
    parser.add_argument("--facts", type=int, default=FACTS, metavar="N", help="turns of facts")
    parser.add_argument("--questions", type=int, default=300, metavar="N", help="contexts asked")
    options = parser.parse_args(given)
    is_new = not options.database.exists()
    with Workspace(load_config(database=options.database)) as workspace:
        if is_new:
            fill(workspace, turns=options.turns, facts=options.facts)
        for line in measure(workspace, questions=options.questions):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
