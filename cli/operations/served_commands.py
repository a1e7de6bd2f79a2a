"""The server's side of the command line: it runs a command for the process that handed it over.

The command is the one that the process would run itself, so the output is the same.
"""

import traceback
from pathlib import Path
from threading import Lock

import click

from cli.caller import Caller, NotServedError, called_from
from cli.commands import mem
from cli.main import run
from cli.running_server import SERVED
from memory.local_server.streams import printing_for
from memory.local_server.values import CommandAnswer, CommandRequest
from memory.values.user_folders import in_folder_of_command
from memory.workspace import Workspace

_LOADING = Lock()


def load_commands() -> None:
    """Import the commands that may be handed over; one thread does, before the first runs."""
    with _LOADING:
        for name in SERVED:
            mem.get_command(click.Context(mem), name)


def run_for_caller(workspace: Workspace, request: CommandRequest) -> CommandAnswer:
    """Run a command with the server's open database, in a thread of the server.

    One that ends before it uses the database is left to the caller, who then says why.
    """
    load_commands()
    caller = Caller(request, workspace)
    with (
        called_from(caller),
        in_folder_of_command(Path(request.folder)),
        printing_for(request) as printed,
    ):
        try:
            code: int | None = run(request.arguments)
        except NotServedError:
            code = None
        except Exception:  # noqa: BLE001  # a fault of the program, which the caller's user reports
            printed.add("stderr", traceback.format_exc())
            code = 1
    return CommandAnswer(code if caller.has_opened else None, printed.parts)
