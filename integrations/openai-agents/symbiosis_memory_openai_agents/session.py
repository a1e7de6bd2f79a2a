"""A session of a memory as the SDK's `Session`."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final, cast

from agents.items import TResponseInputItem
from agents.memory import SessionSettings
from symbiosis_memory_client import MemoryClient, NewTurn

_KEY: Final = "openai_agents"
_ROLES: Final = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
}


class SymbiosisSession:
    """The items of one conversation, searchable, and a source of memories, at once.

    Every item comes back as it was added: messages, calls of tools and their results, reasoning.
    Turns that others stored in the session come back as messages of their role. `extract` False
    makes no memories. `pop_item` and `clear_session` forget, with the memories made of it alone,
    and need a token of scope `admin`. Raises MemoryServerError.
    """

    def __init__(
        self,
        session_id: str,
        *,
        client: MemoryClient | None = None,
        session_settings: SessionSettings | None = None,
        extract: bool = True,
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings or SessionSettings()
        self._client = client or MemoryClient()
        self._extract = extract

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return the newest `limit` items, or all, oldest first."""
        most = self.session_settings.limit if limit is None else limit
        turns = await asyncio.to_thread(self._client.turns, self.session_id, limit=most)
        return [_item(turn) for turn in turns]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Store items: all of a request, or none."""
        if items:
            turns = [self._turn(cast(Mapping[str, Any], item)) for item in items]
            await asyncio.to_thread(self._client.add_turns, self.session_id, turns)

    async def pop_item(self) -> TResponseInputItem | None:
        """Forget the newest item and return it; None for an empty session."""
        turns = await asyncio.to_thread(self._client.turns, self.session_id, limit=1)
        if not turns:
            return None
        await asyncio.to_thread(self._client.forget_turn, turns[0]["id"])
        return _item(turns[0])

    async def clear_session(self) -> None:
        """Forget the whole conversation."""
        await asyncio.to_thread(self._client.forget_session, self.session_id)

    def _turn(self, item: Mapping[str, Any]) -> NewTurn:
        role = _ROLES.get(str(item.get("role")), "tool")
        return NewTurn(
            _text(item),
            role,  # type: ignore[arg-type]  # one of the values above
            {_KEY: dict(item)},
            self._extract and role != "tool",
        )


def _text(item: Mapping[str, Any]) -> str:
    """The words of an item. Reasoning and arguments are in its metadata, which no search reads."""
    content = item.get("content")
    if isinstance(content, str):
        text = content
    else:
        parts = content if isinstance(content, list) else []
        text = "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str))
    if "role" in item and text.strip():
        return text
    output = item.get("output")
    if isinstance(output, str) and output.strip():
        return output
    kind = str(item.get("type") or "item")
    return f"[{kind} {item['name']}]" if item.get("name") else f"[{kind}]"


def _item(turn: Mapping[str, Any]) -> TResponseInputItem:
    found = turn["metadata"].get(_KEY)
    if found is None:
        role = turn["role"] if turn["role"] != "tool" else "system"
        found = {"role": role, "content": turn["text"]}
    return cast(TResponseInputItem, found)
