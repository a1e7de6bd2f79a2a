"""Paths as arguments: an empty one is an error, not the current folder."""

from typing import Any

import click

from memory.values.scope_parsing import checked_path


class PathArgument(click.Path):
    """A path that need not exist; an empty one, as of an unset variable, is an InputError."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(checked_path(value), param, ctx)
