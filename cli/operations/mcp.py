"""`mem mcp`: the memory for an agent, over stdin and stdout."""

import gc
import os

import click

from cli.invocation import CliContext, pass_context


@click.command()
@pass_context
def mcp(context: CliContext) -> None:
    """Serve the memory to an agent over stdin and stdout (MCP).

    An agent's program starts it; `mem setup` writes its configuration. With
    MEM_SERVER_URL (and MEM_SERVER_TOKEN, or MEM_SERVER_TOKEN_FILE with its path) in the environment
    it opens no database: a running server answers.
    """
    from memory.mcp.forwarding import URL, forward

    if os.environ.get(URL):
        forward(os.environ)
        return
    loaded = context.load_config()
    from memory.mcp.sdk import require_sdk

    require_sdk()
    gc.disable()  # the thousands of classes of the SDK are not garbage; on again once it serves
    from memory.mcp.stdio import run_stdio  # imports the SDK

    run_stdio(loaded)
