"""`mem import` with the chat histories of other programs, as a user meets it."""

import json
from pathlib import Path

import pytest

from tests.cli.shell import Mem
from tests.memory.operations.symbiosis_database import database

CHAT = """\
Date: 2024-05-01

**User:** My name is Ann.

**Assistant:** Good day, Ann.

**User:**

**User:** I like tea.
"""


@pytest.fixture
def chat(folder: Path) -> Path:
    path = folder / "chat.md"
    path.write_text(CHAT)
    return path


def test_a_transcript_is_known_by_its_look(mem: Mem, chat: Path) -> None:
    tried = mem("import", "chat.md", "--dry-run")
    assert tried.out.splitlines()[:2] == [
        "transcript: 3 turns in 1 session, 2024-05-01 to 2024-05-01",
        "3 would be added, 0 known",
    ]
    assert mem("status").code == 4
    taken = mem("import", "chat.md")
    assert taken.code == 0
    assert taken.out.splitlines()[1:] == [
        "3 added, 0 known",
        "memories: 2 new, 0 known, 0 archived",
        "left out: 1 without a text",
    ]
    assert "I like tea." in mem("search", "tea").out
    assert mem("import", "chat.md", "--dry-run").out.splitlines()[1] == "0 would be added, 3 known"
    report = mem("import", "chat.md", "--json").json
    assert (report["format"], report["added"], report["known"]) == ("transcript", 0, 3)


def test_what_cannot_be_read_is_listed(mem: Mem, folder: Path) -> None:
    lines = [json.dumps({"role": "user", "content": "hello"}), *["{"] * 12]
    (folder / "log.jsonl").write_text("\n".join(lines))
    taken = mem("import", "log.jsonl", "--no-extract")
    assert taken.code == 0
    assert "left out: 12 unreadable" in taken.out
    assert "1 without a time" in taken.out
    assert "log.jsonl, line 2: it is not JSON" in taken.err
    assert "and 2 more" in taken.err


def test_summaries(mem: Mem, folder: Path) -> None:
    thread = {"messages": [{"role": "user", "content": "hi"}], "summary": "They greeted."}
    (folder / "threads.json").write_text(json.dumps({"threads": {"A": thread, "B": thread}}))
    assert "1 text of summaries, 1 more that repeat one" in mem("import", "threads.json").out


def test_who_you_are(mem: Mem, folder: Path) -> None:
    (folder / "two.md").write_text("Ann: I like tea.\nBob: I like rain.\nAnn: So it is.\nBob: Yes.")
    tried = mem("import", "two.md", "--format", "transcript", "--me", "Eve", "--dry-run")
    assert "speakers: Ann, Bob" in tried.out
    assert "speakers: Ann, Bob" in tried.err
    taken = mem("import", "two.md", "--format", "transcript", "--me", "ann")
    assert taken.err == ""
    found = mem("search", "likes", "--source", "memory", "--json").json["results"]
    assert {hit["text"] for hit in found} == {"User likes tea", "Bob likes rain"}


@pytest.mark.parametrize(
    "arguments, code, fact",
    [
        pytest.param(("docs", "--format", "chatgpt"), 2, "conversations.json is read", id="none"),
        pytest.param(("gone.zip", "--format", "claude"), 4, "there is no file", id="no file"),
        pytest.param(("docs/setup.md",), 2, "give its format with --format", id="unknown"),
        pytest.param(
            ("x.jsonl", "--format", "mem", "--dry-run"),
            2,
            "an import from mem does not take",
            id="mem",
        ),
        pytest.param(("chat.md", "--format", "claude", "--strict"), 2, "--strict is", id="strict"),
        pytest.param(("docs/setup.md", "--format", "gpt"), 2, "'gpt'", id="no such format"),
    ],
)
def test_mistakes_are_named(mem: Mem, arguments: tuple[str, ...], code: int, fact: str) -> None:
    answer = mem("import", *arguments)
    assert answer.code == code
    assert fact in answer.err


def test_a_database_of_symbiosis(mem: Mem, folder: Path) -> None:
    database(folder / "symbiosis.db")
    taken = mem("import", "symbiosis.db")
    assert taken.out.splitlines() == [
        "symbiosis: 3 turns in 1 session, 2024-05-01 to 2024-06-01",
        "3 added, 0 known",
        "memories: 2 new, 0 known, 1 archived",
        "left out: 1 hidden",
    ]
    assert mem("import", "symbiosis.db", "--dry-run").out.splitlines()[1] == (
        "0 would be added, 3 known"
    )
