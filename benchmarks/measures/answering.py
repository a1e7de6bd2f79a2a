"""Response times of a running server: one client at a time, and 1, 4 and 16 at once; the last also
by a server of two processes.
"""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from statistics import median

from benchmarks.harness.bench import Bench
from benchmarks.harness.serving import Client, Server, running_server
from benchmarks.harness.values import Figure, Goal, percentile
from benchmarks.measures.starting import MOST_CHUNKS_OF_GOAL

READY_GOAL = Goal(1)
QUERY_GOAL = Goal(10)
LARGE_QUERY_GOAL = Goal(30)
NO_ERRORS = Goal(0)
CLIENTS = (1, 4, 16)
WORKERS = 2
_WARM_UP = 10
_STARTS = 3
_REPEATED = 50
_CONNECTIONS_OF_ALL = 8
"""Connections among which each process has one, most likely."""

_MB = 1_000_000


def answering(bench: Bench) -> Iterator[Figure]:
    """Hybrid searches over HTTP: every question once, so that no cache answers; then one again."""
    for chunks in bench.sizes:
        questions = list(bench.collection(chunks).questions)
        yield _ready(bench, chunks=chunks)
        with running_server(bench, bench.database(chunks)) as server:
            with server.client() as client:
                client.wait_until_built()
                _ask(client, _take(questions, _WARM_UP))
                busy = server.processor_s()
                times = _ask(client, _take(questions, bench.effort.questions))
                busy = (server.processor_s() - busy) / len(times)
            yield _one_client(times, processor_s=busy, chunks=chunks)
            with server.client() as client:
                yield _repeated(client, _take(questions, 1)[0], chunks=chunks)
            for clients in CLIENTS:
                asked = _take(questions, bench.effort.questions)
                yield from _many_clients(server, asked, clients=clients, chunks=chunks)
            if peak := server.peak_bytes():
                what = f"server, peak memory, {chunks:,} chunks"
                own = (server.own_bytes() or 0) / _MB
                beside = f"{own:.0f} MB its own; the rest the file, once for each connection"
                yield Figure("server", what, peak / _MB, "MB", None, beside)
        yield from _by_workers(bench, questions, chunks=chunks)


def _by_workers(bench: Bench, questions: list[str], *, chunks: int) -> Iterator[Figure]:
    """The most clients at once, when several processes answer."""
    with running_server(bench, bench.database(chunks), workers=WORKERS) as server:
        for _ in range(_CONNECTIONS_OF_ALL):
            with server.client() as client:
                client.wait_until_built()
        _ask_at_once(server, _take(questions, _WARM_UP * WORKERS), clients=CLIENTS[-1])
        asked = _take(questions, bench.effort.questions)
        yield from _many_clients(
            server, asked, clients=CLIENTS[-1], chunks=chunks, beside=f", {WORKERS} workers"
        )


def _ready(bench: Bench, *, chunks: int) -> Figure:
    """The time from the start of the process to the first answer, for a repeated start."""
    seconds = []
    for _ in range(_STARTS + 1):
        with running_server(bench, bench.database(chunks)) as server:
            seconds.append(server.ready_s)
    times = tuple(seconds[1:])
    beside = f"of {len(times)} starts, the slowest {max(times):.2f} s"
    return Figure(
        "server", f"server ready, {chunks:,} chunks", median(times), "s", READY_GOAL, beside, times
    )


def _take(questions: list[str], count: int) -> list[str]:
    """Some questions that are asked only once."""
    taken, questions[:] = questions[:count], questions[count:]
    return taken


def _ask(client: Client, questions: Sequence[str]) -> tuple[float, ...]:
    """Milliseconds of each search."""
    times = []
    for question in questions:
        started = time.perf_counter()
        client.search(question)
        times.append((time.perf_counter() - started) * 1000)
    return tuple(times)


def _repeated(client: Client, question: str, *, chunks: int) -> Figure:
    """The same request again and again: after the first the answer is cached."""
    client.search(question)
    times = _ask(client, [question] * _REPEATED)
    beside = f"p99 {percentile(times, 0.99):.1f} of {len(times)}"
    what = f"the same hybrid query again, p50, {chunks:,} chunks"
    return Figure("server", what, median(times), "ms", None, beside, times)


def _one_client(times: tuple[float, ...], *, processor_s: float, chunks: int) -> Figure:
    beside = (
        f"p95 {percentile(times, 0.95):.1f}, p99 {percentile(times, 0.99):.1f} of {len(times)}; "
        f"on a processor {processor_s * 1000:.1f} ms"
    )
    what = f"hybrid query, server, p50, {chunks:,} chunks"
    goal = QUERY_GOAL if chunks <= MOST_CHUNKS_OF_GOAL else LARGE_QUERY_GOAL
    return Figure("server", what, median(times), "ms", goal, beside, times)


def _many_clients(
    server: Server, questions: Sequence[str], *, clients: int, chunks: int, beside: str = ""
) -> Iterator[Figure]:
    seconds, answers = _ask_at_once(server, questions, clients=clients)
    times = tuple(one for found, _ in answers for one in found)
    errors = sum(failed for _, failed in answers)
    at_once = f"{clients} client{'s' if clients > 1 else ''} at once{beside}"
    yield Figure(
        "server",
        f"{at_once}, {chunks:,} chunks",
        len(times) / seconds,
        "queries/s",
        None,
        f"p50 {percentile(times, 0.5):.1f} ms, p99 {percentile(times, 0.99):.1f} ms",
        times,
    )
    yield Figure("server", f"  errors, {at_once}", errors, "errors", NO_ERRORS)


def _ask_at_once(
    server: Server, questions: Sequence[str], *, clients: int
) -> tuple[float, list[tuple[list[float], int]]]:
    """The seconds of all, and the milliseconds and failures of each client."""
    shares = [questions[number::clients] for number in range(clients)]
    started = time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        answers = list(pool.map(lambda share: _answers(server, share), shares))
    return time.perf_counter() - started, answers


def _answers(server: Server, questions: Sequence[str]) -> tuple[list[float], int]:
    """Milliseconds of each search, and the number of failures."""
    times, errors = [], 0
    with server.client() as client:
        for question in questions:
            started = time.perf_counter()
            try:
                client.search(question)
            except (OSError, RuntimeError):
                errors += 1
            times.append((time.perf_counter() - started) * 1000)
    return times, errors
