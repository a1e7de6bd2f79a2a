"""`memory.scheduler`: the scheduler under its seed's name."""

from pathlib import Path

from memory.scheduler import JOBS, Scheduler, open_work, run
from tests.memory.databases import opened
from tests.waiting import wait_until


def test_it_runs_what_is_to_be_done_once_and_jobs_until_it_is_stopped(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        runs, failure = run(memory)
        assert failure is None
        assert [each.outcome for each in runs] == ["ok"] * 11
        scheduler = Scheduler(memory)
        scheduler.start(*(open_work(job, memory) for job in JOBS))
        wait_until(lambda: scheduler.last("retention") and scheduler.last("gc"))
        scheduler.stop()
