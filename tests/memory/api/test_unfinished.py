"""Clients that begin and do not end, over real sockets: the server goes on answering others."""

import resource
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from memory.api import create_app
from memory.api.address import listen
from memory.api.limits.connections import MOST_HEAD_BYTES, ConnectionLimits
from memory.api.limits.receiving import MOST_HELD_BYTES, Bounds
from memory.api.server import Server
from memory.config.loading import load_config
from memory.workspace import Workspace

HELD = 1 << 20
HEAD = b"POST /memory/search HTTP/1.1\r\nHost: localhost\r\n"
BODY = HEAD + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n"
GET = b"GET /memory/health HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="module")
def port(new_folder: Callable[[str], Path]) -> Iterator[int]:
    """A server in a thread, with the same limits, shorter and smaller."""
    workspace = Workspace(load_config(database=new_folder("unfinished") / "m.db"))
    app = create_app(workspace, bounds=Bounds(idle_s=0.4, whole_s=1.2, held_bytes=HELD))
    limits = ConnectionLimits(head_s=0.4, write_s=0.4, connections=8)
    with listen("127.0.0.1", 0, has_token=lambda: False) as listener:
        server = Server(app, "mem serve: here", limits)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        yield int(listener.getsockname()[1])
        server.handle_exit(signal.SIGTERM, None)
        thread.join(20)


def opened(port: int, sent: bytes = b"") -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port), timeout=30)
    client.sendall(sent)
    return client


def answer(client: socket.socket) -> bytes:
    """What the server says until it closes the connection."""
    said = b""
    while True:
        try:
            part = client.recv(65536)
        except ConnectionResetError:
            return said
        if not part:
            return said
        said += part


def is_healthy(port: int) -> bool:
    url = f"http://127.0.0.1:{port}/memory/health"
    return httpx.get(url, trust_env=False, timeout=30).json()["status"] == "ok"


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\r\n\r\n", id="blank lines"),
        pytest.param(b"GE", id="half a method"),
        pytest.param(HEAD, id="half a head"),
        pytest.param(HEAD + b"X-Name: ", id="half a header"),
        pytest.param(b"GET /" + b"a" * 9000, id="half a path"),
    ],
)
def test_a_head_has_a_deadline(port: int, sent: bytes) -> None:
    with opened(port, sent) as client:
        assert answer(client).partition(b"\r\n")[0] == b"HTTP/1.1 408 Request Timeout"


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"", marks=pytest.mark.slow, id="nothing"),
        pytest.param(b"\r\n", marks=pytest.mark.slow, id="a blank line"),
        pytest.param(b"GET /mem", id="half"),
    ],
)
def test_a_second_head_has_a_deadline_too(port: int, sent: bytes) -> None:
    with opened(port, GET + sent) as client:
        said = answer(client)
    assert said.startswith(b"HTTP/1.1 200 OK")
    assert b"200" not in said[20:].partition(b"HTTP/1.1")[2][:20]


def test_a_head_that_drips_has_the_same_deadline(port: int) -> None:
    with opened(port, HEAD) as client:
        client.settimeout(0.05)
        said = b""
        while not said:
            client.send(b"X-A: b\r\n")
            try:
                said = client.recv(999)
            except TimeoutError:
                continue
        assert b" 408 " in said


def test_a_head_has_a_length(port: int) -> None:
    with opened(port, HEAD + b"X-Name: " + b"a" * (2 * MOST_HEAD_BYTES)) as client:
        assert b" 431 " in answer(client)[:40]


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(BODY % 100, id="no byte"),
        pytest.param(BODY % 100 + b'{"query":', id="half"),
        pytest.param(HEAD + b"Transfer-Encoding: chunked\r\n\r\n5;x=", id="half a chunk's size"),
        pytest.param(HEAD + b"Content-Length: 9\r\nExpect: 100-continue\r\n\r\n", id="asked first"),
        pytest.param(BODY % 90_000_000 + b"x" * 999, id="too large, and half"),
    ],
)
def test_a_body_has_a_longest_pause(port: int, sent: bytes) -> None:
    with opened(port, sent) as client:
        said = answer(client)
    assert b" 408 " in said
    assert b'"hint"' in said


def test_a_body_that_drips_is_ended(port: int) -> None:
    with opened(port, BODY % 9999) as client:
        client.settimeout(0.1)
        said = b""
        while not said:
            client.send(b" ")
            try:
                said = client.recv(9999)
            except TimeoutError:
                continue
        assert b" 408 " in said


def test_a_refused_request_does_not_keep_its_body_open(port: int) -> None:
    """A route that does not exist reads no body, and nobody waits for the rest of it."""
    with opened(
        port, b"POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\nx"
    ) as one:
        assert b" 404 " in answer(one)


def test_an_answer_that_is_not_read(port: int) -> None:
    with opened(port) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 99)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                client.sendall(GET)
            except OSError:
                break
            time.sleep(0.05)
        else:
            pytest.fail("the connection stays open")


def test_more_connections_than_allowed(port: int) -> None:
    with ExitStack() as stack:
        for number in range(60):
            stack.enter_context(opened(port, HEAD if number % 2 else BODY % 99))
            if number % 10 == 0:
                assert is_healthy(port)
        assert is_healthy(port)


def test_bodies_beyond_the_limit_of_all(port: int) -> None:
    """One that has stopped sending makes room for one that sends."""
    with ExitStack() as stack:
        stalled = [
            stack.enter_context(opened(port, BODY % HELD + b" " * (HELD // 3))) for _ in range(6)
        ]
        said = [answer(client) for client in stalled]
        assert all(b" 503 " in one or b" 408 " in one for one in said)
        assert any(b"Retry-After" in one.title() for one in said)
    body = b'{"query": "pump"}' + b" " * (HELD // 2)
    with opened(port, BODY % len(body) + body) as client:
        assert b" 200 " in client.recv(99)


def test_the_limits_are_those_that_are_promised() -> None:
    assert (Bounds().idle_s, ConnectionLimits().head_s) == (30, 10)
    assert MOST_HELD_BYTES == 256 * 1024 * 1024
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(files, 600), most))
        assert ConnectionLimits().within_files() == min(256, min(files, 600) // 2)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))


def resident_mib(pid: int, name: str = "VmRSS") -> int:
    lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith(name))


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_four_hundred_unfinished_requests(serve_live: Any, workers: int) -> None:
    files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, files[1]))  # the server inherits it
    try:
        server = serve_live(workers=workers)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(files[0], 1024), files[1]))
    number = int(server.url.rpartition(":")[2])
    with ExitStack() as stack:
        for round_ in range(400):
            sent = (b"", HEAD, BODY % 99, BODY % 99 + b"{", GET + b"G")[round_ % 5]
            stack.enter_context(opened(number, sent))
        for _ in range(20):
            assert is_healthy(number)
        with server.client() as client:
            assert client.post("/memory/ingest/text", json={"text": "A pump."}).status_code == 200
    server.process.terminate()
    assert server.process.wait(30) == 0
    said = server.stderr.read()
    assert "turned away" in said
    assert "Traceback" not in said
    assert len(said) < 2000


@pytest.mark.slow
def test_twenty_unfinished_uploads(serve_live: Any) -> None:
    server = serve_live()
    number = int(server.url.rpartition(":")[2])
    assert is_healthy(number)
    before = resident_mib(server.process.pid)
    size = 40_000_000
    with ExitStack() as stack:
        for _ in range(20):
            client = stack.enter_context(opened(number, BODY % (size + 1)))
            try:
                client.sendall(b" " * size)
            except OSError:
                continue  # turned away
        assert is_healthy(number)
        peak = resident_mib(server.process.pid, "VmHWM")
        with server.client() as other:
            assert other.post("/memory/search", json={"query": "x" * 999_999}).status_code == 200
    assert peak - before < 2 * MOST_HELD_BYTES // (1 << 20), (before, peak)
