"""sem-mem's `threads.json`: an object of threads by name, with their summaries."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ingest.histories.clock import filled, first_moment, moment
from ingest.histories.values import (
    ContentIds,
    HistoryTurn,
    Item,
    Omitted,
    Summary,
    name_of,
    role_of,
    storable,
    title_of,
)

FORM: Final = "sem-mem"
_SUMMARY_TEXTS: Final = ("summary", "summary_text", "text", "content")
_TIMES: Final = ("timestamp", "created_at", "ts", "time")


def store_items(store: Mapping[str, Any]) -> Iterator[Item]:
    """Turns and summaries of every thread; a thread's name is its session's id."""
    threads = store.get("threads", store)
    if not isinstance(threads, Mapping):
        yield Omitted("broken", "threads", "it is not an object of threads by name")
        return
    ids = ContentIds(FORM)
    for name, thread in threads.items():
        place = f"thread {name!r}"
        if isinstance(thread, Mapping):
            yield from _thread_items(str(name), thread, place, ids)
        elif name != "version":
            yield Omitted("broken", place, "it is not an object")


def _thread_items(
    name: str, thread: Mapping[str, Any], place: str, ids: ContentIds
) -> Iterator[Item]:
    listed = thread.get("messages")
    if not isinstance(listed, list):
        yield Omitted("broken", place, "it has no list of `messages`")
        listed = []
    session_id = name_of(name) or FORM
    title = title_of(thread.get("title"))
    metadata = {"format": FORM, **({"title": title} if title else {})}
    turns: list[HistoryTurn] = []
    for number, message in enumerate(listed, 1):
        where = f"{place}, message {number}"
        known = message if isinstance(message, Mapping) else {}
        role, text = role_of(known.get("role")), known.get("content")
        if role is None or not isinstance(text, str):
            yield Omitted("broken", where, "it has no role or no content")
        elif not text.strip():
            yield Omitted("empty", where)
        else:
            said = storable(text)
            key = ids(session_id, role, said)
            turns.append(HistoryTurn(session_id, said, role, _time(known), key, metadata=metadata))
    yield from filled(turns, begun=_time(thread))
    yield from _summaries(session_id, thread)


def _summaries(session_id: str, thread: Mapping[str, Any]) -> Iterator[Summary]:
    windows = thread.get("summary_windows")
    found = [{"summary": thread.get("summary")}, *(windows if isinstance(windows, list) else ())]
    for number, window in enumerate(found):
        if not isinstance(window, Mapping):
            continue
        texts = (window.get(key) for key in _SUMMARY_TEXTS)
        text = next((text for text in texts if isinstance(text, str) and text.strip()), None)
        if text is not None:
            yield Summary(session_id, storable(text), f"{session_id} {number}", _time(window))


def _time(value: Mapping[str, Any]) -> str | None:
    return first_moment(*(moment(value.get(name)) for name in _TIMES))
