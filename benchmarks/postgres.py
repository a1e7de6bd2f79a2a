"""PostgreSQL beside SQLite: `python -m benchmarks.postgres --sizes 100000`.

The same documents are synced into a file and into a schema of a server that this program starts,
and the same questions are asked of both: from the database alone, and of `mem serve`, which ranks
in memory. Last, the nearest vectors that the index finds are compared with the true ones.
"""

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import mean
from typing import Any, Final, Literal, TypeAlias

from benchmarks.harness.bench import Bench, remove_database
from benchmarks.harness.processes import Finished, run
from benchmarks.harness.report import line, table
from benchmarks.harness.serving import Server, running_server
from benchmarks.harness.storage import chunk_figures
from benchmarks.harness.values import FULL, QUICK, Figure, Goal, percentile
from contracts import QueryVector, Scope, Scored
from memory.config.loading import load_config
from memory.retrieval.query_embedding import embed_query
from memory.retrieval.searching import search
from memory.storage.values import Space
from memory.storage.vectors import cosines
from memory.workspace import Workspace
from search import SearchOptions

NAME: Final = "postgres"
SIZES: Final = (100_000,)
QUICK_SIZES: Final = (1_000,)
CLIENTS: Final = (1, 16, 64)
QUICK_CLIENTS: Final = (1, 4)
RECALL_GOAL: Final = Goal(0.99, at_least=True)
ALONE_GOAL: Final = Goal(60)
SERVED_GOAL: Final = Goal(25)
SCHEMA: Final = "benchmark"
MODES: Final[tuple[Literal["keyword", "hybrid"], ...]] = ("keyword", "hybrid")
NEAREST: Final = 10
EVERYTHING: Final = Scope()

_WARM_UP: Final = 10
_SHARED_BUFFERS: Final = "4GB"
"""A sixth of the memory of the machine whose figures the documents show; a quarter is usual."""
_MB: Final = 1_000_000
_BUILD_S: Final = 3_600

Ask: TypeAlias = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Place:
    """A backend with a memory: the settings that name it, and the command that uses it."""

    name: Literal["SQLite", "PostgreSQL"]
    settings: Path
    database: Path | None = None

    def opened(self) -> Workspace:
        """The memory in this process, which ranks nothing in memory."""
        return Workspace(load_config(self.settings, database=self.database))

    def command(self, bench: Bench, *arguments: str) -> list[str]:
        """The command line of `mem` for it."""
        chosen = ["--config", str(self.settings)]
        chosen += ["--db", str(self.database)] if self.database else []
        return [*bench.mem, *chosen, "--json", *arguments]


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.postgres", description=__doc__)
    parser.add_argument("--sizes", type=_numbers, metavar="N,M", help="chunks, such as 100000")
    parser.add_argument("--clients", type=_numbers, metavar="N,M", help="clients at once")
    parser.add_argument("--quick", action="store_true", help="1,000 chunks and few questions")
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep the texts there")
    return parser.parse_args(given)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def measure(
    bench: Bench, dsn: str, data: Path, *, clients: Sequence[int], indexed_from: int | None
) -> Iterator[Figure]:
    """All figures, in the order in which they are made; `data` is the folder of the server."""
    for chunks in bench.sizes:
        database = bench.database_path(chunks)
        remove_database(database)
        _drop_schema(dsn)
        places = [
            Place("SQLite", bench.settings(), database),
            Place("PostgreSQL", _settings(bench.work, dsn)),
        ]
        folder = bench.collection(chunks).folder
        for place in places:
            yield from _indexing(bench, place, folder, data, chunks=chunks)
        for place in places:
            yield from _asking(bench, place, data, clients=clients, chunks=chunks)
        with places[1].opened() as memory:
            yield from _recall(bench, memory, chunks=chunks, indexed_from=indexed_from)


def _settings(work: Path, dsn: str) -> Path:
    path = work / "postgres.json"
    place = {"backend": "postgres", "dsn": dsn, "schema": SCHEMA}
    memory = {**place, "embeddings": {"upgrade": "off"}}
    path.write_text(json.dumps({"memory": memory}), encoding="utf-8")
    return path


def _drop_schema(dsn: str) -> None:
    import psycopg

    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")


def _indexing(
    bench: Bench, place: Place, folder: Path, data: Path, *, chunks: int
) -> Iterator[Figure]:
    before_s = _server_s(data)
    finished: Finished = run(place.command(bench, "sync", str(folder)), home=bench.work)
    server_s = _server_s(data) - before_s
    report: dict[str, Any] = json.loads(finished.output.splitlines()[-1])
    made = report["chunks"]
    what = f"{place.name}, %s, {chunks:,} chunks"
    on = f"on a processor {finished.cpu_seconds:.1f} s"
    beside = on if place.database else f"{on}, and the server's {server_s:.1f} s"
    yield Figure(NAME, what % "indexing", made / finished.seconds, "chunks/s", beside=beside)
    peak = finished.peak_bytes / _MB
    yield Figure(NAME, what % "peak memory of mem sync", peak, "MB")
    if place.database:
        size, tables = chunk_figures(place.database).file_bytes, ""
    else:
        with place.opened() as memory:
            size, tables = memory.storage.size_bytes(), _largest(memory, made)
    yield Figure(NAME, what % "size", size / made, "bytes/chunk", beside=tables)


def _largest(memory: Workspace, chunks: int) -> str:
    sql = """SELECT c.relname, pg_total_relation_size(c.oid) FROM pg_class AS c
        JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname = :schema AND c.relkind = 'r' ORDER BY 2 DESC LIMIT 4"""
    rows = memory.storage.database.read(sql, {"schema": SCHEMA})
    return ", ".join(f"{name} {size / chunks:,.0f}" for name, size in rows)


def _asking(
    bench: Bench, place: Place, data: Path, *, clients: Sequence[int], chunks: int
) -> Iterator[Figure]:
    questions = list(bench.collection(chunks).questions)
    with place.opened() as memory:
        for mode in MODES:
            for number in clients:
                asked = [_asker(memory, mode)] * number
                what = (
                    f"{place.name}, {mode}, database alone, {_clients(number)}, {chunks:,} chunks"
                )
                goal = _goal(place, mode, number, ALONE_GOAL)
                yield _times(asked, _taken(bench, questions), what=what, goal=goal)
    with running_server(bench, place.database, settings=place.settings) as server:
        with server.client() as client:
            client.wait_until_built(timeout_s=_BUILD_S)
        for mode in MODES:
            for number in clients:
                what = f"{place.name}, {mode}, mem serve, {_clients(number)}, {chunks:,} chunks"
                goal = _goal(place, mode, number, SERVED_GOAL)
                yield _served(server, _taken(bench, questions), what, mode, number, goal)
        peak = (server.peak_bytes() or 0) / _MB
        yield Figure(NAME, f"{place.name}, peak memory of mem serve, {chunks:,} chunks", peak, "MB")
        if place.database is None:
            held = _server_bytes(data) / _MB
            what = f"PostgreSQL, memory of the server then, {chunks:,} chunks"
            yield Figure(NAME, what, held, "MB", beside="shared memory counted once")


def _goal(place: Place, mode: str, clients: int, goal: Goal) -> Goal | None:
    is_meant = (place.name, mode, clients) == ("PostgreSQL", "hybrid", 1)
    return goal if is_meant else None


def _clients(number: int) -> str:
    return "1 client" if number == 1 else f"{number} clients"


def _taken(bench: Bench, questions: list[str]) -> list[str]:
    """The next questions; all come again once all were asked."""
    count = bench.effort.questions
    questions[:] = questions[count:] + questions[:count]
    return questions[:count]


def _asker(memory: Workspace, mode: Literal["keyword", "hybrid"]) -> Ask:
    options = SearchOptions(mode=mode, max_results=10)
    return lambda question: search(memory, question, options)


def _served(
    server: Server,
    questions: Sequence[str],
    what: str,
    mode: str,
    number: int,
    goal: Goal | None,
) -> Figure:
    with ExitStack() as stack:
        clients = [stack.enter_context(server.client()) for _ in range(number)]
        asked = [partial(client.search, mode=mode) for client in clients]
        return _times(asked, questions, what=what, goal=goal)


def _times(
    asked: Sequence[Ask], questions: Sequence[str], *, what: str, goal: Goal | None
) -> Figure:
    """Ask all questions by so many clients at once, after a few that count for nothing."""
    for question in questions[:_WARM_UP]:
        asked[0](f"{question} again")
    shares = [questions[number :: len(asked)] for number in range(len(asked))]
    began = time.perf_counter()
    with ThreadPoolExecutor(len(asked)) as pool:
        found = list(pool.map(_milliseconds, asked, shares))
    seconds = time.perf_counter() - began
    times = tuple(one for each in found for one in each)
    rate = f"p99 {percentile(times, 0.99):.1f}, {len(times) / seconds:.0f} questions/s"
    return Figure(NAME, f"{what}, p50", percentile(times, 0.5), "ms", goal, rate, times)


def _milliseconds(ask: Ask, questions: Sequence[str]) -> list[float]:
    times = []
    for question in questions:
        began = time.perf_counter()
        ask(question)
        times.append((time.perf_counter() - began) * 1000)
    return times


def _recall(
    bench: Bench, memory: Workspace, *, chunks: int, indexed_from: int | None
) -> Iterator[Figure]:
    """The share of the nearest vectors that the index finds, and the time both take."""
    from memory.storage.postgres import PostgresStorage
    from memory.storage.postgres.database import PostgresDatabase
    from memory.storage.postgres.vector_index import INDEXED_FROM

    database, space = memory.storage.database, memory.storage.active_space()
    if not isinstance(database, PostgresDatabase) or space is None:
        raise TypeError("the memory has no vectors on a server")
    fast = PostgresStorage(database, indexed_from=indexed_from or INDEXED_FROM)
    began = time.perf_counter()
    fast.index_vectors()
    seconds = time.perf_counter() - began
    found = (embed_query(memory, space, one).query_vector.vector for one in _texts(bench, chunks))
    vectors = [vector for vector in found if vector is not None]
    shares, times = [], []
    for vector in vectors:
        began = time.perf_counter()
        hits = fast.vector_candidates(vector, EVERYTHING, limit=NEAREST)
        times.append((time.perf_counter() - began) * 1000)
        shares.append(_share_of_nearest(database, space, vector, hits))
    what = f"PostgreSQL, recall@{NEAREST} of the index, {chunks:,} chunks"
    beside = f"of {len(vectors)} questions; p50 {percentile(tuple(times), 0.5):.1f} ms"
    if seconds > 1:
        beside += f"; built in {seconds:.0f} s"
    yield Figure(NAME, what, mean(shares), "", RECALL_GOAL, beside)


def _texts(bench: Bench, chunks: int) -> Sequence[str]:
    return bench.collection(chunks).questions[: bench.effort.questions]


def _share_of_nearest(
    database: Any, space: Space, vector: QueryVector, hits: Sequence[Scored]
) -> float:
    """The share of the nearest vectors of a scan of all that are among the hits, or equally near
    ones.
    """
    from memory.storage.postgres.vectors import Search

    with database.snapshot():
        rows = Search(database, space, EVERYTHING, vector, NEAREST).by_scan()
    true = sorted(cosines(vector, [stored for _, stored in rows]), reverse=True)[:NEAREST]
    return sum(hit.score >= true[-1] for hit in hits) / len(true)


def _server_s(data: Path) -> float:
    """The processor seconds of the server's processes, ended ones too; 0 without /proc."""
    ticks = 0
    for process in _processes(data):
        fields = (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK") if ticks else 0.0


def _server_bytes(data: Path) -> int:
    total = 0
    for process in _processes(data):
        told = (process / "smaps_rollup").read_text(encoding="utf-8")
        found = re.search(r"^Pss:\s+(\d+) kB", told, re.MULTILINE)
        total += int(found[1]) * 1024 if found else 0
    return total


def _processes(data: Path) -> Iterator[Path]:
    """The processes of the server whose folder that is."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").resolve() == data.resolve():
                yield process
        except OSError:  # it has ended, or is another user's
            continue


def main(given: Sequence[str]) -> None:
    """Measure, and show the figures."""
    options = arguments(given)
    sizes = options.sizes or (QUICK_SIZES if options.quick else SIZES)
    clients = options.clients or (QUICK_CLIENTS if options.quick else CLIENTS)
    figures = []
    with tempfile.TemporaryDirectory(prefix="mem-bench-postgres-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the server may run as a user of its own
        work = (options.work or folder / "work").resolve()
        work.mkdir(parents=True, exist_ok=True)
        bench = Bench(work, sizes, QUICK if options.quick else FULL)
        server = import_module("tests.postgres_server").OwnServer(folder)
        _allow_memory(server)
        with closing(_Ending(server)):
            found = measure(
                bench,
                server.dsn,
                folder / "data",
                clients=clients,
                indexed_from=100 if options.quick else None,
            )
            for figure in found:
                print(line(figure), file=sys.stderr, flush=True)
                figures.append(figure)
        shutil.rmtree(folder / "data", ignore_errors=True)
    print(table(figures))


def _allow_memory(server: Any) -> None:
    """Give the server what a machine of its own would: the default is for the smallest."""
    import psycopg

    with psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute(f"ALTER SYSTEM SET shared_buffers = '{_SHARED_BUFFERS}'")
    server.stop()
    server.start()


class _Ending:
    """Ends a server when it is closed."""

    def __init__(self, server: Any) -> None:
        self.close = server.end


if __name__ == "__main__":
    main(sys.argv[1:])
