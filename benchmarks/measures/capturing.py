"""The delay until a message of a conversation with an agent is found, while it goes on.

The clock starts when the line is flushed to the transcript, and stops when a server has answered
with it as the first hit.
"""

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from benchmarks.harness.bench import Bench, remove_database
from benchmarks.harness.processes import run
from benchmarks.harness.serving import Client, running_server
from benchmarks.harness.values import Figure, Goal, percentile
from benchmarks.inputs.talking import TURNS_A_SESSION, Talk
from benchmarks.measures.following import word_of

FOUND_GOAL = Goal(5000)
_SEED = 12
_ANSWERED_S = 120
_LOOK_S = 0.002
_STATUS_S = 0.5
_PAUSE_S = 0.3
_BEGINNING = 1_700_000_000


def capturing(bench: Bench) -> Iterator[Figure]:
    """Capture transcripts of Claude Code by `mem serve`: what is there, then what is being said."""
    turns = bench.effort.captured_turns
    own = bench.work / f"captured-{turns}"
    paths = _write_transcripts(own / "projects", turns=turns)
    database = own / "memory.db"
    remove_database(database)
    place = str(own / "projects")
    run([*bench.mem, "--db", str(database), "chats", "add", "claude-code", place], home=bench.work)
    began = time.perf_counter()
    with running_server(bench, database) as server, server.client() as client:
        _until(lambda: client.status()["conversations"]["turns"] >= turns, every_s=_STATUS_S)
        seconds = time.perf_counter() - began
        beside = f"{seconds:.1f} s from the start of the server"
        name = f"{turns:,} turns in {len(paths):,} transcripts, captured"
        yield Figure("capture", name, turns / seconds, "turns/s", None, beside)
        yield _going_on(bench, client, paths)
        stored = client.status()["conversations"]["turns"]
        wanted = turns + bench.effort.saves
        yield Figure("capture", "  turns lost or doubled", abs(stored - wanted), "wrong", Goal(0))


def _going_on(bench: Bench, client: Client, paths: list[Path]) -> Figure:
    chance = Random(_SEED)
    raw = []
    for number in range(bench.effort.saves):
        word = word_of(chance)
        text = f"We decided on {word} for the retry logic."
        time.sleep(_PAUSE_S * chance.random())
        with chance.choice(paths).open("a", encoding="utf-8") as file:
            print(json.dumps(_line(f"new-{number}", "assistant", text)), file=file, flush=True)
        since_s = time.perf_counter()
        client.close()
        _until(lambda: _is_first(client, word))  # noqa: B023 - asked at once
        raw.append((time.perf_counter() - since_s) * 1000)
    beside = f"p50 {median(tuple(raw)):,.0f} ms, longest {max(raw):,.0f} ms of {len(raw)}"
    figure = percentile(tuple(raw), 0.95)
    name = "a message that is being said, found, p95"
    return Figure("capture", name, figure, "ms", FOUND_GOAL, beside, tuple(raw))


def _is_first(client: Client, word: str) -> bool:
    hits = client.search(word, mode="keyword", min_score=0)["results"]
    return bool(hits) and word in json.dumps(hits[0])


def _until(is_done: Callable[[], bool], *, every_s: float = _LOOK_S) -> None:
    deadline = time.monotonic() + _ANSWERED_S
    while not is_done():
        if time.monotonic() > deadline:
            raise RuntimeError(f"nothing was captured within {_ANSWERED_S} s")
        time.sleep(every_s)


def _write_transcripts(folder: Path, *, turns: int) -> list[Path]:
    talk, written = Talk(), 0
    paths: list[Path] = []
    while written < turns:
        said = list(talk.turns(min(TURNS_A_SESSION, turns - written)))
        path = folder / f"project-{len(paths) % 10}" / f"{len(paths):08}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = (
            _line(f"{path.stem}-{number}", turn["role"], turn["text"], at=written + number)
            for number, turn in enumerate(said)
        )
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        written += len(said)
        paths.append(path)
    return paths


def _line(uuid: str, role: str, text: str, *, at: int | None = None) -> dict[str, Any]:
    """A message as Claude Code writes it."""
    seconds = time.time() if at is None else _BEGINNING + at
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(seconds))
    role = "user" if role == "user" else "assistant"
    return {
        "type": role,
        "uuid": uuid,
        "sessionId": uuid.rpartition("-")[0],
        "timestamp": stamp,
        "cwd": "/src/app",
        "isSidechain": False,
        "message": {"role": role, "content": [{"type": "text", "text": text}]},
    }
