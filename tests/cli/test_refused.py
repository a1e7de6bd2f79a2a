"""What a provider refuses, as `mem` says it: by a server that will not have a certain word."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.shell import Mem
from tests.providers.wire import openai as wire
from tests.providers.wire.server import Answer, Request, WireServer, serving

BAD = "unspeakable"


def prudish(request: Request) -> Answer:
    if any(BAD in text for text in request.body["input"]):
        return wire.error(400, "the input was flagged by \x1b[31mmoderation")
    return wire.answer(request)


@pytest.fixture
def server(folder: Path) -> Iterator[WireServer]:
    """Where `folder` has its embeddings made."""
    with serving(prudish) as server:
        section = {"api_key": wire.KEY, "base_url": f"{server.url}/v1", "dimensions": 64}
        embeddings = {"provider": "openai", "openai": section}
        content = {"memory": {"storage_path": "memory.db", "embeddings": embeddings}}
        (folder / "own.json").write_text(json.dumps(content))
        yield server


def test_sync_and_status_say_what_is_refused(mem: Mem, folder: Path, server: WireServer) -> None:
    (folder / "docs" / "bad.md").write_text(f"One line.\n\nAn {BAD} one.\n")
    answer = mem("--config", "own.json", "sync", "docs")
    assert answer.code == 0
    assert " embedded, 0 known already, 1 refused)" in answer.out
    assert "1 of the chunks have no vector" in answer.err
    status = mem("--config", "own.json", "status")
    assert "no vector" in status.out
    assert "docs/bad.md:1-3" in status.out
    assert "flagged by" in status.out
    shown = answer.out + answer.err + status.out + status.err
    assert "\x1b" not in shown
    assert wire.KEY not in shown
    assert mem("--config", "own.json", "search", BAD, "--json").json["results"]
