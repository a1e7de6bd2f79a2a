"""The speed of storing turns while rules read each, and of reading a context."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from statistics import median
from typing import Any
from urllib.parse import urlencode

from benchmarks.harness.bench import Bench, remove_database
from benchmarks.harness.processes import run
from benchmarks.harness.serving import Client, Server, running_server
from benchmarks.harness.values import Figure, Goal, percentile
from benchmarks.inputs.talking import Talk

CONTEXT_GOAL = Goal(20)
_BATCH = 200
_SESSIONS = 10
_SEED = 29


def conversations(bench: Bench) -> Iterator[Figure]:
    """Turns in batches and one by one; then, with all of them stored, one by one and contexts, also
    beside episodes.
    """
    talk = Talk()
    database = bench.work / "conversations.db"
    remove_database(database)
    singles = bench.effort.questions
    turns = talk.turns(bench.effort.turns + 2 * singles)
    with running_server(bench, database) as server, server.client() as client:
        new = (_posting(client, turn) for turn in islice(turns, singles))
        yield _measured(server, new, "POST /turns, an empty database")
        yield _batches(server, client, list(islice(turns, bench.effort.turns)))
        client.wait_until_built()
        found = client.get("/gc")
        sizes = f"{found['turns']:,} turns, {found['memories']['mid']:,} memories"
        more = (_posting(client, turn) for turn in islice(turns, singles))
        yield _measured(server, more, f"POST /turns, {sizes}")
        chance = Random(_SEED)
        sessions = [f"s{chance.randrange(_SESSIONS)}" for _ in range(singles)]
        plain = (_reading(client, session_id=one) for one in sessions)
        yield _measured(server, plain, f"GET /context, {sizes}", goal=CONTEXT_GOAL)
        yield _asked(server, client, talk, sessions, sizes)
    run([*bench.mem, "--db", str(database), "maintain", "segmentation"], home=bench.work)
    with running_server(bench, database) as server, server.client() as client:
        client.wait_until_built()
        chunks = client.status()["chunks"]
        sizes = ", ".join(f"{number:,} {kind} chunks" for kind, number in chunks.items())
        yield _asked(server, client, talk, sessions, sizes)


def _asked(
    server: Server, client: Client, talk: Talk, sessions: Sequence[str], sizes: str
) -> Figure:
    """Contexts with a new question each, with the time of their steps."""
    asked = (_reading(client, session_id=one, query=talk.question()) for one in sessions)
    what = f"GET /context with a question, {sizes}"
    steps: dict[str, list[float]] = {}
    figure = _measured(server, (_timed(one, steps) for one in asked), what, goal=CONTEXT_GOAL)
    told = ", ".join(f"{name} {median(tuple(ms)):.1f}" for name, ms in steps.items())
    return replace(figure, beside=f"{figure.beside}; p50 of each step, in ms: {told}")


def _measured(
    server: Server, calls: Iterable[Callable[[], object]], what: str, *, goal: Goal | None = None
) -> Figure:
    """The waiting time of one client for each answer, and the server's processor time."""
    times, busy_s = [], server.processor_s()
    for call in calls:
        started = time.perf_counter()
        call()
        times.append((time.perf_counter() - started) * 1000)
    busy = (server.processor_s() - busy_s) * 1000 / len(times)
    raw = tuple(times)
    beside = f"p50 {median(raw):.1f} ms of {len(raw)}; on a processor {busy:.1f} ms"
    return Figure("conversations", f"{what}, p95", percentile(raw, 0.95), "ms", goal, beside, raw)


def _posting(client: Client, turn: dict[str, Any]) -> Callable[[], object]:
    return lambda: client.post("/turns", turn)


def _reading(client: Client, **asked: str) -> Callable[[], Any]:
    path = f"/context?{urlencode(asked)}"
    return lambda: client.get(path)


def _timed(call: Callable[[], Any], steps: dict[str, list[float]]) -> Callable[[], object]:
    """The same call, which also notes the time of each step that the context reports."""

    def timed() -> None:
        for name, ms in call()["timings"].items():
            steps.setdefault(name, []).append(ms)

    return timed


def _batches(server: Server, client: Client, turns: Sequence[dict[str, Any]]) -> Figure:
    """The whole conversation, some hundred turns a request."""
    rates, found = [], 0
    started, busy_s = time.perf_counter(), server.processor_s()
    for at in range(0, len(turns), _BATCH):
        batch, began = turns[at : at + _BATCH], time.perf_counter()
        answer = client.post("/turns/batch", {"turns": batch})
        rates.append(len(batch) / (time.perf_counter() - began))
        found += sum(map(len, answer["extracted_memories"]))
    rate = len(turns) / (time.perf_counter() - started)
    last = median(tuple(rates[-max(1, len(rates) // 10) :]))
    busy = (server.processor_s() - busy_s) * 1000 / len(turns)
    beside = (
        f"{found:,} facts found in them; the last tenth {last:,.0f} turns/s; "
        f"on a processor {busy:.2f} ms a turn"
    )
    what = f"turns taken in by rules, {_BATCH} a request, {len(turns):,} turns"
    return Figure("conversations", what, rate, "turns/s", None, beside, tuple(rates))
