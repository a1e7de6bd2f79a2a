"""Messages as in OpenAI's API: a conversation per line, or a message per line.

The JSON Lines of fine-tuning and of most programs that log their chats; also one JSON object with
`messages`, or a list of such objects.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ingest.histories.clock import filled, first_moment
from ingest.histories.values import (
    ContentIds,
    HistoryTurn,
    Item,
    Omitted,
    name_of,
    role_of,
    storable,
)

FORM: Final = "openai-jsonl"
_SESSIONS: Final = ("session_id", "conversation_id", "thread_id", "chat_id")
_TIMES: Final = ("ts", "timestamp", "created_at", "create_time", "created", "time", "date")


class Messages:
    """Reads the values of one file; `stem` names sessions that have no name."""

    def __init__(self, stem: str) -> None:
        self._stem = stem
        self._ids = ContentIds(FORM)
        self._sessions: set[str] = set()

    def items(self, value: object, place: str, *, number: int) -> Iterator[Item]:
        """The turns of a line, which is the `number`-th."""
        if not isinstance(value, Mapping):
            yield Omitted("broken", place, "it is not an object")
        elif isinstance(value.get("messages"), list):
            yield from self._conversation(value, place, number=number)
        elif "role" in value:
            session_id = _session(value) or self._stem
            yield self._turn(value, session_id, place)
        else:
            yield Omitted("broken", place, "it has neither `messages` nor a `role`")

    def _conversation(self, value: Mapping[str, Any], place: str, *, number: int) -> Iterator[Item]:
        session_id = _session(value) or name_of(value.get("id")) or f"{self._stem}:{number}"
        turns: list[HistoryTurn] = []
        for count, message in enumerate(value["messages"], 1):
            where = f"{place}, message {count}"
            if not isinstance(message, Mapping):
                yield Omitted("broken", where, "it is not an object")
                continue
            item = self._turn(message, session_id, where)
            if isinstance(item, HistoryTurn):
                turns.append(item)
            else:
                yield item
        yield from filled(turns, begun=_time(value))

    def _turn(
        self, message: Mapping[str, Any], session_id: str, place: str
    ) -> HistoryTurn | Omitted:
        role = role_of(message.get("role"))
        if role is None:
            return Omitted("broken", place, f"its role is {message.get('role')!r}")
        text, images = _content(message.get("content"))
        if not text.strip() and not images:
            return Omitted("empty", place)
        text = storable(text) if text.strip() else "[image]"
        name, ts = name_of(message.get("name")), _time(message)
        own = name_of(message.get("id"))
        client_id = f"{FORM}:{own}" if own else self._ids(session_id, role, name, text)
        tool = {"tool": name} if name and role == "tool" else {}
        return HistoryTurn(
            session_id,
            text,
            role,
            ts,
            client_id,
            speaker=name if role == "user" else None,
            image_paths=images,
            metadata={"format": FORM, **tool},
        )


def _session(value: Mapping[str, Any]) -> str | None:
    return next((found for name in _SESSIONS if (found := name_of(value.get(name)))), None)


def _time(value: Mapping[str, Any]) -> str | None:
    return first_moment(*(value.get(name) for name in _TIMES))


def _content(content: object) -> tuple[str, tuple[str, ...]]:
    """The text of a content, a text or a list of parts, and the places of its images."""
    if isinstance(content, str):
        return content, ()
    if not isinstance(content, Sequence):
        return "", ()
    texts: list[str] = []
    images: list[str] = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping):
            text, image = part.get("text"), part.get("image_url")
            if isinstance(text, str):
                texts.append(text)
            url = image.get("url") if isinstance(image, Mapping) else image
            if isinstance(url, str):
                images.append("data:" if url.startswith("data:") else url)
    return "\n\n".join(texts), tuple(images)
