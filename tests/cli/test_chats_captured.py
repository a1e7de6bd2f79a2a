"""`mem chats` and `mem import` of agents, as a user, a hook and a server meet them."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.cli.served import end, home_in, ran, serving
from tests.cli.shell import Mem, start
from tests.cli.stored_rows import asked
from tests.ingest.histories.agents.transcripts import (
    ANSWERED,
    ASKED,
    OUTPUT,
    append,
    claude_code,
    claude_line,
    put_all,
    written,
)
from tests.ingest.planted import PLANTED
from tests.waiting import output_of, wait_until

TURNS = "SELECT count(*), count(DISTINCT client_id) FROM turns"
SECRETS = {secret for one in PLANTED for secret in one.secrets}


@pytest.fixture
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with the transcripts of every agent."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME", "OPENCLAW_STATE_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder / "home"))
    put_all(folder / "home")
    return folder / "home"


def test_an_agent_is_imported_from_where_it_keeps_them(mem: Mem, home: Path) -> None:
    db = ("--db", "a.db")
    tried = mem(*db, "import", "--format", "codex", "--dry-run")
    assert tried.out.splitlines()[1] == "3 would be added, 0 known"
    for agent in ("claude-code", "codex", "cursor", "gemini-cli", "opencode", "openclaw"):
        assert mem(*db, "import", "--format", agent, "--json").json["added"] == 3
    assert mem(*db, "import", "--format", "aider", "home/src/app", "--json").json["added"] == 2
    assert mem(*db, "import", "--format", "codex").out.splitlines()[1] == "0 added, 3 known"
    assert ANSWERED in mem(*db, "search", "what was decided about the retry logic").out
    assert OUTPUT not in mem(*db, "search", "pytest printed passed", "-k", "50").out
    with_tools = mem(*db, "import", "--format", "claude-code", "--tool-output", "--json").json
    assert with_tools["added"] == 1


def test_options_that_do_not_belong_are_refused(mem: Mem, home: Path) -> None:
    assert "aider keeps its history in the folder" in mem("import", "--format", "aider").err
    assert "no FILE is named" in mem("import").err
    refused = mem("import", "--format", "codex", "--me", "Ann")
    assert (refused.code, "does not take these options" in refused.err) == (2, True)
    assert mem("import", "docs/setup.md", "--format", "transcript", "--tool-output").code == 2
    assert "there is no" in mem("chats", "add", "codex", "nowhere").err


def test_sources_are_added_listed_and_removed(mem: Mem, home: Path) -> None:
    added = mem("--db", "a.db", "chats", "add", "claude-code")
    place = home / ".claude" / "projects"
    assert added.out == f"claude-code: {place}, 1 transcript, watched from now on\n"
    assert "watched already" in mem("--db", "a.db", "chats", "add", "claude-code").out
    chat = next(place.rglob("*.jsonl"))
    with chat.open("ab") as file:
        file.write(b"{broken}\n")
    capture = ("chats", "capture", "--format", "claude-code", "--transcript", str(chat), "--json")
    assert mem("--db", "a.db", *capture).json["added"] == 3
    (shown,) = mem("--db", "a.db", "chats", "list", "--json").json
    assert (shown["turns"], shown["transcripts"]) == (3, 1)
    status = mem("--db", "a.db", "status").out
    assert f"claude-code: {place}, 3 turns of 1 transcript" in status
    assert "not read:" in status
    assert "it is not JSON" in status
    assert mem("--db", "a.db", "chats", "remove", "claude-code").code == 0
    assert mem("--db", "a.db", "chats", "list", "--json").json == []
    assert mem("--db", "a.db", "chats", "remove", "claude-code").code == 4


def test_a_hook_captures_what_is_new(mem: Mem, home: Path) -> None:
    chat = next((home / ".claude").rglob("*.jsonl"))
    capture = ("chats", "capture", "--format", "claude-code", "--transcript", str(chat))
    assert mem("--db", "a.db", *capture, "--session", "ignored").out.startswith("claude-code: 3")
    append(chat, claude_line(50, "user", "And one more"))
    assert "1 added, 0 known" in mem("--db", "a.db", *capture).out
    assert "0 added, 0 known" in mem("--db", "a.db", *capture).out
    missing = (*capture[:-1], "not-yet.jsonl")
    told = mem("--db", "a.db", *missing)
    assert told.code == 0
    assert "there is no file" in told.err
    assert "not-yet.jsonl yet" in told.err


def test_a_hook_of_cursor_names_a_copy(mem: Mem, home: Path) -> None:
    """It has neither ids nor times: the database is read, so that nothing is there twice."""
    copy = home / ".cursor" / "projects" / "src" / "agent-transcripts" / "comp-1.txt"
    copy.parent.mkdir(parents=True)
    copy.write_text(f"user:\n<user_query>\n{ASKED}\n</user_query>\nA:\n{ANSWERED}\n")
    capture = ("chats", "capture", "--format", "cursor", "--transcript", str(copy))
    assert "3 added, 0 known" in mem("--db", "a.db", *capture).out
    assert "0 added, 3 known" in mem("--db", "a.db", "import", "--format", "cursor").out


def said(number: int) -> dict[str, Any]:
    role = "user" if number % 2 else "assistant"
    content: object = f"Message {number} of a talk about {PLANTED[number % len(PLANTED)].text}"
    return claude_line(number, role, content if number % 2 else [{"type": "text", "text": content}])


@pytest.mark.slow
def test_a_capture_that_is_killed_loses_and_doubles_nothing(folder: Path) -> None:
    total = 3000
    chat = written(folder / "a.jsonl", map(said, range(total)))
    database = folder / "killed.db"
    capture = ("chats", "capture", "--format", "claude-code", "--transcript", str(chat))
    seen = 0
    for _ in range(3):
        process = start("--db", str(database), *capture, cwd=folder)
        wait_until(lambda: (asked(database, TURNS) or [(0,)])[0] > (seen, 0))  # noqa: B023
        process.send_signal(signal.SIGKILL)
        output_of(process)
        ((seen, different),) = asked(database, TURNS)
        assert 0 < seen == different < total
    process = start("--db", str(database), *capture, "--json", cwd=folder)
    out, _ = output_of(process)
    assert json.loads(out)["added"] == total - seen
    assert asked(database, TURNS) == [(total, total)]
    for path in folder.glob("killed.db*"):
        data = path.read_bytes()
        assert [secret for secret in SECRETS if secret.encode() in data] == [], path


@pytest.mark.slow
def test_served(folder: Path) -> None:  # the path of a socket is short
    """A server captures by itself, and for a hook."""
    home = home_in(folder)
    projects = folder / "projects"
    chat = written(projects / "-src" / "a.jsonl", claude_code())
    hook = ("chats", "capture", "--format", "claude-code", "--transcript", str(chat), "--json")
    assert ran("chats", "add", "claude-code", str(projects), cwd=folder, **home).answer.code == 0

    def told() -> dict[str, Any]:
        status = json.loads(ran("status", "--json", cwd=folder, **home).answer.out)
        chats = [(one["turns"], one["troubles"]) for one in status["chats"]]
        return {"turns": status["conversations"]["turns"], "chats": chats}

    server = serving(folder, **home)
    try:
        wait_until(lambda: ANSWERED in ran("search", "retry logic", cwd=folder, **home).answer.out)
        append(chat, claude_line(60, "user", "Said while it runs"))
        hooked = ran(*hook, cwd=folder, **home)
        assert hooked.served, hooked.answer
        assert hooked.answer.code == 0
        append(chat, claude_line(61, "user", "And this by itself"))
        wait_until(
            lambda: "And this by" in ran("search", "by itself", cwd=folder, **home).answer.out
        )
        wait_until(lambda: told()["chats"] == [(5, [])])  # it is noted after the turn
        turns = told()["turns"]
    finally:
        log = end(server)
    assert turns == 5
    assert ASKED not in log


@pytest.mark.slow
def test_a_watcher_of_conversations_alone(mem: Mem, folder: Path) -> None:
    projects = folder / "projects"
    written(projects / "-src" / "a.jsonl", claude_code())
    database = folder / "watched.db"
    add = ("chats", "add", "claude-code", str(projects))
    assert mem("--db", str(database), *add).code == 0
    watcher = start("--db", str(database), "watch", cwd=folder)
    try:
        wait_until(lambda: asked(database, TURNS) == [(3, 3)])
        watcher.send_signal(signal.SIGTERM)
        out, err = output_of(watcher)
    finally:
        watcher.kill()
    assert (watcher.returncode, out) == (0, "")
    assert "error" not in err
