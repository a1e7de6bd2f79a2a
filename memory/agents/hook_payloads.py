"""The JSON that programs give to their hooks, and the JSON that they expect.

Sources: the hook references of Claude Code, Codex (its published schemas), Gemini CLI and Cursor.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from contracts import InputError
from contracts.named_tuple import NamedTuple
from memory.agents.products import Event, Product

MOST_PAYLOAD: Final = 4 * 1024 * 1024
"""The most bytes of a payload."""

MOST_PROMPT: Final = 2000
"""The most characters of a prompt that are the question; more make a search slow, not better."""

FENCE: Final = "symbiosis-memory-context"
"""The name of the tags around everything that a hook adds; capture leaves it out."""

_OPEN: Final = f'<{FENCE} source="mem hook">'
_CLOSE: Final = f"</{FENCE}>"


class HookCall(NamedTuple):
    """The facts that a program tells a hook.

    session     the id of the conversation
    prompt      what the user typed, shortened; empty for other events
    transcript  the file of the conversation; None when there is none
    folder      the working directory of the agent; None when unknown
    """

    session: str
    prompt: str
    transcript: Path | None
    folder: Path | None


def read_call(payload: bytes) -> HookCall:
    """Return what a payload says. Raises InputError for one that is not of a hook."""
    if len(payload) > MOST_PAYLOAD:
        raise InputError("the payload is too long", hint="it is left alone")
    try:
        content = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise InputError("the payload is not JSON", hint="it is left alone") from error
    if not isinstance(content, dict):
        raise InputError("the payload is not an object", hint="it is left alone")
    session = _text(content, "session_id") or _text(content, "conversation_id")
    if not session:
        raise InputError("the payload names no session", hint="it is left alone")
    prompt = "".join(
        char if char.isprintable() else " "
        for char in (_text(content, "prompt") or "")[:MOST_PROMPT]
    )
    return HookCall(session, prompt, _path(content, "transcript_path"), _folder(content))


def answer_of(product: Product, event: Event, context: str) -> dict[str, Any]:
    """Return the JSON that adds a context, inside its fence, to the conversation."""
    inner = context.replace(FENCE, FENCE.replace("-", " "))
    text = f"{_OPEN}\n{inner}\n{_CLOSE}"
    if product.name == "cursor":
        return {"additional_context": text}
    theirs = product.hooks.events[event] if product.hooks else event
    return {"hookSpecificOutput": {"hookEventName": theirs, "additionalContext": text}}


def _text(content: Mapping[str, Any], name: str) -> str | None:
    value = content.get(name)
    return value if isinstance(value, str) else None


def _path(content: Mapping[str, Any], name: str) -> Path | None:
    text = _text(content, name)
    if not text or "\0" in text:
        return None
    path = Path(text).expanduser()
    return path if path.is_absolute() else None


def _folder(content: Mapping[str, Any]) -> Path | None:
    found = _path(content, "cwd")
    roots = content.get("workspace_roots")
    if found is None and isinstance(roots, list) and roots:
        found = _path({"root": roots[0]}, "root")
    return found
