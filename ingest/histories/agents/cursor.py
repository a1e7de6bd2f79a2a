"""Conversations of Cursor: an object for each composer, and one for each of its bubbles."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ingest.histories.agents.messages import Message, ReadOptions, call_text, turn_of
from ingest.histories.agents.places import Agent
from ingest.histories.clock import first_moment
from ingest.histories.values import Item, Omitted, name_of

AGENT: Final[Agent] = "cursor"
_ROLES: Final[Mapping[str, str]] = {"1": "user", "2": "assistant"}


def is_settled(composer: Mapping[str, Any]) -> bool:
    """Return whether nothing is being written in a conversation."""
    return composer.get("status") != "generating" and not composer.get("generatingBubbleIds")


def bubble_ids(composer: Mapping[str, Any]) -> list[str]:
    """The ids of a conversation's bubbles in order, where they are stored apart."""
    listed = composer.get("fullConversationHeadersOnly")
    headers = listed if isinstance(listed, list) else []
    found = (name_of(one.get("bubbleId")) for one in headers if isinstance(one, Mapping))
    return [one for one in found if one]


def composer_items(
    composer: Mapping[str, Any], bubbles: Mapping[str, object], place: str, options: ReadOptions
) -> Iterator[Item]:
    """The turns of a conversation; a bubble that is still being written waits."""
    session = name_of(composer.get("composerId")) or options.session_id or place
    inline = composer.get("conversation")
    ordered: list[object] = inline if isinstance(inline, list) and inline else []
    if not ordered:
        ordered = [bubbles.get(own) for own in bubble_ids(composer)]
    writing = composer.get("generatingBubbleIds")
    unfinished = set(map(str, writing)) if isinstance(writing, list) else set()
    if ordered and not unfinished and not is_settled(composer):
        ordered = ordered[:-1] if _is_answer(ordered[-1]) else ordered
    last = first_moment(composer.get("createdAt"))
    for number, bubble in enumerate(ordered, 1):
        where = f"{place}, bubble {number}"
        if not isinstance(bubble, Mapping):
            yield Omitted("broken", where, "it is missing, or not an object")
            continue
        own = name_of(bubble.get("bubbleId"))
        role = _ROLES.get(str(bubble.get("type")))
        if own is None or role is None:
            yield Omitted("broken", where, "it has no `bubbleId`, or another `type` than 1 and 2")
            continue
        if own in unfinished:
            continue
        last = first_moment(bubble.get("createdAt")) or last
        text = bubble.get("text")
        said = Message(own, session, role, text if isinstance(text, str) else "", last)
        yield from _bubble_items(said, bubble, where, options)


def _is_answer(bubble: object) -> bool:
    return isinstance(bubble, Mapping) and bubble.get("type") == 2


def _bubble_items(
    said: Message, bubble: Mapping[str, Any], where: str, options: ReadOptions
) -> Iterator[Item]:
    call = bubble.get("toolFormerData")
    if said.text or not isinstance(call, Mapping):
        yield turn_of(AGENT, said, where)
    if not isinstance(call, Mapping):
        return
    tool = name_of(call.get("name")) or "tool"
    text = call_text(tool, call.get("rawArgs"), whole=options.tool_output)
    output = call.get("result") if options.tool_output else None
    for suffix, found in (("call", text), ("out", output)):
        if isinstance(found, str) and found:
            message = said._replace(id=f"{said.id}:{suffix}", role="tool", text=found, tool=tool)
            yield turn_of(AGENT, message, where)
    if not text:
        yield Omitted("tool-output", where)
