"""Do one task of an engine in a separate process, and report its duration.

A program: `python runner.py ENGINE MODE FOLDER TASK MATERIAL REPORT`, run by the Python of the
engine's own environment. TASK is `build`, `once` (open, answer one question) or `many`. MATERIAL is
a folder with `chunks.json` and `vectors.npy` for `build`, else a file of questions. REPORT gets a
JSON object; only failures are printed.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchmarks.peers.adapters.contract import Engine

AT = 10
"""Hits that every question asks for."""

WARM_UP = 10
"""Questions that `many` asks before those it counts."""


def build(engine: "Engine", material: Path) -> dict[str, Any]:
    """Store and index everything; the seconds from the first call to the closed files."""
    import numpy as np

    chunks = json.loads((material / "chunks.json").read_text(encoding="utf-8"))
    vectors = np.load(material / "vectors.npy")
    started = time.perf_counter()
    engine.build(chunks, vectors)
    engine.close()
    return {"seconds": time.perf_counter() - started}


def once(engine: "Engine", material: Path) -> dict[str, Any]:
    """Answer the first question of a file; the caller has the time of the whole process."""
    question = json.loads(material.read_text(encoding="utf-8"))[0]
    engine.open()
    found = engine.query(question["text"], question["vector"], AT)
    engine.close()
    return {"found": [found]}


def many(engine: "Engine", material: Path) -> dict[str, Any]:
    """Answer every question of a file once; milliseconds each, the first ones uncounted."""
    questions = json.loads(material.read_text(encoding="utf-8"))
    engine.open()
    engine.prepare()
    found, times = [], []
    for question in questions:
        started = time.perf_counter()
        found.append(engine.query(question["text"], question["vector"], AT))
        times.append((time.perf_counter() - started) * 1000)
    engine.close()
    return {"found": found[WARM_UP:], "milliseconds": times[WARM_UP:]}


TASKS: Mapping[str, Callable[["Engine", Path], dict[str, Any]]] = {
    "build": build,
    "once": once,
    "many": many,
}


def main(name: str, mode: str, folder: str, task: str, material: str, report: str) -> None:
    """Do the task with the engine of the module `adapters.NAME`."""
    engine = import_module(f"adapters.{name}").ENGINE(Path(folder), mode)
    told = TASKS[task](engine, Path(material))
    Path(report).write_text(json.dumps(told), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
