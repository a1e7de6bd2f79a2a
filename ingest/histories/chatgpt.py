"""Exports of ChatGPT: `conversations.json`, a list of trees of messages.

OpenAI publishes no description; this reads the exports from 2023 to 2026.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from contracts.named_tuple import NamedTuple
from ingest.histories.clock import filled, first_moment, moment
from ingest.histories.tree import newest_leaf, path_to
from ingest.histories.values import (
    HistoryTurn,
    Item,
    Omitted,
    Reason,
    name_of,
    role_of,
    storable,
    title_of,
)

FORM: Final = "chatgpt"
_REASONING: Final = frozenset({"thoughts", "reasoning_recap"})
"""A model's reasoning before its answer; it was not said."""


class _Content(NamedTuple):
    text: str
    images: tuple[str, ...] = ()


def conversation_items(conversation: Mapping[str, Any], place: str) -> Iterator[Item]:
    """The turns along the branch that the user saw last, and the omitted messages."""
    session_id = name_of(conversation.get("conversation_id")) or name_of(conversation.get("id"))
    mapping = conversation.get("mapping")
    if not isinstance(mapping, Mapping):
        yield Omitted("broken", place, "it has no `mapping` of messages")
        return
    nodes = {key: node for key, node in mapping.items() if isinstance(node, Mapping)}
    if broken := len(mapping) - len(nodes):
        yield Omitted("broken", place, "nodes that are not objects", broken)
    if broken := sum(
        not isinstance(node.get("message"), Mapping | None) for node in nodes.values()
    ):
        yield Omitted("broken", place, "messages that are not objects", broken)
    parents = {key: _parent(node) for key, node in nodes.items()}
    messages = {key: _message(node) for key, node in nodes.items()}
    leaf = name_of(conversation.get("current_node"))
    if leaf not in nodes:
        times = {key: moment(message.get("create_time")) for key, message in messages.items()}
        leaf = newest_leaf(parents, times)
    path = path_to(leaf, parents)
    shared = {"format": FORM, "title": title_of(conversation.get("title"))}
    turns: list[HistoryTurn] = []
    for key in path:
        found = _turn(messages[key], key, session_id or place, shared)
        if isinstance(found, HistoryTurn):
            turns.append(found)
        elif found is not None:
            yield Omitted(found[0], f"{place}, message {key}", found[1])
    yield from filled(turns, begun=first_moment(conversation.get("create_time")))
    elsewhere = set(nodes) - set(path)
    if others := sum(1 for key in elsewhere if messages[key]):
        yield Omitted("other-branch", place, "edited or regenerated since", others)


def _turn(
    message: Mapping[str, Any], key: str, session_id: str, shared: Mapping[str, str | None]
) -> HistoryTurn | tuple[Reason, str] | None:
    """The turn of a message, or why it is omitted; None for nodes without content."""
    if not message:
        return None
    author, details = _object(message.get("author")), _object(message.get("metadata"))
    role = role_of(author.get("role"))
    if role is None:
        return "broken", f"its author has the role {author.get('role')!r}"
    if details.get("is_visually_hidden_from_conversation") or (
        role == "system" and message.get("weight") == 0
    ):
        return "hidden", ""
    content = _object(message.get("content"))
    kind = name_of(content.get("content_type"))
    if kind in _REASONING:
        return "hidden", "the model's reasoning"
    said = _content(content)
    if said is None:
        return "unknown-content", f"content of type {kind!r}"
    names = _attachments(details)
    if not said.text.strip() and not said.images and not names:
        return "empty", ""
    model, tool = name_of(details.get("model_slug")), name_of(author.get("name"))
    metadata = {**shared, "model": model, "tool": tool, "attachments": names}
    return HistoryTurn(
        session_id,
        storable(said.text) if said.text.strip() else _stand_in(said.images, names),
        role,
        moment(message.get("create_time")),
        f"{FORM}:{name_of(message.get('id')) or key}",
        image_paths=said.images,
        metadata={name: value for name, value in metadata.items() if value},
    )


def _content(content: Mapping[str, Any]) -> _Content | None:
    """The text of a content of any type, None for an unknown type."""
    texts: list[str] = []
    images: list[str] = []
    parts = content.get("parts")
    for part in parts if isinstance(parts, Sequence) and not isinstance(parts, str) else ():
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping):
            pointer, text = name_of(part.get("asset_pointer")), part.get("text")
            if isinstance(text, str):  # transcribed speech among them
                texts.append(text)
            elif pointer and "image" in str(part.get("content_type")):
                images.append(pointer)
    for name in ("title", "text", "result", "summary"):  # code, output of tools, quotations
        value = content.get(name)
        if isinstance(value, str):
            texts.append(value)
    if not texts and not images and parts is None:
        return None
    return _Content("\n\n".join(text for text in texts if text.strip()), tuple(images))


def _stand_in(images: Sequence[str], attachments: Sequence[str]) -> str:
    """The placeholder for a message that consists of files only."""
    names = list(attachments) or ["image"] * len(images)
    return f"[{', '.join(names)}]"


def _attachments(details: Mapping[str, Any]) -> list[str]:
    listed = details.get("attachments")
    if not isinstance(listed, list):
        return []
    return [name for item in listed if (name := name_of(_object(item).get("name")))]


def _parent(node: Mapping[str, Any]) -> str | None:
    return name_of(node.get("parent"))


def _message(node: Mapping[str, Any]) -> Mapping[str, Any]:
    return _object(node.get("message"))


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
