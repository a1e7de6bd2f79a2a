"""`mem show`: print the lines that a citation names."""

from dataclasses import asdict
from pathlib import Path

import click

from cli.completion import complete_paths
from cli.invocation import CliContext, pass_context
from cli.output import print_json, shown, shown_path, warn
from cli.searching.line_origin import say_origin
from memory.operations.manage import citation_of
from memory.operations.manage import show as read_citation
from memory.values.reports import FileContent
from memory.values.user_folders import working_folder


@click.command()
@click.argument("citation", nargs=-1, required=True, shell_complete=complete_paths)
@pass_context
def show(context: CliContext, *, citation: tuple[str, ...]) -> None:
    """Print what a citation names, with line numbers.

    CITATION is one that `mem search` printed: docs/setup.md:12-30, docs/setup.md:12, text 3f2a...,
    or "report.pdf:12-30, page 3" - or "report.pdf, page 3" for a page, "page.html, source lines
    120-134", "book.xlsx, sheet Q3, rows 4-9", or a file's path or id, for all of it. The text is
    the one that was indexed. "session s1 turn 42" or turn 42 is shown with the turns around it,
    memory 12 with its sources, episode 7 with its turns, triple 3 with its memories.
    """
    with context.open_workspace() as workspace:
        content = read_citation(workspace, " ".join(citation))
    if not isinstance(content, FileContent):
        from cli.searching.show_record import print_record  # a place in a file does not need it

        print_record(context, content)
        return
    if context.json:
        print_json({**asdict(content), "citation": citation_of(content)})
        return
    click.echo("\n".join(_numbered(content)))
    say_origin(content)
    if content.stale and content.path is not None:
        path = shown_path(content.path, working_folder())
        gone = not Path(content.path).exists()
        warn(f"{path} {'is gone' if gone else 'has changed'} since it was indexed: mem sync")


def _numbered(content: FileContent) -> list[str]:
    lines = content.text.split("\n")
    lines = lines[: content.end_line - content.start_line + 1]
    room = len(str(content.end_line))
    return [
        f"{click.style(f'{number:>{room}}', dim=True)}  {_line(line)}".rstrip()
        for number, line in enumerate(lines, start=content.start_line)
    ]


def _line(line: str) -> str:
    return shown(line.removesuffix("\r").expandtabs(4))
