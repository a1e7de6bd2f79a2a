"""Measure this program as a user meets it: `mem sync`, `mem search`, `mem serve`."""

import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.harness.bench import Bench
from benchmarks.harness.processes import repeated
from benchmarks.harness.serving import Client, running_server
from benchmarks.harness.values import percentile
from benchmarks.peers.material import Material
from benchmarks.peers.outcome import PeerOutcome
from benchmarks.peers.runner import AT

ENGINE = "Symbiosis Memory"
SETTINGS = (
    "`mem sync`, which also reads, cuts and embeds the files; `mem search`, which also embeds the "
    "question; `mem serve`, which does so too, over HTTP"
)
_OPTIONS: dict[str, dict[str, Any]] = {
    "vector": {"min_score": 0, "all_chunks": True, "fold": "none"},
    "hybrid": {},
}
"""The vector's answer is compared with the exact one, where neither documents nor repeated text
count; a hybrid search uses the defaults.
"""

_KEPT = ".sync.json"


@dataclass(frozen=True, slots=True)
class SyncCost:
    """The cost of indexing a collection: the process, all cores, and the chunks it stored."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int
    chunks: int


def sync_cost(bench: Bench, *, chunks: int, fresh: bool = False) -> SyncCost | None:
    """Sync a collection into a new database, or recall the cost of the existing one.

    None for a database without a record; `fresh` replaces it.
    """
    database = bench.database_path(chunks)
    kept = Path(f"{database}{_KEPT}")
    if fresh or not database.exists():
        synced = bench.fresh_sync(bench.collection(chunks).folder, database)
        done = synced.finished
        cost = SyncCost(done.seconds, done.cpu_seconds, done.peak_bytes, synced.report["chunks"])
        kept.write_text(json.dumps(asdict(cost)), encoding="utf-8")
    return SyncCost(**json.loads(kept.read_text(encoding="utf-8"))) if kept.exists() else None


def measure_ours(bench: Bench, material: Material, cost: SyncCost | None) -> Iterator[PeerOutcome]:
    """Both modes over the database that the material was taken from."""
    database = bench.database_path(material.asked_for)
    for mode in ("vector", "hybrid"):
        cold = _cold(bench, material, database, mode=mode)
        times, found, peak = _warm(bench, material, database, mode=mode)
        yield PeerOutcome(
            engine=ENGINE,
            mode=mode,
            settings=SETTINGS,
            ours=True,
            chunks=len(material.uids),
            chunks_a_s=cost.chunks / cost.seconds if cost else None,
            cold_ms=median(cold),
            p50_ms=percentile(times, 0.5),
            p99_ms=percentile(times, 0.99),
            recall=material.recall(found) if mode == "vector" else None,
            disk_bytes=_disk_bytes(database),
            build_bytes=cost.peak_bytes if cost else None,
            query_bytes=peak,
            raw={"build_s": (cost.seconds,) if cost else (), "cold_ms": cold, "warm_ms": times},
        )


def _cold(bench: Bench, material: Material, database: Path, *, mode: str) -> tuple[float, ...]:
    """Milliseconds of `mem search` in new processes, a different question each."""
    command = [*bench.mem, "--db", str(database), "search", "--mode", mode, "--"]
    texts = [question["text"] for question in material.questions[: bench.effort.cold_runs]]
    runs = [one for text in texts for one in repeated([*command, text], home=bench.work, runs=1)]
    return tuple(one.seconds * 1000 for one in runs)


def _warm(
    bench: Bench, material: Material, database: Path, *, mode: str
) -> tuple[tuple[float, ...], list[list[int]], int | None]:
    """Milliseconds of each question over HTTP, the chunks found, and the server's peak memory."""
    place = {uid: number for number, uid in enumerate(material.uids)}
    times, found = [], []
    with running_server(bench, database) as server, server.client() as client:
        client.wait_until_built()
        for question in material.warm_up:
            _ask(client, question["text"], mode=mode)
        for question in material.questions:
            started = time.perf_counter()
            hits = _ask(client, question["text"], mode=mode)
            times.append((time.perf_counter() - started) * 1000)
            found.append([place[uid] for uid in hits])
        return tuple(times), found, server.peak_bytes()


def _ask(client: Client, text: str, *, mode: str) -> list[str]:
    """The chunks found."""
    answer = client.search(text, mode=mode, max_results=AT, **_OPTIONS[mode])
    return [hit["chunk_id"] for hit in answer["results"]]


def _disk_bytes(database: Path) -> int:
    """The database with its write-ahead log, if any."""
    parts = (Path(f"{database}{ending}") for ending in ("", "-wal", "-shm"))
    return sum(path.stat().st_size for path in parts if path.exists())
