"""The change from the static model to minilm in the background: `python -m benchmarks.upgrade`.

A new database of small files is synced and served. Questions come at chance moments, by turns with
the upgrade turned off and on in the same server, so that other work on the machine disturbs both
alike; then the server is left alone until the better model answers.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final, Literal

from benchmarks.harness.bench import Bench
from benchmarks.harness.report import line, table
from benchmarks.harness.serving import Client, Server, processor_s_of_ended_children, running_server
from benchmarks.harness.values import QUICK, Figure, Goal, percentile
from benchmarks.inputs.collection import small_files
from benchmarks.models import questions
from memory.operations.jobs.vectors import BEGINS_AFTER_S

NAME: Final = "upgrade"
Setting = Literal["off", "auto"]

_SEED = 20_240_229
_MEAN_PAUSE_S = 0.15
_TAKEN_OVER_S = 3.0
"""The time in which a server sees its changed configuration, and a step ends or begins."""

_POLL_S = 10.0


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.upgrade", description=__doc__)
    parser.add_argument("--files", type=int, default=10_000, metavar="N", help="files to sync")
    parser.add_argument("--turns", type=int, default=6, metavar="N", help="turns of each setting")
    parser.add_argument("--asked", type=int, default=100, metavar="N", help="questions in a turn")
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep the texts there")
    return parser.parse_args(given)


def measure(bench: Bench, *, files: int, turns: int, asked: int) -> Iterator[Figure]:
    """All figures, in the order in which they are made."""
    folder, database = small_files(bench.work, files=files), bench.work / "upgrade.db"
    synced = bench.fresh_sync(folder, database)
    spent = synced.finished
    beside = f"{synced.report['chunks']:,} chunks; on a processor {spent.cpu_seconds:.1f} s"
    yield Figure(NAME, f"mem sync, {files:,} new files", spent.seconds, "s", beside=beside)
    settings = bench.work / "upgrade.json"
    _write(settings, "off")
    with running_server(bench, database, settings=settings) as server, server.client() as client:
        client.wait_until_built()
        yield from _first_answer(client)
        _rest(client, BEGINS_AFTER_S)
        yield from _by_turns(client, settings, turns=turns, asked=asked)
        _write(settings, "auto")
        yield _until_done(server, client)


def _first_answer(client: Client) -> Iterator[Figure]:
    (took_ms,) = _ask(client, [questions(1)[0]], pause_s=0.0)
    yield Figure(NAME, "first answer of a server", took_ms, "ms")


def _by_turns(client: Client, settings: Path, *, turns: int, asked: int) -> Iterator[Figure]:
    unasked = iter(questions(2 * turns * asked))
    times: dict[Setting, tuple[float, ...]] = {"off": (), "auto": ()}
    chunks = 0
    for _ in range(turns):
        pair: dict[Setting, tuple[float, ...]] = {}
        for setting in times:
            _write(settings, setting)
            _rest(client, _TAKEN_OVER_S)
            now = list(islice(unasked, asked))
            pair[setting] = _ask(client, now, pause_s=_MEAN_PAUSE_S)
        state = client.status()["upgrade"]
        if state["state"] == "done":  # during this turn, which counts for nothing
            break
        chunks = state["chunks_done"]
        times = {setting: times[setting] + pair[setting] for setting in times}
    alone, meanwhile = (percentile(times[setting], 0.95) for setting in times)
    medians = [f"p50 {percentile(found, 0.5):.1f} ms" for found in times.values()]
    beside = f"{medians[0]}; {len(times['off'])} questions"
    yield Figure(NAME, "queries without it, p95", alone, "ms", beside=beside)
    beside = f"{medians[1]}; {chunks:,} chunks embedded meanwhile"
    yield Figure(NAME, "queries during it, p95", meanwhile, "ms", beside=beside)
    yield Figure(NAME, "ratio of the two", meanwhile / alone, "x", Goal(1.3))


def _until_done(server: Server, client: Client) -> Figure:
    """Wait for the swap, and hardly disturb it."""
    started = time.perf_counter()
    left = client.status()["upgrade"]
    while (state := client.status()["upgrade"])["state"] != "done":
        told = (
            f"{state['chunks_done']:,} of {state['chunks_total']:,}, {state['seconds_left']} s left"
        )
        print(told, file=sys.stderr, flush=True)
        _rest(client, _POLL_S)
    took_s = time.perf_counter() - started
    _rest(client, _TAKEN_OVER_S)  # in which the process of the model ends
    spent_s = processor_s_of_ended_children(server.process.pid)
    chunks = left["chunks_total"] - left["chunks_done"]
    beside = f"for all; the last {chunks:,} chunks, by the clock: {took_s:,.0f} s"
    return Figure(NAME, "until minilm answers, on a processor", spent_s, "s", beside=beside)


def _ask(client: Client, questions: Sequence[str], *, pause_s: float) -> tuple[float, ...]:
    """Milliseconds of each question; before each, a pause of that mean length."""
    client.close()  # the server may have done so
    client.health()
    random, times = Random(_SEED), []
    for question in questions:
        time.sleep(random.uniform(0, 2 * pause_s))
        began = time.perf_counter()
        client.search(question)
        times.append((time.perf_counter() - began) * 1000)
    return tuple(times)


def _rest(client: Client, seconds: float) -> None:
    time.sleep(seconds)
    client.close()  # the server may have done so


def _write(settings: Path, upgrade: Setting) -> None:
    """Turn the upgrade of a running server on or off."""
    embeddings = {"upgrade": upgrade, "provider": "auto"}
    settings.write_text(json.dumps({"memory": {"embeddings": embeddings}}), encoding="utf-8")


def main(given: Sequence[str]) -> None:
    """Measure, and show the figures."""
    options = arguments(given)
    with tempfile.TemporaryDirectory(prefix="mem-upgrade-") as folder:
        work: Path = options.work or Path(folder)
        work.mkdir(parents=True, exist_ok=True)
        bench = Bench(work, sizes=(), effort=QUICK)
        figures = []
        for figure in measure(bench, files=options.files, turns=options.turns, asked=options.asked):
            print(line(figure), file=sys.stderr, flush=True)
            figures.append(figure)
    print(table(figures))


if __name__ == "__main__":
    main(sys.argv[1:])
