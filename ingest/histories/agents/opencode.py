"""Conversations of OpenCode: messages, and the parts that they are made of.

A fork copies messages under new ids, but with the times at which they were first said: a message is
known by that time and its words.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ingest.histories.agents.messages import (
    Message,
    ReadOptions,
    call_text,
    digest_of,
    kind_of,
    tool_items,
    turn_of,
)
from ingest.histories.agents.places import Agent
from ingest.histories.clock import moment
from ingest.histories.values import Item, Omitted, name_of

AGENT: Final[Agent] = "opencode"


def is_whole(message: Mapping[str, Any]) -> bool:
    """Return whether a message is complete: an answer has a time at which it was."""
    times = message.get("time")
    if message.get("role") != "assistant":
        return True
    ended = isinstance(times, Mapping) and times.get("completed")
    return bool(ended or message.get("error"))


def message_items(
    message: Mapping[str, Any],
    parts: Sequence[Mapping[str, Any]],
    *,
    session_id: str,
    place: str,
    options: ReadOptions,
) -> Iterator[Item]:
    """The turns of a complete message."""
    role, times = kind_of(message, "role"), message.get("time")
    if role not in ("user", "assistant"):
        yield Omitted("broken", place, "its role is neither `user` nor `assistant`")
        return
    created = times.get("created") if isinstance(times, Mapping) else None
    texts = [
        part["text"]
        for part in parts
        if part.get("type") == "text"
        and isinstance(part.get("text"), str)
        and not (part.get("synthetic") or part.get("ignored"))
    ]
    text = "\n\n".join(one for one in texts if one.strip())
    folders = message.get("path")
    project = name_of(folders.get("cwd")) if isinstance(folders, Mapping) else None
    own = digest_of(str(created), role, text)
    said = Message(own, session_id, role, text, moment(created), project)
    tools = [part for part in parts if part.get("type") == "tool"]
    if text or not tools:
        yield turn_of(AGENT, said, place)
    for part in tools:
        yield from _tool_items(said, part, place, options)


def _tool_items(
    said: Message, part: Mapping[str, Any], place: str, options: ReadOptions
) -> Iterator[Item]:
    tool, state = name_of(part.get("tool")) or "tool", part.get("state")
    state = state if isinstance(state, Mapping) else {}
    own = name_of(part.get("callID")) or name_of(part.get("id")) or said.id
    text = call_text(tool, state.get("input"), whole=options.tool_output)
    output = state.get("output") if options.tool_output else None
    made = said._replace(id=own, role="tool", tool=tool)
    yield from tool_items(AGENT, made, call=text, output=output, place=place)
