"""The ids of requests. MCP allows texts and whole numbers; the SDK takes a request with another id
for a notification, and its sender would wait for ever.

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


def refused_id(message: str | bytes) -> dict[str, Any] | None:
    """Return the error that answers a request with an id of another type, None for all others.

    Some clients write `"id": null` into notifications: these get no answer.
    """
    try:
        request = json.loads(message)
    except (ValueError, RecursionError):
        return None
    if not isinstance(request, dict) or "id" not in request or id_of(request) is not None:
        return None
    method = request.get("method")
    if not isinstance(method, str) or method.startswith(_NOTIFICATIONS):
        return None
    given = json.dumps(request["id"])[:80]
    said = f"id: {given} is neither a text nor a whole number; send one of these"
    return {"jsonrpc": "2.0", "id": None, "error": {"code": _INVALID_REQUEST, "message": said}}
