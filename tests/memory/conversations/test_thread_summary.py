"""Summaries of conversations: by a model, by none, and when a model fails."""

from pathlib import Path
from typing import Any

import pytest

from contracts import InputError, NotFoundError
from memory import summarize_conversation_window
from memory.conversations.pipeline import process_turns
from memory.conversations.thread_summary import summarize_session
from memory.conversations.turns.values import NewTurn
from providers.chat import ChatSettings, create_chat
from tests.memory.conversations.llm_extraction.model import opened_with
from tests.memory.databases import opened
from tests.providers.wire import chat
from tests.providers.wire.server import CUT, Answer, WireServer, serving

KEY = "sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3"
THREAD = [
    {"role": "user", "content": "I prefer meetings in the morning."},
    {"role": "assistant", "content": "Noted, your meetings are before noon."},
]
WRITTEN = "The user prefers meetings in the morning."


def said_by(server: WireServer) -> str:
    (request,) = server.requests
    return str(request.body["messages"])


def test_messages_are_summarised_without_a_model() -> None:
    assert summarize_conversation_window(THREAD) == (
        "User: I prefer meetings in the morning.\nAssistant: Noted, your meetings are before noon."
    )


def test_a_model_writes_it_and_sees_no_secret() -> None:
    thread = [*THREAD, {"role": "user", "content": f"My key is {KEY} for the calendar."}]
    with serving(lambda _: chat.said(WRITTEN)) as server:
        model = create_chat("openai", ChatSettings(f"{server.url}/v1", "m"))
        assert summarize_conversation_window(thread, model) == WRITTEN
        assert "prefer meetings" in said_by(server)
        assert KEY not in said_by(server)
        server.requests.clear()
        assert summarize_conversation_window([], model) == ""
        assert server.requests == [], "nothing was said, nothing is asked"


@pytest.mark.parametrize("answer", [CUT, Answer(500), chat.said(""), chat.said(None)], ids=str)
def test_a_failing_model_is_stood_in_for(tmp_path: Path, answer: Answer) -> None:
    with serving(lambda _: answer) as server, opened_with(tmp_path, server) as memory:
        process_turns(memory, [NewTurn("s1", THREAD[0]["content"])])
        summary = summarize_session(memory, "s1")
        assert (summary.text, summary.written_by) == (f"User: {THREAD[0]['content']}", "extract")
        assert len(summary.warnings) == 1


def test_the_last_turns_of_a_session_by_the_configured_model(tmp_path: Path) -> None:
    with serving(lambda _: chat.said(WRITTEN)) as server, opened_with(tmp_path, server) as memory:
        private = NewTurn("s1", "Nobody may read of the surprise party.", auto_extract=False)
        process_turns(memory, [NewTurn("s1", "Old news about cheese."), private])
        process_turns(memory, [NewTurn("s1", one["content"], one["role"]) for one in THREAD])
        summary = summarize_session(memory, "s1", turns=3)
        assert (summary.text, summary.written_by, summary.warnings) == (WRITTEN, "llm", ())
        asked = said_by(server)
        assert "prefer meetings" in asked
        assert "cheese" not in asked
        assert "surprise" not in asked


def test_without_a_model_every_turn_counts(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        process_turns(memory, [NewTurn(7, "The surprise party is on Friday.", auto_extract=False)])
        assert summarize_session(memory, 7).text == "User: The surprise party is on Friday."


@pytest.mark.parametrize(
    "values, match",
    [
        ({"turns": 0}, "turns is 0"),
        ({"turns": "5"}, "turns is '5'"),
        ({"max_chars": 99}, "max_chars is 99"),
        ({"max_chars": True}, "max_chars is True"),
        ({"session_id": ""}, "session_id is ''"),
    ],
)
def test_arguments_that_cannot_be_used(tmp_path: Path, values: dict[str, Any], match: str) -> None:
    with opened(tmp_path) as memory:
        process_turns(memory, [NewTurn("s1", "hello there")])
        with pytest.raises(InputError, match=match):
            summarize_session(memory, **{"session_id": "s1", **values})
        with pytest.raises(NotFoundError, match="no session 'other'"):
            summarize_session(memory, "other")
