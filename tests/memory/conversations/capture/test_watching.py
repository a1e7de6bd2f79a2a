"""A conversation that goes on is captured, whatever else reads the same transcript."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memory.conversations.capture.sources import ChatSource, add_source, read_sources, remove_source
from memory.conversations.capture.watching import ChatWatcher
from memory.operations.exchange.agent_import import import_transcripts
from memory.values.reports import WatchTrouble
from memory.workspace import Workspace
from tests.ingest.histories.agents.transcripts import (
    append,
    claude_code,
    claude_line,
    cursor_store,
    written,
)
from tests.memory.conversations.capture.captured import take, turns_of
from tests.waiting import wait_until


@contextmanager
def watching(memory: Workspace, *told: list[WatchTrouble]) -> Iterator[ChatWatcher]:
    watcher = ChatWatcher(memory, report=told[0].append if told else lambda _: None)
    thread = threading.Thread(target=watcher.run, name="chats")
    thread.start()
    try:
        yield watcher
    finally:
        watcher.stop()
        thread.join(60)
        assert not thread.is_alive()


def texts(memory: Workspace) -> list[str]:
    return [turn.text for turn in turns_of(memory) if turn.role != "tool"]


@pytest.mark.slow
def test_watcher_hook_and_import_leave_one_copy(memory: Workspace, tmp_path: Path) -> None:
    projects = tmp_path / "projects"
    chat = written(projects / "-src" / "a.jsonl", claude_code())
    add_source(memory, ChatSource("claude-code", projects))
    with watching(memory):
        wait_until(lambda: len(texts(memory)) == 2)
        for number in range(100, 130):
            append(chat, claude_line(number, "user", f"Message number {number} of many"))
            if number % 3 == 0:
                take(memory, "claude-code", chat)
            if number % 10 == 0:
                import_transcripts(memory, projects, "claude-code")
        other = written(projects / "-new" / "b.jsonl", [claude_line(200, "user", "A new file")])
        wait_until(lambda: "A new file" in texts(memory))
        other.unlink()
        wait_until(lambda: len(texts(memory)) == 2 + 30 + 1)
        time.sleep(0.2)
    assert sorted(texts(memory)) == sorted(set(texts(memory)))


@pytest.mark.slow
def test_sources_may_come_and_go(memory: Workspace, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    written(first / "-a" / "a.jsonl", [claude_line(1, "user", "From the first")])
    add_source(memory, ChatSource("claude-code", first))
    add_source(memory, ChatSource("codex", tmp_path / "not there yet"))
    with watching(memory) as watcher:
        wait_until(lambda: texts(memory) == ["From the first"])
        written(second / "-b" / "b.jsonl", [claude_line(2, "user", "From the second")])
        add_source(memory, ChatSource("claude-code", second))
        wait_until(lambda: "From the second" in texts(memory))
        wait_until(lambda: watcher.turns == 2)  # counted once it is stored
        for source in ("claude-code", first), ("claude-code", second):
            remove_source(memory, *source)
        remove_source(memory, "codex", tmp_path / "not there yet")
        wait_until(
            lambda: not any(thread.name == "chats" for thread in threading.enumerate()),
            "without a source it ends",
        )


@pytest.mark.slow
def test_what_cannot_be_read_is_told_once_and_tried_again(
    memory: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "globalStorage" / "state.vscdb"
    path.parent.mkdir()
    path.write_bytes(b"SQLite format 3\0" + b"\x07" * 4096)
    outside = written(tmp_path / "outside.vscdb", [])
    (path.parent / "sub").mkdir()
    (path.parent / "sub" / "state.vscdb").symlink_to(outside)
    add_source(memory, ChatSource("cursor", path.parent))
    told: list[WatchTrouble] = []
    with watching(memory, told):
        wait_until(lambda: len(told) == 2)
        assert len(read_sources(memory)[0].troubles) == 2
        path.unlink()
        cursor_store(path)
        wait_until(lambda: len(texts(memory)) == 2)
    assert all("cursor, " in trouble.message for trouble in told)
    assert len(read_sources(memory)[0].troubles) == 1, "the link stays"
