"""A job whose lock the server ends in the middle of a run: one process alone does the work."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.conversations.capture.sources import ChatSource, add_source
from memory.files.ingestion import sync_files
from memory.operations.jobs.extraction import ExtractionWork
from memory.operations.jobs.job import Job, JobOutcome, Work
from memory.operations.jobs.last_runs import read_last_run
from memory.operations.jobs.manual_runs import maintain_one
from memory.operations.jobs.reindexing import ReindexWork
from memory.operations.jobs.running import run_work
from memory.operations.jobs.watching import CaptureWork
from memory.storage.database import WorkLockLostError
from memory.storage.meta import REINDEX_WANTED, read_meta, write_meta
from memory.workspace import Workspace
from tests.ingest.histories.agents.transcripts import append, claude_line, written
from tests.memory.conversations.llm_extraction.model import knowing, opened_with, remembered, say
from tests.memory.databases import document, opened
from tests.memory.operations.jobs.probe import Bench, bench_of, job_of
from tests.memory.storage.lost_locks import end_lock
from tests.postgres_server import PostgresServer, missing_packages
from tests.providers.wire.server import Answer, Request, serving
from tests.waiting import wait_until

if missing_packages():  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)

ODD = "My grandma's bakery in Graz passed to me in spring."
FACT = "User's bakery is in Graz"


@pytest.fixture(autouse=True)
def on_the_server(postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Databases of these tests are schemas, one for each folder."""
    monkeypatch.setenv("MEM_TEST_BACKEND", "postgres")
    monkeypatch.setenv("MEM_TEST_DSN", postgres_server.dsn)


@pytest.fixture
def bench(memory: Workspace) -> Iterator[Bench]:
    with bench_of(memory) as bench:
        yield bench


class Writing(Work):
    """Writes a fact after a pause that the test ends."""

    def __init__(self, workspace: Workspace, job: Job, value: str) -> None:
        super().__init__(workspace)
        self.job, self.value = job, value
        self.is_running, self.go_on = threading.Event(), threading.Event()

    def run(self, stopping: threading.Event) -> JobOutcome:
        self.is_running.set()
        self.go_on.wait(60)
        with self.workspace.storage.database.transaction() as tx:
            write_meta(tx, "written", self.value)
        return JobOutcome(self.value)


def test_the_next_run_stands_and_is_the_one_that_is_told_of(
    memory: Workspace, bench: Bench, tmp_path: Path
) -> None:
    job = job_of(every_s=10.0)
    first = Writing(memory, job, "by the first")
    bench.scheduler.start(first)
    wait_until(first.is_running.is_set)
    end_lock(memory, "probe")
    with opened(tmp_path) as other, bench_of(other) as beside:
        second = Writing(other, job, "by the second")
        second.go_on.set()
        beside.scheduler.start(second)
        wait_until(lambda: beside.scheduler.last("probe") and beside.settled())
        first.go_on.set()
        wait_until(bench.settled)
        lost = bench.scheduler.last("probe")
        assert lost is not None
        assert isinstance(lost.error, WorkLockLostError)
        assert read_meta(memory.storage.database, "written") == "by the second"
        run = read_last_run(memory.storage.database, "probe")
        assert run is not None
        assert (run.outcome, run.message) == ("ok", "by the second")
    bench.advance(2)  # it holds nothing any more, and soon runs again
    wait_until(lambda: read_meta(memory.storage.database, "written") == "by the first")


def test_a_turn_that_two_processes_ask_about_is_stored_once(tmp_path: Path) -> None:
    """The first one has lost its lock while the model thought."""
    asked, go_on = threading.Event(), threading.Event()
    known = knowing(bakery=[FACT])

    def answer(request: Request) -> Answer:
        is_first = not asked.is_set()
        asked.set()
        if is_first:
            go_on.wait(60)
        return known(request)

    outcomes: list[JobOutcome] = []
    with serving(answer) as model, opened_with(tmp_path, model, timeout_s=60.0) as first:
        say(first, ODD)
        work = ExtractionWork(first)
        run = threading.Thread(target=lambda: outcomes.append(run_work(work, threading.Event())))
        run.start()
        wait_until(asked.is_set)
        end_lock(first, "reading")
        with opened_with(tmp_path, model) as second:
            assert maintain_one(second, "extraction").message == "turns read: 1, waiting: 0"
        go_on.set()
        run.join(60)
        assert [type(one.error) for one in outcomes] == [WorkLockLostError]
        assert remembered(first) == {FACT: "llm"}
        assert first.storage.database.read("SELECT hits FROM memories") == [(0,)]


def test_a_capture_takes_its_lock_again(memory: Workspace, bench: Bench, tmp_path: Path) -> None:
    projects = tmp_path / "projects"
    chat = written(projects / "-src" / "a.jsonl", [claude_line(1, "user", "Before the loss")])
    add_source(memory, ChatSource("claude-code", projects))
    sql = "SELECT text FROM turns ORDER BY id"
    bench.scheduler.start(CaptureWork(memory))
    wait_until(lambda: memory.storage.database.read(sql) == [("Before the loss",)])
    end_lock(memory, "capture")
    append(chat, claude_line(2, "user", "After it"))
    wait_until(lambda: bench.scheduler.last("capture"))
    bench.advance(2)
    wait_until(lambda: memory.storage.database.read(sql) == [("Before the loss",), ("After it",)])


class EndsTheLock(threading.Event):
    """Ends the lock of the reindex when it is asked for the first time, between two batches."""

    def __init__(self, memory: Workspace) -> None:
        super().__init__()
        self._memory = memory
        self._is_done = False

    def is_set(self) -> bool:
        if not self._is_done:
            self._is_done = True
            end_lock(self._memory, "reindex")
        return False


def test_a_request_for_a_reindex_is_kept_for_who_goes_on(memory: Workspace, docs: Path) -> None:
    for number in range(3):
        (docs / f"{number}.md").write_text(document(number), "utf-8")
    sync_files(memory, [docs])
    database = memory.storage.database
    with database.transaction() as tx:
        write_meta(tx, REINDEX_WANTED, {"provider": "static", "model": None})
    work = ReindexWork(memory)
    outcome = run_work(work, EndsTheLock(memory))
    assert isinstance(outcome.error, WorkLockLostError)
    assert work.is_due()
    assert run_work(work, threading.Event()).kind == "ok"
    active = memory.storage.active_space()
    assert active is not None
    assert active.provider == "static"
    assert not work.is_due()
