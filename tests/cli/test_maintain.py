"""`mem maintain`: jobs by hand, how they are told of, and what keeps them from running."""

from pathlib import Path

import pytest

from memory.config.loading import load_config
from memory.operations.jobs.registry import JOBS, RETENTION, open_work
from memory.operations.jobs.scheduler import Scheduler
from memory.storage.meta import REINDEX_WANTED, VECTORS_MISSING, read_meta, write_meta
from memory.storage.process_locks import work_lock
from memory.workspace import Workspace
from tests.cli.shell import Mem, shell
from tests.waiting import wait_until


def workspace() -> Workspace:
    return Workspace(load_config())


@pytest.mark.parametrize("name", [job.name for job in JOBS if not job.is_continuous])
def test_every_job_that_ends_runs_by_hand(synced: Mem, name: str) -> None:
    with workspace() as opened, opened.storage.database.transaction() as tx:
        write_meta(tx, VECTORS_MISSING, True)
        write_meta(tx, REINDEX_WANTED, {"provider": None, "model": None})
    (run,) = synced("maintain", name, "--json").json
    assert (run["job"], run["outcome"], run["hint"]) == (name, "ok", "")
    if name in (
        "completion",
        "upgrade",
        "extraction",
        "segmentation",
        "semantic",
        "distillation",
        "tenants",
    ):  # nothing waits
        assert run["message"] == "nothing to do"
        return
    told = {job["name"]: job for job in synced("status", "--json").json["jobs"]}[name]
    assert (told["outcome"], told["message"]) == ("ok", run["message"])
    assert told["state"] == "waiting"
    with workspace() as opened:
        done = {"reindex": REINDEX_WANTED, "vectors": VECTORS_MISSING}
        if name in done:
            assert not read_meta(opened.storage.database, done[name])


def test_without_a_name_all_run_that_end(synced: Mem) -> None:
    runs = synced("maintain", "--json").json
    assert [run["job"] for run in runs] == [
        "completion",
        "vectors",
        "reindex",
        "extraction",
        "segmentation",
        "semantic",
        "distillation",
        "retention",
        "gc",
        "fsrs",
        "decay",
    ]
    lines = synced("maintain").out.splitlines()
    assert lines[-4] == "retention: turns removed: 0, actions removed: 0"
    assert lines[0] == "completion: nothing to do"


@pytest.mark.parametrize(
    "arguments, code, message, hint",
    [
        pytest.param(
            ["retentoin"], 2, "no job named 'retentoin'", "did you mean 'retention'?", id="name"
        ),
        pytest.param(["watch"], 2, "the job watch goes on", "mem watch", id="no end"),
        pytest.param(["--list", "gc"], 2, "exclude each other", "one of them", id="both"),
    ],
)
def test_what_cannot_be_maintained(
    synced: Mem, arguments: list[str], code: int, message: str, hint: str
) -> None:
    error = synced("maintain", *arguments, "--json").error
    assert error["exit_code"] == code
    assert message in error["message"]
    assert hint in error["hint"]


def test_a_job_that_another_process_runs_is_named_with_it(synced: Mem, folder: Path) -> None:
    with workspace() as opened:
        with work_lock("retention", opened.storage.database, opened.path):
            answer = shell("maintain", "retention", "--json", cwd=folder)
            others = shell("maintain", cwd=folder)
            listed = shell("maintain", "--list", cwd=folder)
        assert answer.code == answer.error["exit_code"] == 6
        assert "process " in answer.error["message"]
        assert others.code == 0
        assert "retention: skipped, a retention of " in others.out
        assert "retention: running, process " in listed.out


def test_a_failure_has_the_code_of_its_class_and_lets_the_others_run(synced: Mem) -> None:
    with workspace() as opened, opened.storage.database.transaction() as tx:
        write_meta(tx, REINDEX_WANTED, {"provider": "nobody", "model": None})
    failed = synced("maintain", "--json")
    assert failed.code == failed.error["exit_code"] == 2
    assert [run["outcome"] for run in failed.json] == ["ok", "ok", "failed", *["ok"] * 8]
    told = {job["name"]: job for job in synced("status", "--json").json["jobs"]}["reindex"]
    assert (told["state"], told["message"]) == ("failed", failed.error["message"])
    assert told["hint"]
    assert "reindex: failed " in synced("status").out


def test_another_process_tells_of_what_a_scheduler_did(synced: Mem, folder: Path) -> None:
    assert "jobs" not in synced("status").out
    with workspace() as opened:
        scheduler = Scheduler(opened)
        scheduler.start(open_work(RETENTION, opened))
        wait_until(lambda: scheduler.last("retention"))
        scheduler.stop()
    (told,) = [job for job in shell("status", "--json", cwd=folder).json["jobs"] if job["last_at"]]
    assert (told["name"], told["state"], told["outcome"]) == ("retention", "waiting", "ok")
    assert told["next_at"] > told["last_at"]
    assert "retention: ok " in shell("status", cwd=folder).out


def test_the_list_has_every_job(synced: Mem) -> None:
    listed = synced("maintain", "--list").out
    for job in JOBS:
        assert f"{job.name}: " in listed
        assert job.does in listed
    assert [job["name"] for job in synced("maintain", "--list", "--json").json] == [
        job.name for job in JOBS
    ]
