"""The health page: what failed, with its remedy as a button, and events while it changes."""

import asyncio
import re
from pathlib import Path
from threading import Event

from starlette.testclient import TestClient

from memory.api.pages.health.events import changes_of
from memory.operations.jobs.last_runs import LastRun, write_last_run
from memory.workspace import Workspace
from tests.memory.api.pages.test_pages import key_of


def test_a_failure_has_its_remedy_and_is_tried_again(pages: TestClient, home: Path) -> None:
    path = home / "docs" / "broken.md"
    path.write_bytes(b"\x00\x01 binary")
    pages.post("/memory/sync").raise_for_status()
    page = pages.get("/page/health").text
    assert re.search(r"<td>[^<]*broken.md</td><td>skipped: binary", page)
    assert f'<input type="hidden" name="path" value="{path}"><button>Try again' in page
    path.write_text("A pump that is text now.\n")
    form = {"form_key": key_of(page), "path": str(path)}
    answer = pages.post("/page/health/retry", data=form)
    assert "Try again" not in answer.text
    assert "broken.md" in pages.get("/?q=pump text").text
    form["path"] = str(home / "secret" / "key.md")
    assert pages.post("/page/health/retry", data=form).status_code == 403


def test_an_unknown_job_is_named_and_a_known_one_runs(pages: TestClient) -> None:
    key = key_of(pages.get("/page/health").text)
    unknown = pages.post("/page/health/job", data={"form_key": key, "name": "gcc"})
    assert (unknown.status_code, "there is no job" in unknown.text) == (422, True)
    assert (
        pages.post("/page/health/job", data={"form_key": key, "name": "extraction"}).status_code
        == 200
    )
    absent = pages.post("/page/health/job", data={"form_key": key, "name": "distillation"})
    assert (absent.status_code, "does not run the job" in absent.text) == (503, True)


def test_latencies_are_those_of_this_server(pages: TestClient) -> None:
    assert "Latencies" not in pages.get("/page/health").text
    pages.get("/?q=pump")
    health = pages.get("/page/health").text
    assert "<td>search</td>" in health.partition("Latencies, milliseconds")[2]


def test_a_failed_job_says_why_and_has_a_button(pages: TestClient, workspace: Workspace) -> None:
    run = LastRun("2026-03-04T10:00:00.000Z", 1.0, "failed", "the disk is full", "free some", None)
    write_last_run(workspace.storage.database, "distillation", run)
    page = pages.get("/page/health").text
    assert re.search(r"failed: the disk is full <span[^>]*>free some</span><form", page)
    assert "Run distillation now" in page
    assert "Run gc now" not in page


def test_events_come_with_each_change_and_end_with_the_session() -> None:
    """A new event for a new state alone, none once the session is over."""
    parts, admitted = iter(["one", "one", "two\nlines", "three"]), iter([True] * 3 + [False])

    async def may_go_on() -> bool:
        return next(admitted)

    async def collected() -> list[bytes]:
        found = changes_of(lambda: next(parts), may_go_on, Event(), look_s=0)
        return [each async for each in found]

    assert asyncio.run(collected())[1:] == [
        b"event: health\ndata: one\n\n",
        b"event: health\ndata: two\ndata: lines\n\n",
    ]
