"""No transcript, whatever its values are, makes a reader fail."""

import copy
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.histories.agents import claude_code, codex, cursor, gemini_cli, openclaw, opencode
from ingest.histories.agents.messages import ReadOptions
from ingest.histories.values import HistoryTurn, Omitted
from tests.ingest.histories.agents import transcripts

OPTIONS = ReadOptions(tool_output=True)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
READERS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "claude-code": (claude_code.Reader, transcripts.claude_code()),
    "codex": (codex.Reader, transcripts.codex()),
    "gemini-cli": (gemini_cli.Reader, transcripts.gemini_cli()),
    "openclaw": (openclaw.Reader, transcripts.openclaw()),
}


def places_in(value: Any) -> Iterable[tuple[Any, Any]]:
    """Every container in a value with each of its keys."""
    keys = value if isinstance(value, dict) else range(len(value))
    for key in list(keys):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places_in(value[key])


def spoilt(value: Any, data: st.DataObject) -> Any:
    """A copy of a value, one part of it replaced by anything."""
    copied = copy.deepcopy(value)
    container, key = data.draw(st.sampled_from(list(places_in([copied]))))
    found = data.draw(ANY)
    if container[key] is copied:
        return found
    container[key] = found
    return copied


def check(items: Iterable[Any]) -> None:
    for item in items:
        assert isinstance(item, HistoryTurn | Omitted)
        if isinstance(item, HistoryTurn):
            assert item.text.strip()
            assert len(item.client_id) < 500


@pytest.mark.parametrize("agent", READERS)
@given(data=st.data())
def test_a_line_with_anything_in_it(agent: str, data: st.DataObject) -> None:
    make, lines = READERS[agent]
    reader = make("name", {}, OPTIONS)
    for line in lines:
        check(reader.items(spoilt(line, data), "here"))


@given(data=st.data())
def test_a_conversation_of_cursor_with_anything_in_it(data: st.DataObject) -> None:
    call = {"name": "edit_file", "rawArgs": '{"edits": [{"old_string": "a"}]}', "result": "done"}
    bubbles: dict[str, Any] = {
        "b1": {"bubbleId": "b1", "type": 1, "text": "hello"},
        "b2": {"bubbleId": "b2", "type": 2, "text": "", "toolFormerData": call},
    }
    composer = {
        "composerId": "c",
        "createdAt": 1,
        "generatingBubbleIds": [],
        "fullConversationHeadersOnly": [{"bubbleId": "b1"}, {"bubbleId": "b2"}],
    }
    spoilt_bubbles = spoilt(bubbles, data)
    if isinstance(spoilt_bubbles, dict):
        check(cursor.composer_items(composer, spoilt_bubbles, "here", OPTIONS))
    other = spoilt(composer, data)
    if isinstance(other, dict):
        check(cursor.composer_items(other, bubbles, "here", OPTIONS))


@given(data=st.data())
def test_a_message_of_opencode_with_anything_in_it(data: st.DataObject) -> None:
    message = {"role": "assistant", "time": {"created": 1, "completed": 2}, "path": {"cwd": "/"}}
    state = {"input": {"filePath": "x", "newString": "y"}, "output": "z"}
    part = {"type": "tool", "tool": "edit", "callID": "c", "state": state}
    parts = [{"type": "text", "text": "hello"}, part]
    other, parts = spoilt(message, data), [spoilt(one, data) for one in parts]
    if isinstance(other, dict):
        opencode.is_whole(other)
        kept = [one for one in parts if isinstance(one, dict)]
        check(opencode.message_items(other, kept, session_id="s", place="here", options=OPTIONS))
