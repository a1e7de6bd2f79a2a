"""What the tests of enriching share: a model behind a real server, and turns that wait for it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memory.config.sections.conversations import ExtractorConfig
from memory.config.settings import LLMConfig
from memory.conversations.pipeline import process_turns
from memory.conversations.turns.store import TurnStore
from memory.conversations.turns.values import NewTurn
from memory.workspace import Workspace
from tests.memory.databases import opened
from tests.providers.wire import chat
from tests.providers.wire.server import Answer, Request, WireServer


def text_of(request: Request) -> str:
    """The turn that a request is about."""
    message = json.loads(request.body["messages"][1]["content"])
    return str(message["text"])


def asked_about(server: WireServer) -> list[str]:
    """The turns that the model has seen, in order."""
    return [text_of(request) for request in server.requests]


def knowing(**facts: list[str]) -> Callable[[Request], Answer]:
    """A model that answers with the facts of the first word that the turn holds, else nothing."""

    def answer(request: Request) -> Answer:
        text = text_of(request).casefold()
        found = next((items for word, items in facts.items() if word in text), [])
        quote = text_of(request)
        return chat.memories(*({"content": content, "quote": quote} for content in found))

    return answer


def opened_with(
    base: Path, server: WireServer | None, mode: str = "hybrid", **llm: Any
) -> Workspace:
    """A database whose turns this server's model reads; without one, no model is configured."""
    where = {"endpoint": f"{server.url}/v1", "model": "m"} if server else {}
    settings = {"timeout_s": 5.0, **where, **llm}
    extractor = ExtractorConfig(mode=mode)  # type: ignore[arg-type]  # one of the three
    return opened(base, llm=LLMConfig(**settings), extractor=extractor)


def say(workspace: Workspace, *texts: str, **more: Any) -> list[int]:
    """Turns of the user, taken in one after the other; their ids."""
    return [
        results.turn_id
        for text in texts
        for results in process_turns(workspace, [NewTurn("s1", text, **more)])
    ]


def state(workspace: Workspace, turn_id: int) -> str:
    turn = TurnStore(workspace.storage.database).get(turn_id)
    assert turn is not None
    return turn.extraction


def remembered(workspace: Workspace) -> dict[str, str]:
    """The contents of active memories, and who found each."""
    sql = "SELECT content, origin FROM memories WHERE status = 'active' ORDER BY id"
    return dict(workspace.storage.database.read(sql))


def make_due(workspace: Workspace) -> None:
    """As if the pauses after failures were over."""
    with workspace.storage.database.transaction() as tx:
        tx.run("UPDATE enrichments SET not_before = ''")
