"""The ids of requests. MCP allows texts and whole numbers; the SDK takes a request with another id
for a notification, and its sender would wait for ever. It reports a batch as wrong parameters.

This module needs no SDK.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

_INVALID_REQUEST: Final = -32600
_NOTIFICATIONS: Final = "notifications/"


def id_of(message: Mapping[str, Any]) -> int | str | None:
    """Return the id of a message, None where it has none that is allowed."""
    found = message.get("id")
    return found if type(found) is int or isinstance(found, str) else None


def refused_message(message: str | bytes) -> dict[str, Any] | None:
    """Return the error that answers a request with an id of another type, a batch of messages, or
    another value than an object; None for all others.

    Of the versions of MCP only 2025-03-26 had batches. Some clients write `"id": null` into
    notifications: these get no answer.
    """
    try:
        request = json.loads(message)
    except (ValueError, RecursionError):
        return None
    if isinstance(request, list):
        return _refused("a batch of messages; send each by itself, as MCP has it since 2025-06-18")
    if not isinstance(request, dict):
        return _refused("the message is not a JSON object; send one request or notification")
    if "id" not in request or id_of(request) is not None:
        return None
    method = request.get("method")
    if not isinstance(method, str) or method.startswith(_NOTIFICATIONS):
        return None
    given = json.dumps(request["id"])[:80]
    return _refused(f"id: {given} is neither a text nor a whole number; send one of these")


def _refused(said: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": None, "error": {"code": _INVALID_REQUEST, "message": said}}
