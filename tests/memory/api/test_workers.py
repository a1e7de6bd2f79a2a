"""Several processes that answer for one server: real ones, really killed."""

import json
import os
import signal
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from contracts import ConfigError
from memory.api import serve
from memory.api.limits.failures import FailureLimit
from memory.api.limits.shared_failures import MOST_KEPT, RING_BYTES, SharedFailures
from memory.api.workers.process_metrics import ProcessesCollector
from memory.api.workers.shared_memory import SharedMemory, new_shared_memory, process_ids
from memory.retrieval.query_cache import QueryCache
from memory.storage.durations import COLUMNS, Durations
from memory.storage.meta import read_meta
from memory.storage.sqlite import SqliteStorage
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.api.conftest import LiveServer, Serve, settings
from tests.waiting import DEADLINE_S, wait_until

CONNECTIONS = 12
"""Enough that every worker of two takes one of them."""

ESTABLISHED = "01"
"""A state of /proc/net/tcp."""


def ask(server: LiveServer, path: str, **options: Any) -> httpx.Response:
    """Send a request over a connection of its own."""
    with server.client() as client:
        return client.post(path, **options) if "json" in options else client.get(path, **options)


def found(server: LiveServer, query: str) -> int:
    answer = ask(server, "/memory/search", json={"query": query}).raise_for_status()
    return int(answer.json()["total_results"])


def leader(home: Path) -> int | None:
    """The process that holds the jobs."""
    with closing(SqliteStorage.open(home / "data/memory.db", create=False)) as storage:
        holder = read_meta(storage.database, "jobs_holder")
    return int(holder["pid"]) if holder else None


def searches(server: LiveServer) -> float:
    """The number of searches so far, as any of the workers counts them."""
    legs = [
        f'symbiosis_memory_search_seconds_count{{leg="{leg}"}} ' for leg in ("search", "cached")
    ]
    lines = ask(server, "/metrics").text.splitlines()
    return sum(float(line.removeprefix(leg)) for leg in legs for line in lines if leg in line)


def is_gone(server: LiveServer) -> bool:
    try:
        ask(server, "/memory/health")
    except httpx.TransportError:
        return True
    return False


def test_a_database_in_memory_has_one_process(home: Path) -> None:
    with pytest.raises(ConfigError, match="2 workers cannot share a database"):
        serve(settings(home, backend="memory"), port=0, workers=2)


def test_counts_add_up_over_processes(memory: Workspace) -> None:
    with new_shared_memory(2) as file:
        one, two = (SharedMemory(file.fileno(), workers=2, own=number) for number in range(2))
        first, second = (Durations(each.counts.columns(0, COLUMNS)) for each in (one, two))
        first.note([("search", 0.001)])
        second.note([("search", 0.003), ("keyword", 0.001)])
        assert first.read() == second.read()
        assert first.read()["search"].number == 2
        assert first.read()["search"].seconds == pytest.approx(0.004)
        caches = [
            QueryCache(memory.storage, counts=each.counts.columns(COLUMNS, 2))
            for each in (one, two)
        ]
        for cache in caches:
            cache.ask("ferry", SearchOptions())
        assert [cache.status().misses for cache in caches] == [2, 2]
        assert process_ids(one.counts) == [os.getpid()] * 2
        again = SharedMemory(file.fileno(), workers=2, own=1)  # in place of the second
        assert Durations(again.counts.columns(0, COLUMNS)).read()["search"].number == 2


def test_the_processes_of_a_server_are_one_in_the_metrics() -> None:
    def values(pids: list[int]) -> dict[str, float]:
        metrics = ProcessesCollector(pids).collect()
        return {sample.name: sample.value for metric in metrics for sample in metric.samples}

    one, two = values([os.getpid()]), values([os.getpid()] * 2)
    assert two["process_start_time_seconds"] == one["process_start_time_seconds"]
    assert two["process_max_fds"] == one["process_max_fds"]
    assert two["process_resident_memory_bytes"] > 1.5 * one["process_resident_memory_bytes"]


def test_failures_of_all_processes_count() -> None:
    now = [100.0]
    whole = memoryview(bytearray(2 * RING_BYTES))
    rings = [whole[:RING_BYTES], whole[RING_BYTES:]]

    def limit(own: int) -> FailureLimit:
        shared = SharedFailures(rings, own)
        return FailureLimit(most=4, window_s=60, clock=lambda: now[0], shared=shared)

    one, two = limit(0), limit(1)
    for each in (one, two, one):
        each.note("192.0.2.1")
    assert one.retry_after_s("192.0.2.1") == 0
    two.note("192.0.2.1")
    now[0] = 110.0
    assert [each.retry_after_s("192.0.2.1") for each in (one, two, limit(1))] == [50, 50, 50]
    assert one.retry_after_s("2001:db8::1") == 0
    for _ in range(4):
        one.note("2001:db8::1")
    assert two.retry_after_s("2001:db8::ffff") == 60
    for _ in range(2 * MOST_KEPT):
        one.note("")
    assert two.retry_after_s("no address") == 60
    now[0] = 170.0
    assert two.retry_after_s("no address") == 0


@pytest.mark.slow
def test_a_killed_worker_is_replaced_and_so_is_the_holder_of_the_jobs(
    serve_live: Serve, home: Path
) -> None:
    files = {"watch_directories": ["docs"], "auto_sync": True}
    server = serve_live(workers=2, config={"files": files})
    wait_until(lambda: found(server, "bricks") == 1, "the files are watched")
    killed = leader(home)
    assert killed is not None
    before = searches(server)
    os.kill(killed, signal.SIGKILL)
    assert f"worker {killed} ended by signal 9" in server.hear("ended")
    wait_until(lambda: leader(home) not in (None, killed), "another worker holds the jobs")
    (home / "docs/new.md").write_text("# New\n\nA quokka sleeps.\n", "utf-8")
    wait_until(lambda: found(server, "quokka") == 1, "files are watched again")
    wait_until(lambda: all(found(server, "quokka") == 1 for _ in range(CONNECTIONS)), "everywhere")
    assert searches(server) > before + CONNECTIONS
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(DEADLINE_S) == 0
    assert "Traceback" not in server.stderr.read()
    assert is_gone(server)
    assert not (home / "data/memory.db-wal").exists()


@pytest.mark.slow
def test_what_one_worker_stores_all_find_and_stream(serve_live: Serve) -> None:
    server = serve_live(workers=2)
    headers = {"Accept": "text/event-stream"}
    with (
        server.client() as client,
        client.stream("GET", "/memory/changes", params={"since": 0}, headers=headers) as stream,
    ):
        lines = stream.iter_lines()
        for number in range(CONNECTIONS):
            text = {"text": f"note{number} about rivers"}
            ask(server, "/memory/ingest/text", json=text).raise_for_status()
            said = {"query": f"note{number}", "max_results": 1}
            (hit,) = ask(server, "/memory/search", json=said).json()["results"]
            assert f"note{number} " in hit["text"]
            told = json.loads(next(line for line in lines if line.startswith("data: "))[6:])
            assert told["seq"] > 0
    assert {searches(server) for _ in range(CONNECTIONS)} == {float(CONNECTIONS)}


@pytest.mark.slow
def test_wrong_tokens_count_over_all_workers(serve_live: Serve) -> None:
    server = serve_live(workers=2, config={"server": {"tokens": ["right-token"]}})
    wrong = {"Authorization": "Bearer wrong"}
    refused = [ask(server, "/memory/status", headers=wrong).status_code for _ in range(30)]
    assert refused == [401] * 10 + [429] * 20


@pytest.mark.slow
def test_hang_up_reaches_every_worker_and_is_told_of_once(serve_live: Serve, home: Path) -> None:
    server = serve_live(workers=2)
    for number in range(3):
        text = {"text": f"note {number}"}
        ask(server, "/memory/ingest/text", json=text).raise_for_status()
    wait_until(lambda: leader(home) is not None, "a worker holds the jobs")
    path = home / "config.json"
    changed = json.loads(path.read_text("utf-8"))
    changed["memory"]["search"] = {"max_results": 1}
    path.write_text(json.dumps(changed), "utf-8")
    server.process.send_signal(signal.SIGHUP)
    assert "changed: memory.search.max_results" in server.hear("configuration")
    wait_until(lambda: all(found(server, "note") == 1 for _ in range(CONNECTIONS)), "all have it")
    pid = leader(home)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)  # its successor has the file as it is now
    server.hear("ended")
    wait_until(lambda: leader(home) not in (None, pid), "another worker holds the jobs")
    wait_until(lambda: all(found(server, "note") == 1 for _ in range(CONNECTIONS)), "all have it")


@pytest.mark.slow
def test_workers_end_with_a_killed_parent(serve_live: Serve, home: Path) -> None:
    server = serve_live(workers=2)
    wait_until(lambda: leader(home) is not None, "a worker holds the jobs")
    server.process.kill()
    wait_until(lambda: is_gone(server), "nobody listens any more")
    wait_until(lambda: leader(home) is None, "the jobs are free")


def connections_of(server: LiveServer) -> dict[int, int]:
    """The number of established connections to the server, by the process that has them."""
    port = f":{urlsplit(server.url).port:04X}"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]]
    inodes = {row[9] for row in rows if row[1].endswith(port) and row[3] == ESTABLISHED}
    parent = server.process.pid
    workers = Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii").split()
    found = {}
    for worker in workers:
        files = [_opened(file) for file in Path(f"/proc/{worker}/fd").iterdir()]
        found[int(worker)] = sum(each[8:-1] in inodes for each in files if each[:7] == "socket:")
    return found


def _opened(descriptor: Path) -> str:
    """What a descriptor of a running process stands for; nothing once the process has closed it."""
    try:
        return str(descriptor.readlink())
    except FileNotFoundError:
        return ""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads /proc")
def test_open_streams_are_not_part_of_a_workers_share(serve_live: Serve) -> None:
    """One worker has all streams; both take the connections with requests that come later."""
    server = serve_live(workers=2)
    wait_until(lambda: len(connections_of(server)) == 2, "both workers run")
    stopped, streaming = connections_of(server)
    with ExitStack() as streams:
        os.kill(stopped, signal.SIGSTOP)
        try:
            for _ in range(CONNECTIONS):
                client = streams.enter_context(server.client())
                kind = {"Accept": "text/event-stream"}
                streams.enter_context(client.stream("GET", "/memory/changes", headers=kind))
        finally:
            os.kill(stopped, signal.SIGCONT)
        assert connections_of(server)[streaming] == CONNECTIONS

        def are_shared() -> bool:
            with ExitStack() as others:
                for _ in range(CONNECTIONS):
                    others.enter_context(server.client()).get("/memory/health").raise_for_status()
                held = connections_of(server)
            return held[stopped] >= 4 and held[streaming] >= CONNECTIONS + 4

        wait_until(are_shared, "both take connections")
