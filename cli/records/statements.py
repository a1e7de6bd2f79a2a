"""The options that the `add` command of every kind of record has."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from cli.parameters import metadata_of
from memory.records.values import USER

C = TypeVar("C", bound=Callable[..., Any])

CONFIDENCE = click.FloatRange(0, 1)


def statement_options(command: C) -> C:
    """Add --by, --evidence, --tag and --metadata."""
    options = (
        click.option(
            "--by",
            "source",
            default=USER,
            show_default=True,
            metavar="WHO",
            help="Who states it: user, api, distillation, or any name.",
        ),
        click.option(
            "--evidence",
            multiple=True,
            metavar="TURN",
            help="A turn that it rests on, such as turn:42; repeatable.",
        ),
        click.option(
            "--tag", "tags", multiple=True, metavar="T", help="A tag to find it by; repeatable."
        ),
        click.option(
            "--metadata", metavar="JSON", help='Extra data to keep with it: {"from": "Ada"}.'
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def stated(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a statement as its fields; tags and metadata that are not given stay."""
    metadata, tags = metadata_of(options.pop("metadata")), options.pop("tags")
    return {**options, "tags": tags or None, "metadata": metadata}


def number_of(text: str, word: str) -> int:
    """The number of a record, given alone or as its citation. Raises BadParameter."""
    digits = text.strip().removeprefix(word).lstrip(" :")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 19):
        raise click.BadParameter(f"{text!r} is not a {word}, such as 7 or '{word} 7'")
    return int(digits)
