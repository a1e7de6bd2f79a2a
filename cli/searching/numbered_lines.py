"""Lines of a document with their numbers, their place in the file, and a warning of changes."""

from pathlib import Path

import click

from cli.output import note, shown, shown_path, warn
from memory.values.reports import FileContent
from memory.values.user_folders import working_folder


def numbered(content: FileContent) -> list[str]:
    """The lines, safe to print."""
    lines = content.text.split("\n")
    lines = lines[: content.end_line - content.start_line + 1]
    room = len(str(content.end_line))
    return [
        f"{click.style(f'{number:>{room}}', dim=True)}  {_line(line)}".rstrip()
        for number, line in enumerate(lines, start=content.start_line)
    ]


def say_origin(content: FileContent) -> None:
    """Tell where a text that was extracted is from in its file."""
    if not content.extracted:
        return
    if content.place is None:
        note("the lines are those of the extracted text, not of the file")
    else:
        note(f"the lines are those of the extracted text; in the file: {shown(content.place)}")


def warn_if_stale(content: FileContent) -> None:
    """Print a warning if the file on disk is no longer the one that was indexed."""
    if content.stale and content.path is not None:
        path = shown_path(content.path, working_folder())
        gone = not Path(content.path).exists()
        warn(f"{path} {'is gone' if gone else 'has changed'} since it was indexed: mem sync")


def _line(line: str) -> str:
    return shown(line.removesuffix("\r").expandtabs(4))
