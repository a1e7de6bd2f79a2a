"""A message of an agent's transcript, whichever agent wrote it, and the turn that it becomes."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from contracts.named_tuple import NamedTuple
from ingest.histories.agents.cleaning import cleaned
from ingest.histories.agents.places import Agent
from ingest.histories.values import HistoryTurn, Item, Omitted, name_of, storable
from ingest.pii.masking import masked

MOST_TOOL_CHARS: Final = 4_000
"""The most characters that are stored of the output of a tool."""

MOST_ID_CHARS: Final = 200
_MOST_NAME: Final = 300
_EDITS: Final = frozenset(
    {
        *("edit", "multiedit", "write", "notebookedit", "str_replace_editor", "apply_patch"),
        *("replace", "write_file", "edit_file", "search_replace", "create_file", "patch"),
    }
)
"""Names of tools that change files; a short diff of each of their calls is kept."""


class ReadOptions(NamedTuple):
    """The parts of a transcript to take. `session_id` names one that does not name itself."""

    tool_output: bool = False
    session_id: str | None = None


class Message(NamedTuple):
    """A message: its original id, the session in which it was first said, and the text.

    `ts` is ISO 8601 in UTC, `project` the folder that the agent worked in, `tool` the tool of a
    message of that role.
    """

    id: str
    session_id: str
    role: str
    text: str
    ts: str | None = None
    project: str | None = None
    tool: str | None = None


def turn_of(agent: Agent, message: Message, place: str) -> Item:
    """The turn that a message becomes, or why it becomes none."""
    text = cleaned(message.text)
    if not text:
        return Omitted("empty", place)
    if message.tool and len(text) > MOST_TOOL_CHARS:
        left = len(text) - MOST_TOOL_CHARS
        text = f"{text[:MOST_TOOL_CHARS]}\n[... {left:,} more characters]"
    about = {"format": agent, "project": message.project, "tool": message.tool}
    return HistoryTurn(
        session_id=plain_id(message.session_id),
        text=text,
        role=message.role,
        ts=message.ts,
        client_id=f"{agent}:{plain_id(message.id)}",
        metadata={
            name: _masked_name(storable(value))[:_MOST_NAME]
            for name, value in about.items()
            if value
        },
    )


def tool_items(
    agent: Agent, made: Message, *, call: str, output: object, place: str
) -> Iterator[Item]:
    """The turns of a call of a tool, which `made` names: what it changed, and its output."""
    for suffix, found in (("call", call), ("out", output)):
        if isinstance(found, str) and found:
            yield turn_of(agent, made._replace(id=f"{made.id}:{suffix}", text=found), place)
    if not call:
        yield Omitted("tool-output", place)


def plain_id(text: str) -> str:
    """An id as it is stored: itself, or a digest of one that is too long or holds a secret."""
    plain = storable(text.strip())
    if 0 < len(plain) <= MOST_ID_CHARS and _masked_name(plain) == plain:
        return plain
    return digest_of(text)


@lru_cache(maxsize=64)
def _masked_name(text: str) -> str:
    """A name that many messages share, such as their session's, without secrets."""
    return masked(text)


def digest_of(*parts: str) -> str:
    """A name made of texts, for messages to which an agent gives no id."""
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(joined, digest_size=12).hexdigest()


def kind_of(value: Mapping[str, Any], name: str = "type") -> str:
    """The text of a field that tells kinds apart; empty for anything but a text."""
    found = value.get(name)
    return found if isinstance(found, str) else ""


def text_of(content: object, *, kinds: frozenset[str] = frozenset({"text"})) -> str:
    """The text of a content: a text, or a list of parts of which those of these kinds count."""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, list):
        return ""
    texts = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping) and (kind_of(part) or "text") in kinds:
            text = part.get("text")
            if isinstance(text, str) and not part.get("thought"):
                texts.append(text)
    return "\n\n".join(text for text in texts if text.strip())


def call_text(name: str, given: object, *, whole: bool) -> str:
    """A call of a tool as text: a diff for one that changes a file, else its input if `whole`."""
    if isinstance(given, str):
        given = _object(given) or {"input": given}
    if not isinstance(given, Mapping):
        return ""
    if name.rpartition("__")[2].lower() in _EDITS:
        return _edit_text(name, given)
    if not whole:
        return ""
    lines = [f"{key}: {_shown(value)}" for key, value in given.items()]
    return "\n".join([f"[{name}]", *lines])


def _edit_text(name: str, given: Mapping[str, Any]) -> str:
    path = next(
        (
            found
            for key in ("file_path", "filePath", "path", "notebook_path", "target_file")
            if (found := name_of(given.get(key)))
        ),
        "",
    )
    lines = [*_diff_lines(given)]
    edits = given.get("edits")
    for edit in edits if isinstance(edits, list) else ():
        if isinstance(edit, Mapping):
            lines += _diff_lines(edit)
    patch = given.get("input") or given.get("patch")
    if not lines and isinstance(patch, str):
        lines = patch.splitlines()
    fence = ["```diff", *lines, "```"] if lines else []
    return "\n".join([f"[{name}] {path}".rstrip(), *fence])


def _diff_lines(edit: Mapping[str, Any]) -> Iterator[str]:
    for mark, names in (
        ("-", ("old_string", "oldString", "old_str")),
        ("+", ("new_string", "newString", "new_str", "content", "new_source", "file_text")),
    ):
        text = next((edit[name] for name in names if isinstance(edit.get(name), str)), "")
        yield from (f"{mark}{line}" for line in text.splitlines())


def _object(text: str) -> object:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, Mapping) else None


def _shown(value: object) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return ""
