"""The stress test in short, and that it notices what it is there to notice."""

import re
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from benchmarks.stress.crew import Record, run_mem
from benchmarks.stress.tree import ChangingTree
from benchmarks.stress.values import Base, Event, text_of
from benchmarks.stress.verdict import wrongs
from tests.repository import ROOT

CREW = "sync1,sync2,server,client1,text1,search1,reindex1,doctor1,talk1,gc1,import1"


@pytest.fixture
def base(tmp_path: Path) -> Base:
    base = Base(tmp_path / "base")
    base.lay_out()
    return base


@pytest.mark.slow
def test_many_processes_are_killed_and_nothing_is_lost(tmp_path: Path) -> None:
    arguments = ["--crew", CREW, "--operations", "150", "--files", "40", "--pause", "0.5"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.stress", *arguments, "--keep", str(tmp_path / "base")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("all is well\n")
    assert "database is locked: 0" in done.stdout
    assert re.search(r"^kill -9: (\d\d)", done.stdout, re.MULTILINE)


@pytest.mark.slow
def test_what_is_lost_or_damaged_is_noticed(base: Base) -> None:
    ChangingTree(base.docs, seed=1, files=3)
    assert run_mem(base, "sync").returncode == 0
    for number in (0, 1):
        assert run_mem(base, "ingest", "--text", text_of("text1", number)).returncode == 0
    record = Record()
    states = [(0, "ingest"), (1, "delete"), (2, "ingest")]
    for number, op in states:
        record.note(Event("begin", op, text=text_of("text1", number)))
    record.note(Event("end", "ingest", 0.1, text_of("text1", 0)))
    assert wrongs(base, record) == []
    record.note(Event("end", "delete", 0.1, text_of("text1", 1)))
    record.note(Event("end", "ingest", 0.1, text_of("text1", 2)))
    connection = apsw.Connection(str(base.database))
    connection.execute("DELETE FROM chunks_fts WHERE rowid = 1").fetchall()
    connection.execute("UPDATE chunks SET start_line = start_line + 1 WHERE id = 1").fetchall()
    connection.close()
    (base.folder / "fresh.db").unlink()
    found = wrongs(base, record)
    assert [item for item in found if item.startswith("doctor: chunks that no word finds: 1")]
    (differing,) = [
        item for item in found if item.startswith("1 chunks differ from a fresh sync's")
    ]
    assert differing.endswith(", ['c.start_line'])]")
    assert f"{text_of('text1', 1)!r} should be gone" in found
    assert f"{text_of('text1', 2)!r} should be there" in found
    assert len(found) == 4


def test_a_line_that_a_kill_cut_off_is_no_event() -> None:
    event = Event("end", "sync", 0.5, None, "BusyError: a sync is at work")
    assert Event.read(event.line()) == event
    assert Event.read(event.line()[:-4]) is None
    assert Event.read("3") is None
    record = Record()
    record.note(event._replace(error="StorageError: database is locked"))
    assert (record.locked, sum(record.errors.values())) == (1, 1)
