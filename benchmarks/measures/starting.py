"""The duration of a new process: `mem --help`, and `mem search` in collections of every size."""

import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.harness.bench import Bench
from benchmarks.harness.processes import Finished, repeated
from benchmarks.harness.values import Figure, Goal, spread

HELP_GOAL = Goal(150)
SEARCH_GOAL = Goal(120)
MOST_CHUNKS_OF_GOAL = 100_000


def help_page(bench: Bench) -> Iterator[Figure]:
    """`mem --help` beside a Python that does nothing."""
    runs = bench.effort.cold_runs
    bare = repeated([sys.executable, "-c", "pass"], home=bench.work, runs=runs)
    yield start_figure("help", "python -c pass", bare)
    shown = repeated([*bench.mem, "--help"], home=bench.work, runs=runs)
    yield start_figure("help", "mem --help", shown, goal=HELP_GOAL)


def cold_search(bench: Bench) -> Iterator[Figure]:
    """`mem search` in a new process for each of several questions; the disk's cache is warm."""
    for chunks in bench.sizes:
        database = str(bench.database(chunks))
        questions = bench.collection(chunks).questions[: bench.effort.cold_runs]
        bare = _each(bench, _bare_command(database), questions)
        yield start_figure("cold-search", f"the same scans, bare script, {chunks:,} chunks", bare)
        for mode in ("keyword", "hybrid"):
            command = [*bench.mem, "--db", database, "search", "--mode", mode, "--"]
            found = _each(bench, command, questions)
            what = f"mem search, new process, {mode}, {chunks:,} chunks"
            goal = SEARCH_GOAL if mode == "hybrid" and chunks <= MOST_CHUNKS_OF_GOAL else None
            yield start_figure("cold-search", what, found, goal=goal)


def _each(bench: Bench, command: Sequence[str], questions: Sequence[str]) -> list[Finished]:
    """One measured run for each question, after one that warms the cache."""
    return [
        one
        for question in questions
        for one in repeated([*command, question], home=bench.work, runs=1)
    ]


def _bare_command(database: str) -> list[str]:
    from memory.storage.sqlite.connection import vec_extension

    script = str(Path(__file__).parent / "bare_search.py")
    site_packages = sysconfig.get_path("platlib")
    return [sys.executable, "-I", "-S", script, site_packages, vec_extension(), database]


def start_figure(
    benchmark: str, what: str, runs: Sequence[Finished], *, goal: Goal | None = None
) -> Figure:
    """The median wall time of some processes, with their processor time."""
    times = tuple(one.seconds * 1000 for one in runs)
    busy = median(tuple(one.cpu_seconds * 1000 for one in runs))
    beside = f"{spread(times, unit='ms')}; on a processor {busy:.0f} ms"
    return Figure(benchmark, what, median(times), "ms", goal, beside, times)
