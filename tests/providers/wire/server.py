"""A server on this machine that stands in for a vendor's: real sockets, the vendor's wire format.

A vendor's module says how its service answers; a test puts other answers before that, among them
those that no service documents: a cut connection, silence, garbage.
"""

import json
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

STUCK_S = 20
"""Seconds of a silent answer unless the server is closed: longer than any test waits."""


@dataclass(frozen=True, slots=True)
class Request:
    """A client's request. The names of `headers` are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True, slots=True)
class Answer:
    """The server's answer.

    body     as JSON, unless it is bytes already
    headers  beside the type and length of the content
    cut      the connection ends in the middle of the body
    silent   nothing is sent until the server is closed
    slow     the body comes byte by byte, and its end when the server is closed
    """

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    silent: bool = False
    slow: bool = False

    @property
    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


CUT = Answer(body=b"{" + b" " * 1000, cut=True)
SILENT = Answer(silent=True)
SLOW = Answer(body=b" " * 1000, slow=True)
HTML = Answer(body=b"<html><body>Sign in</body></html>", headers={"Content-Type": "text/html"})

Service = Callable[[Request], Answer]


class WireServer:
    """Answers with `script` first, one answer for each request, then as the service does.

    requests      all that came, in order
    most_at_once  how many were answered at the same time at most
    connections   how many were made
    """

    def __init__(self, service: Service) -> None:
        self.service = service
        self.script: deque[Answer | Service] = deque()
        self.requests: list[Request] = []
        self.most_at_once = 0
        self.closing = threading.Event()
        self._at_once = 0
        self._lock = threading.Lock()
        self._http = _Listener(("127.0.0.1", 0), _Handler)
        self._http.wire = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._http.server_address[1]}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    @property
    def connections(self) -> int:
        return self._http.connections

    def answer(self, request: Request) -> Answer:
        with self._lock:
            self.requests.append(request)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            given = self.script.popleft() if self.script else self.service
        try:
            return given if isinstance(given, Answer) else given(request)
        finally:
            with self._lock:
                self._at_once -= 1

    def close(self) -> None:
        """Also ends the connections that clients keep open."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        self._http.end_connections()


@contextmanager
def serving(service: Service) -> Iterator[WireServer]:
    """A server for the time of a test."""
    server = WireServer(service)
    try:
        yield server
    finally:
        server.close()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    # Clients keep connections open, and a thread for each of them waits for the next request.
    block_on_close = False
    wire: WireServer

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.connections = 0
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self.connections += 1
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def end_connections(self) -> None:
        with self._lock:
            for connection in self._open:
                with suppress(OSError):  # the client may have ended it
                    connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each answer waits 40 ms for an acknowledgement
    server: _Listener

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length))
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.server.wire.answer(Request(self.path, headers, body))
        if answer.silent:
            self.server.wire.closing.wait(STUCK_S)
            self.close_connection = True
            return
        self._send(answer)

    def _send(self, answer: Answer) -> None:
        content = answer.content
        named = {"Content-Type": "application/json", "Content-Length": str(len(content))}
        self.send_response(answer.status)
        for name, value in (named | dict(answer.headers)).items():
            self.send_header(name, value)
        self.end_headers()
        if answer.cut:
            self.wfile.write(content[: len(content) // 2])
            self.close_connection = True
        elif answer.slow:
            self._trickle(content)
        else:
            self.wfile.write(content)

    def _trickle(self, content: bytes) -> None:
        with suppress(OSError):  # the client had enough
            for byte in content:
                self.wfile.write(bytes([byte]))
                if self.server.wire.closing.wait(STUCK_S / len(content)):
                    break
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: what came is in `requests`."""
