"""The answer to a line that cannot be read as a message; without an answer its sender waits."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

from memory.mcp.request_ids import id_of

_NEXT_STEP: Final = "send one JSON-RPC request a line, in UTF-8 and with whole surrogate pairs"


def refusal(error: Exception) -> SessionMessage:
    """Return the error for a line that the SDK could not read; its id is null where it has none."""
    faults = (
        error.errors(include_url=False, include_context=False)
        if isinstance(error, ValidationError)
        else []
    )
    is_broken = not faults or faults[0]["type"] == "json_invalid"
    places = [*map(str, faults[0]["loc"][1:]), faults[0]["msg"]] if faults else [str(error)]
    data = ErrorData(
        code=PARSE_ERROR if is_broken else INVALID_REQUEST,
        message=f"{': '.join(places)[:200]}; {_NEXT_STEP}",
    )
    found = next(_ids(fault["input"] for fault in faults), None)
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=found, error=data))


def answer_of(error: Mapping[str, Any]) -> SessionMessage:
    """Return an error as a message to send."""
    return SessionMessage(JSONRPCError.model_validate(error))


def _ids(inputs: Iterator[Any]) -> Iterator[int | str]:
    """The ids of requests: one of the inputs is the line, or the object that it is."""
    for given in inputs:
        if isinstance(given, str):
            try:
                given = json.loads(given)
            except (ValueError, RecursionError):
                continue
        if not isinstance(given, dict) or "method" not in given:
            continue
        named = id_of(given)
        if isinstance(named, int) or (named is not None and _is_text(named)):
            yield named


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
