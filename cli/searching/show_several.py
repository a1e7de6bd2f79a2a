"""`mem show` of several citations and patterns, within a budget of bytes."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from cli.invocation import CliContext
from cli.output import print_json, shown, warn
from cli.searching.numbered_lines import numbered, warn_if_stale
from memory.operations.record_reading import Reader, ReadRecord
from memory.workspace import Workspace


def show_several(
    context: CliContext,
    workspace: Workspace,
    citations: Sequence[str],
    *,
    max_bytes: int | None,
    around: int,
) -> None:
    """Print the records one after the other, each below its citation; name what is left out.

    Raises NotFoundError where no citation can be read.
    """
    reader = Reader(workspace, max_bytes=max_bytes, around=around)
    is_first = True
    for citation in reader.expand(citations):
        record = reader.read(citation)
        if record is not None and not context.json:
            click.echo("\n".join([*([] if is_first else [""]), *_block(record)]))
            is_first = False
    read = reader.answer()
    if context.json:
        print_json({**asdict(read), "records": [_plain(one) for one in read.records]})
        return
    for one in read.records:
        if one.content is not None:
            warn_if_stale(one.content)
    left_out = [*(one.next for one in read.records if one.next), *read.left_out]
    for each in left_out:
        warn(f"left out for want of bytes: {each}")
    for unread in read.unread:
        warn(f"{unread.citation} cannot be shown: {unread.reason}")


def _block(record: ReadRecord) -> list[str]:
    lines = [click.style(shown(record.citation), bold=True)]
    if record.content is not None:
        return lines + numbered(record.content)
    return lines + [f"  {shown(line.expandtabs(4))}".rstrip() for line in record.text.splitlines()]


def _plain(record: ReadRecord) -> dict[str, Any]:
    names = ("citation", "text", "stale", "next")
    return {name: getattr(record, name) for name in names}
