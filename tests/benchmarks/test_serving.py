"""The benchmarks' client asks as a server expects, and waits until its indexes are built."""

import threading
from collections.abc import Iterator

import pytest

from benchmarks.harness.serving import BUILDING, Client
from memory.retrieval.memory_index import MemoryIndex
from memory.storage.sqlite import SqliteStorage
from tests.benchmarks.scripted_server import ScriptedServer

BUSY = {"vector_index": {"kind": "sqlite", "reason": "it is being built"}}
AHEAD = {"keyword_index": {"kind": "memory", "reason": None, "is_reading_ahead": True}}
READY = {"vector_index": {"kind": "faiss", "reason": None}}


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(BUSY, AHEAD, READY, BUSY) as told:
        thread = threading.Thread(target=told.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield told
        told.shutdown()
        thread.join()


def client_of(server: ScriptedServer) -> Client:
    host, port = server.server_address[:2]
    return Client(str(host), int(port))


def test_the_client_waits_until_all_is_built(server: ScriptedServer) -> None:
    client = client_of(server)
    client.wait_until_built()
    client.close()
    assert server.answers == [BUSY], "asked until it was ready, and not again"


def test_a_server_that_never_ends_building_is_an_error(server: ScriptedServer) -> None:
    server.answers = [BUSY]
    client = client_of(server)
    with pytest.raises(RuntimeError, match="still building an index after 0 s"):
        client.wait_until_built(timeout_s=0)
    client.close()


def test_a_search_carries_its_options(server: ScriptedServer) -> None:
    server.answers = [{"results": []}]
    client = client_of(server)
    assert client.search("a question") == {"results": []}
    client.search("another", mode="vector", max_results=3)
    client.close()
    assert server.bodies == [
        {"query": "a question", "mode": "hybrid"},
        {"query": "another", "mode": "vector", "max_results": 3},
    ]


def test_it_knows_an_index_that_is_being_built_by_its_reason() -> None:
    storage = SqliteStorage.in_memory()
    index = MemoryIndex(storage)
    statuses = [index.vectors.status(), index.keywords.status()]
    storage.close()
    assert all(BUILDING in (status.reason or "") for status in statuses)
