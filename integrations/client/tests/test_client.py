"""The client against a real server, and what it says when there is none."""

import socket
from threading import Thread

import pytest
from symbiosis_memory_client import TOKEN_VARIABLE, URL_VARIABLE, MemoryClient, MemoryServerError
from symbiosis_memory_client import NewTurn as Turn


def test_files_are_found(client: MemoryClient) -> None:
    (hit,) = client.search("where is the spare key", limit=1, sources=["file"])
    assert "behind the boiler" in hit["text"]
    assert hit["citation"].endswith("boiler.md:1-3")


def test_a_session_comes_back_in_its_order(client: MemoryClient, session_id: str) -> None:
    assert client.turns(session_id) == []
    said = [Turn(f"word {number}", "user" if number % 2 else "assistant") for number in range(1201)]
    ids = client.add_turns(session_id, said)
    assert ids == sorted(set(ids))
    turns = client.turns(session_id)
    assert [turn["id"] for turn in turns] == ids
    assert [turn["text"] for turn in turns] == [turn.text for turn in said]
    assert [turn["id"] for turn in client.turns(session_id, limit=1100)] == ids[-1100:]
    assert [turn["id"] for turn in client.turns(session_id, limit=1000)] == ids[-1000:]
    assert client.turns(session_id, limit=0) == []


def test_what_is_remembered_is_in_the_context(client: MemoryClient, session_id: str) -> None:
    assert client.remember("User keeps bees", tags=["hobby"])["action"] == "create"
    assert client.remember("User keeps bees")["action"] == "merge"
    assert "keeps bees" in client.context(session_id, query="bees")["markdown"]


def test_turns_and_sessions_are_forgotten(client: MemoryClient, session_id: str) -> None:
    first, second, _ = client.add_turns(session_id, [Turn("one"), Turn("two"), Turn("three")])
    client.forget_turn(second)
    assert [turn["text"] for turn in client.turns(session_id)] == ["one", "three"]
    client.forget_session(session_id)
    assert client.turns(session_id) == []
    client.forget_session(session_id)
    with pytest.raises(MemoryServerError, match=f"no turn {first}") as found:
        client.forget_turn(first)
    assert found.value.status == 404


def test_a_refusal_says_what_to_do(client: MemoryClient, session_id: str) -> None:
    with pytest.raises(MemoryServerError, match="word") as found:
        client.add_turns(session_id, [Turn("fine"), Turn("  ")])
    assert (found.value.status, bool(found.value.hint)) == (422, True)
    assert client.turns(session_id) == [], "all of them, or none"


def test_a_token_is_needed(server: str) -> None:
    with pytest.raises(MemoryServerError) as found:
        MemoryClient(server).search("boiler")
    assert found.value.status == 401
    assert MemoryClient(server).health()["status"] == "ok"


def test_the_environment_names_the_server(
    client: MemoryClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(URL_VARIABLE, f"{client.url}/")
    monkeypatch.setenv(TOKEN_VARIABLE, "an-admin-token-of-the-tests")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")  # not asked for what is on this machine
    assert MemoryClient().search("boiler", limit=1)


def test_no_server_is_an_error_with_a_hint() -> None:
    with pytest.raises(MemoryServerError, match=r"no server answers at .*mem serve") as found:
        MemoryClient("http://127.0.0.1:9").search("boiler")
    assert found.value.status is None


@pytest.mark.parametrize("url", ["127.0.0.1:8787", "file:///etc/passwd", "http://"])
def test_an_address_is_one_of_http(url: str) -> None:
    with pytest.raises(ValueError, match="not the address of a server"):
        MemoryClient(url)


def test_a_token_follows_no_redirect() -> None:
    """Another address would be sent it."""
    answer = b"HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n"
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer_one() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(answer)

        thread = Thread(target=answer_one)
        thread.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(MemoryServerError) as found:
            MemoryClient(url, token="secret").health()
        thread.join()
    assert found.value.status == 307
