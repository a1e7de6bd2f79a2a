"""A reindex over HTTP: begun in the background, followed, ended with the server and gone on."""

import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from memory.api import create_app
from memory.index.embedding.active_model import embedder_of, known_model, model_for
from memory.index.embedding.model_choice import configured_model
from memory.index.embedding.preload import Preload
from memory.operations.jobs.reindexing import ReindexRequests, ReindexWork
from memory.operations.jobs.scheduler import Scheduler
from memory.operations.jobs.vectors import UpgradeWork, VectorsWork
from memory.storage.meta import REINDEX_WANTED, read_meta, write_meta
from memory.storage.process_locks import reindex_lock
from memory.workspace import Workspace
from providers.base import ModelCard
from providers.fake import FakeProvider
from tests.memory.api.conftest import BASE_URL, settings
from tests.memory.children import kill, lines, start
from tests.memory.databases import document
from tests.waiting import DEADLINE_S, wait_until

QUERY = {"query": "pump bricks", "mode": "vector", "min_score": 0, "max_results": 5}


def followed(client: Any) -> dict[str, Any]:
    """The state once nobody reindexes."""
    return answer_when(
        client,
        "/memory/reindex",
        lambda found: found["running"] is None and found["progress"] is None,
    )


def answer_when(
    client: Any, path: str, condition: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """The first answer of this path of which the condition is true."""
    answers: list[dict[str, Any]] = []

    def is_it() -> bool:
        answers.append(client.get(path).json())
        return condition(answers[-1])

    wait_until(is_it)
    return answers[-1]


def test_a_reindex_there_and_back(client: TestClient) -> None:
    before = client.post("/memory/search", json=QUERY).json()["results"]
    for provider in ("fake", "static"):
        begun = client.post("/memory/reindex", json={"provider": provider})
        assert begun.status_code == 202
        found = followed(client)
        assert found["last_error"] is None
        assert [space["state"] for space in found["spaces"]] == ["active", "retired"]
        assert found["spaces"][0]["provider"] == provider
        assert found["spaces"][0]["vectors"] == found["spaces"][0]["chunks"] > 0
        answer = client.post("/memory/search", json=QUERY).json()
        assert (answer["mode_used"], answer["warnings"]) == ("vector", [])
    assert answer["results"] == before
    assert client.post("/memory/reindex").status_code == 202
    assert followed(client)["spaces"][0]["provider"] == "static"


@pytest.mark.parametrize(
    "body, status, part",
    [
        pytest.param({"provider": "openai"}, 403, "does not name the provider", id="remote"),
        pytest.param(
            {"provider": "sentence_transformers", "model": "x/y"},
            403,
            "may have to be downloaded",
            id="download",
        ),
        pytest.param({"model": "./models/x"}, 403, "is a folder", id="folder"),
        pytest.param({"provider": "static", "model": "x"}, 422, "no model 'x'", id="model"),
        pytest.param({"modelname": "x"}, 422, "", id="field"),
        pytest.param({"model": ""}, 422, "the model has no name", id="empty"),
    ],
)
def test_what_cannot_be_reindexed_to(
    client: TestClient, body: dict[str, str], status: int, part: str
) -> None:
    for more in ({}, {"dry_run": True}):
        answer = client.post("/memory/reindex", json={**body, **more})
        assert answer.status_code == status
        assert part in answer.text
    assert [space["state"] for space in followed(client)["spaces"]] == ["active"]


class Waiting(FakeProvider):
    """A model whose card the thread of a reindex has to wait for."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()

    @property
    def card(self) -> ModelCard:
        if threading.current_thread().name == "reindex":
            self.go_on.wait(DEADLINE_S)
        return super().card


def test_a_reindex_is_at_work_once_it_was_begun(home: Path) -> None:
    """Though it holds no lock yet: who asked for it must not believe that it has ended."""
    with Workspace(settings(home)) as workspace:
        provider = Waiting()
        chosen = configured_model(None, workspace.config.embeddings, provider="fake")
        known_model(workspace, chosen).__dict__["provider"] = provider
        scheduler, work = Scheduler(workspace), ReindexWork(workspace)
        requests = ReindexRequests(workspace, scheduler, work)
        scheduler.start(work)
        requests.start(provider="fake")
        running = requests.status().running
        provider.go_on.set()
        scheduler.stop()
        assert running == "a thread of this process"
        assert requests.status().running is None


def test_a_dry_run_says_the_cost_and_begins_nothing(client: TestClient) -> None:
    texts = followed(client)["spaces"][0]["chunks"]
    for body, expected in (({"provider": "fake"}, texts), ({}, 0)):
        answer = client.post("/memory/reindex", json={**body, "dry_run": True})
        assert answer.status_code == 200
        cost = answer.json()
        assert (cost["texts"], cost["host"], cost["dollars"]) == (expected, None, 0)
        assert (cost["tokens"] > 0) == (expected > 0)
    assert len(followed(client)["spaces"]) == 1


def test_one_reindex_at_a_time(client: TestClient, home: Path) -> None:
    workspace: Workspace = client.app.state.app_state.workspace  # type: ignore[attr-defined]
    with reindex_lock(workspace.storage.database, workspace.path):
        answer = client.post("/memory/reindex")
        assert answer.status_code == 409
        assert "is running already" in answer.json()["detail"]
        assert client.get("/memory/reindex").json()["running"]


def test_a_model_that_fails_is_told(home: Path) -> None:
    with TestClient(create_app(Workspace(settings(home))), base_url=BASE_URL) as client:
        client.post("/memory/sync").raise_for_status()
        client.post("/memory/reindex", json={"provider": "fake"}).raise_for_status()
        followed(client)
        client.post("/memory/reindex", json={"provider": "static"}).raise_for_status()
        followed(client)
        state = client.app.state.app_state  # type: ignore[attr-defined]
        database = state.workspace.storage.database
        with database.transaction() as tx:
            tx.run("UPDATE vectors_2 SET v = x'00'")
        client.post("/memory/reindex", json={"provider": "fake"}).raise_for_status()
        assert "are damaged" in followed(client)["last_error"]
        assert read_meta(database, REINDEX_WANTED) is None


def test_a_server_goes_on_with_what_an_earlier_one_began(home: Path) -> None:
    with TestClient(create_app(Workspace(settings(home))), base_url=BASE_URL) as client:
        client.post("/memory/sync").raise_for_status()
    workspace = Workspace(settings(home))
    with workspace.storage.database.transaction() as tx:
        write_meta(tx, REINDEX_WANTED, {"provider": "fake", "model": None})
    stopping = threading.Event()
    stopping.set()
    assert ReindexWork(workspace).run(stopping).done == "stopped between two batches"
    assert read_meta(workspace.storage.database, REINDEX_WANTED) is not None
    active = workspace.storage.active_space()
    assert active is not None
    assert active.provider == "static"
    with TestClient(create_app(workspace), base_url=BASE_URL) as client:
        assert followed(client)["spaces"][0]["provider"] == "fake"
        assert read_meta(workspace.storage.database, REINDEX_WANTED) is None


def test_the_next_model_is_loaded_before_it_answers(home: Path) -> None:
    with Workspace(settings(home)) as workspace:
        space = embedder_of(workspace).space(generation="g", chunking="{}")
        spaces = workspace.storage.spaces()
        with workspace.storage.database.transaction() as tx:
            spaces.create(tx, space)
            other = space._replace(provider="fake", embedder="other", request=None)
            spaces.fill(tx, other)
            spaces.fill(tx, other._replace(provider="nobody", embedder="third"))
        warming = Preload(workspace.storage, partial(model_for, workspace))
        thread = warming.look("one")
        assert thread is not None
        thread.join()
        assert warming.look("one") is None
        filling = spaces.all()[1]
        assert "provider" in vars(model_for(workspace, filling))


@pytest.fixture
def many(home: Path) -> Path:
    for number in range(60):
        text = document(*range(8 * number, 8 * number + 8))
        (home / f"docs/{number}.md").write_text(text, "utf-8")
    return home


def asking(client: httpx.Client, ended: threading.Event, problems: list[str]) -> None:
    """Ask in turn by meaning, by words and both; every answer must have hits of that mode."""
    with client:
        while not ended.is_set():
            for mode in ("vector", "hybrid", "keyword"):
                answer = client.post("/memory/search", json={**QUERY, "mode": mode})
                found = answer.json()
                if answer.status_code != 200 or not found["results"] or found["mode_used"] != mode:
                    problems.append(answer.text)


@pytest.fixture
def writer(many: Path) -> Iterator[Any]:
    """A process that changes the files and syncs, over and over."""
    process = start("rewrite_and_sync", many / "data", str(many / "docs"))
    yield process
    kill(process)


@pytest.mark.slow
def test_nobody_notices_a_reindex(serve_live: Any, many: Path, request: Any) -> None:
    """Clients ask and a process syncs while the model and the chunks change: no answer is empty,
    fails, or is of another mode than it was asked for."""
    server = serve_live(config={"chunking": {"chunk_size_chars": 300, "chunk_overlap_chars": 60}})
    problems: list[str] = []
    ended = threading.Event()
    with server.client() as client:
        assert client.post("/memory/sync").json()["failed"] == 0
        process = request.getfixturevalue("writer")
        assert next(lines(process)) == "0"
        askers = [
            threading.Thread(target=asking, args=(server.client(), ended, problems))
            for _ in range(3)
        ]
        for asker in askers:
            asker.start()
        try:
            for body in ({"provider": "fake"}, {"provider": "fake", "model": "fake-96"}, {}):
                assert client.post("/memory/reindex", json=body).status_code == 202
                assert followed(client)["last_error"] is None
            told = start("reindex_telling", many / "data", "fake-32")
            assert list(lines(told))[-1] == "done"
            kill(told)
            next(lines(process))
        finally:
            ended.set()
            for asker in askers:
                asker.join(DEADLINE_S)
        spaces = client.get("/memory/reindex").json()["spaces"]
    assert problems == []
    assert (spaces[0]["dimensions"], spaces[0]["chunk_size_chars"]) == (32, 150)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_a_server_that_ends_leaves_a_reindex_to_the_next(serve_live: Any, many: Path) -> None:
    server = serve_live()
    with server.client() as client:
        client.post("/memory/sync").raise_for_status()
        assert client.post("/memory/reindex", json={"provider": "fake"}).status_code == 202
        server.process.terminate()
        assert server.process.wait(DEADLINE_S) == 0
    assert "Traceback" not in server.stderr.read()
    server = serve_live()
    with server.client() as client:
        assert followed(client)["spaces"][0]["provider"] == "fake"


def test_a_server_changes_to_the_better_model(client: TestClient) -> None:
    """What a new database answers with, what its status says, and what is added afterwards."""
    before = client.get("/memory/status").json()
    assert (before["model"]["provider"], before["upgrade"]["state"]) == ("static", "waiting")
    assert client.post("/memory/search", json=QUERY).json()["mode_used"] == "vector"
    state = client.app.state.app_state  # type: ignore[attr-defined]
    state.scheduler.start(UpgradeWork(state.workspace), VectorsWork(state.workspace))
    after = answer_when(  # it may change between the two that a status says
        client,
        "/memory/status",
        lambda status: (
            (status["model"]["provider"], status["upgrade"]["state"]) == ("minilm", "done")
        ),
    )
    assert after["vectors"] == before["vectors"] == sum(before["chunks"].values())
    assert client.post("/memory/search", json=QUERY).json()["warnings"] == []
    turn = {"session_id": "s", "role": "user", "text": "A zeppelin in Ghent."}
    client.post("/turns", json=turn).raise_for_status()
    found = client.post("/memory/search", json={"query": "zeppelin"}).json()["results"]
    assert found[0]["text"] == "A zeppelin in Ghent."
    state.scheduler.trigger("vectors")
    answer_when(
        client, "/memory/status", lambda status: status["vectors"] == sum(status["chunks"].values())
    )
