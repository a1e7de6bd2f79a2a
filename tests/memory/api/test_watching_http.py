"""Servers that follow changes of files by themselves, alone and beside others."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from memory.files.watching.watcher import remember
from memory.operations.jobs.scheduler import Scheduler
from memory.operations.jobs.watching import WatchWork
from memory.values.reports import WatchBatch, WatchTrouble
from tests.memory.databases import opened, write
from tests.memory.files.watcher_thread import watcher_of
from tests.waiting import DEADLINE_S, wait_until

WATCHED = {"files": {"watch_directories": ["docs"], "sync_interval_seconds": 3600}}


def watcher(client: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/memory/status").raise_for_status().json()["watcher"]
    return found or {"state": None, "holder": None}


def finds(client: Any, words: str) -> list[str]:
    answer = client.post("/memory/search", json={"query": words}).raise_for_status().json()
    return [Path(hit["file_path"]).name for hit in answer["results"] if words in hit["text"]]


def test_a_server_follows_its_folders(serve_live: Any, home: Path) -> None:
    server = serve_live(config=WATCHED)
    with server.client() as client:
        wait_until(lambda: finds(client, "bricks") == ["setup.md"])
        (home / "docs/new.md").write_text("A page about zeppelins.\n")
        wait_until(lambda: finds(client, "zeppelins") == ["new.md"])
        (home / "docs/new.md").unlink()
        wait_until(lambda: not finds(client, "zeppelins"))
        found = watcher(client)
        assert (found["state"], found["folders"], found["last_error"]) == ("watching", 2, None)
        assert f"process {server.process.pid} " in found["holder"]
        done = client.post("/memory/sync").raise_for_status().json()
        assert (done["unchanged"], done["added"]) == (2, 0)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(DEADLINE_S) == 0
    assert not (home / "data/memory.db-wal").exists()


@pytest.mark.slow
def test_a_server_stands_by_and_takes_over(serve_live: Any, home: Path) -> None:
    first = serve_live(config=WATCHED)
    with first.client() as client:
        wait_until(lambda: watcher(client)["state"] == "watching")
    second = serve_live(config=WATCHED)
    with second.client() as client:
        assert f"process {first.process.pid} " in watcher(client)["holder"]
        first.process.kill()
        wait_until(lambda: f"process {second.process.pid} " in watcher(client)["holder"])
        (home / "docs/new.md").write_text("A page about zeppelins.\n")
        wait_until(lambda: finds(client, "zeppelins"))


@pytest.mark.slow
def test_the_configuration_ends_and_begins_it(serve_live: Any, home: Path) -> None:
    def configure(auto_sync: bool, *folders: str) -> None:
        files = {"watch_directories": folders, "auto_sync": auto_sync}
        text = json.dumps({"memory": {"files": files, "storage_path": "data/memory.db"}})
        (home / "config.json").write_text(text)
        server.process.send_signal(signal.SIGHUP)

    server = serve_live()
    with server.client() as client:
        assert watcher(client)["state"] is None
        configure(True, "docs")
        wait_until(lambda: finds(client, "bricks"))
        configure(True, "docs", "secret")
        wait_until(lambda: finds(client, "xylophone"))
        configure(False, "docs")
        wait_until(lambda: watcher(client)["state"] is None)


def test_a_failure_of_the_program_is_seen_and_it_begins_again(
    tmp_path: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(docs, {"a.md": "A page about zeppelins.\n"})
    failures: list[str] = []
    monkeypatch.setattr("threading.excepthook", lambda seen: failures.append(str(seen.exc_value)))
    reports: list[WatchBatch | WatchTrouble] = []

    def report(noted: WatchBatch | WatchTrouble) -> None:
        if not failures:
            raise ZeroDivisionError("a mistake in the report")
        reports.append(noted)

    with opened(tmp_path) as memory:
        remember(memory, [docs])
        scheduler = Scheduler(memory)
        scheduler.start(WatchWork(memory, report=report))
        try:
            wait_until(lambda: failures)
            assert watcher_of(memory).state == "ended"
            assert watcher_of(memory).last_error == "ZeroDivisionError: a mistake in the report"
            wait_until(lambda: reports)
            wait_until(lambda: watcher_of(memory).state == "watching")
        finally:
            scheduler.stop()
    assert failures == ["a mistake in the report"]
