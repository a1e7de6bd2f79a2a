"""Messages of the protocol, for tests that write them themselves."""

import json
from typing import Any

ACCEPT = {"Accept": "application/json, text/event-stream"}


def begin(version: str) -> dict[str, Any]:
    client = {"name": "test", "version": "1"}
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def calling(tool: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}


def result_of(answer: Any) -> Any:
    """The result in a response that is a JSON body or one event."""
    assert answer.status_code == 200, answer.text
    lines = [line for line in answer.text.splitlines() if line.startswith("data: {")]
    return json.loads(lines[-1].removeprefix("data: ") if lines else answer.text)["result"]
