"""`mem show`: print the lines that citations name."""

from dataclasses import asdict

import click

from cli.invocation import CliContext, pass_context
from cli.output import print_json
from cli.searching.numbered_lines import numbered, say_origin, warn_if_stale
from cli.shell_completion import complete_paths
from memory.operations.manage import citation_of, is_record
from memory.operations.manage import show as read_citation
from memory.values.reports import FileContent
from search.options import is_pattern


@click.command()
@click.argument("citation", nargs=-1, required=True, shell_complete=complete_paths)
@click.option(
    "-C",
    "--context",
    "around",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Also N lines before and after the cited ones.",
)
@click.option(
    "--max-bytes",
    type=click.IntRange(1),
    metavar="N",
    help="The most bytes of text in all; what is left out is named.",
)
@pass_context
def show(
    context: CliContext, *, citation: tuple[str, ...], around: int, max_bytes: int | None
) -> None:
    """Print what citations name, with line numbers.

    CITATION is one that `mem search` printed: docs/setup.md:12-30, docs/setup.md:12, text 3f2a...,
    or "report.pdf:12-30, page 3" - or "report.pdf, page 3" for a page, "page.html, source lines
    120-134", "book.xlsx, sheet Q3, rows 4-9", or a file's path or id, for all of it. The text is
    the one that was indexed. "session s1 turn 42" or turn 42 is shown with the turns around it,
    memory 12 with its sources, episode 7 with its turns, triple 3 with its memories. Several are
    shown one after the other, those with blanks in quotes; 'docs/*.md' means all indexed files of
    such a name.
    """
    with context.open_workspace() as workspace:
        whole = " ".join(citation)
        is_one = len(citation) == 1 or is_record(workspace, whole)
        names = (whole,) if is_one else citation
        is_one = is_one and (not is_pattern(whole) or is_record(workspace, whole))
        if not is_one or max_bytes is not None:
            from cli.searching.show_several import show_several  # few need it

            show_several(context, workspace, names, max_bytes=max_bytes, around=around)
            return
        content = read_citation(workspace, whole, around=around)
    if not isinstance(content, FileContent):
        from cli.searching.show_record import print_record  # a place in a file does not need it

        print_record(context, content)
        return
    if context.json:
        print_json({**asdict(content), "citation": citation_of(content)})
        return
    click.echo("\n".join(numbered(content)))
    say_origin(content)
    warn_if_stale(content)
