"""The effect of a reindex on searches and syncs: to other chunks, to another model, and back."""

import json
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.harness.bench import Bench
from benchmarks.harness.meanwhile import (
    MODES,
    Answer,
    AnswerProblem,
    Clients,
    Look,
    Questions,
    Watch,
    Writing,
    alongside,
)
from benchmarks.harness.processes import Finished, run
from benchmarks.harness.serving import Client, Server, running_server
from benchmarks.harness.values import Figure, Goal, percentile

NO_ERRORS = Goal(0)
_CHUNKING = {"chunk_size_chars": 500}
STEPS: Mapping[str, Mapping[str, Any]] = {
    "to chunks of 500 characters": {"chunking": _CHUNKING},
    "to the model fake-96": {
        "chunking": _CHUNKING,
        "embeddings": {"provider": "fake", "model": "fake-96"},
    },
    "back": {"embeddings": {"provider": "static"}},
}
"""The settings of one reindex after the other; the server and the syncs keep the defaults."""

PROBLEMS: Mapping[AnswerProblem, str] = {
    "failed": "queries that failed",
    "empty": "queries without a hit",
    "other mode": "queries answered in another mode",
}
_AROUND_S = 0.5
_WAIT_S = 300
_POLL_S = 0.05
_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Step:
    """A finished reindex and its report; times by `time.perf_counter`.

    It began at `began_s`; the server had rebuilt its indexes at `rest_s`. `lost` are names written
    meanwhile whose first hit afterwards does not hold them.
    """

    name: str
    began_s: float
    rest_s: float
    finished: Finished
    report: Mapping[str, Any]
    swap: Look
    lost: Sequence[str]


class Occasion:
    """A server with clients that ask, a writer and a watch beside it."""

    def __init__(self, bench: Bench, server: Server, folder: Path, *, questions: Path) -> None:
        self._bench, self._server, self._folder = bench, server, folder
        self.clients = Clients(server, Questions(questions))
        self.writing = Writing(bench, folder / "files", _database(folder))
        self.watch = Watch(_database(folder))
        self._known = 0

    def steps(self) -> list[Step]:
        """Reindex again and again during their work; some answers come before."""
        count = self._bench.effort.asking_clients
        clients = [self.clients.loop(number) for number in range(count)]
        with alongside(*clients, self.writing.loop, self.watch.loop):
            self._wait_for(self._bench.effort.questions * len(MODES))
            wanted = islice(STEPS.items(), self._bench.effort.reindexes)
            return [self._step(name, settings) for name, settings in wanted]

    def _written(self) -> list[str]:
        """Names synced since the last call."""
        known, self._known = self._known, len(self.writing.names)
        return self.writing.names[known : self._known]

    def _wait_for(self, answers: int) -> None:
        deadline = time.monotonic() + _WAIT_S
        while len(self.clients.answers) < answers or not self.writing.seconds:
            if time.monotonic() > deadline:
                raise RuntimeError(f"no {answers} answers and a sync within {_WAIT_S} s")
            time.sleep(_POLL_S)

    def _step(self, name: str, settings: Mapping[str, Any]) -> Step:
        config = self._folder / "wanted.json"
        config.write_text(json.dumps({"memory": settings}), encoding="utf-8")
        options = ["--config", str(config), "--db", str(_database(self._folder)), "--json"]
        began = time.perf_counter()
        finished = run([*self._bench.mem, *options, "reindex"], home=self._bench.work)
        time.sleep(_AROUND_S)  # the effect of the swap on answers until then is measured as well
        with self._server.client() as client:
            client.wait_until_built()
            rest = time.perf_counter()
            lost = [written for written in self._written() if not _is_first(client, written)]
        report = json.loads(finished.output.splitlines()[-1])
        return Step(name, began, rest, finished, report, self.watch.swap(began), lost)


def reindexing(bench: Bench) -> Iterator[Figure]:
    """Three reindexes of the smallest collection, under load."""
    chunks = min(bench.sizes)
    collection = bench.collection(chunks)
    folder = bench.work / f"reindexing-{chunks}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(collection.folder, folder / "files")
    bench.sync(folder / "files", _database(folder))
    with running_server(bench, _database(folder)) as server:
        with server.client() as client:
            client.wait_until_built()
        occasion = Occasion(bench, server, folder, questions=collection.folder)
        steps = occasion.steps()
        with server.client() as client:
            lost = [name for name in occasion.writing.names if not _is_first(client, name)]
    before = occasion.clients.between(0, steps[0].began_s)
    yield _times(f"queries before a reindex, p50, {chunks:,} chunks", before)
    for step in steps:
        yield from _step_figures(step, occasion)
        lost += [f"{name}, {step.name}" for name in step.lost]
    yield from totals(occasion.clients.answers, occasion.writing, lost)


def _database(folder: Path) -> Path:
    return folder / "memory.db"


def _is_first(client: Client, name: str) -> bool:
    """Return whether the first hit for a name holds it."""
    found = client.search(name)["results"]
    return bool(found) and name in found[0]["text"]


def _step_figures(step: Step, occasion: Occasion) -> Iterator[Figure]:
    clients, swap = occasion.clients, step.swap
    yield _duration(step)
    yield _times(f"queries meanwhile, p50, {step.name}", clients.between(step.began_s, step.rest_s))
    around = clients.between(swap.last_s - _AROUND_S, swap.got_s + _AROUND_S)
    yield _times(f"queries around the swap, p50, {step.name}", around)
    longest = occasion.watch.longest_wait_ms(step.began_s, step.rest_s)
    yield Figure(
        "reindex",
        f"  others cannot write at the swap, {step.name}",
        (swap.got_s - swap.last_s) * 1000,
        "ms",
        None,
        f"at most; the longest wait to write meanwhile {longest:.0f} ms",
    )


def _duration(step: Step) -> Figure:
    finished, report = step.finished, step.report
    done = report["embedded"] + report["cached"]
    beside = (
        f"{done:,} vectors ({report['cached']:,} already known), "
        f"{done / finished.seconds:,.0f} chunks/s; "
        f"{report['documents']:,} documents cut; on a processor {finished.cpu_seconds:.1f} s; "
        f"peak memory {finished.peak_bytes / _MB:.0f} MB; "
        f"the server's indexes built too {step.rest_s - step.swap.got_s:.1f} s after the swap"
    )
    what = f"mem reindex {step.name}, {report['space']['chunks']:,} chunks"
    return Figure("reindex", what, finished.seconds, "s", None, beside, (finished.seconds,))


def _times(what: str, answers: Sequence[Answer]) -> Figure:
    times = tuple(answer.ms for answer in answers)
    beside = f"p95 {percentile(times, 0.95):.1f}, longest {max(times):.1f} of {len(times):,}"
    return Figure("reindex", what, median(times), "ms", None, beside, times)


def totals(answers: Sequence[Answer], writing: Writing, lost: Sequence[str]) -> Iterator[Figure]:
    """Events that must never happen: their number, and the first message."""
    for problem, what in PROBLEMS.items():
        said = [answer.said for answer in answers if answer.problem == problem]
        yield _errors(what, said, f"of {len(answers):,} in all three modes")
    syncs = tuple(writing.seconds)
    yield Figure(
        "reindex",
        "mem sync meanwhile, p50",
        median(syncs),
        "s",
        None,
        f"longest {max(syncs):.1f} s of {len(syncs)}",
        syncs,
    )
    yield _errors("syncs that failed", writing.errors, f"of {len(syncs)}")
    yield _errors("names written meanwhile and not found", lost, f"of {len(writing.names)}")


def _errors(what: str, said: Sequence[str], beside: str) -> Figure:
    first = f"; the first: {' '.join(said[0].split())}" if said else ""
    return Figure("reindex", f"  {what}", len(said), "errors", NO_ERRORS, f"{beside}{first}")
