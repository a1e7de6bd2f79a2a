"""`mem serve`: serve the memory over HTTP until stopped."""

import gc

import click

from cli.invocation import CliContext, pass_context


@click.command()
@click.option("--host", metavar="H", help="Listen on this address instead of the configured one.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="P", help="Listen on this port.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    metavar="N",
    help="Answer with N processes; one of them runs the jobs.",
)
@pass_context
def serve(context: CliContext, *, host: str | None, port: int | None, workers: int) -> None:
    """Serve the memory over HTTP.

    Without a token in the settings it listens on this machine only. Ctrl-C ends it.
    """
    loaded = context.load_config()
    gc.disable()  # the imports make no garbage; the server looks for it once it runs
    try:
        from cli.operations.served_commands import run_for_caller
        from memory.api import serve as serve_http  # imports FastAPI

        serve_http(loaded, host=host, port=port, workers=workers, run=run_for_caller)
    finally:
        gc.enable()
