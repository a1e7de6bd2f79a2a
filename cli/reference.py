"""Generate docs/cli.md from the commands: `python -m cli.reference > docs/cli.md`."""

import inspect
from collections.abc import Iterator

import click

from cli.commands import mem
from cli.errors import EXIT_CODES, INTERRUPTED, PROBLEMS, READER_GONE
from cli.sm import sm

_INTRODUCTION = """\
# The command line

This page is made from the commands: `python -m cli.reference > docs/cli.md`.

`mem` and `sm` print answers on stdout and everything else (progress, warnings, errors) on stderr.
With `--json` stdout holds JSON only, on one line unless it goes to a terminal, a list that is empty
is `[]`, and an error is one JSON object on stderr. Colour is for terminals only; `NO_COLOR` turns
it off, `FORCE_COLOR` on. Text of files and names cannot command the terminal: control characters
are escaped.

The options `--config`, `--db` and `--json` may come before or after a command's name.

A running `mem serve` of the same database and settings answers `mem search`, `show`, `context`,
`turn add`, `remember` and `recall`, which is quicker and prints the same:
[the command line](http.md#the-command-line).
"""

_EXIT_CODES = """\
## Exit codes

An error is one line for the fact and one for the next step:

```
mem: there is no database at /home/ada/data/memory.db
hint: make one: mem sync PATH
```

With `--json`:
`{"error": "not-found", "message": "...", "hint": "...", "exit_code": 4}`.

A search that finds nothing and a sync that could not read some files have done their work: 0. The
files are listed, and `mem files --failed` has them later.

| code | `error` | meaning |
|---|---|---|
| 0 | | it worked |
| 1 | | a mistake of this program; please report the traceback |
| 2 | `usage` | the command line is not understood |
"""

_COMPLETION = """\
## Shell completion

Put one of these into the file that your shell reads when it starts:

| shell | file | line |
|---|---|---|
| bash | `~/.bashrc` | `eval "$(_MEM_COMPLETE=bash_source mem)"` |
| zsh | `~/.zshrc` | `eval "$(_MEM_COMPLETE=zsh_source mem)"` |
| fish | `~/.config/fish/completions/mem.fish` | `_MEM_COMPLETE=fish_source mem \\| source` |

The same with `_SM_COMPLETE` and `sm` completes `sm`.
"""


def reference() -> str:
    """The whole page."""
    pages = [*_program(mem, "mem"), *_program(sm, "sm")]
    return "\n".join([_INTRODUCTION, *pages, _exit_codes(), _COMPLETION])


def _program(group: click.Group, name: str) -> list[str]:
    """The sections of a program with its commands."""
    with group.make_context(name, [], resilient_parsing=True) as ctx:
        return list(_pages(group, ctx))


def _pages(command: click.Command, ctx: click.Context) -> Iterator[str]:
    """The command's section, then those of the commands inside it."""
    yield _page(command, ctx)
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            inner = command.get_command(ctx, name)
            if inner is not None:
                with click.Context(inner, parent=ctx, info_name=name) as inner_ctx:
                    yield from _pages(inner, inner_ctx)


def _page(command: click.Command, ctx: click.Context) -> str:
    usage = " ".join([ctx.command_path, *command.collect_usage_pieces(ctx)])
    lines = [f"## {ctx.command_path}", "", "```", usage, "```", ""]
    lines += [inspect.cleandoc(command.help or ""), ""]
    options = [item for item in command.get_params(ctx) if isinstance(item, click.Option)]
    records = [record for option in options if (record := option.get_help_record(ctx))]
    lines += ["| option | meaning |", "|---|---|"]
    lines += [f"| `{_cell(name)}` | {_cell(meaning)} |" for name, meaning in records]
    return "\n".join([*lines, ""])


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _exit_codes() -> str:
    rows = [
        f"| {code} | `{kind.code}` | {inspect.getdoc(kind)} |" for kind, code in EXIT_CODES.items()
    ]
    rows += [
        f"| {PROBLEMS} | | `mem doctor`, `mem audit` found something, `mem forget` leftovers |",
        f"| {INTERRUPTED} | `interrupted` | Ctrl-C; finished work is kept |",
        f"| {READER_GONE} | | the reader of the output has closed it, as in `\\| head` |",
    ]
    return _EXIT_CODES + "\n".join(rows) + "\n"


if __name__ == "__main__":
    click.echo(reference(), nl=False)
