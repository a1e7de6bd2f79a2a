"""Values of arguments and options that several commands take."""

import json
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

import click

from contracts import InputError
from memory.values.scope_parsing import checked_path

Decorator: TypeAlias = Callable[[Callable[..., None]], Callable[..., None]]


class PathArgument(click.Path):
    """A path that need not exist; an empty one, as of an unset variable, is an InputError."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(checked_path(value), param, ctx)


def limit_option(most: int, usual: int, *, told: str = "The most to list.") -> Decorator:
    """Return the option `--limit` of a list."""
    kind = click.IntRange(1, most)
    return click.option(
        "--limit", type=kind, default=usual, show_default=True, metavar="N", help=told
    )


def text_of_stdin() -> str:
    """The text on stdin. Raises InputError for one that is not UTF-8."""
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"the input is not UTF-8: byte {error.start} belongs to no character",
            hint="save it as a file and ingest that: its encoding is recognised",
        ) from error


def metadata_of(metadata: str | None) -> dict[str, Any] | None:
    """The JSON object of --metadata, if one was given. Raises InputError for anything else."""
    if metadata is None:
        return None
    hint = """write an object: --metadata '{"author": "Ada"}'"""
    try:
        value = json.loads(metadata)
    except ValueError as error:
        raise InputError(f"--metadata is not JSON: {error}", hint=hint) from error
    if not isinstance(value, dict):
        raise InputError("--metadata is not a JSON object", hint=hint)
    return value
