"""Every agent's transcript, as it keeps them, becomes the same conversation."""

import json
from pathlib import Path

import pytest

from ingest.histories.agents.places import AGENTS, Agent, default_place, transcripts_at
from memory.operations.exchange.agent_import import import_transcripts
from memory.workspace import Workspace
from tests.ingest.histories.agents.transcripts import (
    ANSWERED,
    ASKED,
    DAY,
    NEW,
    OUTPUT,
    THOUGHT,
    codex,
    codex_said,
    gemini_cli_whole,
    put_all,
    written,
)
from tests.memory.conversations.capture.captured import take, turns_of


def place_of(agent: Agent, home: Path) -> Path:
    return home / "src" if agent == "aider" else default_place(agent, home, {})


@pytest.mark.parametrize("agent", AGENTS)
def test_what_was_said_is_taken(memory: Workspace, tmp_path: Path, agent: Agent) -> None:
    path = put_all(tmp_path / "home")[agent]
    assert transcripts_at(agent, place_of(agent, tmp_path / "home")).paths == [path]
    take(memory, agent, path)
    said = [turn for turn in turns_of(memory) if turn.role != "tool"]
    assert [(turn.role, turn.text.partition("\n")[0]) for turn in said] == [
        ("user", ASKED),
        ("assistant", ANSWERED),
    ]
    assert {turn.metadata["imported"] for turn in said} == {agent}
    assert all(turn.client_id and turn.client_id.startswith(f"{agent}:") for turn in said)
    whole = "\n".join(f"{turn.text} {json.dumps(dict(turn.metadata))}" for turn in turns_of(memory))
    assert NEW in whole, "the edit is kept"
    assert OUTPUT not in whole
    assert THOUGHT not in whole
    if agent not in ("aider", "cursor", "opencode"):
        assert said[0].ts == f"{DAY}T10:00:01.000Z"


@pytest.mark.parametrize("agent", AGENTS)
def test_tool_output_is_taken_when_asked_for(
    memory: Workspace, tmp_path: Path, agent: Agent
) -> None:
    path = put_all(tmp_path / "home")[agent]
    take(memory, agent, path, tool_output=True)
    tools = [turn.text for turn in turns_of(memory) if turn.role == "tool"]
    assert any(OUTPUT in text for text in tools)
    assert not any(THOUGHT in turn.text for turn in turns_of(memory))


@pytest.mark.parametrize("agent", AGENTS)
def test_an_import_adds_nothing_to_what_was_captured(
    memory: Workspace, tmp_path: Path, agent: Agent
) -> None:
    path = put_all(tmp_path / "home")[agent]
    new = take(memory, agent, path)
    assert take(memory, agent, path) == 0
    report = import_transcripts(memory, place_of(agent, tmp_path / "home"), agent)
    assert (report.added, report.errors) == (0, [])
    assert report.known >= new
    assert len(turns_of(memory)) == new


def test_a_session_of_an_earlier_gemini_cli_is_known_in_its_new_form(
    memory: Workspace, tmp_path: Path
) -> None:
    old = tmp_path / "session-old.json"
    old.write_text(json.dumps(gemini_cli_whole()))
    assert take(memory, "gemini-cli", old) == 2
    assert take(memory, "gemini-cli", put_all(tmp_path / "home")["gemini-cli"]) == 1, "its edit"


def test_a_fork_of_codex_is_known_up_to_where_it_parts(memory: Workspace, tmp_path: Path) -> None:
    """It copies messages with other times, and they have no ids."""
    first = written(tmp_path / "rollout-a.jsonl", [*codex(), codex_said("user", "yes", 9)])
    parent, *copied = codex()
    fork = codex("fork-1", forked_from=parent["payload"]["id"])[0]
    later = [{**line, "timestamp": "2026-03-05T08:00:00.000Z"} for line in copied]
    lines = [fork, parent, *later, codex_said("user", "no", 20), codex_said("user", "yes", 21)]
    second = written(tmp_path / "rollout-b.jsonl", lines)
    again = codex("fork-2", forked_from="fork-1")[0]
    third = written(tmp_path / "rollout-c.jsonl", [again, fork, parent, *later])
    assert take(memory, "codex", first) == 4
    assert take(memory, "codex", second) == 2, "no, and the yes after it"
    assert take(memory, "codex", third) == 0


def test_another_session_of_codex_with_the_same_words_is_not_a_copy(
    memory: Workspace, tmp_path: Path
) -> None:
    take(memory, "codex", written(tmp_path / "rollout-a.jsonl", codex()))
    lines = [line for line in codex("other-session") if line["payload"].get("call_id") is None]
    other = written(tmp_path / "rollout-b.jsonl", lines)
    assert take(memory, "codex", other) == 2
