"""Measure one engine in one mode: build it, start it cold, ask it warm."""

import json
import shutil
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.harness.bench import Bench
from benchmarks.harness.processes import Finished, run
from benchmarks.harness.values import percentile
from benchmarks.peers.environments import PACKAGES, interpreter
from benchmarks.peers.material import Material
from benchmarks.peers.outcome import PeerOutcome

RUNNER = Path(__file__).parent / "runner.py"
OURS = "symbiosis"
OURS_GIVEN = "Symbiosis, as a library"


class Job:
    """An engine in one mode, running below its own folder."""

    def __init__(self, bench: Bench, name: str, mode: str) -> None:
        self.name, self.mode = name, mode
        self._home = bench.work
        self._python = _python(bench, name)
        self.folder = bench.work / "engines" / name / mode.replace(" ", "-").replace(",", "")

    def run(self, task: str, material: Path) -> tuple[Finished, dict[str, Any]]:
        """One task of `runner` in a new process: its cost, and its report."""
        report = self._home / "engine-report.json"
        command = [self._python, str(RUNNER), self.name, self.mode, str(self.folder), task]
        finished = run([*command, str(material), str(report)], home=self._home)
        told: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        return finished, told

    def build(self, material: Path) -> tuple[Finished, dict[str, Any]]:
        """Build it again."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        return self.run("build", material)


def _python(bench: Bench, name: str) -> str:
    return sys.executable if name == OURS else interpreter(name, bench.work / "environments")


def measure(
    bench: Bench, material: Material, *, name: str, mode: str, settings: str
) -> PeerOutcome:
    """All figures of one engine in one mode."""
    job = Job(bench, name, mode)
    building, built = job.build(material.folder)
    disk = folder_bytes(job.folder)
    cold = cold_times(job, material, runs=bench.effort.cold_runs)
    asking, told = job.run("many", material.many)
    times = tuple(told["milliseconds"])
    chunks = len(material.uids)
    is_vector = mode.startswith("vector")
    return PeerOutcome(
        engine=OURS_GIVEN if name == OURS else PACKAGES[name].engine,
        mode=mode,
        settings=settings,
        ours=name == OURS,
        chunks=chunks,
        chunks_a_s=chunks / built["seconds"],
        cold_ms=median(cold),
        p50_ms=percentile(times, 0.5),
        p99_ms=percentile(times, 0.99),
        recall=material.recall(told["found"]) if is_vector else None,
        disk_bytes=disk,
        build_bytes=building.peak_bytes,
        query_bytes=asking.peak_bytes,
        raw={"build_s": (built["seconds"],), "cold_ms": cold, "warm_ms": times},
    )


def cold_times(job: Job, material: Material, *, runs: int) -> tuple[float, ...]:
    """Milliseconds of new processes with a question each, after one that warms the disk's cache.

    The processor's caches and the page cache are as the previous work left them.
    """
    files = [material.one(number) for number in range(runs)]
    job.run("once", files[0])
    return tuple(job.run("once", file)[0].seconds * 1000 for file in files)


def folder_bytes(folder: Path) -> int:
    """The sizes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def modes_of(name: str) -> dict[str, str]:
    """The modes of an engine with their settings; its adapter imports no engine by itself."""
    return dict(import_module(f"benchmarks.peers.adapters.{name}").ENGINE.MODES)


def positions(uids: Sequence[str], found: Sequence[Sequence[str]]) -> list[list[int]]:
    """Our ids of chunks as their positions in the material."""
    place = {uid: number for number, uid in enumerate(uids)}
    return [[place[uid] for uid in one] for one in found]
