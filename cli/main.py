"""The entry point of `mem`: its table of commands, global options, and the way out.

Options and way out are those of `sm` (`cli.sm`), too.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from cli.errors import guarded
from cli.lazy_groups import LazyCommand, LazyGroup

COMMANDS = {
    "init": LazyCommand(
        "cli.operations.init:init", "Write a configuration file to start from, and trust it."
    ),
    "sync": LazyCommand("cli.files.sync:sync", "Bring the index in step with folders and files."),
    "watch": LazyCommand(
        "cli.files.watch:watch", "Keep the index in step with folders and files while they change."
    ),
    "search": LazyCommand(
        "cli.searching.search:search", "Find the paragraphs that answer a question."
    ),
    "show": LazyCommand(
        "cli.searching.show:show", "Print what a citation names, with line numbers."
    ),
    "ingest": LazyCommand(
        "cli.files.ingest:ingest", "Index files or a text once, without watching."
    ),
    "files": LazyCommand(
        "cli.files.files:files", "List what is indexed, or the folders it comes from."
    ),
    "remember": LazyCommand(
        "cli.conversations.memories:remember",
        "Keep TEXT as a memory, or make the one stronger that says the same.",
    ),
    "memories": LazyCommand(
        "cli.conversations.memories:memories", "List what is remembered, look at it and change it."
    ),
    "explain": LazyCommand(
        "cli.conversations.memories:explain",
        "Say why a memory is there, what it is worth, and what was done to it.",
    ),
    "turn": LazyCommand(
        "cli.conversations.turn:turn", "Take in what is said, and see what is made of it."
    ),
    "context": LazyCommand(
        "cli.conversations.session_context:context",
        "Show the last turns of a session, and the memories that matter for what comes next.",
    ),
    "gc": LazyCommand(
        "cli.conversations.gc:gc",
        "Score memories anew, promote what lasts, and let go of what has faded.",
    ),
    "forget": LazyCommand(
        "cli.operations.forget:forget", "Forget turns, memories and ingested texts for good."
    ),
    "recall": LazyCommand(
        "cli.conversations.recall:recall_command",
        "Recall what was said and remembered, newer before older.",
    ),
    "audit": LazyCommand(
        "cli.operations.audit:audit", "Look over what is remembered for what should not be."
    ),
    "reindex": LazyCommand(
        "cli.files.reindex:reindex",
        "Change the embedding model, or how texts are cut, without interrupting anything.",
    ),
    "status": LazyCommand(
        "cli.operations.status:status", "Say what the database holds and how fresh it is."
    ),
    "doctor": LazyCommand("cli.operations.doctor:doctor", "Examine the database, and mend it."),
    "maintain": LazyCommand(
        "cli.operations.maintain:maintain", "Run a job of the background now, once."
    ),
    "serve": LazyCommand("cli.operations.serve:serve", "Serve the memory over HTTP."),
    "backup": LazyCommand(
        "cli.operations.backup:backup", "Write the whole memory to a file, while in use."
    ),
    "restore": LazyCommand(
        "cli.operations.backup:restore", "Make the memory what it was when a backup was written."
    ),
    "export": LazyCommand(
        "cli.operations.exchange:export", "Write the whole memory as lines of JSON."
    ),
    "import": LazyCommand(
        "cli.operations.exchange:import_",
        "Take in what `mem export` has written, a chat history, or an older store.",
    ),
    "compact": LazyCommand(
        "cli.operations.compact:compact", "Give back disk space that is not needed."
    ),
    "config": LazyCommand("cli.operations.config:config", "Look at the settings and change them."),
}
"""Every command, in the order of a first use; a test compares the texts with the commands' own."""

_PATH = click.Path(readable=False, path_type=Path)


def _print_version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from importlib import metadata

    try:
        version = metadata.version("symbiosis-memory")
    except metadata.PackageNotFoundError:
        version = "(not installed, run from its source)"
    click.echo(f"{ctx.find_root().info_name} {version}")
    ctx.exit()


def global_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A group's function with the options that hold for all commands."""
    options = (
        click.option(
            "--config",
            "config_path",
            type=_PATH,
            metavar="FILE",
            help="Use this configuration file.",
        ),
        click.option("--db", type=_PATH, metavar="FILE", help="Use this database file."),
        click.option("--json", "as_json", is_flag=True, help="Print JSON only, errors too."),
        click.option(
            "--version",
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_print_version,
            help="Show the version and exit.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


GROUP_SETTINGS: dict[str, Any] = {
    "cls": LazyGroup,
    "invoke_without_command": True,
    "context_settings": {"help_option_names": ["-h", "--help"], "max_content_width": 100},
    "epilog": "The first three options may also stand after the command's name. "
    "Exit codes and shell completion: docs/cli.md",
}
"""What `mem` and `sm` have in common."""


@click.group(table=COMMANDS, **GROUP_SETTINGS)
@global_options
@click.pass_context
def mem(ctx: click.Context, /, **options: Any) -> None:
    """One memory for you and the agents that work for you: files in, the right paragraph out.

    Begin with `mem sync FOLDER`, then `mem search WORDS`.
    """
    begin(ctx, **options)


def begin(ctx: click.Context, *, config_path: Path | None, db: Path | None, as_json: bool) -> None:
    """Hand the global options to the command that follows; without one, show what there is."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        return
    from cli.invocation import CliContext  # reads no file yet, and help need not wait for it

    ctx.obj = CliContext(config_path, db, as_json)
    ctx.color = wanted_colour(os.environ)


def wanted_colour(environ: Mapping[str, str]) -> bool | None:
    """Whether the environment asks for colour; None leaves it to whether a terminal reads.

    NO_COLOR (no-color.org) wins over FORCE_COLOR; an empty value is none.
    """
    if environ.get("NO_COLOR") or environ.get("TERM") == "dumb":
        return False
    return True if environ.get("FORCE_COLOR") else None


def run(arguments: Sequence[str], *, group: click.Group = mem, name: str = "mem") -> int:
    """Run `mem`, or another group, with these arguments; the exit code."""

    def command() -> None:
        with group.make_context(name, list(arguments)) as ctx:
            group.invoke(ctx)

    return guarded(command, arguments, program=name)


def main(*, group: click.Group = mem, name: str = "mem") -> NoReturn:
    """The `mem` of the shell, or another group."""
    completion = f"_{name.upper()}_COMPLETE"
    if completion in os.environ:
        group.main(prog_name=name, complete_var=completion)
    prepare_streams()
    code = run(sys.argv[1:], group=group, name=name)
    # Taking the interpreter down costs a search a twelfth of its time and gains nothing.
    os._exit(code)


def prepare_streams() -> None:
    """Let no output fail for its encoding or for a stream that was closed before we began.

    A name or a text that the encoding lacks is shown escaped.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  # to the end
            setattr(sys, name, nowhere)
        else:
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    main()
