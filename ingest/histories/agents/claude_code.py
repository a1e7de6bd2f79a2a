"""Transcripts of Claude Code: a line for each event of a session, with its own id.

A message of the model is one line for each of its blocks. What a branch copied from another session
names the original message.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from ingest.histories.agents.messages import (
    Message,
    ReadOptions,
    call_text,
    kind_of,
    text_of,
    turn_of,
)
from ingest.histories.agents.places import Agent
from ingest.histories.clock import moment
from ingest.histories.values import Item, Omitted, name_of

AGENT: Final[Agent] = "claude-code"
_SAID: Final = frozenset({"user", "assistant"})
_ADDED: Final = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")
_COMMAND: Final = re.compile(r"<command-name>\s*([^<]{1,200}?)\s*</command-name>")
_ARGUMENTS: Final = re.compile(r"<command-args>([\s\S]*?)</command-args>")
_OF_PROGRAM: Final = ("<local-command-", "<bash-stdout>", "<bash-stderr>", "[Request interrupted")


class Reader:
    """Reads the lines of one transcript in order."""

    def __init__(self, name: str, state: Mapping[str, Any], options: ReadOptions) -> None:
        self._session = options.session_id or name
        self._options = options
        self.state: dict[str, Any] = {}

    def items(self, value: object, place: str) -> Iterator[Item]:
        """The turns of a line."""
        if not isinstance(value, Mapping):
            yield Omitted("broken", place, "it is not an object")
            return
        if kind_of(value) not in _SAID:
            return
        message = value.get("message")
        if not isinstance(message, Mapping):
            yield Omitted("broken", place, "it has no `message`")
            return
        if value.get("isSidechain") or any(value.get(name) for name in _ADDED):
            yield Omitted("hidden", place)
            return
        origin = value.get("forkedFrom")
        origin = origin if isinstance(origin, Mapping) else {}
        own = name_of(origin.get("messageUuid")) or name_of(value.get("uuid"))
        if own is None:
            yield Omitted("broken", place, "it has no `uuid`")
            return
        said = Message(
            id=own,
            session_id=name_of(origin.get("sessionId"))
            or name_of(value.get("sessionId"))
            or self._session,
            role="user" if value["type"] == "user" else "assistant",
            text=_said(text_of(message.get("content"))),
            ts=moment(value.get("timestamp")),
            project=name_of(value.get("cwd")),
        )
        blocks = message.get("content")
        tools = list(self._tools(said, blocks)) if isinstance(blocks, list) else []
        if said.text or not tools:
            yield turn_of(AGENT, said, place)
        for tool in tools:
            yield tool if isinstance(tool, Omitted) else turn_of(AGENT, tool, place)

    def _tools(self, said: Message, blocks: list[Any]) -> Iterator[Message | Omitted]:
        whole = self._options.tool_output
        for number, block in enumerate(blocks, 1):
            if not isinstance(block, Mapping):
                continue
            kind = kind_of(block)
            if kind == "tool_use":
                tool = name_of(block.get("name")) or "tool"
                text = call_text(tool, block.get("input"), whole=whole)
            elif kind == "tool_result":
                tool, text = "result", text_of(block.get("content")) if whole else ""
            else:
                continue
            if text:
                own = f"{said.id}:{number}"
                yield said._replace(id=own, role="tool", text=text, tool=tool)
            else:
                yield Omitted("tool-output", "")


def _said(text: str) -> str:
    """Return what a person typed, of a text that the program may have put in their place."""
    if text.startswith(_OF_PROGRAM):
        return ""
    command = _COMMAND.search(text) if text.lstrip().startswith("<command-") else None
    if command is None:
        return text
    arguments = _ARGUMENTS.search(text)
    given = arguments[1].strip() if arguments else ""
    return f"{command[1]} {given}" if given else ""
