"""Clients notice what is wrong with an answer, the watch a swap; what is written gets synced."""

import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from benchmarks.harness.bench import Bench
from benchmarks.harness.meanwhile import (
    Answer,
    Clients,
    Look,
    Questions,
    Watch,
    Writing,
    alongside,
    asked,
)
from benchmarks.harness.serving import Client, Server
from benchmarks.harness.values import QUICK
from benchmarks.measures.reindexing import totals
from tests.benchmarks.scripted_server import ScriptedServer
from tests.waiting import DEADLINE_S, wait_until

RIGHT = {"results": [{"text": "otters"}], "mode_used": "vector", "warnings": []}
TEXT = "Otters swim in rivers, keep a favourite stone and sleep while holding the hand of another."


@pytest.fixture
def told() -> Iterator[ScriptedServer]:
    with ScriptedServer(RIGHT) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "otter.md").write_text(f"# Otters\n\n{TEXT}\n", encoding="utf-8")
    (folder / "program.py").write_text("x = 1\n", encoding="utf-8")
    return folder


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with the one table that is watched."""
    path = tmp_path / "watched.db"
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("CREATE TABLE spaces (id, state)")
        connection.execute("INSERT INTO spaces VALUES (1, 'active'), (2, 'filling')")
    return path


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        return port


def server_at(port: int) -> Server:
    """An address; no process of ours is behind it."""
    with subprocess.Popen(["true"], text=True) as process:
        return Server(process, "127.0.0.1", port, 0.0)


@pytest.mark.parametrize(
    "answer, problem",
    [
        (RIGHT, None),
        ({**RIGHT, "results": []}, "empty"),
        ({**RIGHT, "mode_used": "keyword", "warnings": ["words alone"]}, "other mode"),
        ({"results": [], "mode_used": "keyword", "warnings": []}, "empty"),
    ],
    ids=["right", "no hit", "by words", "both"],
)
def test_what_is_wrong_with_an_answer(
    told: ScriptedServer, answer: dict[str, Any], problem: str | None
) -> None:
    told.answers = [answer]
    client = Client("127.0.0.1", told.server_address[1])
    found = asked(client, "otters", mode="vector")
    client.close()
    assert found.problem == problem
    assert ("otters" in found.said) == (problem is not None)
    assert found.asked_s <= found.answered_s
    assert told.bodies == [{"query": "otters", "mode": "vector", "min_score": 0}]


@pytest.mark.slow
def test_clients_ask_in_every_mode_and_nothing_twice(told: ScriptedServer, docs: Path) -> None:
    clients = Clients(server_at(told.server_address[1]), Questions(docs))
    with alongside(clients.loop(0), clients.loop(1)):
        wait_until(lambda: len(clients.answers) >= 30)
    queries = [body["query"] for body in told.bodies]
    assert len(set(queries)) == len(queries) == len(clients.answers)
    for mode in ("keyword", "vector", "hybrid"):
        share = [body for body in told.bodies if body["mode"] == mode]
        assert len(share) >= 8
    right = {body["query"] for body in told.bodies if body["mode"] == "vector"}
    assert sum(one.problem is None for one in clients.answers) == len(right)


@pytest.mark.slow
def test_a_client_goes_on_after_a_failure(docs: Path) -> None:
    clients = Clients(server_at(free_port()), Questions(docs))
    with alongside(clients.loop(0)):
        wait_until(lambda: len(clients.answers) >= 2)
    assert {one.problem for one in clients.answers} == {"failed"}
    assert "refused" in clients.answers[0].said


def test_answers_belong_to_a_time_in_which_somebody_waited(docs: Path) -> None:
    answers = [Answer(0, 1), Answer(1, 4), Answer(2, 3), Answer(5, 6)]
    clients = Clients(server_at(free_port()), Questions(docs), answers)
    assert clients.between(2, 3) == [Answer(1, 4), Answer(2, 3)]
    assert clients.between(4, 5) == [Answer(1, 4), Answer(5, 6)]
    assert Answer(1, 4).ms == 3000


def test_what_a_loop_raises_is_raised_after_the_block() -> None:
    done = []

    def fail(_: threading.Event) -> None:
        raise RuntimeError("no disk")

    with pytest.raises(RuntimeError, match="no disk"), alongside(fail, lambda ended: ended.wait()):
        done.append("block")
    assert done == ["block"]


def test_the_watch_sees_when_another_space_answers(database: Path) -> None:
    watch = Watch(database)
    with alongside(watch.loop), closing(apsw.Connection(str(database))) as writer:
        wait_until(lambda: watch.looks)
        with pytest.raises(RuntimeError, match="no other space"):
            watch.swap(0)
        writer.set_busy_timeout(DEADLINE_S * 1000)
        writer.execute("BEGIN IMMEDIATE")
        began = time.perf_counter()
        writer.execute("UPDATE spaces SET state = 'retired' WHERE id = 1")
        writer.execute("UPDATE spaces SET state = 'active' WHERE id = 2")
        ended = time.perf_counter()
        writer.execute("COMMIT")
        wait_until(lambda: watch.looks[-1].space == 2)
    swap = watch.swap(0)
    assert swap.last_s <= began <= ended <= swap.got_s
    assert swap.space == 2
    with pytest.raises(RuntimeError, match="no other space"):
        watch.swap(swap.got_s + 1)


def test_the_longest_wait_is_of_looks_made_in_that_time(database: Path) -> None:
    watch = Watch(database)
    watch.looks = [Look(0, 0.5, 1.0, 1), Look(1.0, 1.5, 1.75, 1), Look(1.75, 2, 4, 1)]
    assert watch.longest_wait_ms(0, 3) == 500
    assert watch.longest_wait_ms(1.5, 3) == 250


def test_what_is_written_has_names_that_are_synced(tmp_path: Path, docs: Path) -> None:
    database = tmp_path / "memory.db"
    writing = Writing(Bench(tmp_path, (), QUICK), docs, database)
    with alongside(writing.loop):
        wait_until(lambda: writing.names)
    assert not writing.errors
    assert len(writing.names) == 6 * len(writing.seconds)
    texts = {path.name: path.read_text(encoding="utf-8") for path in docs.glob("*.md")}
    for name in writing.names:
        holding = [file for file, text in texts.items() if name in text]
        assert len(holding) == 1
        assert (holding == ["otter.md"]) == name.startswith("changed")
        assert name not in holding[0]
    with closing(apsw.Connection(str(database))) as connection:
        stored = " ".join(row[0] for row in connection.execute("SELECT text FROM chunks"))
    assert all(name in stored for name in writing.names)


def test_problems_are_counted_and_the_first_is_told(tmp_path: Path, docs: Path) -> None:
    broken = tmp_path / "folder.db"
    broken.mkdir()
    writing = Writing(Bench(tmp_path, (), QUICK), docs, broken)
    with alongside(writing.loop):
        wait_until(lambda: writing.errors)
    assert not writing.names
    answers = [
        Answer(0, 1),
        Answer(0, 1, "failed", "it is\ngone"),
        Answer(0, 1, "failed", "again"),
        Answer(0, 1, "empty", "nothing"),
    ]
    figures = {figure.what.strip(): figure for figure in totals(answers, writing, ["added_1"])}
    assert {what: one.value for what, one in figures.items() if one.unit == "errors"} == {
        "queries that failed": 2,
        "queries without a hit": 1,
        "queries answered in another mode": 0,
        "syncs that failed": len(writing.errors),
        "names written meanwhile and not found": 1,
    }
    failed = figures["queries that failed"]
    assert failed.beside == "of 4 in all three modes; the first: it is gone"
    assert failed.goal is not None
    assert not failed.goal.is_met(failed.value)
