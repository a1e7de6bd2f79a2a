"""`mem mcp`: the memory for an agent, over stdin and stdout."""

import click

from cli.invocation import CliContext, pass_context


@click.command()
@pass_context
def mcp(context: CliContext) -> None:
    """Serve the memory to an agent over stdin and stdout (MCP).

    An agent's program starts it; docs/mcp.md has the lines of its configuration.
    """
    loaded = context.load_config()
    from memory.mcp.sdk import require_sdk

    require_sdk()
    from memory.mcp.stdio import run_stdio  # imports the SDK

    run_stdio(loaded)
