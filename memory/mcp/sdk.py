"""The check for the SDK, which is an extra."""

from importlib.util import find_spec

from contracts import UnavailableError, install_hint


def require_sdk() -> None:
    """Raise UnavailableError where the SDK is missing or too old; it loads nothing."""
    if find_spec("mcp_types") is None:  # part of the SDK from version 2 on
        raise UnavailableError(
            "MCP needs the package mcp of version 2, which is not installed",
            hint=install_hint("mcp"),
        )
