"""How fast turns are taken in while rules look at each, and how soon a context is read."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any
from urllib.parse import urlencode

from benchmarks.bench import Bench, remove_database
from benchmarks.serving import Client, running_server
from benchmarks.talking import Talk
from benchmarks.values import Figure, Goal, percentile, typical

CONTEXT_GOAL = Goal(20)
_BATCH = 200
_SESSIONS = 10
_SEED = 29


def conversations(bench: Bench) -> Iterator[Figure]:
    """Turns in batches and one by one; then, with all of them there, one by one and contexts."""
    talk = Talk()
    database = bench.work / "conversations.db"
    remove_database(database)
    singles = bench.effort.questions
    turns = talk.turns(bench.effort.turns + 2 * singles)
    with running_server(bench, database) as server, server.client() as client:
        yield _single(client, islice(turns, singles), "an empty database")
        yield _batches(client, list(islice(turns, bench.effort.turns)))
        client.wait_until_built()
        found = client.get("/gc")
        sizes = f"{found['turns']:,} turns, {found['memories']['mid']:,} memories"
        yield _single(client, islice(turns, singles), sizes)
        yield from _contexts(client, talk, bench.effort.questions, sizes)


def _timed(asked: Iterable[Callable[[], object]]) -> tuple[float, ...]:
    """Milliseconds of each call."""
    times = []
    for one in asked:
        started = time.perf_counter()
        one()
        times.append((time.perf_counter() - started) * 1000)
    return tuple(times)


def _single(client: Client, turns: Iterator[dict[str, Any]], where: str) -> Figure:
    """One client, one turn a request."""
    times = _timed(_posting(client, turn) for turn in turns)
    beside = f"p50 {typical(times):.1f} ms, {1000 * len(times) / sum(times):,.0f} turns/s"
    return Figure(
        "conversations",
        f"POST /turns, {where}, p95",
        percentile(times, 0.95),
        "ms",
        None,
        beside,
        times,
    )


def _posting(client: Client, turn: dict[str, Any]) -> Callable[[], object]:
    return lambda: client.post("/turns", turn)


def _batches(client: Client, turns: Sequence[dict[str, Any]]) -> Figure:
    """The whole conversation, some hundred turns a request."""
    rates, found, started = [], 0, time.perf_counter()
    for at in range(0, len(turns), _BATCH):
        batch, began = turns[at : at + _BATCH], time.perf_counter()
        answer = client.post("/turns/batch", {"turns": batch})
        rates.append(len(batch) / (time.perf_counter() - began))
        found += sum(map(len, answer["extracted_memories"]))
    rate = len(turns) / (time.perf_counter() - started)
    last = typical(tuple(rates[-max(1, len(rates) // 10) :]))
    beside = f"{found:,} facts found in them; the last tenth {last:,.0f} turns/s"
    what = f"turns taken in by rules, {_BATCH} a request, {len(turns):,} turns"
    return Figure("conversations", what, rate, "turns/s", None, beside, tuple(rates))


def _contexts(client: Client, talk: Talk, number: int, sizes: str) -> Iterator[Figure]:
    """Contexts of some sessions: with the strongest memories, then with those for a question."""
    chance = Random(_SEED)
    sessions = [f"s{chance.randrange(_SESSIONS)}" for _ in range(number)]
    plain = _timed(_reading(client, session_id=one) for one in sessions)
    asked = _timed(_reading(client, session_id=one, query=talk.question()) for one in sessions)
    for what, times in (("GET /context", plain), ("GET /context with a question", asked)):
        yield Figure(
            "conversations",
            f"{what}, {sizes}, p95",
            percentile(times, 0.95),
            "ms",
            CONTEXT_GOAL,
            f"p50 {typical(times):.1f} ms of {len(times)}",
            times,
        )


def _reading(client: Client, **asked: str) -> Callable[[], object]:
    path = f"/context?{urlencode(asked)}"
    return lambda: client.get(path)
