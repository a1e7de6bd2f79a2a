"""Servers of the tests' own: in this process for most, real ones on free ports where it matters."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import httpx
import pytest
from starlette.testclient import TestClient

from memory.api import create_app
from memory.config.loading import LoadedConfig
from memory.config.settings import Config, FilesConfig, MemoryConfig, ServerConfig
from memory.workspace import Workspace
from tests.repository import ROOT

BASE_URL = "http://127.0.0.1:8787"

_SERVE = """
import sys
from pathlib import Path
from contracts import MemError
from memory.api import serve
from memory.config.loading import load_config
try:
    serve(load_config(Path(sys.argv[1])), host=sys.argv[2], port=int(sys.argv[3]),
          workers=int(sys.argv[4]))
except MemError as error:
    sys.exit(f"{error.code}: {error}")
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The server's working directory: a known folder `docs` with two files, and one beside it."""
    files = {
        "docs/setup.md": "# Setup\n\nThe pump in Zürich needs bricks.\n\n"
        "## Later\n\nAsk 田中さん.\n",
        "docs/deep/code.py": "def pump_rate(litres):\n    return litres / 60\n",
        "secret/key.md": "# Key\n\nThe secret word is xylophone.\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def settings(home: Path, *, tokens: tuple[str, ...] = (), backend: str = "sqlite") -> LoadedConfig:
    config = Config(
        memory=MemoryConfig(
            backend=backend,  # type: ignore[arg-type]  # one of the two that the tests name
            storage_path=str(home / "data/memory.db"),
            files=FilesConfig(watch_directories=(str(home / "docs"),)),
            server=ServerConfig(tokens=tokens),
        )
    )
    return LoadedConfig(config, config, None, home, "argument")


def bearer(token: str) -> dict[str, str]:
    """The header of a request with a token."""
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture(params=["sqlite", pytest.param("memory", marks=pytest.mark.slow)])
def client(request: pytest.FixtureRequest, home: Path) -> Iterator[TestClient]:
    """A tokenless server on loopback, over an index of `docs`, with either backend."""
    with opened_client(home, request.param) as opened:
        yield opened


@contextmanager
def opened_client(home: Path, backend: str = "sqlite") -> Iterator[TestClient]:
    app = create_app(Workspace(settings(home, backend=backend)))
    with TestClient(app, base_url=BASE_URL, raise_server_exceptions=False) as opened:
        assert opened.post("/memory/sync").json()["added"] == 2
        yield opened


@pytest.fixture
def guarded(home: Path) -> Iterator[TestClient]:
    """A server on loopback with two tokens."""
    app = create_app(Workspace(settings(home, tokens=("first-token", "zweites-Törchen"))))
    with TestClient(app, base_url=BASE_URL) as opened:
        yield opened


@dataclass
class LiveServer:
    """A server process; `said` are the lines it wrote to stderr so far."""

    process: subprocess.Popen[str]
    url: str = ""
    said: list[str] = field(default_factory=list)

    @property
    def stderr(self) -> IO[str]:
        assert self.process.stderr is not None
        return self.process.stderr

    def hear(self, word: str) -> str:
        """Read its lines up to one that holds `word`."""
        for line in self.stderr:
            self.said.append(line.rstrip("\n"))
            if word in line:
                return self.said[-1]
        raise AssertionError(f"the server ended without saying {word!r}: {self.said}")

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=60, trust_env=False)


Serve = Callable[..., LiveServer]


@pytest.fixture
def serve_live(home: Path) -> Iterator[Serve]:
    """Starts `serve` in a process of its own; one still running at the end is told to end."""
    with starting(home) as start:
        yield start


@pytest.fixture(scope="module")
def one_server(new_folder: Callable[[str], Path]) -> Iterator[LiveServer]:
    """A server process for all requests of a module that leave it as it was."""
    folder = new_folder("server")
    (folder / "docs").mkdir()
    with starting(folder) as start:
        yield start()


def environment() -> dict[str, str]:
    """The environment of a child process that finds the project."""
    found = os.environ.get("PYTHONPATH", "")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), found]))}


@contextmanager
def starting(home: Path) -> Iterator[Serve]:
    started: list[LiveServer] = []

    def start(
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        config: dict[str, object] | None = None,
        workers: int = 1,
    ) -> LiveServer:
        path = home / "config.json"
        folders = {"watch_directories": ["docs"], "auto_sync": False}
        files = {"files": folders, "storage_path": "data/memory.db"}
        path.write_text(json.dumps({"memory": {**files, **(config or {})}}), "utf-8")
        process = subprocess.Popen(
            [sys.executable, "-c", _SERVE, str(path), host, str(port), str(workers)],
            cwd=home,
            env=environment(),
            stderr=subprocess.PIPE,
            text=True,
        )
        server = LiveServer(process)
        started.append(server)
        server.url = server.hear("mem serve: http").split()[2]
        return server

    try:
        yield start
    finally:
        for server in started:
            if server.process.poll() is None:
                server.process.terminate()
            server.process.wait(30)
            server.stderr.close()
