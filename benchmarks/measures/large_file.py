"""One very large file: duration, memory, and whether its end is found."""

import json
from collections.abc import Iterator

from benchmarks.harness.bench import Bench
from benchmarks.harness.processes import run
from benchmarks.harness.values import Figure, Goal
from benchmarks.inputs.collection import large_file

FOUND = Goal(1, at_least=True)
_LAST = "ThelastParagraphOfAll"
_MB = 1_000_000


def one_large_file(bench: Bench) -> Iterator[Figure]:
    """Index it in a new process, then search for a word of its last paragraph only."""
    megabytes = bench.effort.large_file_mb
    path = large_file(bench.work, megabytes=megabytes, last=_LAST)
    database = bench.work / f"large-{megabytes}.db"
    synced = bench.fresh_sync(path, database)
    chunks, seconds = synced.report["chunks"], synced.finished.seconds
    name = f"one file of {megabytes} MB"
    beside = f"{chunks:,} chunks, {chunks / seconds:,.0f} chunks/s"
    yield Figure("large-file", f"{name}, mem sync", seconds, "s", None, beside, (seconds,))
    peak = synced.finished.peak_bytes / _MB
    yield Figure("large-file", f"{name}, peak memory", peak, "MB")
    searched = run([*bench.mem, "--db", str(database), "--json", "search", _LAST], home=bench.work)
    results = json.loads(searched.output.splitlines()[-1])["results"]
    found = bool(results) and _LAST in results[0]["text"]
    what = f"{name}, last paragraph at rank 1"
    yield Figure("large-file", what, float(found), "share", FOUND)
