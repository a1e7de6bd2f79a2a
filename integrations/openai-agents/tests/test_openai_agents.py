"""The session in runs of the real SDK, with a model that is a script."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import Agent, ModelResponse, RunConfig, Runner, Usage, function_tool
from agents.memory import Session, SessionSettings
from agents.models.interface import Model
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)
from symbiosis_memory_client import MemoryClient, NewTurn
from symbiosis_memory_openai_agents import SymbiosisSession


class Script(Model):
    """Answers with what it was given, and notes what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[Any] = []

    async def get_response(self, system_instructions, input, *_, **__) -> ModelResponse:
        self.asked.append(input)
        return ModelResponse(output=[self.answers.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *_, **__) -> AsyncIterator[Any]:
        raise NotImplementedError


def text(words: str) -> ResponseOutputMessage:
    part = ResponseOutputText(text=words, type="output_text", annotations=[])
    return ResponseOutputMessage(
        id="m", content=[part], role="assistant", status="completed", type="message"
    )


def call(name: str, arguments: str) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        arguments=arguments, call_id="call-1", name=name, type="function_call"
    )


@function_tool
def pressure(pump: str) -> str:
    """Return the pressure of a pump."""
    return f"{pump}: 3 bar"


def run(agent: Agent, words: str, session: SymbiosisSession) -> str:
    config = RunConfig(tracing_disabled=True)
    return str(
        asyncio.run(Runner.run(agent, words, session=session, run_config=config)).final_output
    )


def test_a_run_goes_on_where_another_ended(client: MemoryClient, session_id: str) -> None:
    first = Script(call("pressure", '{"pump": "cellar"}'), text("It needs 3 bar."))
    session = SymbiosisSession(session_id, client=client)
    assert isinstance(session, Session)
    agent = Agent(name="Plumber", model=first, tools=[pressure])
    assert run(agent, "What does the cellar pump need?", session) == "It needs 3 bar."
    second = Script(text("The one in the cellar."))
    agent = Agent(name="Plumber", model=second, tools=[pressure])
    run(agent, "Which pump was it?", SymbiosisSession(session_id, client=client))
    kinds = [item.get("type") or item["role"] for item in second.asked[0]]
    assert kinds == ["user", "function_call", "function_call_output", "message", "user"]
    assert second.asked[0][2]["output"] == "cellar: 3 bar"
    (hit, *_) = client.search("cellar pump", session_id=session_id, mode="keyword")
    assert "cellar" in hit["text"]


def test_items_come_back_as_they_were(client: MemoryClient, session_id: str) -> None:
    items: list[Any] = [
        {"role": "user", "content": "I live in Turku"},
        {"type": "reasoning", "id": "r1", "summary": [], "encrypted_content": "x"},
        {"role": "user", "content": [{"type": "input_image", "image_url": "data:"}]},
        {"role": "assistant", "content": "Noted."},
    ]

    async def use() -> None:
        session = SymbiosisSession(session_id, client=client)
        await session.add_items([])
        await session.add_items(items)
        assert await session.get_items() == items
        assert await session.get_items(limit=2) == items[-2:]
        assert await session.pop_item() == items[-1]
        assert await session.get_items() == items[:-1]
        short = SessionSettings(limit=1)
        shorter = SymbiosisSession(session_id, client=client, session_settings=short)
        assert await shorter.get_items() == items[2:3]
        await session.clear_session()
        assert (await session.get_items(), await session.pop_item()) == ([], None)

    asyncio.run(use())


@pytest.mark.parametrize("extract, memories", [(True, 1), (False, 0)])
def test_memories_are_made_where_they_are_wanted(
    client: MemoryClient, session_id: str, extract: bool, memories: int
) -> None:
    town = f"Town{session_id[-6:]}"
    session = SymbiosisSession(session_id, client=client, extract=extract)
    asyncio.run(session.add_items([{"role": "user", "content": f"I live in {town}"}]))
    found = [hit for hit in client.search(town, sources=["memory"]) if town in hit["text"]]
    assert len(found) == memories


def test_turns_of_others_are_messages(client: MemoryClient, session_id: str) -> None:
    client.add_turns(session_id, [NewTurn("hello"), NewTurn("hi", "assistant")])
    found = asyncio.run(SymbiosisSession(session_id, client=client).get_items())
    assert found == [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]
