"""Groups that know their commands' names and short help without importing them.

`mem --help`, shell completion and a mistyped name are answered from a table; a command's module is
imported when the command is called.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from contracts.named_tuple import NamedTuple


class LazyCommand(NamedTuple):
    """A command's place (`module:attribute`) and the first sentence of its help."""

    target: str
    summary: str


class CommandGroup(click.Group):
    """A group of commands; without one, an error that names them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            names = ", ".join(self.list_commands(ctx))
            raise click.UsageError(f"{ctx.command_path} needs a command: {names}", ctx)
        return super().parse_args(ctx, args)


class LazyGroup(click.Group):
    """A group made of a table of LazyCommands, shown in the table's order."""

    def __init__(self, *args: Any, table: Mapping[str, LazyCommand], **options: Any) -> None:
        super().__init__(*args, **options)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; it takes the global options after its name, too."""
        if cmd_name not in self.commands and cmd_name in self.table:
            module, _, attribute = self.table[cmd_name].target.partition(":")
            self.add_command(with_global_options(getattr(import_module(module), attribute)))
        return self.commands.get(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Like click's, but every click version then names the nearest command."""
        if args[0] not in self.table and not args[0].startswith("-"):
            raise click.UsageError(f"There is no command {args[0]!r}.{self._nearest(args[0])}", ctx)
        return super().resolve_command(ctx, args)

    def _nearest(self, name: str) -> str:
        from difflib import get_close_matches  # only a mistake pays for the import

        near = get_close_matches(name.lower(), self.table, n=1, cutoff=0.5)
        return f" Did you mean {near[0]!r}?" if near else ""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, item.summary) for name, item in self.table.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete a command's name; options are completed by what every command has."""
        from click.shell_completion import CompletionItem

        named = [
            CompletionItem(name, help=item.summary)
            for name, item in self.table.items()
            if name.startswith(incomplete)
        ]
        return [*named, *click.Command.shell_complete(self, ctx, incomplete)]


def with_global_options(command: click.Command) -> click.Command:
    """The command, and every command inside it, with checked words and the global options.

    An option that the command declares itself is left as it is.
    """
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            with_global_options(inner)
        return command
    from cli.checked_words import check_words

    check_words(command)
    taken = {name for parameter in command.params for name in parameter.opts}
    for option in _global_options():
        if taken.isdisjoint(option.opts):
            command.params.append(option)
    return command


def _global_options() -> list[click.Option]:
    path = click.Path(readable=False, path_type=Path)
    return [
        click.Option(
            ["--config", "config_path"],
            type=path,
            hidden=True,
            expose_value=False,
            callback=_taking("config_path"),
        ),
        click.Option(["--db"], type=path, hidden=True, expose_value=False, callback=_taking("db")),
        click.Option(
            ["--json"],
            is_flag=True,
            help="Print JSON only.",
            expose_value=False,
            callback=_taking("json"),
        ),
    ]


def _taking(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    """A callback that stores an option's value in the command's CliContext."""

    def take(ctx: click.Context, _parameter: click.Parameter, value: Any) -> None:
        from cli.invocation import CliContext

        if value:
            ctx.obj = (ctx.find_object(CliContext) or CliContext())._replace(**{name: value})

    return take
