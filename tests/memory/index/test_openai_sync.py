"""A whole memory on a remote model: real files, a real database, OpenAI's library, real sockets."""

import json
import threading
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from memory.config.settings import EmbeddingsConfig, OpenAIConfig
from memory.files.ingestion import sync_files
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.workspace import Workspace
from tests.memory.databases import opened, write
from tests.providers.wire import openai as wire
from tests.providers.wire.server import Answer, Request, WireServer, serving

DEADLINE_S = 30


@pytest.fixture
def server() -> Iterator[WireServer]:
    with serving(wire.answer) as server:
        yield server


def remote(tmp_path: Path, server: WireServer, *, key: str = wire.KEY, batch: int = 4) -> Workspace:
    section = OpenAIConfig(api_key=key, base_url=f"{server.url}/v1", dimensions=64)
    return opened(
        tmp_path,
        embeddings=EmbeddingsConfig(provider="openai", batch_size=batch, openai=section),
    )


def texts_sent(server: WireServer) -> list[str]:
    return [text for request in server.requests for text in request.body["input"]]


def some_files(docs: Path) -> None:
    write(docs, {f"{n:02}.md": f"alpha{n} beta{n} gamma{n}" for n in range(40)})


def test_files_are_found_by_a_remote_model(tmp_path: Path, docs: Path, server: WireServer) -> None:
    some_files(docs)
    together = threading.Barrier(2)

    def meet(request: Request) -> Answer:
        together.wait(DEADLINE_S)
        return wire.answer(request)

    server.script.extend([meet, meet])
    with remote(tmp_path, server) as memory:
        stats = sync_files(memory, [docs])
        assert (stats.embedded, stats.refused, stats.warnings) == (40, 0, [])
        found = search(memory, "alphas7 betas7")
        assert found.mode_used == "hybrid"
        assert found.results[0].file_path == str(docs / "07.md")
        status = read_status(memory)
    assert status.model is not None
    assert (status.model.provider, status.model.dimensions, status.vectors) == ("openai", 64, 40)
    assert wire.KEY not in json.dumps(asdict(status))


def test_words_are_searched_without_asking_anybody(
    tmp_path: Path, docs: Path, server: WireServer
) -> None:
    some_files(docs)
    with remote(tmp_path, server) as memory:
        sync_files(memory, [docs])
    asked = len(server.requests)
    with remote(tmp_path, server) as memory:
        assert search(memory, "alpha7 beta7").results
        read_status(memory)
        server.requests.clear()
        sync_files(memory)
        read_status(memory)
    assert asked > 0
    assert server.requests == []


def test_an_interruption_loses_the_calls_under_way_alone(
    tmp_path: Path, docs: Path, server: WireServer
) -> None:
    some_files(docs)
    served = 0

    def until_used_up(request: Request) -> Answer:
        nonlocal served
        served += 1
        return wire.answer(request) if served <= 6 else wire.used_up()

    server.service = until_used_up
    with remote(tmp_path, server) as memory:
        stats = sync_files(memory, [docs])
        assert stats.embedded == 0
        (warning,) = [line for line in stats.warnings if "no vectors yet" in line]
        assert "quota" in warning
        assert wire.KEY not in str(stats)
        server.service = wire.answer
        server.requests.clear()
        assert sync_files(memory).embedded == 40 - 6 * 4
        assert read_status(memory).vectors == 40
    assert len(texts_sent(server)) - 1 <= 40 - 6 * 4 + 12, "what was paid for is not sent again"


@pytest.mark.parametrize(
    "answer, said",
    [
        pytest.param(wire.wrong_key(), "does not accept the API key", id="wrong key"),
        pytest.param(wire.unknown_model("m"), "has no embedding model", id="unknown model"),
    ],
)
def test_words_answer_when_the_model_cannot(
    tmp_path: Path, docs: Path, server: WireServer, answer: Answer, said: str
) -> None:
    some_files(docs)
    with remote(tmp_path, server) as memory:
        sync_files(memory, [docs])
        server.service = lambda request: answer
        found = search(memory, "alpha7")
        assert (found.mode_used, found.results[0].file_path) == ("keyword", str(docs / "07.md"))
        (warning,) = [line for line in found.warnings if said in line]
        assert wire.KEY not in warning


def test_a_question_that_is_refused_does_not_keep_others_from_being_asked(
    tmp_path: Path, docs: Path, server: WireServer
) -> None:
    some_files(docs)
    with remote(tmp_path, server) as memory:
        sync_files(memory, [docs])
        server.script.append(wire.error(400, "maximum context length is 8192 tokens"))
        long = search(memory, "alphas7 betas7")
        assert (long.mode_used, search(memory, "gammas8").mode_used) == ("keyword", "hybrid")
