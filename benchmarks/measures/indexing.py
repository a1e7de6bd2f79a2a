"""The speed of indexing text, the size of the index, and the cost of a sync without changes."""

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.harness.bench import Bench
from benchmarks.harness.processes import on_one_core
from benchmarks.harness.storage import chunk_figures, stored_texts
from benchmarks.harness.values import Figure, Goal
from benchmarks.inputs.collection import small_files
from benchmarks.measures.starting import start_figure

RATE_GOAL = Goal(2500, at_least=True)
BYTES_GOAL = Goal(2300)
UNCHANGED_GOAL = Goal(500)
_FLOOR_TEXTS = 5000
_UNCHANGED_RUNS = 5
_MB = 1_000_000


def indexing(bench: Bench) -> Iterator[Figure]:
    """`mem sync` into a new database, end to end; its parts alone beside it."""
    for number, chunks in enumerate(bench.sizes):
        folder, database = bench.collection(chunks).folder, bench.database_path(chunks)
        if not number:
            yield _rate(bench, folder, database, one_core=False)
        yield _rate(bench, folder, database, one_core=True)
        yield from _floors(database)
        yield _size(database)


def _rate(bench: Bench, folder: Path, database: Path, *, one_core: bool) -> Figure:
    synced = bench.fresh_sync(folder, database, one_core=one_core)
    chunks, seconds = synced.report["chunks"], synced.finished.seconds
    cores = "one core" if one_core else "all cores"
    beside = (
        f"{seconds:.1f} s, on a processor {synced.finished.cpu_seconds:.1f} s; "
        f"peak memory {synced.finished.peak_bytes / _MB:.0f} MB"
    )
    return Figure(
        "indexing",
        f"mem sync, {chunks:,} chunks, {cores}",
        chunks / seconds,
        "chunks/s",
        RATE_GOAL if one_core else None,
        beside,
        (seconds, synced.finished.cpu_seconds, synced.finished.peak_bytes),
    )


def _floors(database: Path) -> Iterator[Figure]:
    """The two unavoidable parts of the work, each alone on one core."""
    import apsw

    from providers import ProviderSettings, create

    texts = stored_texts(database, limit=_FLOOR_TEXTS)
    model = create("static", ProviderSettings())
    model.embed(texts[:1], kind="document")
    with on_one_core():
        started = time.process_time()
        model.embed(texts, kind="document")
        embedded = time.process_time()
        index = apsw.Connection(":memory:")
        index.execute("CREATE VIRTUAL TABLE t USING fts5(text, content='', tokenize='porter')")
        with index:
            index.executemany("INSERT INTO t VALUES (?)", ((text,) for text in texts))
        inserted = time.process_time()
    for what, seconds in (
        ("embedding them alone", embedded - started),
        ("FTS5 in memory alone", inserted - embedded),
    ):
        beside = f"of {len(texts):,} chunks, by time on a processor"
        rate = len(texts) / seconds
        yield Figure("indexing", f"  {what}", rate, "chunks/s", None, beside, (seconds,))


def _size(database: Path) -> Figure:
    found = chunk_figures(database)
    largest = sorted(found.bytes_by_table.items(), key=lambda item: -item[1])[:4]
    parts = ", ".join(f"{name} {size / found.chunks:.0f}" for name, size in largest)
    return Figure(
        "indexing",
        f"bytes a chunk in the database, {found.chunks:,} chunks",
        found.file_bytes / found.chunks,
        "bytes",
        BYTES_GOAL,
        f"chunks have {found.mean_chars:.0f} characters; {parts}",
        (found.file_bytes,),
    )


def unchanged(bench: Bench) -> Iterator[Figure]:
    """`mem sync` with nothing to do, against listing as many files."""
    files = bench.effort.small_files
    folder, database = small_files(bench.work, files=files), bench.work / f"small-{files}.db"
    bench.fresh_sync(folder, database)
    yield _unchanged(bench, folder, database, goal=UNCHANGED_GOAL)
    for chunks in bench.sizes:
        yield _unchanged(bench, bench.collection(chunks).folder, bench.database(chunks), goal=None)


def _unchanged(bench: Bench, folder: Path, database: Path, *, goal: Goal | None) -> Figure:
    synced = [bench.sync(folder, database) for _ in range(_UNCHANGED_RUNS)]
    what = f"mem sync, nothing changed, {synced[0].report['unchanged']:,} files"
    figure = start_figure("unchanged", what, [one.finished for one in synced], goal=goal)
    started = time.perf_counter()
    _look_at_all(folder)
    bare = (time.perf_counter() - started) * 1000
    return replace(figure, beside=f"{figure.beside}; walk and stat alone {bare:.0f} ms")


def _look_at_all(folder: Path) -> None:
    for base, _, names in os.walk(folder):
        for name in names:
            os.stat(f"{base}/{name}")  # noqa: PTH116  # as bare as it can be
