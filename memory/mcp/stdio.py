"""The process that an agent's program starts: MCP over stdin and stdout."""

import gc
import logging
import sys
from threading import Thread

import anyio

from memory.config.loading import LoadedConfig
from memory.mcp.rights import ON_STDIO
from memory.mcp.server import create_server
from memory.workspace import Workspace


def run_stdio(loaded: LoadedConfig) -> None:
    """Serve the configured database until stdin ends; a missing database is created.

    Stdout carries the protocol alone, warnings of the SDK go to stderr. Raises what opening a
    database raises.
    """
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="mem mcp: %(message)s")
    with Workspace(loaded) as workspace:
        server = create_server(lambda _: workspace, lambda _: ON_STDIO)
        warming = Thread(target=_warm_up, args=(workspace,), daemon=True)

        def warm_up_once() -> None:
            if warming.ident is None:
                warming.start()

        server.after_handshake = warm_up_once
        gc.freeze()
        gc.enable()
        anyio.run(server.run_stdio_async)


def _warm_up(workspace: Workspace) -> None:
    """Load what calls need, while the model thinks about its first one."""
    import memory.mcp.calls  # noqa: F401
    from memory.retrieval.server_caches import start_server_caches

    start_server_caches(workspace)
