"""Transcripts of OpenClaw: a tree of entries, one a line.

The id of an entry has eight digits and is unique in its session only; with its time it is the same
in a copy, and another one elsewhere.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ingest.histories.agents.messages import (
    Message,
    ReadOptions,
    call_text,
    digest_of,
    kind_of,
    text_of,
    turn_of,
)
from ingest.histories.agents.places import Agent
from ingest.histories.clock import first_moment
from ingest.histories.values import Item, Omitted, name_of

AGENT: Final[Agent] = "openclaw"


class Reader:
    """Reads the entries of one transcript in order."""

    def __init__(self, name: str, state: Mapping[str, Any], options: ReadOptions) -> None:
        self._options = options
        self.state: dict[str, Any] = {
            "session": options.session_id or name,
            "project": None,
            **state,
        }

    def items(self, value: object, place: str) -> Iterator[Item]:
        """The turns of an entry."""
        if not isinstance(value, Mapping):
            yield Omitted("broken", place, "it is not an object")
            return
        if value.get("type") == "session":
            self.state["session"] = name_of(value.get("id")) or self.state["session"]
            self.state["project"] = name_of(value.get("cwd"))
        elif value.get("type") == "message":
            yield from self._message(value, place)

    def _message(self, entry: Mapping[str, Any], place: str) -> Iterator[Item]:
        message = entry.get("message")
        own = name_of(entry.get("id"))
        if not isinstance(message, Mapping) or own is None:
            yield Omitted("broken", place, "it has no `message` or no `id`")
            return
        role, content = kind_of(message, "role"), message.get("content")
        ts = first_moment(entry.get("timestamp"), message.get("timestamp"))
        said = Message(
            id=f"{own}-{digest_of(ts or self.state['session'])[:8]}",
            session_id=self.state["session"],
            role=role,
            text=text_of(content),
            ts=ts,
            project=self.state["project"],
        )
        if role == "toolResult":
            yield self._result(said, message, place)
        elif role not in ("user", "assistant"):
            yield Omitted("hidden", place)
        else:
            yield from self._spoken(said, content, place)

    def _result(self, said: Message, message: Mapping[str, Any], place: str) -> Item:
        if not self._options.tool_output:
            return Omitted("tool-output", place)
        tool = name_of(message.get("toolName")) or "tool"
        return turn_of(AGENT, said._replace(role="tool", tool=tool), place)

    def _spoken(self, said: Message, content: object, place: str) -> Iterator[Item]:
        calls = [
            part
            for part in (content if isinstance(content, list) else ())
            if isinstance(part, Mapping) and part.get("type") == "toolCall"
        ]
        if said.text or not calls:
            yield turn_of(AGENT, said, place)
        for number, call in enumerate(calls, 1):
            tool = name_of(call.get("name")) or "tool"
            text = call_text(tool, call.get("arguments"), whole=self._options.tool_output)
            if text:
                own = f"{said.id}:{number}"
                yield turn_of(
                    AGENT, said._replace(id=own, role="tool", text=text, tool=tool), place
                )
            else:
                yield Omitted("tool-output", place)
