"""The MCP server over a workspace: its tools, its resources, its instructions."""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from inspect import getdoc
from typing import Annotated, Any, Final

from anyio import to_thread
from mcp.server.mcpserver import Context, MCPServer, ResourceSecurity
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, GetPromptResult, InputRequiredResult
from mcp_types import Tool as ToolEntry
from pydantic import Field, ValidationError

from contracts import MemError, NotFoundError, did_you_mean
from memory import __version__
from memory.mcp.instructions import INSTRUCTIONS
from memory.mcp.tools import MOST_BYTES, TOOLS, RightsOf, Tools, WorkspaceOf

RESOURCES: Final = "mem:///{+citation}"
"""The address of a record: its citation, percent-encoded or not."""


class MemoryServer(MCPServer[Any]):
    """The server; `after_handshake` is called when a client asks for the tools, or for one."""

    after_handshake: Callable[[], None] | None = None

    async def run_streams(self, read: Any, write: Any) -> None:
        """Serve one client over a pair of streams until the first one ends."""
        server = self._lowlevel_server
        await server.run(read, write, server.create_initialization_options())

    async def list_tools(self) -> list[ToolEntry]:
        if self.after_handshake is not None:
            self.after_handshake()
        return await super().list_tools()

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        if self.after_handshake is not None:
            self.after_handshake()
        return await super().call_tool(name, arguments, context)

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: Context[Any, Any] | None = None,
    ) -> GetPromptResult:
        """Refuse every name, where the SDK would log a traceback and answer with the code 0."""
        raise MCPError(
            INVALID_PARAMS, f"there is no prompt {name!r:.80}; there are tools: use those"
        )


def create_server(workspace_of: WorkspaceOf, rights_of: RightsOf) -> MemoryServer:
    """Return the server of the five tools; `workspace_of` says whose memory a request is for."""
    tools = Tools(workspace_of, rights_of)
    with _own_logging():
        server = MemoryServer(
            "symbiosis-memory",
            title="Symbiosis Memory",
            version=__version__,
            instructions=INSTRUCTIONS,
            tools=[_strict(tools, name) for name in TOOLS],
            log_level="WARNING",
            subscriptions=False,
        )
    _add_records(server, workspace_of, rights_of)
    return server


class _StrictTool(Tool):
    """A tool that refuses arguments it does not have, and says which it has."""

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:
        arguments = {name: _whole(value) for name, value in arguments.items()}
        try:
            self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            known = self.parameters["properties"]
            faults = [_fault(found, known) for found in error.errors()[:5]]
            raise ToolError(f"{self.name}: {'; '.join(faults)}") from error
        return await super().run(arguments, context, convert_result)


def _whole(value: Any) -> Any:
    """Return 5.0 as 5: it is an integer in JSON Schema, and some programs write all numbers so."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _strict(tools: Tools, name: str) -> Tool:
    """Return a tool whose arguments are known, and of their own JSON types, as HTTP bodies are.

    A misspelt one would be ignored in silence, and `"yes"` for `delete` would delete.
    """
    text = TOOLS[name]
    method = getattr(tools, name)
    tool = _StrictTool.from_function(
        method,
        name=name,
        title=text.title,
        description=getdoc(method),  # without the indentation, which costs tokens
        annotations=text.hints,
    )
    arguments = tool.fn_metadata.arg_model
    arguments.model_config |= {"extra": "forbid", "strict": True}
    arguments.model_rebuild(force=True)
    tool.parameters = arguments.model_json_schema(by_alias=True)
    return tool


def _fault(found: Mapping[str, Any], known: Collection[str]) -> str:
    """Return what is wrong with one argument, and the next step."""
    place = ".".join(str(part) for part in found["loc"])
    if found["type"] == "extra_forbidden":
        return f"there is no argument {place[:80]!r}; {did_you_mean(place[:80], known)}"
    return f"{place}: {found['msg']}"


def _add_records(server: MCPServer[Any], workspace_of: WorkspaceOf, rights_of: RightsOf) -> None:
    """Add every file, turn, memory and other record as a resource, by its citation."""

    async def record(
        ctx: Context[Any, Any], citation: Annotated[str, Field(max_length=4096)]
    ) -> str:
        """A file (`docs/a.md`, `docs/a.md:1-40`), a turn, a memory or another record, as data."""

        def work() -> str:
            from memory.mcp import calls, rendering
            from memory.operations.record_reading import Reader

            reader = Reader(workspace_of(ctx), max_bytes=MOST_BYTES)
            rights_of(ctx).require("read", "reading")
            reader.read(citation)
            return rendering.read_text(calls.read_answer(reader))

        try:
            return await to_thread.run_sync(work)
        except NotFoundError as error:
            raise ResourceNotFoundError(str(error)) from error
        except MemError as error:
            raise ResourceError(str(error)) from error

    server.resource(
        RESOURCES,
        name="record",
        title="A record by its citation",
        mime_type="text/markdown",
        security=ResourceSecurity(exempt_params={"citation"}),  # a name in the index, no path
    )(record)


@contextmanager
def _own_logging() -> Iterator[None]:
    """Keep the SDK from configuring the root logger, which is the program's."""
    root, nothing = logging.getLogger(), logging.NullHandler()
    root.addHandler(nothing)
    try:
        yield
    finally:
        root.removeHandler(nothing)
