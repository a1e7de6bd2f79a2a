"""Shell completion of arguments: names of settings, their values, and indexed files."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click
from click.shell_completion import CompletionItem

from cli.invocation import CliContext

MOST_PATHS = 200
"""The number of files to offer at most."""


def complete_keys(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the settings whose names begin with the typed text."""
    from memory.config.keys import all_keys

    return _beginning(incomplete, (key.name for key in all_keys()))


def complete_values(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the values that the setting named before can take, if they are few."""
    from memory.config.keys import all_keys

    kinds = {key.name: key.kind for key in all_keys()}
    return _beginning(incomplete, _choices(kinds.get(str(ctx.params.get("key")))))


def complete_paths(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the indexed files whose paths begin so; none without a readable database."""
    from contracts import MemError
    from memory.operations.manage import paths_beginning_with

    given = ctx.find_root().params
    context = CliContext(given.get("config_path"), given.get("db"), json=True)  # says nothing
    here = "" if incomplete.startswith("/") else f"{Path.cwd()}/"
    try:
        with context.open_workspace() as workspace:
            found = paths_beginning_with(workspace, here + incomplete, limit=MOST_PATHS)
    except MemError:
        return []
    return [CompletionItem(path.removeprefix(here)) for path in found]


def _beginning(incomplete: str, values: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(value) for value in values if value.startswith(incomplete)]


def _choices(kind: Any) -> list[str]:
    """Return the values that a declared type of a setting names, if it names any."""
    if kind is bool:
        return ["true", "false"]
    if get_origin(kind) is Literal:
        return [str(value) for value in get_args(kind)]
    if get_origin(kind) is tuple:
        return []
    return [value for part in get_args(kind) for value in _choices(part)]
