"""Rollouts of Codex: a line for each item of a session; messages have no ids.

A message is known by the messages before it, from the session that the rollout began with: a chain,
as of the commits of git. A fork copies the beginning of another rollout, with other times but the
same chain.
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
from ingest.histories.clock import moment
from ingest.histories.values import Item, Omitted, name_of

AGENT: Final[Agent] = "codex"
_TEXTS: Final = frozenset({"text", "input_text", "output_text"})
_ADDED: Final = (
    *("<environment_context>", "<user_instructions>", "<permissions", "<turn_aborted>"),
    *("<collaboration_mode>", "<skill>", "<user_shell_command>", "<subagent_notification>"),
    *("# AGENTS.md instructions", "<INSTRUCTIONS>", "<skills_instructions>", "<app-context>"),
)
"""Beginnings of messages of the role `user` that the program wrote."""

_CALLS: Final = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_OUTPUTS: Final = frozenset({"function_call_output", "custom_tool_call_output"})


class Reader:
    """Reads the lines of one rollout in order; `state` goes on where another reader ended."""

    def __init__(self, name: str, state: Mapping[str, Any], options: ReadOptions) -> None:
        self._options = options
        self.state: dict[str, Any] = {
            "session": options.session_id or name[-36:],
            "root": None,
            "chain": "",
            "project": None,
            "agent": False,
            **state,
        }

    def items(self, value: object, place: str) -> Iterator[Item]:
        """The turns of a line."""
        if not isinstance(value, Mapping):
            yield Omitted("broken", place, "it is not an object")
            return
        payload = value.get("payload", value)
        if not isinstance(payload, Mapping):
            yield Omitted("broken", place, "its `payload` is not an object")
            return
        kind = kind_of(value)
        if kind == "session_meta" or (not kind and "instructions" in value):
            self._begin(payload)
        elif kind == "response_item" or payload is value:
            yield from self._item(payload, moment(value.get("timestamp")), place)

    def _begin(self, meta: Mapping[str, Any]) -> None:
        """Take the session's name; those of the sessions that it was copied from may follow."""
        own = name_of(meta.get("id"))
        if own is None or self.state["chain"]:
            return
        if self.state["root"] is None:
            self.state["session"] = own
            self.state["project"] = name_of(meta.get("cwd"))
            source = meta.get("source")
            self.state["agent"] = isinstance(source, Mapping) and "subagent" in source
        self.state["root"] = name_of(meta.get("forked_from_id")) or own

    def _item(self, item: Mapping[str, Any], ts: str | None, place: str) -> Iterator[Item]:
        kind = kind_of(item)
        if kind == "message":
            yield from self._message(item, ts, place)
        elif kind in _CALLS or kind in _OUTPUTS:
            whole = self._options.tool_output
            tool = name_of(item.get("name")) or "tool"
            if kind in _OUTPUTS:
                given = item.get("output")
                nested = given.get("content") if isinstance(given, Mapping) else given
                text = text_of(nested, kinds=_TEXTS) if whole else ""
            else:
                given = item.get("arguments", item.get("input", item.get("action")))
                text = call_text(tool, given, whole=whole)
            own = name_of(item.get("call_id"))
            if not text or own is None or self.state["agent"]:
                yield Omitted("tool-output", place)
            else:
                own = f"{own}:{'out' if kind in _OUTPUTS else 'call'}"
                yield self._turn(own, "tool", text, ts, place, tool=tool)

    def _message(self, item: Mapping[str, Any], ts: str | None, place: str) -> Iterator[Item]:
        role = kind_of(item, "role")
        if role not in ("user", "assistant"):
            yield Omitted("hidden", place)
            return
        text = text_of(item.get("content"), kinds=_TEXTS)
        root = self.state["root"] or self.state["session"]
        self.state["chain"] = digest_of(self.state["chain"] or root, role, text)
        if self.state["agent"] or (role == "user" and text.lstrip().startswith(_ADDED)):
            yield Omitted("hidden", place)
            return
        yield self._turn(self.state["chain"], role, text, ts, place)

    def _turn(
        self, own: str, role: str, text: str, ts: str | None, place: str, *, tool: str | None = None
    ) -> Item:
        session, project = self.state["session"], self.state["project"]
        return turn_of(AGENT, Message(own, session, role, text, ts, project, tool), place)
