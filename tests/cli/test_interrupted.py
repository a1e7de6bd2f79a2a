"""A sync from the shell that is stopped half way, politely and not."""

import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cli.invocation import CliContext
from tests.cli.shell import Mem, python, start
from tests.waiting import output_of, wait_until

FILES = 3000
WORDS = ["pump", "cellar", "water", "orange", "sugar", "train", "copper", "antenna", "wind"]


@pytest.fixture
def many(folder: Path) -> Path:
    """A folder of small files, each different."""
    place = folder / "many"
    place.mkdir()
    for number in range(FILES):
        word = WORDS[number % len(WORDS)]
        text = f"# Note {number}\n\nThe {word} of entry{number} " + f"{word} {number} " * 30
        (place / f"{number:04}.md").write_text(text)
    return place


def chunks_stored(database: Path) -> int:
    if not database.exists():
        return 0
    with CliContext(db=database).open_workspace() as workspace:
        return workspace.storage.count_chunks()


@contextmanager
def syncing(folder: Path, database: Path) -> Iterator[subprocess.Popen[str]]:
    """A sync of `many` that has written its first chunks."""
    process = start("sync", "many", "--db", str(database), cwd=folder)
    try:
        wait_until(lambda: process.poll() is not None or chunks_stored(database))
        yield process
    finally:
        process.kill()
        output_of(process)


def records(mem: Mem, database: Path) -> list[tuple[Any, ...]]:
    listed = mem("files", "--db", str(database), "--json").json
    return [(item["path"], item["state"], item["chunks"], item["size_bytes"]) for item in listed]


@pytest.mark.slow
@pytest.mark.parametrize(
    "stop, code",
    [
        pytest.param(subprocess.Popen.kill, -signal.SIGKILL, id="kill -9"),
        pytest.param(lambda process: process.send_signal(signal.SIGINT), 130, id="Ctrl-C"),
    ],
)
def test_a_stopped_sync_is_completed_by_the_next(
    mem: Mem, folder: Path, many: Path, stop: Callable[[subprocess.Popen[str]], None], code: int
) -> None:
    database = folder / "cut.db"
    with syncing(folder, database) as process:
        stop(process)
        _, err = output_of(process)
    assert process.returncode == code
    if code == 130:
        assert err.splitlines()[-2:] == [
            "mem: interrupted",
            "hint: finished work is kept; run it again to continue",
        ]
    before = chunks_stored(database)
    assert 0 < before < FILES
    assert mem("search", "pump", "--db", str(database)).code == 0
    assert mem("status", "--db", str(database), "--json").json["freshness"]["pending"] > 0
    # Ctrl-C takes back that the folder was given; a killed process cannot.
    report = mem("sync", "many", "--db", str(database), "--json").json
    assert report["chunks"] == FILES - before
    whole = folder / "whole.db"
    mem("sync", "many", "--db", str(whole))
    assert records(mem, database) == records(mem, whole)
    assert mem("sync", "--db", str(database), "--json").json["unchanged"] == FILES


@pytest.mark.slow
def test_a_second_sync_is_told_who_is_at_work(mem: Mem, folder: Path, many: Path) -> None:
    database = folder / "both.db"
    with syncing(folder, database) as process:
        # Stopped, it holds the lock for as long as the other one takes to say so.
        process.send_signal(signal.SIGSTOP)
        answer = mem("sync", "docs", "--wait", "0", "--db", str(database), "--json")
        process.send_signal(signal.SIGCONT)
        out, err = output_of(process)
    assert (answer.code, answer.error["error"]) == (6, "busy")
    assert f"process {process.pid} (" in answer.error["message"]
    assert (process.returncode, err) == (0, f"database {database} (--db), not your own\n")
    assert f"Files: {FILES:,} added\n" in out


@pytest.mark.parametrize("module", ["contracts", "cli.running_server", "cli.errors", "click"])
@pytest.mark.parametrize("program", ["main", "run_sm"])
def test_an_interruption_before_a_command_begins_is_quiet(
    folder: Path, module: str, program: str
) -> None:
    code = f"""
import signal, sys
waiting = [{module!r}]
def interrupt(event, arguments):
    if event == "import" and arguments[0] in waiting:
        waiting.clear()
        signal.raise_signal(signal.SIGINT)
sys.addaudithook(interrupt)
sys.argv = ["mem", "stats"]
from cli.main import {program}
{program}()
"""
    done = python(code, cwd=folder)
    assert (done.code, done.out, done.err) == (130, "", "")
