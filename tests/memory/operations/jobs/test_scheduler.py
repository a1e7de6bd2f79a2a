"""When jobs run, what ends them, and what others learn of it."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from contracts import InputError
from memory.operations.jobs.job import JobOutcome
from memory.operations.jobs.last_runs import read_last_run
from memory.operations.jobs.registry import job_named
from memory.workspace import Workspace
from tests.memory.children import kill, lines, start
from tests.memory.databases import opened
from tests.memory.operations.jobs.probe import Bench, OutOfReachError, Probe, bench_of, job_of
from tests.waiting import wait_until


@pytest.fixture
def bench(memory: Workspace) -> Iterator[Bench]:
    with bench_of(memory) as made:
        yield made


def run_once(bench: Bench, probe: Probe) -> None:
    """Start it and wait until its first run has ended."""
    bench.scheduler.start(probe)
    wait_until(lambda: probe.runs == 1 and bench.settled())


def test_a_job_with_a_period_runs_at_the_start_and_after_each(
    memory: Workspace, bench: Bench
) -> None:
    probe = Probe(memory, job_of(every_s=3600.0))
    run_once(bench, probe)
    bench.advance(3599.0)
    bench.scheduler.start(other := Probe(memory, job_of("other", look_s=None)))
    wait_until(lambda: other.runs == 1)
    assert probe.runs == 1
    bench.advance(1.0)
    wait_until(lambda: probe.runs == 2)


def test_work_that_is_not_due_does_not_run_until_it_is(memory: Workspace, bench: Bench) -> None:
    probe = Probe(memory, job_of())
    probe.is_wanted = False
    bench.scheduler.start(probe)
    bench.scheduler.trigger("probe")
    wait_until(bench.settled)
    assert probe.runs == 0
    assert read_last_run(memory.storage.database, "probe") is None
    probe.is_wanted = True
    bench.advance(2.0)  # it is asked every two seconds
    wait_until(lambda: probe.runs == 1)


def test_triggers_during_a_run_are_one(memory: Workspace, bench: Bench) -> None:
    probe = Probe(memory, job_of(look_s=None))
    probe.go_on.clear()
    bench.scheduler.start(probe)
    assert probe.is_running.wait(60)
    for _ in range(5):
        bench.scheduler.trigger("probe")
    probe.go_on.set()
    wait_until(lambda: probe.runs == 2 and bench.settled())
    bench.advance(1e6)
    bench.scheduler.trigger("unknown")  # which nobody has started
    assert probe.runs == 2
    assert bench.scheduler.last("unknown") is None


def test_pauses_double_after_failures_and_begin_again_with_a_success(
    memory: Workspace, bench: Bench
) -> None:
    probe = Probe(memory, job_of(first_retry_s=10.0))
    probe.errors = [OutOfReachError() for _ in range(2)]
    run_once(bench, probe)
    bench.scheduler.trigger("probe")  # does not shorten the pause
    bench.advance(9.0)
    assert probe.runs == 1
    bench.advance(1.0)
    wait_until(lambda: probe.runs == 2 and bench.settled())
    bench.advance(19.0)
    assert probe.runs == 2
    bench.advance(1.0)
    wait_until(lambda: probe.runs == 3 and bench.settled())
    assert bench.told == [("probe", "out of reach", 10.0)]  # the same trouble is told once
    probe.errors = [OutOfReachError()]
    bench.scheduler.trigger("probe")
    wait_until(lambda: len(bench.told) == 2)
    assert bench.told[1] == ("probe", "out of reach", 10.0)


def test_a_run_and_a_failure_are_kept_for_others(memory: Workspace, bench: Bench) -> None:
    database = memory.storage.database
    probe = Probe(memory, job_of(every_s=3600.0))
    run_once(bench, probe)
    kept = read_last_run(database, "probe")
    assert kept is not None
    assert (kept.outcome, kept.message, kept.hint) == ("ok", "run 1", "")
    assert kept.next_at is not None
    ahead = datetime.fromisoformat(kept.next_at) - datetime.now(UTC)
    assert 3000 < ahead.total_seconds() <= 3600
    probe.errors = [OutOfReachError()]
    bench.advance(3600.0)
    wait_until(lambda: probe.runs == 2 and bench.settled())
    kept = read_last_run(database, "probe")
    assert kept is not None
    assert (kept.outcome, kept.message, kept.hint) == ("failed", "out of reach", "plug it in")


def test_a_run_leaves_the_revision_as_it_is(memory: Workspace, bench: Bench) -> None:
    before = memory.storage.revision()
    run_once(bench, Probe(memory, job_of()))
    assert read_last_run(memory.storage.database, "probe") is not None
    assert memory.storage.revision() == before


def test_a_failure_of_the_program_ends_no_other_job_and_is_tried_again(
    memory: Workspace, bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr("threading.excepthook", lambda failure: seen.append(str(failure.exc_value)))
    probe, other = Probe(memory, job_of(look_s=None)), Probe(memory, job_of("other", every_s=5.0))
    probe.errors = [ZeroDivisionError("a mistake")]
    bench.scheduler.start(probe, other)
    wait_until(lambda: seen == ["a mistake"])
    wait_until(lambda: bench.settled("probe", "other"))
    kept = read_last_run(memory.storage.database, "probe")
    assert kept is not None
    assert (kept.outcome, kept.message) == ("failed", "ZeroDivisionError: a mistake")
    bench.advance(5.0)
    wait_until(lambda: (probe.runs, other.runs) == (2, 2))


def test_a_continuous_job_runs_until_the_scheduler_stops(memory: Workspace) -> None:
    with bench_of(memory) as bench:
        probe = Probe(memory, job_of(is_continuous=True))
        probe.go_on.clear()
        bench.scheduler.start(probe)
        assert probe.is_running.wait(60)
        assert bench.scheduler.is_running("probe")
        bench.scheduler.stop()
        assert not probe.is_running.is_set()
    assert not probe.was_abandoned
    assert probe.runs == 1
    assert read_last_run(memory.storage.database, "probe") is None  # it was told to end


def test_what_was_triggered_and_not_begun_is_not_awaited_after_the_end(memory: Workspace) -> None:
    with bench_of(memory) as bench:
        probe = Probe(memory, job_of(look_s=None))
        run_once(bench, probe)
        bench.scheduler.stop()
        bench.scheduler.trigger("probe")
        assert bench.settled()
    assert probe.runs == 1


def test_a_run_that_does_not_end_is_left_to_itself(memory: Workspace) -> None:
    held = threading.Event()

    class Stuck(Probe):
        def run(self, stopping: threading.Event) -> JobOutcome:
            self.is_running.set()
            held.wait(60)
            return JobOutcome()

    with bench_of(memory) as bench:
        probe = Stuck(memory, job_of(end_s=0.0))
        bench.scheduler.start(probe)
        assert probe.is_running.wait(60)
        bench.scheduler.stop()
        assert probe.was_abandoned
        held.set()
        wait_until(bench.settled)


def test_a_job_that_another_process_runs_is_skipped_until_that_ends(tmp_path: Path) -> None:
    with opened(tmp_path) as memory, bench_of(memory) as bench:
        process = start("hold_work_lock", tmp_path, "probe")
        try:
            assert next(lines(process)) == "ready"
            probe = Probe(memory, job_of())
            bench.scheduler.start(probe)
            wait_until(lambda: bench.scheduler.last("probe"))
            skipped = bench.scheduler.last("probe")
            assert skipped is not None
            assert skipped.kind == "skipped"
            assert f"process {process.pid} " in skipped.message
            assert probe.runs == 0
            assert read_last_run(memory.storage.database, "probe") is None
            assert bench.told == []
        finally:
            kill(process)
        bench.advance(2.0)
        wait_until(lambda: probe.runs == 1)


def test_a_wrong_name_is_told_with_the_nearest() -> None:
    with pytest.raises(InputError, match="no job named 'retentoin'") as caught:
        job_named("retentoin")
    assert caught.value.hint.startswith("did you mean 'retention'? there are: watch, ")
