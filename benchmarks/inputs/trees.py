"""Trees of many small files, and the effect of worker processes on larger ones."""

import json
from collections.abc import Iterator
from pathlib import Path

from benchmarks.harness.bench import Bench, Synced
from benchmarks.harness.values import Figure
from benchmarks.inputs.collection import small_files
from benchmarks.measures.indexing import UNCHANGED_GOAL

_MB = 1_000_000
_GOAL_FILES = 10_000


def trees(bench: Bench) -> Iterator[Figure]:
    """A first sync and one without changes, with the peak memory of each."""
    for files in bench.effort.tree_files:
        folder, database = small_files(bench.work, files=files), bench.work / f"tree-{files}.db"
        for one_core in (True, False):
            synced = bench.fresh_sync(folder, database, one_core=one_core)
            cores = "one core" if one_core else "all cores"
            yield _rate(f"first sync, {files:,} small files, {cores}", synced, "files", files)
        again = bench.sync(folder, database)
        yield Figure(
            "trees",
            f"sync, nothing changed, {files:,} files",
            again.finished.seconds * 1000,
            "ms",
            UNCHANGED_GOAL if files == _GOAL_FILES else None,
            f"peak memory {again.finished.peak_bytes / _MB:.0f} MB",
            (again.finished.seconds * 1000, again.finished.peak_bytes),
        )
    yield from _workers(bench)


def _workers(bench: Bench) -> Iterator[Figure]:
    """The same documents read by the storing process, and by additional workers."""
    folder = bench.collection(bench.sizes[0]).folder
    for workers in (0, 2):
        settings = bench.work / f"workers-{workers}.json"
        settings.write_text(json.dumps({"memory": {"files": {"workers": workers}}}), "utf-8")
        configured = Bench(
            bench.work, bench.sizes, bench.effort, [*bench.mem, "--config", str(settings)]
        )
        synced = configured.fresh_sync(folder, Path(f"{settings}.db"))
        what = f"first sync of larger files, workers {workers}"
        yield _rate(what, synced, "chunks", synced.report["chunks"])


def _rate(what: str, synced: Synced, unit: str, number: int) -> Figure:
    finished = synced.finished
    beside = (
        f"{finished.seconds:.1f} s, on processors {finished.cpu_seconds:.1f} s; "
        f"peak memory {finished.peak_bytes / _MB:.0f} MB"
    )
    raw = (finished.seconds, finished.cpu_seconds, finished.peak_bytes)
    return Figure("trees", what, number / finished.seconds, f"{unit}/s", None, beside, raw)
