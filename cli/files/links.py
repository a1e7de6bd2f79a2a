"""`mem links`: the links of a note."""

from collections.abc import Sequence
from pathlib import Path

import click

from cli.invocation import CliContext, pass_context
from cli.output import note as say
from cli.output import print_json, shown, shown_path
from cli.shell_completion import complete_paths
from memory.files.note_links import NoteLink, note_links
from memory.values.user_folders import working_folder


@click.command()
@click.argument("note", nargs=-1, required=True, shell_complete=complete_paths)
@pass_context
def links(context: CliContext, /, note: tuple[str, ...]) -> None:
    """Show the links of a note: out, back, broken.

    NOTE is its path, its title, an alias, or the name of its file. A link is [[a name]], or a
    Markdown link to a path; one is broken when no indexed note has its name and no file its path.
    """
    with context.open_workspace() as workspace:
        found = note_links(workspace, " ".join(note))
    if context.json:
        print_json(found)
        return
    cwd = working_folder()
    for title, group in (("out", found.out), ("back", found.back), ("broken", found.broken)):
        if group:
            lines = _lines(group, cwd, is_back=title == "back")
            click.echo("\n".join([click.style(f"{title}  {len(group)}", bold=True), *lines]))
    if not (found.out or found.back or found.broken):
        say(f"{shown_path(found.path, cwd)} has no links, and no note links to it")


def _lines(group: Sequence[NoteLink], cwd: Path, *, is_back: bool) -> list[str]:
    lines = []
    for link in group:
        words = f"  {shown(link.words)}" if link.words else ""
        leads = shown(link.target) if link.path is None else shown_path(link.path, cwd)
        lines.append(f"  {shown(link.citation)}{words}" + ("" if is_back else f"  -> {leads}"))
    return lines
