"""A real server process on a free port: start, many clients, signals, end."""

import errno
import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from contracts import BusyError, ConfigError, ForbiddenError
from memory.api import create_app, serve
from memory.api.address import explained, listen, url_of
from memory.api.limits import MAX_BODY_BYTES
from memory.api.limits.streams import MOST_STREAMS
from memory.api.server import Server
from memory.config.loading import load_config
from memory.workspace import Workspace
from tests.repository import ROOT
from tests.waiting import wait_until


def no_token() -> bool:
    return False


def a_token() -> bool:
    return True


def test_it_makes_the_database_and_says_where_it_is(serve_live: Any, home: Path) -> None:
    server = serve_live()
    assert server.url.startswith("http://127.0.0.1:")
    other = f"database {home}/data/memory.db (not your own, by {home}/config.json)"
    assert server.said[-1].endswith(f"  {other}")
    with server.client() as client:
        health = client.get("/memory/health").json()
        assert (health["status"], health["files"], health["chunks"]) == ("ok", {}, 0)
        headers = client.get("/memory/health").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers
    assert (home / "data/memory.db").is_file()


def test_head_answers_as_get_without_a_body(serve_live: Any) -> None:
    """On one connection, so that the next answer would begin with a body that was sent."""
    server = serve_live()
    events = {"Accept": "text/event-stream"}
    with server.client() as client:
        client.headers["Sec-Fetch-Site"] = "same-origin"
        for path, status in (
            *((path, 200) for path in ("/", "/page/memories", "/page/static/page.css", "/docs")),
            *(("/memory/status", 200), ("/page/sign-in", 303), ("/gc", 200)),
            *(("/page/nothing", 404), ("/memory/nothing", 404), ("/turns/9", 404)),
            *(("/memory/search", 405), ("/context", 422)),
        ):
            head, got = client.head(path), client.get(path)
            assert (head.status_code, got.status_code, head.content) == (status, status, b"")
            ignored = ("date", "set-cookie", "content-length")
            told = [
                [each for each in one.headers.items() if each[0] not in ignored]
                for one in (head, got)
            ]
            assert told[0] == told[1], path
        for _ in range(MOST_STREAMS + 1):  # each gives its place back
            for path in ("/memory/changes", "/page/health/events"):
                head = client.head(path, headers=events)
                assert (head.status_code, head.headers["x-accel-buffering"]) == (200, "no")


@pytest.mark.parametrize(
    "host, proxies, statuses",
    [
        ("127.0.0.1", [], [401] * 10 + [429] * 5),
        ("127.0.0.1", ["127.0.0.1", "192.0.2.0/24"], [401] * 15),
        ("::", ["127.0.0.1", "192.0.2.0/24"], [401] * 15),
    ],
    ids=["of-this-machine", "of-a-proxy", "of-a-proxy-by-IPv4-over-IPv6"],
)
def test_a_guesser_is_whom_a_configured_proxy_names(
    serve_live: Any, host: str, proxies: list[str], statuses: list[int]
) -> None:
    """No other program chooses its address: each guess comes with another one."""
    config = {"server": {"tokens": ["swordfish"], "proxies": proxies}}
    server = serve_live(host=host, config=config)
    server.url = server.url.replace("[::]", "127.0.0.1")
    found = []
    with server.client() as client:
        for number in range(15):
            headers = {
                "Authorization": f"Bearer guess-{number}",
                "X-Forwarded-For": f"203.0.113.{number}, 192.0.2.1",
            }
            found.append(client.get("/memory/status", headers=headers).status_code)
    assert found == statuses


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda one: one.name)
def test_a_signal_ends_it_cleanly(serve_live: Any, home: Path, number: signal.Signals) -> None:
    server = serve_live()
    with server.client() as client:  # its connection stays open meanwhile
        client.get("/memory/health").raise_for_status()
        server.process.send_signal(number)
        assert server.process.wait(60) == 0
    assert "Traceback" not in server.stderr.read()
    assert not (home / "data/memory.db-wal").exists()


@pytest.mark.slow
def test_a_second_signal_ends_it_at_once(serve_live: Any) -> None:
    server = serve_live()
    server.process.send_signal(signal.SIGSTOP)  # so that both wait for it
    server.process.send_signal(signal.SIGTERM)
    server.process.send_signal(signal.SIGINT)
    server.process.send_signal(signal.SIGCONT)
    assert server.process.wait(20) in (-signal.SIGTERM, -signal.SIGINT)


def test_it_runs_in_a_thread_too(home: Path) -> None:
    """For those who embed it: only the main thread may listen to signals."""
    app = create_app(Workspace(load_config(database=home / "m.db")))
    with listen("127.0.0.1", 0, has_token=no_token) as listener:
        url = url_of(listener)
        server = Server(app, "mem serve: here")
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        assert httpx.get(f"{url}/memory/health", trust_env=False).json()["status"] == "ok"
        server.handle_exit(signal.SIGTERM, None)
        thread.join(20)
        assert not thread.is_alive()


def test_hang_up_takes_over_the_configuration(serve_live: Any, home: Path) -> None:
    server = serve_live()
    path = home / "config.json"
    with server.client() as client:

        def hits() -> int:
            answer = client.post("/memory/search", json={"query": "note"})
            return int(answer.json()["total_results"])

        for n in range(3):
            client.post("/memory/ingest/text", json={"text": f"note {n}"}).raise_for_status()
        assert hits() == 3
        changed = json.loads(path.read_text("utf-8"))
        changed["memory"]["search"] = {"max_results": 1}
        changed["memory"]["server"] = {"port": 1}
        path.write_text(json.dumps(changed), "utf-8")
        server.process.send_signal(signal.SIGHUP)
        said = server.hear("configuration")
        assert "changed: memory.search.max_results" in said
        assert "at the next start: memory.server.port" in said
        assert hits() == 1
        path.write_text("{", "utf-8")
        server.process.send_signal(signal.SIGHUP)
        server.hear("stays as it was")
        assert hits() == 1


@pytest.mark.slow
def test_sixteen_clients_search_while_a_sync_writes(serve_live: Any, home: Path) -> None:
    for n in range(150):
        (home / f"docs/n{n}.md").write_text(f"# Note {n}\n\nThe pump hums in key {n}.\n", "utf-8")
    server = serve_live()
    done = threading.Event()

    def sync() -> dict[str, int]:
        with server.client() as client:
            try:
                for force in (False, True, True):
                    answer = client.post("/memory/sync", json={"force": force})
                    assert answer.status_code == 200, answer.text
                return dict(answer.json())
            finally:
                done.set()

    def search(number: int) -> list[int]:
        found = []
        with server.client() as client:
            while not done.is_set() or not found:
                answer = client.post("/memory/search", json={"query": f"pump ü 田中 {number}"})
                assert answer.status_code == 200, answer.text
                found.append(answer.json()["total_results"])
        return found

    with ThreadPoolExecutor(17) as pool:
        report = pool.submit(sync)
        searches = [pool.submit(search, number) for number in range(16)]
        assert report.result()["updated"] == 152
        counts = [count for one in searches for count in one.result()]
    assert len(counts) >= 16
    with server.client() as client:
        answer = client.post("/memory/search", json={"query": "pump", "max_results": 1000}).json()
        assert answer["total_results"] == 152
        assert client.get("/memory/health").json()["files"] == {"indexed": 152}


@pytest.mark.slow
def test_many_clients_ingest_at_once(serve_live: Any) -> None:
    server = serve_live()

    def ingest(number: int) -> str:
        with server.client() as client:
            text = f"shared note {number % 4} 🔑"
            answer = client.post("/memory/ingest/text", json={"text": text})
            assert answer.status_code == 200, answer.text
            return str(answer.json()["id"])

    with ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(ingest, range(32)))) == 4
    with server.client() as client:
        assert client.get("/memory/health").json() == {
            "status": "ok",
            "files": {},
            "chunks": 4,
            "fact_categories": {},
            "records": dict.fromkeys(("facts", "people", "patterns", "open_loops", "signals"), 0),
        }


@pytest.mark.slow
def test_a_sync_stops_with_the_server_and_the_next_completes_it(
    serve_live: Any, home: Path
) -> None:
    for n in range(3000):
        (home / f"docs/n{n}.md").write_text(f"# Note {n}\n\nThe pump hums in key {n}.\n", "utf-8")
    server = serve_live()
    outcome: list[Any] = []

    def sync() -> None:
        with server.client() as client:
            try:
                outcome.append(client.post("/memory/sync").status_code)
            except httpx.TransportError as error:
                outcome.append(error)

    thread = threading.Thread(target=sync)
    thread.start()
    with server.client() as client:
        wait_until(lambda: client.get("/memory/status").json()["files"].get("pending"))
        server.process.terminate()
    assert server.process.wait(30) == 0
    thread.join()
    assert outcome[0] != 200
    again = serve_live()
    with again.client() as client:
        assert client.get("/memory/status").json()["files"]["pending"] > 0
        client.post("/memory/sync").raise_for_status()
        assert client.get("/memory/status").json()["files"] == {"indexed": 3002}


def test_tokens_are_asked_for_and_never_said(serve_live: Any) -> None:
    server = serve_live(host="0.0.0.0", config={"server": {"tokens": ["swordfish"]}})
    with httpx.Client(base_url=server.url.replace("0.0.0.0", "127.0.0.1")) as client:
        assert client.get("/memory/status").status_code == 401
        known = client.get(
            "/memory/status", headers={"Authorization": "Bearer swordfish", "Host": "a.example"}
        )
        assert known.status_code == 200
        assert "swordfish" not in known.text
    server.process.terminate()
    assert server.process.wait(20) == 0
    assert "swordfish" not in "\n".join([*server.said, server.stderr.read()])


@pytest.mark.parametrize(
    "request_bytes, answer",
    [
        pytest.param(b"GET /memory/health HTTP/1.1\r\n\r\n", b"403", id="no host"),
        pytest.param(
            b"GET /memory/health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
            b"403",
            id="two hosts",
        ),
        pytest.param(b"GET /memory/health HTTP/1.0\r\n\r\n", b"403", id="old, no host"),
        pytest.param(
            b"GET http://evil.example/memory/health HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            b"403",
            id="absolute, foreign",
        ),
        pytest.param(b"nonsense\r\n\r\n", b"400", id="no HTTP"),
    ],
)
def test_odd_requests_on_the_wire(one_server: Any, request_bytes: bytes, answer: bytes) -> None:
    port = int(one_server.url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=20) as wire:
        wire.sendall(request_bytes)
        assert wire.recv(1000).split()[1] == answer
    with one_server.client() as client:
        assert client.get("/memory/health").status_code == 200


def test_an_announced_flood_is_refused_unread(one_server: Any) -> None:
    connection = http.client.HTTPConnection(one_server.url.removeprefix("http://"), timeout=20)
    connection.putrequest("POST", "/memory/search")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", str(10**12))
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()


def test_a_client_that_sends_too_much_reads_why(one_server: Any) -> None:
    """A connection that is closed while it sends would be reset, and the answer lost."""
    body = b"x" * (MAX_BODY_BYTES + 1)
    with one_server.client() as client:
        answer = client.post("/memory/search", content=body)
        assert answer.status_code == 413
        assert client.get("/memory/health").status_code == 200


def test_a_client_that_asks_first_is_refused_at_once(one_server: Any) -> None:
    connection = http.client.HTTPConnection(one_server.url.removeprefix("http://"), timeout=20)
    connection.putrequest("POST", "/memory/search")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", str(MAX_BODY_BYTES + 1))
    connection.putheader("Expect", "100-continue")
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()


def test_answers_leave_at_once(serve_live: Any) -> None:
    """Nagle's algorithm would hold the end of each answer back for 40 ms."""
    with listen("127.0.0.1", 0, has_token=no_token) as listener:
        assert listener.proto == socket.IPPROTO_TCP


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.0.0.2"])
def test_loopback_needs_no_token(host: str) -> None:
    try:
        listener = listen(host, 0, has_token=no_token)
    except ConfigError:
        pytest.skip(f"this machine has no {host}")
    with listener:
        shown = url_of(listener)
        port = listener.getsockname()[1]
        assert shown in (
            f"http://127.0.0.1:{port}",
            f"http://[::1]:{port}",
            f"http://{host}:{port}",
        )


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "198.51.100.7"])
def test_other_addresses_need_a_token(host: str) -> None:
    with pytest.raises(ForbiddenError, match="there is no token"):
        listen(host, 0, has_token=no_token)


def test_an_address_of_another_machine_cannot_be_had() -> None:
    with pytest.raises(ConfigError, match="cannot be listened on"):
        listen("198.51.100.7", 0, has_token=a_token)


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a" * 80, "\ud800"])
def test_a_host_without_an_address_is_said(host: str) -> None:
    with pytest.raises(ConfigError, match="has no address"):
        listen(host, 0, has_token=no_token)


def test_a_low_port_is_not_ours() -> None:
    """Asked of the translation alone: root may take any port."""
    error = explained(OSError(errno.EACCES, "Permission denied"), "127.0.0.1", 1)
    assert isinstance(error, ForbiddenError)
    assert "port 1 of 127.0.0.1 is not permitted" in error.message


def test_a_port_in_use_is_said_and_nothing_is_made(home: Path) -> None:
    loaded = load_config(database=home / "new/memory.db")
    with listen("127.0.0.1", 0, has_token=no_token) as other:
        port = other.getsockname()[1]
        with pytest.raises(BusyError, match=f"port {port} of 127.0.0.1 is in use"):
            serve(loaded, port=port)
    with pytest.raises(ForbiddenError, match=r"0\.0\.0\.0 can be reached"):
        serve(loaded, host="0.0.0.0")
    assert not (home / "new").exists()


def test_a_database_that_cannot_be_opened_frees_the_port(home: Path) -> None:
    (home / "no.db").write_bytes(b"no database at all " * 100)
    with listen("127.0.0.1", 0, has_token=no_token) as probe:
        port = probe.getsockname()[1]
    with pytest.raises(Exception, match="not a SQLite database"):
        serve(load_config(database=home / "no.db"), port=port)
    listen("127.0.0.1", port, has_token=no_token).close()


def test_importing_the_memory_loads_no_web_framework() -> None:
    modules = "memory, memory.retrieval.searching, sys"
    code = f"import {modules}; print({{'fastapi', 'pydantic'}} & {{*sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
