"""Messages of `mem` about refused texts, from a server that refuses a certain word."""

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
    """The server that embeds the texts of `folder`."""
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
    assert " embedded, 0 already known, 1 refused)" in answer.out
    assert "1 of the chunks have no vector" in answer.err
    status = mem("--config", "own.json", "status")
    assert "no vector" in status.out
    assert "docs/bad.md:1-3" in status.out
    assert "flagged by" in status.out
    shown = answer.out + answer.err + status.out + status.err
    assert "\x1b" not in shown
    assert wire.KEY not in shown
    assert mem("--config", "own.json", "search", BAD, "--json").json["results"]


def test_ingest_says_what_is_refused(mem: Mem, folder: Path, server: WireServer) -> None:
    refused = "1 of the chunks have no vector and are found by keywords only: "
    (folder / "docs" / "bad.md").write_text(f"One line.\n\nAn {BAD} one.\n")
    for arguments in (["docs"], ["--text", f"Another {BAD} line."]):
        answer = mem("--config", "own.json", "ingest", *arguments)
        assert (answer.code, refused in answer.err) == (0, True)
        assert wire.KEY not in answer.out + answer.err
    said = mem("--config", "own.json", "ingest", "--text", f"The third {BAD} line.", "--json").json
    assert (said["chunks"], said["refused"], len(said["warnings"])) == (1, 1, 1)
    (folder / "worse.md").write_text(f"Again an {BAD} one, and more.\n")
    said = mem("--config", "own.json", "ingest", "docs", "worse.md", "--json").json
    assert (said["added"], said["refused"], len(said["warnings"])) == (1, 1, 1)
    server.script.append(wire.wrong_key())
    answer = mem("--config", "own.json", "ingest", "--text", "The key is wrong by now.")
    assert "new chunks have no vectors yet and are found by keywords only" in answer.err
    assert "does not accept the API key" in answer.err
