"""The tools in runs of the real library, with models that are functions."""

import asyncio
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from symbiosis_memory_client import MemoryClient
from symbiosis_memory_pydantic_ai import memory_tools
from symbiosis_memory_pydantic_ai.tools import INSTRUCTIONS


def told(client: MemoryClient, tool: str, **arguments: Any) -> Any:
    """Return what an agent is told by a tool that its model calls."""
    answers: list[Any] = []

    def model(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        last = messages[-1].parts[-1]
        if last.part_kind == "tool-return":
            answers.append(last.content)
            return ModelResponse([TextPart("done")])
        return ModelResponse([ToolCallPart(tool, arguments)])

    agent = Agent(FunctionModel(model), toolsets=[memory_tools(client, session_id="p")])
    assert asyncio.run(agent.run("go")).output == "done"
    return answers[0]


def test_an_agent_finds_what_a_file_says(client: MemoryClient) -> None:
    found = told(client, "search_memory", query="spare key", limit=99)
    assert "behind the boiler" in found[0]["text"]
    assert found[0]["citation"].endswith("boiler.md:1-3")


def test_an_agent_remembers_and_is_told_later(client: MemoryClient) -> None:
    kept = told(client, "remember", text="User plays the theorbo")
    assert kept["action"] == "create"
    assert kept["citation"].startswith("memory ")
    assert "theorbo" in told(client, "memory_context", question="Which instrument?")


def test_a_memory_that_fails_does_not_end_the_run() -> None:
    nobody = MemoryClient("http://127.0.0.1:9")
    assert "mem serve" in told(nobody, "search_memory", query="boiler")["error"]


def test_a_reader_cannot_write(client: MemoryClient) -> None:
    seen: list[AgentInfo] = []

    def model(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append(info)
        return ModelResponse([TextPart("done")])

    for can_write in (True, False):
        tools = memory_tools(client, can_write=can_write)
        asyncio.run(Agent(FunctionModel(model), toolsets=[tools]).run("go"))
    names = [sorted(tool.name for tool in info.function_tools) for info in seen]
    assert names[0] == ["memory_context", "remember", "search_memory"]
    assert names[1] == ["memory_context", "search_memory"]
    search = seen[0].function_tools[0]
    assert search.parameters_json_schema["required"] == ["query"]
    assert "identifier" in search.parameters_json_schema["properties"]["query"]["description"]
    assert INSTRUCTIONS in str(seen[0].instructions)
