"""`mem setup`: our entries in the files of programs with agents."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.invocation import CliContext, pass_context
from cli.output import note, print_json, shown, warn
from contracts import ForbiddenError, InputError, UnavailableError
from memory.agents.own_command import own_command

if TYPE_CHECKING:
    from memory.agents.setup import FileChange, Launch

AGENTS = (
    *("claude-code", "codex", "cursor", "vscode"),
    *("gemini-cli", "opencode", "zed", "claude-desktop"),
)

_FILE = click.Path(path_type=Path)


@click.command()
@click.argument("agent", type=click.Choice(AGENTS))
@click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    show_default=True,
    help="Your own file, or that of the project in the working directory.",
)
@click.option("--print", "only_print", is_flag=True, help="Show the entries; change nothing.")
@click.option("--remove", is_flag=True, help="Take the entries out again.")
@click.option(
    "--hooks/--no-hooks",
    default=True,
    show_default=True,
    help="Context at the start and at prompts, capture at the end.",
)
@click.option("--server", metavar="URL", help="Have `mem mcp` ask this server.")
@click.option(
    "--token-file", type=_FILE, metavar="FILE", help="The file with the token for the server."
)
@pass_context
def setup(
    context: CliContext,
    /,
    agent: str,
    *,
    scope: str,
    only_print: bool,
    remove: bool,
    hooks: bool,
    **reached: Any,
) -> None:
    """Give AGENT the memory: its MCP entry and, where it has them, its hooks.

    Everything else in its files stays as it is, and a file that cannot be understood is left alone.
    docs/setup.md names the files. A token is never written: its file is named, which only you may
    read.
    """
    from memory.agents.products import PRODUCTS, Places
    from memory.agents.setup import apply_change, removal_changes, setup_changes

    product = PRODUCTS[agent]
    places = Places(Path.home(), Path.cwd(), os.environ, sys.platform)
    if remove:
        changes = removal_changes(product, places, in_project=scope == "project")
    else:
        launch = _launch(context, **reached)
        changes = setup_changes(
            product, places, launch, in_project=scope == "project", with_hooks=hooks
        )
    if not only_print:
        for change in changes:
            if change.action != "unchanged":
                apply_change(change)
    _report(context, changes, only_print=only_print)
    if not (remove or only_print):
        _advise(agent, is_alone=reached["server"] is None)


def _launch(context: CliContext, *, server: str | None, token_file: Path | None) -> "Launch":
    """Return how the agent starts `mem`: with the configuration and database that are named now.

    A configuration that was merely found in the working directory is not named.
    """
    from memory.agents.setup import Launch

    options: list[str] = []
    found = context.find_config()
    if found.origin in ("argument", "environment"):
        options += ["--config", str(found.path)]
    if context.db is not None:
        options += ["--db", str(context.db.expanduser().absolute())]
    return Launch(own_command(), options, _variables(server, token_file))


def _variables(server: str | None, token_file: Path | None) -> dict[str, str]:
    from memory.mcp.forwarding import TOKEN_FILE, URL, server_parts, token_in

    if server is None:
        if token_file is not None:
            raise InputError("--token-file needs --server", hint="add: --server URL")
        return {}
    parts = server_parts(server)
    if parts.username or parts.password or parts.query:
        raise ForbiddenError(
            "the address of the server holds a secret",
            hint="give the address alone, and --token-file FILE",
        )
    if token_file is None:
        return {URL: server}
    path = token_file.expanduser().absolute()
    token_in(path)
    return {URL: server, TOKEN_FILE: str(path)}


def _report(context: CliContext, changes: "Sequence[FileChange]", *, only_print: bool) -> None:
    if context.json:
        print_json(
            [{"path": str(one.path), "action": one.action, "entry": one.entry} for one in changes]
        )
        return
    for change in changes:
        path = shown(str(change.path))
        if only_print:
            click.echo(f"{path}: {_planned(change)}")
            click.echo("\n".join(map(shown, change.entry.splitlines())), nl=bool(change.entry))
        else:
            click.echo(f"{change.action:<9}  {path}")


def _planned(change: "FileChange") -> str:
    words = {"written": "would hold", "removed": "would lose our entries"}
    return words.get(change.action, "stays as it is")


def _advise(agent: str, *, is_alone: bool) -> None:
    from memory.mcp.sdk import require_sdk

    if is_alone:
        try:
            require_sdk()
        except UnavailableError as error:
            warn(f"{error.message}; {error.hint}")
    note("restart the program, so that it reads its files again")
    if agent == "codex":
        note("Codex runs hooks once you have trusted them: type /hooks there")
