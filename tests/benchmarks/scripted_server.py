"""A server whose answers a test writes down beforehand."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class ScriptedServer(ThreadingHTTPServer):
    """A server that answers with what it was told, in this order, the last for ever."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = list(answers)
        self.bodies: list[dict[str, Any]] = []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedServer

    def do_GET(self) -> None:
        answers = self.server.answers
        body = json.dumps(answers.pop(0) if len(answers) > 1 else answers[0]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        self.server.bodies.append(json.loads(self.rfile.read(size)))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing."""
