"""What is read over HTTP changes nothing, by HEAD or by GET."""

import re
from contextlib import closing
from pathlib import Path

import apsw
from starlette.testclient import TestClient

from memory.api import create_app
from memory.api.scopes import PAGE_SCOPES, ROUTE_SCOPES
from memory.workspace import Workspace
from tests.memory.api.conftest import BASE_URL, settings

ADDRESSES = [
    "/",
    "/?q=pump",
    "/docs",
    "/episodes",
    "/gc",
    "/memories",
    "/memories?q=pump",
    "/memories/1",
    "/memories/1/why",
    "/memory/audit",
    "/memory/changes",
    "/openapi.json",
    "/memory/context?topic=pump",
    "/memory/manage",
    "/memory/manage/memory:1",
    "/memory/open-loops",
    "/memory/patterns",
    "/memory/person/Ida",
    "/memory/reindex",
    "/memory/status",
    "/metrics",
    "/turns?session_id=s1",
    "/turns/1",
    "/context?session_id=s1&query=pump",
    "/page/begin",
    "/page/begin/agent?name=claude-code",
    "/page/context?q=pump",
    "/page/health",
    "/page/loops",
    "/page/memories?q=pump",
    "/page/people",
    "/page/person?name=Ida",
    "/page/plot/memory?number=1",
    "/page/read?at=turn%201",
    "/page/signals",
    "/page/timeline",
    "/page/plot/signal?series=mood",
]
OTHERS = {
    *("/episodes/{episode_id}", "/memory/files/{file_id}", "/page/pdf"),
    *("/page/plot/episode", "/page/plot/fact", "/page/health/events"),
}
"""What this memory has not, and what goes on for ever."""


def pattern_of(path: str) -> str:
    return re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))


def test_reading_writes_nothing(home: Path) -> None:
    workspace = Workspace(settings(home))
    with TestClient(
        create_app(workspace), base_url=BASE_URL, headers={"Sec-Fetch-Site": "same-origin"}
    ) as client:
        for path, body in (
            ("/memory/sync", None),
            ("/turns", {"session_id": "s1", "role": "user", "text": "I love my pump, says Ida."}),
            ("/memory/person", {"name": "Ida"}),
            ("/memory/signal", {"signal_type": "mood", "value": "3"}),
            ("/memories", {"content": "The pump needs bricks"}),
        ):
            client.post(path, json=body).raise_for_status()
        with closing(apsw.Connection(str(workspace.path))) as outside:
            before = outside.pragma("data_version")
            for address in ADDRESSES:
                head, got = client.head(address), client.get(address)
                assert (address, head.status_code, head.content) == (address, 200, b"")
                assert (address, got.status_code, bool(got.content)) == (address, 200, True)
            assert outside.pragma("data_version") == before
    paths = {path for method, path in (*ROUTE_SCOPES, *PAGE_SCOPES) if method == "GET"}
    asked = [address.partition("?")[0] for address in ADDRESSES]
    unasked = {
        path for path in paths if not any(re.fullmatch(pattern_of(path), one) for one in asked)
    }
    assert unasked == OTHERS
