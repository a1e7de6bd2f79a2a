"""Exports of Claude: `conversations.json`, a list of conversations with their messages in order."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from ingest.histories.clock import filled, first_moment, moment
from ingest.histories.tree import path_to
from ingest.histories.values import HistoryTurn, Item, Omitted, name_of, role_of, storable, title_of

FORM: Final = "claude"


def conversation_items(conversation: Mapping[str, Any], place: str) -> Iterator[Item]:
    """The turns of a conversation. Output of a file or a tool becomes a turn of the role `tool`.

    Facts are extracted from a person's own words, not from attachments.
    """
    listed = conversation.get("chat_messages")
    if not isinstance(listed, list):
        yield Omitted("broken", place, "it has no list of `chat_messages`")
        return
    session_id = name_of(conversation.get("uuid")) or place
    title = title_of(conversation.get("name"))
    messages = [message for message in listed if isinstance(message, Mapping)]
    if broken := len(listed) - len(messages):
        yield Omitted("broken", place, "messages that are not objects", broken)
    seen = _branch(messages, name_of(conversation.get("current_leaf_message_uuid")))
    if others := len(messages) - len(seen):
        yield Omitted("other-branch", place, "edited or regenerated since", others)
    turns: list[HistoryTurn] = []
    for number, message in enumerate(seen, 1):
        where = f"{place}, message {name_of(message.get('uuid')) or number}"
        for item in _message_items(message, f"{number}", session_id, where):
            if isinstance(item, HistoryTurn):
                turns.append(_titled(item, title))
            else:
                yield item
    yield from filled(turns, begun=first_moment(conversation.get("created_at")))


def _message_items(
    message: Mapping[str, Any], number: str, session_id: str, where: str
) -> Iterator[Item]:
    role = role_of(message.get("sender"))
    if role is None:
        yield Omitted("broken", where, f"its sender is {message.get('sender')!r}")
        return
    key = f"{FORM}:{name_of(message.get('uuid')) or number}"
    ts = moment(message.get("created_at"))
    files = [name for item in _list(message, "files") if (name := _file_name(item))]
    spoken, others = _spoken(message)
    told: Counter[str] = Counter()  # text pasted twice has one name
    for name, text in (*_attachments(message), *others):
        told[name] += 1
        own = f"{key}:{name}" if told[name] == 1 else f"{key}:{name}#{told[name]}"
        yield HistoryTurn(session_id, text, "tool", ts, own, metadata={"tool": name})
    if not spoken and files:
        spoken = f"[{', '.join(files)}]"
    if not spoken:
        yield Omitted("empty", where)
        return
    metadata = {"attachments": files} if files else {}
    yield HistoryTurn(session_id, spoken, role, ts, key, metadata=metadata)


def _spoken(message: Mapping[str, Any]) -> tuple[str, list[tuple[str, str]]]:
    """The sender's words, and tool calls and results, under their own names.

    The plain `text` of a message that has blocks also names those that could not be shown.
    """
    blocks = _list(message, "content")
    texts: list[str] = []
    others: list[tuple[str, str]] = []
    for number, block in enumerate(blocks, 1):
        kind, text = block.get("type"), block.get("text")
        if kind in ("tool_use", "tool_result"):
            said = _of_tool(block)
            if said.strip():
                name = name_of(block.get("name")) or "tool"
                others.append((f"{name} {number}", storable(said)))
        elif isinstance(text, str):
            texts.append(text)
    whole = "\n\n".join(text for text in texts if text.strip())
    plain = message.get("text")
    if not blocks and isinstance(plain, str):
        whole = plain
    return (storable(whole) if whole.strip() else ""), others


def _of_tool(block: Mapping[str, Any]) -> str:
    given = block.get("input") if block.get("type") == "tool_use" else block.get("content")
    if isinstance(given, str):
        return given
    if isinstance(given, list):
        texts = [item.get("text") for item in given if isinstance(item, Mapping)]
        return "\n\n".join(text for text in texts if isinstance(text, str))
    if isinstance(given, Mapping):
        text = given.get("content")  # a document that was written
        return text if isinstance(text, str) else json.dumps(given, ensure_ascii=False)
    return ""


def _attachments(message: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The known texts of the files attached to a message, by their names."""
    for number, item in enumerate(_list(message, "attachments"), 1):
        text = item.get("extracted_content")
        if isinstance(text, str) and text.strip():
            yield _file_name(item) or f"attachment {number}", storable(text)


def _branch(messages: list[Mapping[str, Any]], leaf: str | None) -> list[Mapping[str, Any]]:
    """The messages of the branch that was seen last, all if none is named."""
    by_id = {uuid: item for item in messages if (uuid := name_of(item.get("uuid")))}
    if leaf not in by_id:
        return messages
    parents = {uuid: name_of(item.get("parent_message_uuid")) for uuid, item in by_id.items()}
    return [by_id[uuid] for uuid in path_to(leaf, parents)]


def _titled(turn: HistoryTurn, title: str | None) -> HistoryTurn:
    known = {"title": title} if title else {}
    return replace(turn, metadata={"format": FORM, **known, **turn.metadata})


def _file_name(item: Mapping[str, Any]) -> str | None:
    return name_of(item.get("file_name"))


def _list(message: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = message.get(name)
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []
