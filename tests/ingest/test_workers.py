"""Worker processes: what they answer, what stops them, and that none is left behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from contracts import UnavailableError
from ingest import LoadedText, LoadLimits, SkippedFile
from ingest.workers import WorkerPool, load_within
from tests.ingest import worker_jobs
from tests.ingest.pdfs import bomb
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
LIMITS = LoadLimits(text_bytes=2**20, seconds=0.3, memory_bytes=200 * 2**20)
SECONDS = 30


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(2, LIMITS) as pool:
        yield pool


def is_gone(pid: int) -> bool:
    """Return whether a process has ended, even if nobody has waited for it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_every_job_has_its_own_answer(pool: WorkerPool) -> None:
    outcomes = [pool.submit(worker_jobs.echo, f"/{number}", number) for number in range(50)]
    assert [outcome.get() for outcome in outcomes] == [(f"/{n}", n) for n in range(50)]
    workers = {pool.submit(worker_jobs.own_id, "/").get() for _ in range(20)}
    assert len(workers) <= 2
    assert os.getpid() not in workers


def test_what_a_job_raises_is_raised_where_it_was_given(pool: WorkerPool) -> None:
    with pytest.raises(ValueError, match="no /a"):
        pool.submit(worker_jobs.refuse_to_work, "/a").get()


def test_what_a_library_prints_goes_nowhere(
    pool: WorkerPool, capfd: pytest.CaptureFixture[str]
) -> None:
    assert pool.submit(worker_jobs.chatter, "/").get() == ""
    assert capfd.readouterr() == ("", "")


def refusal(outcome: object) -> tuple[str, str]:
    assert isinstance(outcome, SkippedFile)
    return outcome.reason, outcome.detail


@pytest.mark.parametrize(
    "number, reason, detail",
    [
        pytest.param(signal.SIGSEGV, "broken", "its reader crashed (SIGSEGV)", id="crash"),
        pytest.param(signal.SIGKILL, "unreadable", "its reader was killed", id="killed"),
    ],
)
def test_a_crash_costs_one_file(pool: WorkerPool, number: int, reason: str, detail: str) -> None:
    outcomes = [pool.submit(worker_jobs.echo, "/", n) for n in range(10)]
    outcomes.insert(5, pool.submit(worker_jobs.crash, "/bad", number))
    outcomes += [pool.submit(worker_jobs.echo, "/", n) for n in range(10, 20)]
    results = [outcome.get() for outcome in outcomes]
    assert refusal(results.pop(5)) == (reason, detail)
    assert results == [("/", n) for n in range(20)]


def test_an_unforeseen_end_is_told_by_its_code(pool: WorkerPool) -> None:
    crashed = ("broken", "its reader crashed (exit code 3)")
    assert refusal(pool.submit(worker_jobs.leave, "/").get()) == crashed


def test_time_is_limited_even_where_nothing_can_interrupt(pool: WorkerPool) -> None:
    late = pool.submit(worker_jobs.run_away, "/late", LIMITS).get()
    detail = "took more than 0.3 s of processor time to read"
    assert late == SkippedFile("/late", "over-limit", detail)
    assert pool.submit(worker_jobs.echo, "/", 1).get() == ("/", 1)


def test_waiting_for_a_processor_is_no_reading() -> None:
    limits = LIMITS._replace(seconds=0.1)
    with WorkerPool(1, limits) as pool:
        assert pool.submit(worker_jobs.be_slow, "/slow", limits).get() == "/slow"
        stuck = pool.submit(worker_jobs.wait, "/stuck", limits).get()
        assert refusal(stuck) == ("over-limit", "took longer than 1 s to read")


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel counts it on Linux")
def test_memory_is_limited(pool: WorkerPool) -> None:
    limits = LIMITS._replace(seconds=SECONDS)
    mebibytes = pool.submit(worker_jobs.grow, "/", limits).get()
    assert isinstance(mebibytes, int)
    assert 150 < mebibytes <= 200


def test_a_worker_that_has_grown_is_replaced() -> None:
    with WorkerPool(1, LIMITS) as pool:
        first = pool.submit(worker_jobs.hoard, "/").get()
        assert pool.submit(worker_jobs.own_id, "/").get() != first
        assert isinstance(first, int)
        wait_until(lambda: is_gone(first))


def load_file(path: str, limits: LoadLimits) -> LoadedText | SkippedFile:
    return load_within(Path(path).read_bytes(), path, limits)


@pytest.mark.slow
@pytest.mark.parametrize(
    "limits, detail",
    [
        pytest.param(
            LoadLimits(seconds=0.3), "took more than 0.3 s of processor time to read", id="time"
        ),
        pytest.param(
            LIMITS._replace(seconds=SECONDS, memory_bytes=100 * 2**20),
            "its reader gave up with 100 MiB of memory",
            id="memory",
        ),
    ],
)
def test_a_decompression_bomb_stays_within_the_limits(
    tmp_path: Path, limits: LoadLimits, detail: str
) -> None:
    """150 KB that would be 100 MB of instructions and 5 s of work."""
    path = tmp_path / "bomb.pdf"
    path.write_bytes(bomb(100))
    with WorkerPool(1, limits) as pool:
        assert refusal(pool.submit(load_file, str(path), limits).get()) == ("over-limit", detail)
        assert pool.submit(worker_jobs.echo, "/", 1).get() == ("/", 1)


def test_a_busy_pool_ends_at_once(tmp_path: Path) -> None:
    files = [tmp_path / "1", tmp_path / "2"]
    with WorkerPool(2, LIMITS) as pool:
        for file in files:
            pool.submit(worker_jobs.say_and_run_away, str(file))
        waiting = pool.submit(worker_jobs.say_and_run_away, str(tmp_path / "3"))
        wait_until(lambda: all(file.exists() and file.read_text() for file in files))
    assert all(is_gone(int(file.read_text())) for file in files)
    with pytest.raises(CancelledError):
        waiting.get()


def test_workers_end_with_a_process_that_is_killed(tmp_path: Path) -> None:
    script = f"""
from ingest import LoadLimits
from ingest.workers import WorkerPool
from tests.ingest import worker_jobs
pool = WorkerPool(2, LoadLimits())
pool.submit(worker_jobs.say_and_run_away, {str(tmp_path / "busy")!r})
print(pool.submit(worker_jobs.own_id, "/").get(), flush=True)
input()
"""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, text=True, **pipes) as parent:
        assert parent.stdout is not None
        idle = int(parent.stdout.readline())
        wait_until(lambda: (tmp_path / "busy").exists() and (tmp_path / "busy").read_text() != "")
        parent.kill()
    busy = int((tmp_path / "busy").read_text())
    wait_until(lambda: is_gone(idle) and is_gone(busy))


def test_a_worker_that_cannot_start_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with WorkerPool(1, LIMITS) as pool, pytest.raises(UnavailableError, match="no such file"):
        pool.submit(worker_jobs.own_id, "/").get()
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with WorkerPool(1, LIMITS) as pool, pytest.raises(UnavailableError, match="exit code 1"):
        pool.submit(worker_jobs.own_id, "/").get()
