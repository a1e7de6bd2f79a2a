"""A watched folder, and the time until a server answers with a change in it."""

import contextlib
import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal, TypeAlias

from benchmarks.harness.bench import Bench, remove_database
from benchmarks.harness.processes import environment, stop
from benchmarks.harness.serving import Client, Server, processor_s_of, running_server
from benchmarks.inputs.collection import small_files

Watching: TypeAlias = Literal["mem watch", "mem serve"]

_ANSWERED_S = 120
_LOOK_S = 0.002
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WORD_LETTERS = 14


@dataclass
class Following:
    """A watched folder and a server over its index; `watcher` is the watching process."""

    folder: Path
    client: Client
    watcher: int
    asked_ms: list[float]

    def until_found(self, words: Sequence[str], *, since_s: float) -> float:
        """Seconds since that moment until each word's first hit holds it, asked one by one."""
        return self._until(lambda word: self._holds(word), words, since_s)

    def until_lost(self, words: Sequence[str], *, since_s: float) -> float:
        """Seconds since that moment until no word has a hit that holds it."""
        return self._until(lambda word: not self._holds(word), words, since_s)

    def processor_s(self) -> float:
        """Processor seconds of the watching process."""
        return processor_s_of(self.watcher)

    def until_quiet(self) -> None:
        """Wait until the watcher has nothing left to do."""
        self.client.close()  # the server may have done so while nothing was asked
        deadline = time.monotonic() + _ANSWERED_S
        while not _is_quiet(self.client):
            if time.monotonic() > deadline:
                raise RuntimeError(f"the watcher is not done within {_ANSWERED_S} s")
            time.sleep(_LOOK_S)

    def _until(self, is_done: Callable[[str], bool], words: Sequence[str], since_s: float) -> float:
        self.client.close()  # as above
        deadline = time.monotonic() + _ANSWERED_S
        left = list(words)
        while left:
            if is_done(left[-1]):
                left.pop()
                continue
            if time.monotonic() > deadline:
                raise RuntimeError(f"{len(left)} of {len(words)} are not seen in {_ANSWERED_S} s")
            time.sleep(_LOOK_S)
        return time.perf_counter() - since_s

    def _holds(self, word: str) -> bool:
        began = time.perf_counter()
        hits = self.client.search(word, mode="keyword", min_score=0)["results"]
        self.asked_ms.append((time.perf_counter() - began) * 1000)
        return bool(hits) and word in json.dumps(hits[0])


def word_of(chance: Random) -> str:
    """A word that occurs nowhere else, and is unlike any other."""
    return "".join(chance.choices(_LETTERS, k=_WORD_LETTERS))


@contextlib.contextmanager
def following(bench: Bench, *, files: int, by: Watching) -> Iterator[Following]:
    """A copy of the small files, indexed, watched by that command and searched over HTTP."""
    own = bench.work / f"watched-{files}"
    shutil.rmtree(own, ignore_errors=True)
    folder, database = own / "files", own / "memory.db"
    shutil.copytree(small_files(bench.work, files=files), folder)
    remove_database(database)
    bench.sync(folder, database)
    with contextlib.ExitStack() as stack:
        watcher = None
        if by == "mem watch":
            watcher = stack.enter_context(_watching(bench, database))
        server: Server = stack.enter_context(running_server(bench, database))
        found = Following(
            folder,
            stack.enter_context(server.client()),
            server.process.pid if watcher is None else watcher,
            [],
        )
        found.until_quiet()
        yield found
    shutil.rmtree(own)


def _options(bench: Bench, database: Path) -> list[str]:
    return ["--config", str(bench.settings()), "--db", str(database)]


def _is_quiet(client: Client) -> bool:
    watcher = client.status()["watcher"]
    return (
        watcher is not None
        and watcher["state"] == "watching"
        and watcher["last_scan"] is not None
        and not watcher["queue"]
    )


@contextlib.contextmanager
def _watching(bench: Bench, database: Path) -> Iterator[int]:
    """The process id of a `mem watch` that has begun and ends with the block."""
    said = database.with_name("watch.txt")
    with said.open("wb") as stream:
        process = subprocess.Popen(
            [*bench.mem, *_options(bench, database), "--json", "watch"],
            cwd=bench.work,
            env=environment(bench.work),
            stdin=subprocess.DEVNULL,
            stdout=stream,  # a pipe would fill up, since nobody reads on
            stderr=subprocess.STDOUT,
        )
    with process:
        try:
            _await_first_line(said, process)
            yield process.pid
        finally:
            stop(process)


def _await_first_line(said: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _ANSWERED_S
    while b"\n" not in said.read_bytes():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"mem watch has not begun: {said.read_text(encoding='utf-8')}")
        time.sleep(_LOOK_S)
