"""`mem serve`: serve the memory over HTTP until stopped."""

import click

from cli.invocation import CliContext, pass_context


@click.command()
@click.option("--host", metavar="H", help="Listen on this address instead of the configured one.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="P", help="Listen on this port.")
@pass_context
def serve(context: CliContext, *, host: str | None, port: int | None) -> None:
    """Serve the memory over HTTP.

    Without a token in the settings it listens on this machine only. Ctrl-C ends it.
    """
    loaded = context.load_config()
    from cli.served_commands import run_for_caller
    from memory.api import serve as serve_http  # imports FastAPI

    serve_http(loaded, host=host, port=port, run=run_for_caller)
