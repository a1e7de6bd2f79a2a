"""The health page: what failed, with its remedy as a button, and events while it changes."""

import asyncio
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from threading import Event

from markupsafe import escape
from starlette.testclient import TestClient

from contracts.installation import install_command, install_hint
from memory.api.pages.health.events import changes_of
from memory.api.pages.health.troubles import troubles_of
from memory.files.problem_hints import next_command
from memory.operations.jobs.last_runs import LastRun, write_last_run
from memory.operations.status import read_status
from memory.values.reports import FileProblem, RefusedChunk
from memory.values.space_reports import UpgradeStatus
from memory.values.status_reports import (
    ChatSourceStatus,
    FallbackStatus,
    QueriesWithoutVectors,
    RerankerStatus,
    WatcherStatus,
)
from memory.workspace import Workspace
from tests.memory.api.pages.conftest import key_of


def test_a_failure_has_its_remedy_and_is_tried_again(pages: TestClient, home: Path) -> None:
    path = home / "docs" / "broken.md"
    path.write_bytes(b"\x00\x01 binary")
    pages.post("/memory/sync").raise_for_status()
    page = pages.get("/page/health").text
    assert f"<h3>{path}</h3>\n<p>Skipped: binary: " in page
    command = f"echo /broken.md &gt;&gt; {home}/docs/.memignore"
    assert f'Save it as text, or leave it out. <code class="command">{command}</code>' in page
    button = f'<button aria-label="Try again: {path}">Try again</button>'
    assert f'<input type="hidden" name="path" value="{path}">{button}' in page
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
    assert (unknown.status_code, "There is no job" in unknown.text) == (422, True)
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
    assert "<td>search</td>" in health.partition("Latencies of searches")[2]


def test_a_better_model_shows_how_far_it_is(pages: TestClient, workspace: Workspace) -> None:
    """As a part of the page and of its events; the first step is to wait for the job."""
    total = read_status(workspace).chunks["file"]
    page = pages.get("/page/health").text
    bar = f'<progress max="{total}" value="0" aria-label="passages embedded by minilm">'
    assert re.search(
        rf">Better model</th><td>minilm, waiting: {bar}0</progress> 0 of {total}", page
    )


def test_a_failed_job_says_why_and_has_a_button(pages: TestClient, workspace: Workspace) -> None:
    run = LastRun("2026-03-04T10:00:00.000Z", 1.0, "failed", "the disk is full", "free some", None)
    write_last_run(workspace.storage.database, "distillation", run)
    page = pages.get("/page/health").text
    assert "<h3>The job distillation failed</h3>\n<p>The disk is full.</p>" in page
    assert 'Free some. <code class="command">mem maintain distillation</code>' in page
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


def test_a_command_leaves_an_odd_file_out(pages: TestClient, home: Path) -> None:
    """A shell runs what the page shows; the file is no longer listed, its neighbour still is."""
    names = ["a *[b]!.md", "#it's $HOME.md", "a xb!.md"]
    for name in names:
        (home / "docs" / name).write_bytes(b"\x00\x01 binary")
    pages.post("/memory/sync").raise_for_status()
    shown = pages.get("/page/health").text
    found = {
        Path(one["path"]).name: FileProblem(**one)
        for one in pages.get("/memory/status").json()["problems"]
    }
    for name in names[:2]:
        command = str(next_command(found[name]))
        assert f'<code class="command">{escape(command)}</code>' in shown
        subprocess.run(["sh", "-c", command], check=True)
    pages.post("/memory/sync").raise_for_status()
    left = pages.get("/memory/status").json()["problems"]
    assert [Path(one["path"]).name for one in left] == names[2:]


def test_every_failure_has_a_button_or_a_command(workspace: Workspace) -> None:
    """Whatever fails: it is told, and what helps is a button, a command, or both."""
    status = read_status(workspace)
    missing = "the embedding provider minilm needs the library onnxruntime, which is not installed"
    hint = install_hint("onnx")
    upgrade = UpgradeStatus("minilm", "unavailable", 0, 0, reason=f"{missing} ({hint})")
    reasons = {
        "changing": "it is written to",
        "missing-extra": "pdf",
        "outside": "a link",
        "over-limit": "too much",
        "too-large": "70000000 bytes, the limit is 67108864",
        "unreadable": "permission denied",
        "vanished": "it is gone",
    }
    problems = [FileProblem(f"/a/{code}", "failed", f"{code}: {x}") for code, x in reasons.items()]
    failed = replace(status.jobs[-1], state="failed", message="no room", hint=None)
    broken = replace(
        status,
        errors=[f"{missing} ({hint})"],
        queries_without_vectors=QueriesWithoutVectors(3, None, "it is away", 5.0),
        fallback=FallbackStatus("static", False, "no vectors", 0, None),
        reranker=RerankerStatus("failed", "a/model", "no memory"),
        upgrade=upgrade,
        watcher=WatcherStatus("ended", "4711", "", "", *([None] * 2), 1, 0, *([None] * 4), None),
        chats=[ChatSourceStatus("codex", "/c", False, 0, 0, None, ["/c/1: not JSON"])],
        refused_chunks=1,
        refused=[RefusedChunk("/a/b", 1, 2, "too long")],
        retention=replace(status.retention, last_error="locked"),
        jobs=[failed],
        problems=problems,
    )
    troubles = troubles_of(broken)
    assert len(troubles) == 10 + len(problems)
    assert [one.what for one in troubles if not (one.button or one.command)] == []
    by_what = {one.what: one for one in troubles}
    for what in ("A library is missing", "The better model minilm waits"):
        found = by_what[what]
        assert (found.why, found.command) == (missing, install_command("onnx"))
        assert "install it in " in str(found.advice)
    assert by_what["/a/missing-extra"].command == install_command("documents")
    assert by_what["/a/too-large"].command == "mem config set memory.files.max_file_size_mb 67"
    assert by_what["Nothing follows changes of files"].command == "mem watch"
    assert troubles_of(status) == []
