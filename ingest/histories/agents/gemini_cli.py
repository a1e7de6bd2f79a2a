"""Sessions of Gemini CLI: JSON Lines with a record a line, before that one JSON object a file.

A message is appended again when its tools have run, under the same id.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ingest.histories.agents.messages import (
    Message,
    ReadOptions,
    call_text,
    kind_of,
    text_of,
    tool_items,
    turn_of,
)
from ingest.histories.agents.places import Agent
from ingest.histories.clock import moment
from ingest.histories.values import Item, Omitted, name_of

AGENT: Final[Agent] = "gemini-cli"
_ROLES: Final[Mapping[str, str]] = {"user": "user", "gemini": "assistant", "model": "assistant"}


class Reader:
    """Reads the records of one session in order; a whole session is one record with `messages`."""

    def __init__(self, name: str, state: Mapping[str, Any], options: ReadOptions) -> None:
        self._options = options
        self.state: dict[str, Any] = {
            "session": options.session_id or name,
            "project": None,
            "agent": False,
            **state,
        }

    def items(self, value: object, place: str) -> Iterator[Item]:
        """The turns of a record."""
        if not isinstance(value, Mapping):
            yield Omitted("broken", place, "it is not an object")
            return
        changed = value.get("$set")
        about = changed if isinstance(changed, Mapping) else value
        if "id" in value and "type" in value:
            yield from self._message(value, place)
            return
        self._note(about)
        messages = about.get("messages")
        for message in messages if isinstance(messages, list) else ():
            if isinstance(message, Mapping):
                yield from self._message(message, place)
            else:
                yield Omitted("broken", place, "a message is not an object")

    def _note(self, about: Mapping[str, Any]) -> None:
        if session := name_of(about.get("sessionId")):
            self.state["session"] = session
        if about.get("kind"):
            self.state["agent"] = about["kind"] == "subagent"
        folders = about.get("directories")
        if isinstance(folders, list) and folders and isinstance(folders[0], str):
            self.state["project"] = folders[0]

    def _message(self, value: Mapping[str, Any], place: str) -> Iterator[Item]:
        role, own = _ROLES.get(kind_of(value)), name_of(value.get("id"))
        if role is None or self.state["agent"]:
            yield Omitted("hidden", place)
            return
        if own is None:
            yield Omitted("broken", place, "it has no `id`")
            return
        shown = value.get("displayContent")
        said = Message(
            id=own,
            session_id=self.state["session"],
            role=role,
            text=text_of(shown) or text_of(value.get("content")),
            ts=moment(value.get("timestamp")),
            project=self.state["project"],
        )
        calls = value.get("toolCalls")
        calls = (
            [one for one in calls if isinstance(one, Mapping)] if isinstance(calls, list) else []
        )
        if said.text or not calls:
            yield turn_of(AGENT, said, place)
        for number, call in enumerate(calls, 1):
            yield from self._call(said, call, number, place)

    def _call(
        self, said: Message, call: Mapping[str, Any], number: int, place: str
    ) -> Iterator[Item]:
        tool = name_of(call.get("name")) or "tool"
        own = name_of(call.get("id")) or f"{said.id}:{number}"
        whole = self._options.tool_output
        text = call_text(tool, call.get("args"), whole=whole)
        output = call.get("resultDisplay") if whole else None
        made = said._replace(id=own, role="tool", tool=tool)
        yield from tool_items(AGENT, made, call=text, output=output, place=place)
