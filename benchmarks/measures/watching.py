"""The delay until a saved file in a watched folder is found, storms included, and its cost.

The clock starts when a file has its new name or is closed, and stops when a server has answered
with it as the first hit.
"""

import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.harness.bench import Bench
from benchmarks.harness.values import Figure, Goal, percentile
from benchmarks.measures.following import Following, Watching, following, word_of

SAVED_GOAL = Goal(500)
WAYS: tuple[Watching, ...] = ("mem watch", "mem serve")
_SEED = 11
_APPENDS_A_SECOND = 10
_SAMPLE = 20
_PAUSE_S = 0.05
_GIT = ("git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0")


def watching(bench: Bench) -> Iterator[Figure]:
    """Saves in trees of some sizes, watched by either command; other cases in the largest."""
    sizes = bench.effort.watched_files
    for by in WAYS:
        for files in sizes:
            with following(bench, files=files, by=by) as found:
                yield _saves(bench, found, f"{by}, {files:,} files")
                if files == max(sizes):
                    yield _appends(bench, found, by)
                    yield _rest(bench, found, by)
                    yield from _storms(bench, found, by)


def _ms(what: str, seconds: list[float], *, goal: Goal | None) -> Figure:
    raw = tuple(one * 1000 for one in seconds)
    beside = f"p50 {median(raw):,.0f} ms, longest {max(raw):,.0f} ms of {len(raw)}"
    return Figure("watching", what, percentile(raw, 0.95), "ms", goal, beside, raw)


def _saves(bench: Bench, found: Following, where: str) -> Figure:
    """Every other file is written in place, the others aside and renamed."""
    chance = Random(_SEED)
    paths = sorted(found.folder.rglob("*.md"))
    seconds = []
    for number in range(bench.effort.saves):
        path, word = chance.choice(paths), word_of(chance)
        text = f"{path.read_text(encoding='utf-8')}\n{word}\n"
        time.sleep(_PAUSE_S * chance.random())
        aside = path.with_name(f".{path.name}.tmp") if number % 2 else path
        aside.write_text(text, encoding="utf-8")
        if aside is not path:
            aside.replace(path)
        seconds.append(found.until_found([word], since_s=time.perf_counter()))
    return _ms(f"saved and found, {where}, p95", seconds, goal=SAVED_GOAL)


def _appends(bench: Bench, found: Following, by: Watching) -> Figure:
    """A file that stays open and gets a line ten times a second."""
    chance = Random(_SEED)
    path = found.folder / "log.md"
    seconds = []
    before, began = found.processor_s(), time.perf_counter()
    with path.open("a", encoding="utf-8") as file:
        for number in range(round(bench.effort.watched_s * _APPENDS_A_SECOND)):
            time.sleep(max(0.0, began + number / _APPENDS_A_SECOND - time.perf_counter()))
            word = word_of(chance)
            print(word, file=file, flush=True)
            if not number % _APPENDS_A_SECOND:  # one a second is awaited, beside the others
                seconds.append(found.until_found([word], since_s=time.perf_counter()))
    used = (found.processor_s() - before) / (time.perf_counter() - began)
    figure = _ms(f"  appended ten times a second, {by}, p95", seconds, goal=SAVED_GOAL)
    return replace(figure, beside=f"{figure.beside}; {used:.3f} of a processor")


def _rest(bench: Bench, found: Following, by: Watching) -> Figure:
    found.until_quiet()
    before, began = found.processor_s(), time.perf_counter()
    time.sleep(bench.effort.watched_s)
    used = (found.processor_s() - before) / (time.perf_counter() - began)
    what = f"  share of a processor while nothing changes, {by}"
    return Figure("watching", what, used, "share")


def _storms(bench: Bench, found: Following, by: Watching) -> Iterator[Figure]:
    """A checkout that changes thousands of files, then the removal of their folder."""
    chance = Random(_SEED)
    number = bench.effort.stormed_files
    folder = found.folder / "checkout"
    before, after = _two_branches(folder, number, chance)
    found.until_found(before, since_s=time.perf_counter())
    found.until_quiet()
    found.asked_ms.clear()
    _git(folder, "checkout", "-q", "second")
    seconds = found.until_found(after, since_s=time.perf_counter())
    yield _storm(found, f"  git checkout of {number:,} files, {by}, all found", seconds)
    found.asked_ms.clear()
    shutil.rmtree(folder)
    seconds = found.until_lost(after, since_s=time.perf_counter())
    yield _storm(found, f"  removal of {number:,} files, {by}, none found", seconds)


def _storm(found: Following, what: str, seconds: float) -> Figure:
    asked = tuple(found.asked_ms)
    beside = f"questions meanwhile p50 {median(asked):.1f}, p95 {percentile(asked, 0.95):.1f} ms"
    return Figure("watching", what, seconds, "s", None, beside, (seconds,))


def _two_branches(folder: Path, files: int, chance: Random) -> tuple[list[str], list[str]]:
    """A repository whose two branches differ in every file, at the first of them.

    Returns words of some of the files, the last among them, in the first and in the second branch.
    """
    words: tuple[list[str], list[str]] = ([], [])
    folder.mkdir()
    _git(folder, "init", "-q", "-b", "first")
    for branch, seen in zip(("first", "second"), words, strict=True):
        if branch != "first":
            _git(folder, "checkout", "-q", "-b", branch)
        for number in range(files):
            path = folder / f"{number // 100:03}" / f"{number:05}.md"
            path.parent.mkdir(exist_ok=True)
            word = word_of(chance)
            path.write_text(f"# Note {number}\n\nThis is {word} of {branch}.\n", encoding="utf-8")
            if number % max(1, files // _SAMPLE) == 0 or number == files - 1:
                seen.append(word)
        _git(folder, "add", "-A")
        _git(folder, "commit", "-q", "-m", branch)
    _git(folder, "checkout", "-q", "first")
    return words


def _git(folder: Path, *command: str) -> None:
    subprocess.run([*_GIT, *command], cwd=folder, check=True, capture_output=True)
