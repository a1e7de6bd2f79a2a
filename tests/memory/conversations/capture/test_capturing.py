"""Capture is exact: each message once, nothing lost, and no transcript can break it."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from contracts import InputError, MemError
from ingest.histories.agents import lines
from ingest.histories.agents.places import transcripts_at
from memory.conversations.capture.capturing import capture
from memory.conversations.capture.reading import TURNS_AT_ONCE
from memory.conversations.capture.sources import (
    ChatSource,
    add_source,
    known_sources,
    progress_of,
    read_sources,
    remove_source,
)
from memory.operations.exchange.agent_import import import_transcripts
from memory.operations.forget.removal import forget
from memory.operations.forget.values import ForgetRequest
from memory.retrieval.searching import search
from memory.values.record_kinds import RecordName
from memory.workspace import Workspace
from tests.ingest.histories.agents.transcripts import (
    ANSWERED,
    append,
    claude_code,
    claude_line,
    cursor_store,
    opencode_store,
    put_composer,
    put_message,
    written,
)
from tests.memory.conversations.capture.captured import take, turns_of
from tests.waiting import output_of


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    return written(tmp_path / "projects" / "-src" / "a.jsonl", claude_code())


def said(memory: Workspace) -> list[str]:
    return [turn.text for turn in turns_of(memory) if turn.role != "tool"]


def test_only_what_is_new_is_read(memory: Workspace, chat: Path) -> None:
    assert take(memory, "claude-code", chat) == 3
    before = progress_of(memory.storage.database, chat)
    append(chat, claude_line(7, "user", "And the timeout?"))
    assert take(memory, "claude-code", chat) == 1
    after = progress_of(memory.storage.database, chat)
    assert before is not None
    assert after is not None
    assert before.cursor["place"][0] < after.cursor["place"][0] == chat.stat().st_size
    assert after.turns == 4


def test_two_readers_of_one_transcript_count_each_message_once(
    memory: Workspace, chat: Path
) -> None:
    for number in range(TURNS_AT_ONCE + 20):
        append(chat, claude_line(number + 7, "user", f"Message {number}"))
    first = capture(memory, "claude-code", chat)
    next(first)
    assert take(memory, "claude-code", chat) > 0
    assert list(first)
    progress = progress_of(memory.storage.database, chat)
    assert progress is not None
    assert progress.turns == len(turns_of(memory)) > TURNS_AT_ONCE


def test_a_line_that_is_half_written_waits_for_its_rest(memory: Workspace, chat: Path) -> None:
    take(memory, "claude-code", chat)
    line = json.dumps(claude_line(7, "user", "Twelve seconds — é"), ensure_ascii=False).encode()
    for cut in (1, len(line) // 2, line.index("é".encode()) + 1):
        with chat.open("ab") as file:
            file.write(line[:cut])
        assert take(memory, "claude-code", chat) == 0
        os.truncate(chat, chat.stat().st_size - cut)
    with chat.open("ab") as file:
        file.write(line)
    assert take(memory, "claude-code", chat) == 1, "a whole object needs no end of line"
    with chat.open("ab") as file:
        file.write(b"\n")
    assert take(memory, "claude-code", chat) == 0
    assert said(memory)[-1] == "Twelve seconds — é"


@pytest.mark.parametrize("change", ["gone", "empty", "shorter", "other", "replaced"])
def test_a_transcript_that_changes_otherwise_deletes_nothing(
    memory: Workspace, chat: Path, change: str
) -> None:
    take(memory, "claude-code", chat)
    before = said(memory)
    data = chat.read_bytes()
    if change == "gone":
        chat.unlink()
    else:
        kept = {"empty": b"", "shorter": data[: data.index(b"\n") + 1], "replaced": data}
        chat.write_bytes(kept.get(change, b"x" * len(data)))
    if change == "replaced":
        written(chat, [claude_line(90, "user", "Started over"), *claude_code()])
    new = take(memory, "claude-code", chat)
    assert said(memory)[: len(before)] == before
    assert new == (change == "replaced")


def test_branches_and_resumed_sessions_are_known(memory: Workspace, tmp_path: Path) -> None:
    """`/branch` keeps the ids; other tools give new ones, and name the originals."""
    take(memory, "claude-code", written(tmp_path / "a.jsonl", claude_code()))
    resumed = [{**line, "sessionId": "s-resumed"} for line in claude_code()]
    new = claude_line(8, "user", "Only here", sessionId="s-resumed")
    assert take(memory, "claude-code", written(tmp_path / "b.jsonl", [*resumed, new])) == 1
    forked = [
        {
            **line,
            "sessionId": "s-fork",
            "uuid": f"new-{number}",
            "forkedFrom": {"sessionId": line.get("sessionId"), "messageUuid": line.get("uuid")},
        }
        for number, line in enumerate(claude_code())
    ]
    assert take(memory, "claude-code", written(tmp_path / "c.jsonl", forked)) == 0


def test_a_forgotten_message_stays_forgotten(memory: Workspace, chat: Path) -> None:
    take(memory, "claude-code", chat)
    target = next(turn for turn in turns_of(memory) if turn.text == ANSWERED)
    request = ForgetRequest(records=(RecordName("turn", str(target.id)),))
    assert forget(memory, request, proven=True).ok
    assert ANSWERED not in said(memory)
    report = import_transcripts(memory, chat, "claude-code")
    assert (report.added, report.omitted["forgotten"]) == (0, 1)
    assert ANSWERED not in said(memory)


DECIDED = "We decided that the retry logic makes seven tries and gives up after a minute."

HOSTILE: dict[str, bytes] = {
    "no json": b"{nope}\n",
    "deep": b'{"a":' * 200_000 + b"1" + b"}" * 200_000 + b"\n",
    "bytes": b'\xff\xfe{"type": "user"}\n',
    "nul": b"\0\0\0\n",
    "list": b'["type", "user"]\n',
    "number": b"12345678901234567890\n",
    "no message": b'{"type": "user", "uuid": "x1", "message": "text"}\n',
    "no id": b'{"type": "user", "message": {"content": "hi"}}\n',
}
WRONG_TYPES: list[dict[str, Any]] = [
    {"type": "user", "uuid": 7, "sessionId": ["s"], "message": {"content": "number as id"}},
    {"type": "user", "uuid": "x2", "timestamp": "never", "message": {"content": "no time"}},
    {"type": "user", "uuid": "x3", "timestamp": 1e300, "message": {"content": {"text": "object"}}},
    {"type": "user", "uuid": "x4", "message": {"content": [None, 3, {"type": "text", "text": 5}]}},
    {"type": "user", "uuid": "x5", "message": {"content": "\ud800 half a pair\u0000"}},
    {"type": "user", "uuid": "y" * 5000, "cwd": {}, "message": {"content": "long id"}},
    {"type": ["user"], "uuid": "x6", "message": {"content": "a list as type"}},
    {"type": "assistant", "uuid": "x7", "message": {"content": [{"type": "tool_use", "input": 3}]}},
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_line_that_cannot_be_used_stops_nothing(memory: Workspace, chat: Path, name: str) -> None:
    data = HOSTILE[name]
    chat.write_bytes(data + chat.read_bytes() + data)
    add_source(memory, ChatSource("claude-code", chat.parents[1]))
    assert take(memory, "claude-code", chat) == 3
    (source,) = read_sources(memory)
    assert len(source.troubles) == 1
    assert "left out a.jsonl, byte " in source.troubles[0]


def test_values_of_the_wrong_type_stop_nothing(memory: Workspace, chat: Path) -> None:
    append(chat, *WRONG_TYPES)
    take(memory, "claude-code", chat)
    texts = said(memory)
    assert {"number as id", "no time", "object", "long id"} <= set(texts)
    assert any("half a pair" in text for text in texts)


def test_a_line_that_is_too_long_is_skipped_while_it_grows(
    memory: Workspace, chat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MOST_LINE_BYTES", 2000)
    with chat.open("ab") as file:
        file.write(b'{"type": "user", "x": "' + b"x" * 5000)
    assert take(memory, "claude-code", chat) == 3
    progress = progress_of(memory.storage.database, chat)
    assert progress is not None
    assert progress.trouble is not None
    assert "it has more than 2,000 bytes" in progress.trouble
    with chat.open("ab") as file:
        file.write(b"y" * 5000)
    assert take(memory, "claude-code", chat) == 0
    with chat.open("ab") as file:
        file.write(b'"}\n')
    append(chat, claude_line(9, "user", "After it"))
    assert take(memory, "claude-code", chat) == 1


def test_links_out_of_a_place_are_not_read(memory: Workspace, chat: Path, tmp_path: Path) -> None:
    outside = written(tmp_path / "outside.jsonl", [claude_line(40, "user", "Not of here")])
    folder = chat.parent
    (folder / "out.jsonl").symlink_to(outside)
    (folder / "in.jsonl").symlink_to(chat)
    (folder.parent / "linked").symlink_to(tmp_path)
    found = transcripts_at("claude-code", folder.parent)
    assert found.paths == [chat, folder / "in.jsonl"]
    assert found.refused == [(folder / "out.jsonl", "it is a link that leads out of its folder")]
    report = import_transcripts(memory, folder.parent, "claude-code")
    assert [error.reason for error in report.errors] == [found.refused[0][1]]
    assert "Not of here" not in said(memory)


LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.read()
"""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """The database while another process holds it alone."""
    command = [sys.executable, "-c", LOCK, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"locked\n"
        yield
        output_of(process)


@pytest.mark.slow
def test_a_locked_database_is_read_later(memory: Workspace, tmp_path: Path) -> None:
    path = cursor_store(tmp_path / "state.vscdb")
    with locked(path), pytest.raises(MemError, match=r"locked|busy|another"):
        take(memory, "cursor", path)
    progress = progress_of(memory.storage.database, path)
    assert progress is not None
    assert progress.trouble
    assert take(memory, "cursor", path) == 3
    again = progress_of(memory.storage.database, path)
    assert again is not None
    assert again.trouble is None


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + b"\x07" * 4096, b""])
def test_a_corrupt_database_is_a_visible_failure(
    memory: Workspace, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "opencode.db"
    path.write_bytes(content)
    add_source(memory, ChatSource("opencode", tmp_path))
    with pytest.raises(MemError, match="opencode"):
        take(memory, "opencode", path)
    assert len(read_sources(memory)[0].troubles) == 1


def test_reading_leaves_a_database_as_it_was(memory: Workspace, tmp_path: Path) -> None:
    """Also while its owner has it open, with changes in the log alone."""
    path = opencode_store(tmp_path / "opencode.db")
    owner = sqlite3.connect(path)
    put_message(owner, 3, {"role": "user"}, [{"type": "text", "text": "Still in the log"}])
    owner.commit()
    assert Path(f"{path}-wal").stat().st_size
    before = path.read_bytes()
    assert take(memory, "opencode", path) == 4
    assert path.read_bytes() == before
    assert said(memory)[-1] == "Still in the log"
    owner.close()
    names = sorted(item.name for item in tmp_path.glob("opencode.db*"))
    assert take(memory, "opencode", path) == 0
    assert sorted(item.name for item in tmp_path.glob("opencode.db*")) == names


def test_an_answer_that_is_being_written_waits(memory: Workspace, tmp_path: Path) -> None:
    path = opencode_store(tmp_path / "opencode.db")
    text = [{"type": "text", "text": "Half of an"}]
    with sqlite3.connect(path) as owner:
        put_message(owner, 3, {"role": "assistant"}, text, is_done=False)
        put_message(owner, 4, {"role": "user"}, [{"type": "text", "text": "Hurry"}])
    assert take(memory, "opencode", path) == 4
    with sqlite3.connect(path) as owner:
        text[0]["text"] = "Half of an answer, and its rest"
        put_message(owner, 3, {"role": "assistant"}, text)
    assert take(memory, "opencode", path) == 1
    assert said(memory)[-1] == "Half of an answer, and its rest"


def test_a_fork_of_opencode_is_known(memory: Workspace, tmp_path: Path) -> None:
    """It has other ids, and the times of the original."""
    path = opencode_store(tmp_path / "opencode.db")
    take(memory, "opencode", path)
    with sqlite3.connect(path) as owner:
        parts = owner.execute("SELECT data FROM part WHERE message_id = 'msg_001'").fetchall()
        copied = [json.loads(row[0]) for row in parts]
        put_message(owner, 1, {"role": "user"}, copied, session="ses_2", name="zzz")
        new = [{"type": "text", "text": "Only in the fork"}]
        put_message(owner, 9, {"role": "user"}, new, session="ses_2", name="zzz")
    assert take(memory, "opencode", path) == 1


def test_a_bubble_of_cursor_that_is_being_written_waits(memory: Workspace, tmp_path: Path) -> None:
    path = cursor_store(tmp_path / "state.vscdb")
    bubbles = {"c1": {"type": 1, "text": "Second chat?"}, "c2": {"type": 2, "text": "Half"}}
    later = {"lastUpdatedAt": 1_772_618_500_000}
    with sqlite3.connect(path) as owner:
        put_composer(owner, "comp-2", bubbles, status="generating", **later)
    assert take(memory, "cursor", path) == 4
    bubbles["c2"]["text"] = "Half, and the rest."
    with sqlite3.connect(path) as owner:
        put_composer(owner, "comp-2", bubbles, **later)
    assert take(memory, "cursor", path) == 1
    assert said(memory)[-1] == "Half, and the rest."


def test_a_question_about_what_was_decided_finds_the_turn(memory: Workspace, chat: Path) -> None:
    now = datetime.now(UTC)
    week, year = ((now - timedelta(days=days)).isoformat() for days in (7, 300))
    noise = [
        claude_line(number, "user", f"Question {number} about the menu page and its colours")
        for number in range(20, 60)
    ]
    before = "We decided that the retry logic makes three tries, without any pause."
    old = {"sessionId": "long ago", "timestamp": year}
    append(chat, *noise, claude_line(70, "assistant", [{"type": "text", "text": before}], **old))
    recent = {"sessionId": "last week", "timestamp": week}
    append(
        chat,
        claude_line(71, "user", "So how often do we try?", **recent),
        claude_line(72, "assistant", [{"type": "text", "text": DECIDED}], **recent),
    )
    take(memory, "claude-code", chat)
    found = search(memory, "What did we decide about the retry logic last week?")
    assert found.results[0].text == DECIDED
    assert found.results[0].citation.startswith("session last week turn ")


def test_sources_are_remembered(memory: Workspace, chat: Path) -> None:
    source = ChatSource("claude-code", chat.parents[1])
    assert add_source(memory, source)
    assert not add_source(memory, source._replace(tool_output=True))
    assert known_sources(memory) == [source._replace(tool_output=True)]
    for _ in capture(memory, "claude-code", chat):
        pass
    (shown,) = read_sources(memory)
    assert (shown.transcripts, shown.turns, shown.troubles) == (1, 3, [])
    remove_source(memory, "claude-code", source.path)
    assert known_sources(memory) == []
    with pytest.raises(MemError, match="is not a watched place of claude-code"):
        remove_source(memory, "claude-code", source.path)
    assert len(said(memory)) == 2


def test_a_file_that_is_too_large_to_be_read_at_once_is_refused(
    memory: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.conversations.capture.reading.MOST_WHOLE_BYTES", 10)
    path = tmp_path / ".aider.chat.history.md"
    path.write_text("# aider chat started at 2026-03-04 10:00:00\n#### hello\n")
    with pytest.raises(InputError, match="has more than 10 bytes"):
        take(memory, "aider", path)
