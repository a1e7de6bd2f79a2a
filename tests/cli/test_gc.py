"""`mem gc`, `mem context`, and `sm`: what is said of memories at a terminal and to programs."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from cli import sm as sm_module
from cli.main import run
from memory.config.loading import load_config
from memory.conversations.turns.adding import add_turns
from memory.conversations.turns.values import NewTurn
from memory.storage.process_locks import work_lock
from memory.workspace import Workspace
from tests.cli.shell import ROOT, Answer, Mem, python, shell
from tests.memory.conversations.memories.made import make


@pytest.fixture
def sm(folder: Path, capsys: pytest.CaptureFixture[str]) -> Mem:
    """Runs `sm` with the given arguments."""

    def sm(*arguments: str) -> Answer:
        capsys.readouterr()
        code = run(arguments, group=sm_module.sm, name="sm")
        return Answer(code, *capsys.readouterr())

    return sm


@pytest.fixture
def lived(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Workspace]:
    """A database with a short conversation and some memories of different ages."""
    monkeypatch.setenv("MEM_CONFIG", str(folder / "own.json"))
    settings = {"storage_path": "memory.db", "embeddings": {"provider": "fake"}}
    (folder / "own.json").write_text(json.dumps({"memory": settings}))

    def open_workspace() -> Workspace:
        return Workspace(load_config())

    with open_workspace() as workspace:
        add_turns(
            workspace,
            [
                NewTurn("s1", "I like\x1b[2J tea", ts="2026-03-04T10:00:00Z"),
                NewTurn("s1", "Noted.", role="assistant", ts="2026-03-04T10:00:05Z"),
            ],
        )
        make(workspace, "User likes tea")
        make(workspace, "User lives in Bergen", hits=4)
        make(workspace, "User waits for a parcel", age_days=20)
        make(workspace, "User is called Ada", age_days=40, importance=1)
    return open_workspace


@pytest.mark.parametrize("words", [["list"], ["gc"], ["stats"], ["get-context", "--session", "s"]])
def test_on_a_new_machine_it_names_its_own_first_step(sm: Mem, words: list[str]) -> None:
    answer = sm(*words)
    assert answer.code == 4
    assert "sm remember --text" in answer.err
    assert "mem " not in answer.err
    assert sm("remember", "--text", "I like tea").code == 0
    assert sm(*words).code == 0


def test_add_turn(sm: Mem, mem: Mem, folder: Path) -> None:
    said = sm("add-turn", "--session", "s1", "--text", "My name is Ada", "--ts", "2026-03-04")
    assert said.code == 0
    assert said.out.splitlines()[0] == "session s1 turn 1"
    assert "User's name is Ada" in said.out
    silent = sm("add-turn", "--session", "s1", "--text", "I like tea", "--no-extract", "--json")
    assert silent.json["extracted_memories"] == []
    turns = sm("get-context", "--session", "s1", "--json").json["short_term"]
    assert [(turn["role"], turn["text"]) for turn in turns] == [
        ("user", "My name is Ada"),
        ("user", "I like tea"),
    ]
    assert sm("add-turn", "--session", "s1", "--role", "robot", "--text", "x").code == 2
    assert sm("stats").out.splitlines()[2] == "2 turns in 1 session"


def test_remember_list_and_explain(sm: Mem, folder: Path) -> None:
    made = sm("remember", "--text", "User owns a boat", "--importance", "1", "--tags", "sea, fun,")
    assert made.out == "memory 1  User owns a boat  (new)\n"
    assert (
        sm("remember", "--text", "User plays chess", "--importance", "0", "--json").json["id"] == 2
    )
    listed = sm("list", "--layer", "mid", "--sort", "score", "--json").json
    assert [(one["content"], one["tags"]) for one in listed] == [
        ("User owns a boat", ["sea", "fun"]),
        ("User plays chess", []),
    ]
    assert sm("list", "--layer", "long").err == "no such memories\n"
    found = sm("list", "-q", "chess", "--sort", "relevance", "--json").json
    assert [one["id"] for one in found] == [2]
    assert "score 3.00 now = 0.00 for 0 hits" in sm("explain", "--id", "1").out
    assert sm("explain", "--id", "9").code == 4
    assert sm("remember", "--text", "x", "--importance", "2").code == 2


def test_gc(lived: object, mem: Mem) -> None:
    dry = mem("gc", "--dry-run")
    assert dry.code == 0
    assert (
        "4 memories examined: 1 would be promoted, 0 would be archived, 1 would be deleted."
        in dry.out
    )
    done = mem("gc")
    assert "4 memories examined: 1 promoted, 0 archived, 1 deleted." in done.out
    assert (
        "memory 3  deleted  score 0.37  20.0 days  its score fell below mid.delete_below"
        in done.out
    )
    assert "memory 4" not in done.out
    again = mem("gc", "--json")
    assert again.json["counts"] == {"created": 0, "promoted": 0, "archived": 0, "deleted": 0}
    assert again.json["removed"] == []


STRICT = {"capacity": 1, "delete_below": 1000, "demote_age_days": 0}


@pytest.mark.parametrize("on_expire", ["delete", "archive"])
def test_nothing_removes_what_a_person_asked_to_keep(
    mem: Mem, sm: Mem, folder: Path, monkeypatch: pytest.MonkeyPatch, on_expire: str
) -> None:
    monkeypatch.setenv("MEM_CONFIG", str(folder / "own.json"))
    settings = {"storage_path": "memory.db", "mid": {**STRICT, "on_expire": on_expire}}
    (folder / "own.json").write_text(json.dumps({"memory": settings}))
    assert mem("remember", "The boiler is serviced in March").code == 0
    assert sm("remember", "--text", "The attic key hangs behind the door").code == 0
    assert mem("remember", "--fading", "The parcel comes on Tuesday").code == 0
    mem("turn", "add", "--session", "s", "I live in Oslo, my sister is called Ida and I love tea.")
    edited = next(one for one in mem("memories", "list", "--json").json if "tea" in one["content"])
    mem("memories", "edit", str(edited["id"]), "--content", "User loves coffee")
    assert mem("gc").code == 0
    left = {one["content"] for one in mem("memories", "list", "--json").json}
    assert left == {
        "The boiler is serviced in March",
        "The attic key hangs behind the door",
        "User lives in Oslo",
        "User's sister is named Ida",
        "User loves coffee",
    }
    assert "boiler" in mem("search", "boiler service").out


def test_an_edited_text_is_the_users(mem: Mem) -> None:
    mem("turn", "add", "--session", "s", "I live in Oslo")
    mem("memories", "edit", "1", "--content", "User lives in Bergen")
    told = mem("explain", "1")
    assert "by          user" in told.out
    assert "the text is the user's; a former one was found by the rules home" in told.out


def test_two_collections_do_not_run_at_once(lived: Callable[[], Workspace], folder: Path) -> None:
    with lived() as workspace, work_lock("gc", workspace.storage.database, workspace.path):
        answer = shell("gc", "--json", cwd=folder)
        dry = shell("gc", "--dry-run", cwd=folder)
    assert (answer.code, dry.code) == (6, 0)
    assert "a gc of " in answer.error["message"]


def test_sm_does_what_mem_does(lived: object, sm: Mem, mem: Mem) -> None:
    assert sm("gc", "--dry-run").out == mem("gc", "--dry-run").out
    asked = sm("get-context", "--session", "s1", "--k", "2", "--json").json
    assert [turn["role"] for turn in asked["short_term"]] == ["user", "assistant"]
    assert [one["content"] for one in asked["mid_term"]] == [
        "User lives in Bergen",
        "User is called Ada",
    ]
    told = mem("context", "s1", "-k", "2", "--json").json
    assert [one["id"] for one in told["mid_term"]] == [one["id"] for one in asked["mid_term"]]


def test_stats(lived: object, sm: Mem) -> None:
    before = sm("stats")
    assert before.out.startswith("4 memories: 4 mid-term, 0 long-term\n")
    assert "2 turns in 1 session" in before.out
    assert before.out.endswith("no collection yet: mem gc\n")
    sm("gc")
    after = sm("stats")
    assert after.out.startswith(
        "3 memories: 2 mid-term, 1 long-term\narchived 0, marked as deleted 0\n"
    )
    assert "last collection 0 s ago" in after.out
    assert "0 created, 1 promoted, 0 archived, 1 deleted" in after.out
    assert sm("stats", "--json").json["memories"]["mid"] == 2


def test_context_at_a_terminal(lived: object, sm: Mem) -> None:
    said = sm("get-context", "--session", "s1").out
    assert "2026-03-04 10:00  user: I like\\x1b[2J tea" in said
    assert "\x1b[2J" not in said
    short, mid = said.split("\n\n")
    assert short.startswith("Short-term\n")
    assert mid.startswith("Mid-term\nmemory 2  2.61  User lives in Bergen\n")
    asked = sm("get-context", "--session", "s1", "--query", "which tea").out
    assert asked.partition("Mid-term\n")[2].startswith("memory 1  1.00  User likes tea")


def test_what_an_agent_reads_at_a_terminal(lived: object, mem: Mem) -> None:
    answer = mem("context", "s1", "--query", "which tea", "--max-tokens", "300", "--seen", "2")
    assert answer.out.startswith("Recalled from memory")
    assert "] user: I like\\x1b[2J tea" in answer.out
    assert "\x1b[2J" not in answer.out
    assert answer.err.endswith(" tokens\n")
    told = mem("context", "s1", "--system", "Be kind.", "--json").json
    assert told["messages"][0]["content"].startswith("Be kind.")
    assert mem("context", "s1", "--max-tokens", "0").code == 2


def test_a_context_of_nothing(mem: Mem, lived: Callable[[], Workspace]) -> None:
    with lived() as workspace, workspace.storage.database.transaction() as tx:
        tx.run("DELETE FROM memories")
    answer = mem("context", "never")
    assert (answer.code, answer.out) == (0, "")
    assert "nothing else is known yet" in answer.err


def test_without_a_database(mem: Mem, sm: Mem) -> None:
    assert mem("gc").code == 4
    missing = sm("stats")
    assert missing.code == 4
    assert missing.err.startswith("sm: there is no database")


@pytest.mark.parametrize(
    "typed, message",
    [
        pytest.param(["statz"], "Did you mean 'stats'?", id="near"),
        pytest.param(["get-context"], "Missing option '--session'", id="session"),
        pytest.param(["get-context", "--session", "s", "--k", "0"], "'--k'", id="range"),
    ],
)
def test_what_sm_does_not_understand(sm: Mem, typed: list[str], message: str) -> None:
    answer = sm(*typed)
    fact, hint = answer.err.splitlines()
    assert (answer.code, answer.out) == (2, "")
    assert fact.startswith("sm: ")
    assert message in fact
    assert hint.startswith("hint: sm ")


def test_sm_tells_what_there_is(sm: Mem, folder: Path) -> None:
    said = sm("--help").out
    assert all(f"\n  {name}  " in said for name in sm_module.COMMANDS)
    assert sm("--version").out.startswith("sm ")
    code = "import sys, cli.main, cli.sm; cli.main.run([], group=cli.sm.sm); print(*sys.modules)"
    loaded = python(code, cwd=folder).out.splitlines()[-1].split()
    assert not {"memory", "apsw", "numpy"} & set(loaded)


def test_the_commands_of_the_page_run_as_they_stand(sm: Mem, folder: Path) -> None:
    page = (ROOT / "docs" / "symbiosis.md").read_text()
    commands = [line for line in page.splitlines() if line.startswith("sm ")]
    assert {shlex.split(line)[1] for line in commands} == set(sm_module.COMMANDS)
    for line in commands:
        answer = sm(*shlex.split(line)[1:])
        assert answer.code == 0, (line, answer.err)


@pytest.mark.parametrize("name", sm_module.COMMANDS)
def test_the_table_of_sm_says_what_the_command_says(name: str) -> None:
    with sm_module.sm.make_context("sm", [], resilient_parsing=True) as ctx:
        command = sm_module.sm.get_command(ctx, name)
    assert command is not None
    assert command.name == name
    first_sentence, _, _ = (command.help or "").partition("\n\n")
    assert " ".join(first_sentence.split()) == sm_module.COMMANDS[name].summary


def test_completion_of_sm(folder: Path) -> None:
    asked = {"_SM_COMPLETE": "bash_complete", "COMP_WORDS": "sm st", "COMP_CWORD": "1"}
    assert shell(cwd=folder, module="cli.sm", **asked).out == "plain,stats\n"
