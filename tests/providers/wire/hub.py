"""A hub with one model, that speaks the protocol of the real one."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from providers import ProviderSettings

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def write(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"content of {name}")
    return folder


@dataclass
class Hub:
    """A hub with one model, `acme/tiny`, which keeps a record of what it was asked.

    `refusal` is the (status, error code) it answers with to everything instead.
    """

    files: Path
    address: str = ""
    refusal: tuple[int, str] | None = None
    cut_short: str | None = None
    asked: list[str] = field(default_factory=list)
    tokens: set[str | None] = field(default_factory=set)

    def answer(self, path: str) -> tuple[int, dict[str, str], bytes]:
        if self.refusal:
            status, code = self.refusal
            return status, {"X-Error-Code": code, "X-Error-Message": "no"}, b""
        names = [p.relative_to(self.files).as_posix() for p in self.files.rglob("*") if p.is_file()]
        if path.startswith(f"/api/models/acme/tiny/tree/{COMMIT}"):
            entries = [self._entry(name) for name in names]
            return 200, {"Content-Type": "application/json"}, json.dumps(entries).encode()
        if path.startswith("/api/models/acme/tiny"):
            info = {"id": "acme/tiny", "sha": COMMIT, "siblings": [{"rfilename": n} for n in names]}
            return 200, {"Content-Type": "application/json"}, json.dumps(info).encode()
        name = path.removeprefix(f"/acme/tiny/resolve/{COMMIT}/")
        if name not in names or name == self.cut_short:
            return 404, {"X-Error-Code": "EntryNotFound"}, b""
        content = (self.files / name).read_bytes()
        etag = hashlib.sha1(content).hexdigest()
        return 200, {"ETag": f'"{etag}"', "X-Repo-Commit": COMMIT}, content

    def _entry(self, name: str) -> dict[str, object]:
        content = (self.files / name).read_bytes()
        oid = hashlib.sha1(content).hexdigest()
        return {"type": "file", "path": name, "size": len(content), "oid": oid}

    def downloaded(self) -> set[str]:
        marker = f"/resolve/{COMMIT}/"
        return {
            line.partition(marker)[2] for line in self.asked if "GET" in line and marker in line
        }


def settings_for(hub: Hub, model: str = "acme/tiny", **options: str) -> ProviderSettings:
    return ProviderSettings(model=model, base_url=hub.address, options=options)


@contextmanager
def serving_hub(files: Path) -> Iterator[Hub]:
    """A hub on this machine with the model in `files`."""
    hub = Hub(files)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hub.asked.append(f"{self.command} {self.path}")
            hub.tokens.add(self.headers.get("Authorization"))
            status, headers, body = hub.answer(self.path.partition("?")[0])
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        def do_HEAD(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            """Keeps quiet; `asked` is the record."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield hub
    server.shutdown()
    thread.join()
    server.server_close()
