"""GET /memory/changes: pages and streams, over restarts, kills and two writing processes."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from memory.api.limits.streams import MOST_STREAMS, Streams
from memory.config.loading import load_config
from memory.operations.tokens import create_token, revoke_token
from memory.storage import Storage
from memory.workspace import Workspace
from tests.memory.api.conftest import LiveServer
from tests.repository import ROOT
from tests.waiting import DEADLINE_S, output_of, wait_until


def page(client: TestClient | httpx.Client, **parameters: int) -> dict[str, Any]:
    answer = client.get("/memory/changes", params=parameters)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def told(changes: list[dict[str, Any]]) -> list[tuple[str, str, str | None]]:
    return [(each["event"], each["id"], each["citation"]) for each in changes]


def test_each_change_of_a_record_is_listed_once(client: TestClient, home: Path) -> None:
    synced = page(client, since=0)
    assert {each["citation"] for each in synced["changes"]} == {
        "docs/setup.md",
        "docs/deep/code.py",
    }
    assert {each["source"] for each in synced["changes"]} == {"file"}
    assert (synced["more"], synced["missed"], synced["warnings"]) == (False, False, [])
    assert page(client)["next_since"] == synced["next_since"]
    assert page(client)["changes"] == []
    since = synced["next_since"]

    turn = client.post("/turns", json={"session_id": "s1", "text": "My name is Ana."}).json()
    cited = client.get(f"/memory/manage/turn:{turn['turn_id']}").json()
    (memory,) = turn["extracted_memories"]
    first = page(client, since=since)
    name = f"session s1 turn {turn['turn_id']}, {cited['modified_at'][:10]}"
    assert told(first["changes"]) == [
        ("added", f"turn:{turn['turn_id']}", name),
        ("added", f"memory:{memory['id']}", f"memory {memory['id']}"),
    ]
    assert "Ana" not in json.dumps(first)
    since = first["next_since"]

    place = f"/memories/{memory['id']}"
    client.patch(place, json={"content": "User's name is Anna."}).raise_for_status()
    client.patch(place, json={"importance": 0}).raise_for_status()
    client.patch(place, json={"importance": 0}).raise_for_status()  # which changes nothing
    text = client.post("/memory/ingest/text", json={"text": "A note."}).json()["id"]
    client.patch(f"/memory/manage/{text}", json={"tags": ["x"]}).raise_for_status()
    client.delete(f"/memory/manage/{text}").raise_for_status()
    (home / "docs/setup.md").rename(home / "docs/begin.md")
    (home / "docs/deep/code.py").unlink()
    client.post("/memory/sync").raise_for_status()
    client.post("/memory/sync").raise_for_status()
    client.delete(place).raise_for_status()
    after = page(client, since=since)["changes"]
    known = {each["citation"]: each["id"] for each in synced["changes"]}
    assert sorted(told(after), key=str) == sorted(
        [
            *[("changed", f"memory:{memory['id']}", None)] * 2,
            *[("added", text, None), ("changed", text, None), ("removed", text, None)],
            ("changed", known["docs/setup.md"], "docs/begin.md"),
            ("removed", known["docs/deep/code.py"], None),
            ("removed", f"memory:{memory['id']}", None),
        ],
        key=str,
    )
    assert [each["seq"] for each in after] == sorted(each["seq"] for each in after)


def test_pages_join_without_a_gap(client: TestClient) -> None:
    for number in range(7):
        client.post("/memory/ingest/text", json={"text": f"note {number}"}).raise_for_status()
    whole = page(client, since=0)["changes"]
    joined, since, more = [], 0, True
    while more:
        part = page(client, since=since, limit=2)
        joined += part["changes"]
        since, more = part["next_since"], part["more"]
    assert joined == whole
    assert len(whole) == 9


@pytest.mark.parametrize(
    "parameters", [{"since": "x"}, {"since": -1}, {"since": 1 << 63}, {"limit": 0}, {"limit": 1001}]
)
def test_bad_numbers_are_refused(client: TestClient, parameters: dict[str, Any]) -> None:
    assert client.get("/memory/changes", params=parameters).status_code == 422


def test_a_follower_is_told_what_it_missed(client: TestClient) -> None:
    storage: Storage = client.app.state.app_state.workspace.storage  # type: ignore[attr-defined]
    client.post("/memory/ingest/text", json={"text": "a note"}).raise_for_status()
    newest = page(client)["next_since"]
    with storage.database.transaction() as tx:
        tx.run("DELETE FROM record_changes WHERE seq < :newest", {"newest": newest})
    missed = page(client, since=0)
    assert missed["missed"]
    assert "read again" in missed["warnings"][0]
    assert [each["seq"] for each in missed["changes"]] == [newest]
    assert not page(client, since=missed["next_since"])["missed"]
    ahead = page(client, since=newest + 5)
    assert (ahead["missed"], ahead["next_since"]) == (True, newest)


def test_the_number_of_streams_is_limited() -> None:
    streams = Streams(most=2)
    assert [streams.open() for _ in range(3)] == [True, True, False]
    streams.close()
    assert streams.open()


class Stream:
    """A client of the stream: events as they arrive, read line by line."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.last_id = ""

    def next(self) -> dict[str, str] | None:
        """The fields of the next event that has data; None at the end of the stream."""
        fields: dict[str, str] = {}
        for line in self._lines:
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
                continue
            self.last_id = fields.get("id", self.last_id)
            if "data" in fields:
                return fields
            fields = {}
        return None


@contextmanager
def following(
    client: httpx.Client, *, headers: dict[str, str] | None = None, **parameters: int
) -> Iterator[Stream]:
    sent = {"Accept": "text/event-stream", **(headers or {})}
    with client.stream("GET", "/memory/changes", headers=sent, params=parameters) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield Stream(answer.iter_lines())


def ingest(client: httpx.Client, text: str) -> str:
    answer = client.post("/memory/ingest/text", json={"text": text})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["id"])


def test_a_stream_goes_on_and_resumes(serve_live: Any) -> None:
    server = serve_live()
    with server.client() as client:
        with following(client) as stream:
            first = ingest(client, "first")
            event = stream.next()
            assert event is not None
            assert json.loads(event["data"])["id"] == first
        missed = ingest(client, "second"), ingest(client, "third")
        with following(client, headers={"Last-Event-ID": stream.last_id}, since=0) as again:
            events = [again.next(), again.next()]
        assert [json.loads(event["data"])["id"] for event in events if event] == list(missed)


def test_a_stream_ends_with_the_server(serve_live: Any) -> None:
    server = serve_live()
    with server.client() as client, following(client) as stream:
        server.process.terminate()
        assert stream.next() is None  # the end of the answer, not of the connection
    assert server.process.wait(30) == 0
    assert "Traceback" not in server.stderr.read()


def test_a_stream_ends_with_its_token(serve_live: Any, home: Path) -> None:
    server = serve_live()
    with Workspace(load_config(home / "config.json")) as workspace, server.client() as client:
        with following(client) as open_to_all:
            secret = create_token(workspace, "claude", scope="write").token
            assert open_to_all.next() is None
        token = {"Authorization": f"Bearer {secret}"}
        with following(client, headers=token) as stream:
            sent = client.post("/memory/ingest/text", json={"text": "a note"}, headers=token)
            assert sent.status_code == 200
            assert stream.next() is not None
            revoke_token(workspace, "claude")
            assert stream.next() is None


def test_one_stream_too_many_is_refused(serve_live: Any) -> None:
    server = serve_live()
    limits = httpx.Limits(max_connections=None)
    with httpx.Client(base_url=server.url, timeout=60, trust_env=False, limits=limits) as client:
        from contextlib import ExitStack

        with ExitStack() as opened:
            for _ in range(MOST_STREAMS):
                opened.enter_context(following(client))
            answer = client.get("/memory/changes", headers={"Accept": "text/event-stream"})
            assert answer.status_code == 503
            assert answer.json()["type"].endswith(":too-many-streams")
            assert answer.headers["retry-after"] == "2"
            assert client.get("/memory/changes").status_code == 200

        def is_free() -> bool:
            wanted = {"Accept": "text/event-stream"}
            with client.stream("GET", "/memory/changes", headers=wanted) as one:
                return one.status_code == 200

        wait_until(is_free, "the server sees that the clients have left")


_WRITE = """
import sys
from pathlib import Path
from memory.config.loading import load_config
from memory.files.ingestion import ingest_text
from memory.operations.manage import delete_record
from memory.workspace import Workspace
name, number = sys.argv[2], int(sys.argv[3])
with Workspace(load_config(Path(sys.argv[1]))) as workspace:
    for n in range(number):
        done = ingest_text(workspace, f"{name} notes {n}")
        print("added", done.id, flush=True)
        if n % 3 == 2:
            delete_record(workspace, done.id)
            print("removed", done.id, flush=True)
"""


def writer(home: Path, name: str, number: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _WRITE, str(home / "config.json"), name, str(number)],
        cwd=home,
        env={"PYTHONPATH": str(ROOT), "HOME": str(home), "PATH": "/usr/bin:/bin"},
        stdout=subprocess.PIPE,
        text=True,
    )


class Follower(threading.Thread):
    """Follows the stream of whatever server there is, resuming where the last one broke off."""

    def __init__(self, url: Callable[[], str]) -> None:
        super().__init__(daemon=True)
        self._url = url
        self._last_id = "0"
        self.ended = threading.Event()
        self.changes: list[dict[str, Any]] = []
        self.missed = False

    def run(self) -> None:
        while not self.ended.is_set():
            try:
                with httpx.Client(base_url=self._url(), timeout=30, trust_env=False) as client:
                    self._follow(client)
            except httpx.HTTPError:
                time.sleep(0.05)  # the server is not back yet

    def _follow(self, client: httpx.Client) -> None:
        with following(client, headers={"Last-Event-ID": self._last_id}) as stream:
            while not self.ended.is_set() and (event := stream.next()):
                self.missed = self.missed or event.get("event") == "missed"
                if "id" in event:
                    self._last_id = event["id"]
                    self.changes.append(json.loads(event["data"]))

    def wait_for(self, number: int) -> None:
        wait_until(lambda: len(self.changes) >= number, f"{number} changes")


def said_by(process: subprocess.Popen[str]) -> list[tuple[str, str]]:
    out, _ = output_of(process)
    return [(event, key) for event, key in (line.split() for line in out.splitlines())]


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["terminate", "kill"])
def test_a_follower_misses_nothing_and_doubles_nothing(
    serve_live: Any, home: Path, ending: str
) -> None:
    """Two processes write, one more through the server, which ends and comes back twice."""
    servers: list[LiveServer] = [serve_live()]
    follower = Follower(lambda: servers[-1].url)
    follower.start()
    writers = [writer(home, name, 150) for name in ("ana", "ben")]
    own = []
    for number in range(3):
        with servers[-1].client() as client:
            own += [("added", ingest(client, f"own note {number} {n}")) for n in range(5)]
        follower.wait_for(20 * (number + 1))
        if number < 2:
            getattr(servers[-1].process, ending)()
            servers[-1].process.wait(30)
            servers.append(serve_live())
    wanted = [*own, *(pair for process in writers for pair in said_by(process))]
    follower.wait_for(len(wanted))
    with servers[-1].client() as client:
        log, since, more = [], 0, True
        while more:
            part = page(client, since=since, limit=1000)
            log += [(each["event"], each["id"]) for each in part["changes"]]
            since, more = part["next_since"], part["more"]
    follower.ended.set()
    seen = [(each["event"], each["id"]) for each in follower.changes]
    assert seen == log
    assert sorted(seen) == sorted(wanted)
    assert [each["seq"] for each in follower.changes] == list(range(1, len(seen) + 1))
    assert not follower.missed
    servers[-1].process.terminate()
    follower.join(DEADLINE_S)


@pytest.mark.slow
def test_a_writer_that_is_killed_leaves_whole_changes(serve_live: Any, home: Path) -> None:
    server = serve_live()
    process = writer(home, "ana", 10_000)
    assert process.stdout is not None
    for _ in range(50):
        process.stdout.readline()
    process.kill()
    process.wait(30)
    process.stdout.close()
    with server.client() as client:
        known: set[str] = set()
        since, more = 0, True
        while more:
            part = page(client, since=since, limit=1000)
            for each in part["changes"]:
                assert (each["id"] in known) == (each["event"] != "added")
                known = known ^ {each["id"]} if each["event"] != "changed" else known
            since, more = part["next_since"], part["more"]
        found: set[str] = set()
        cursor = None
        while True:
            asked = {"source": "text", "limit": 1000, **({"cursor": cursor} if cursor else {})}
            records = client.get("/memory/manage", params=asked).json()
            found |= {record["id"] for record in records["records"]}
            cursor = records["next_cursor"]
            if not cursor:
                break
    assert known == found
