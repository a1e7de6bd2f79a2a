"""A server that watches a folder with hostile ignore files answers, and ends when it is told to."""

import signal
from pathlib import Path

import pytest

from tests.memory.api.conftest import Serve
from tests.waiting import DEADLINE_S, wait_until

_HOSTILE = ["*a*a*a*a*a*a*a*ab", "/" + "**/a/" * 12 + "b", "*[ab]*[ab]*[ab]*[ab]*[ab]*c"]


@pytest.mark.slow
def test_a_server_of_a_hostile_folder_answers_and_ends(home: Path, serve_live: Serve) -> None:
    docs = home / "docs"
    (docs / ".gitignore").write_text("\n".join(_HOSTILE * 1000) + "\n")
    (docs / ("a" * 200)).write_text("A quince.\n")
    deep = docs.joinpath(*["a"] * 60)
    deep.mkdir(parents=True)
    (deep / ("a" * 200 + ".md")).write_text("The quince is far down.\n")
    server = serve_live(config={"files": {"watch_directories": ["docs"], "auto_sync": True}})
    with server.client() as client:
        asked = {"query": "quince"}
        wait_until(lambda: client.post("/memory/search", json=asked).json()["results"])
        assert client.get("/memory/health").json()["status"] == "ok"
        assert client.post("/memory/sync", json={"force": True}).status_code in (200, 503)
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(DEADLINE_S) == 0
