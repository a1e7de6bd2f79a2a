"""A session of a memory as a chat history."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    message_to_dict,
    messages_from_dict,
)
from symbiosis_memory_client import MemoryClient, NewTurn

_KEY: Final = "langchain"
_ROLES: Final = {"human": "user", "ai": "assistant", "system": "system"}
_TYPES: Final = {"user": HumanMessage, "assistant": AIMessage, "system": SystemMessage}


class MemoryChatHistory(BaseChatMessageHistory):
    """The messages of one session, searchable, and a source of memories, at once.

    A message comes back as it was added, tool calls included. Turns that others stored in the
    session come back as messages of their role. `limit` returns only the newest ones; `extract`
    False makes no memories. `clear` forgets the conversation, with the memories made of it alone,
    and needs a token of scope `admin`. Raises MemoryServerError.
    """

    def __init__(
        self,
        session_id: str,
        *,
        client: MemoryClient | None = None,
        limit: int | None = None,
        extract: bool = True,
    ) -> None:
        super().__init__()
        self.session_id = session_id
        self._client = client or MemoryClient()
        self._limit = limit
        self._extract = extract

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]  # an attribute of the base
        return [_message(turn) for turn in self._client.turns(self.session_id, limit=self._limit)]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        self._client.add_turns(self.session_id, [self._turn(message) for message in messages])

    def clear(self) -> None:
        self._client.forget_session(self.session_id)

    def _turn(self, message: BaseMessage) -> NewTurn:
        return NewTurn(
            _text(message),
            _ROLES.get(message.type, "tool"),  # type: ignore[arg-type]  # the server checks it
            {_KEY: message_to_dict(message)},
            self._extract,
        )


def _text(message: BaseMessage) -> str:
    """The words of a message; a turn has at least one."""
    text = str(message.text)
    if text.strip():
        return text
    calls = [call["name"] for call in getattr(message, "tool_calls", ())]
    return f"[calls {', '.join(calls)}]" if calls else f"[{message.type} message without text]"


def _message(turn: Mapping[str, Any]) -> BaseMessage:
    if _KEY in turn["metadata"]:
        return messages_from_dict([turn["metadata"][_KEY]])[0]
    return _TYPES.get(turn["role"], SystemMessage)(turn["text"])
