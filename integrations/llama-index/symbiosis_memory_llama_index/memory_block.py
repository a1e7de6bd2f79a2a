"""The long-term part of LlamaIndex's memory: what leaves its queue is kept, and recalled."""

import asyncio
from typing import Any, Final

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from pydantic import Field
from symbiosis_memory_client import MemoryClient, NewTurn

_ROLES: Final = {"user": "user", "assistant": "assistant", "system": "system"}
_NO_SESSION: Final = "llama-index"


class SymbiosisMemoryBlock(BaseMemoryBlock[str]):
    """A block that stores the messages it is given, and returns a context for the question.

    The context is the text of `GET /context` for the last user message, within `max_tokens`; it
    marks what is recalled as data. The session is that of the `Memory` which holds the block.
    `extract` False makes no memories of what users say. Raises MemoryServerError.
    """

    name: str = "LongTermMemory"
    client: MemoryClient = Field(default_factory=MemoryClient, exclude=True)
    max_tokens: int = 1000
    extract: bool = True

    async def _aget(
        self,
        messages: list[ChatMessage] | None = None,
        session_id: str | None = None,
        **block_kwargs: Any,
    ) -> str:
        asked = [message.content for message in messages or () if message.role == "user"]
        question = next((text for text in reversed(asked) if text and text.strip()), None)
        context = await asyncio.to_thread(
            self.client.context,
            session_id or _NO_SESSION,
            query=question,
            max_tokens=self.max_tokens,
        )
        return str(context["markdown"])

    async def _aput(self, messages: list[ChatMessage]) -> None:
        sessions: dict[str, list[NewTurn]] = {}
        for message in messages:
            if text := (message.content or "").strip():
                role = _ROLES.get(message.role.value, "tool")
                turn = NewTurn(text, role, auto_extract=self.extract)  # type: ignore[arg-type]
                session = message.additional_kwargs.get("session_id") or _NO_SESSION
                sessions.setdefault(session, []).append(turn)
        for session, turns in sessions.items():
            await asyncio.to_thread(self.client.add_turns, session, turns)
