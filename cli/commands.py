"""The commands of `mem`, in a table, and its global options, which `sm` (`cli.sm`) shares."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from cli.lazy_groups import LazyCommand, LazyGroup

COMMANDS = {
    "init": LazyCommand("cli.operations.init:init", "Write a configuration file to start from."),
    "sync": LazyCommand(
        "cli.files.sync:sync", "Bring the index up to date with folders and files."
    ),
    "watch": LazyCommand(
        "cli.files.watch:watch", "Keep the index up to date while folders and files change."
    ),
    "search": LazyCommand(
        "cli.searching.search:search", "Find the paragraphs that answer a question."
    ),
    "bench": LazyCommand(
        "cli.searching.bench:bench", "Count how many of your own questions find their answers."
    ),
    "show": LazyCommand("cli.searching.show:show", "Print what citations name, with line numbers."),
    "ingest": LazyCommand(
        "cli.files.ingest:ingest", "Index files or a text once, without watching."
    ),
    "files": LazyCommand(
        "cli.files.files:files", "List indexed files, or the folders they come from."
    ),
    "links": LazyCommand("cli.files.links:links", "Show the links of a note: out, back, broken."),
    "remember": LazyCommand(
        "cli.conversations.memories:remember",
        "Keep TEXT as a memory, or strengthen the one that says the same.",
    ),
    "memories": LazyCommand(
        "cli.conversations.memories:memories", "List memories, look at one and change it."
    ),
    "explain": LazyCommand(
        "cli.conversations.memories:explain",
        "Explain a memory: its source, its score, and its history.",
    ),
    "turn": LazyCommand(
        "cli.conversations.turn:turn", "Store what is said, and show what is extracted from it."
    ),
    "chats": LazyCommand(
        "cli.conversations.chats:chats", "Watch conversations with agents, and capture one now."
    ),
    "context": LazyCommand(
        "cli.conversations.session_context:context",
        "Show what an agent should know before it answers, as one Markdown text.",
    ),
    "episodes": LazyCommand(
        "cli.conversations.episodes:episodes",
        "Show what happened, day by day, and note what was of use.",
    ),
    "fact": LazyCommand(
        "cli.records.facts:fact",
        "State facts, one value for each category and key, and look at them.",
    ),
    "person": LazyCommand(
        "cli.records.people:person", "Keep people, and look at everything that names one."
    ),
    "loop": LazyCommand("cli.records.loops:loop", "Note topics that wait, and resolve them."),
    "pattern": LazyCommand(
        "cli.records.patterns:pattern",
        "Note what happens again and again; each observation makes it more certain.",
    ),
    "signal": LazyCommand(
        "cli.records.signals:signal",
        "Log observations such as mood, energy or sleep, and read a series of them.",
    ),
    "distill": LazyCommand(
        "cli.records.distillation:distill", "Make records of what was said since the last time."
    ),
    "gc": LazyCommand(
        "cli.conversations.gc:gc",
        "Score memories again, promote what lasts, and delete what has faded.",
    ),
    "forget": LazyCommand(
        "cli.operations.forget:forget",
        "Forget turns, memories, records and ingested texts for good.",
    ),
    "recall": LazyCommand(
        "cli.conversations.recall:recall_command",
        "Recall what was said and remembered, newer before older.",
    ),
    "audit": LazyCommand(
        "cli.operations.audit:audit", "Look for memories that should not be kept."
    ),
    "reindex": LazyCommand(
        "cli.files.reindex:reindex",
        "Change the embedding model, or the chunk length, without an interruption.",
    ),
    "status": LazyCommand(
        "cli.operations.status:status", "Show what the database holds and how fresh it is."
    ),
    "doctor": LazyCommand("cli.operations.doctor:doctor", "Check the database, and repair it."),
    "maintain": LazyCommand("cli.operations.maintain:maintain", "Run a background job once, now."),
    "serve": LazyCommand("cli.operations.serve:serve", "Serve the memory over HTTP."),
    "service": LazyCommand(
        "cli.service.service:service",
        "Run the server in the background, from each login on (systemd, launchd).",
    ),
    "mcp": LazyCommand(
        "cli.operations.mcp:mcp", "Serve the memory to an agent over stdin and stdout (MCP)."
    ),
    "setup": LazyCommand(
        "cli.setup.setup:setup",
        "Give AGENT the memory: its MCP entry and, where it has them, its hooks.",
    ),
    "hook": LazyCommand(
        "cli.setup.hook:hook",
        "Answer a hook of AGENT: its payload comes on stdin, JSON for the agent goes to stdout.",
    ),
    "token": LazyCommand(
        "cli.operations.token:token",
        "Create, list and revoke named tokens, by which programs use the server.",
    ),
    "tenant": LazyCommand(
        "cli.tenants.tenant:tenant",
        "Keep several memories in one PostgreSQL database, apart from each other.",
    ),
    "backup": LazyCommand(
        "cli.operations.backup:backup", "Write the whole memory to a file, while in use."
    ),
    "restore": LazyCommand("cli.operations.backup:restore", "Restore the memory from a backup."),
    "export": LazyCommand(
        "cli.operations.exchange:export", "Write the whole memory as lines of JSON."
    ),
    "import": LazyCommand(
        "cli.operations.exchange:import_",
        "Import the output of `mem export`, a chat history, or an older store.",
    ),
    "migrate": LazyCommand(
        "cli.operations.exchange:migrate",
        "Copy the whole memory into an empty schema of PostgreSQL, or into a new SQLite file.",
    ),
    "compact": LazyCommand("cli.operations.compact:compact", "Return unused disk space."),
    "config": LazyCommand("cli.operations.config:config", "Show the settings and change them."),
}
"""Every command, in the order of first use; a test compares the texts with the commands' own."""

_PATH = click.Path(readable=False, path_type=Path)


def _print_version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from memory import __version__

    click.echo(f"{ctx.find_root().info_name} {__version__}")
    ctx.exit()


def global_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of all commands to a group's function."""
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
    "epilog": "The first three options also work after the command's name. "
    "Exit codes and shell completion: docs/cli.md",
}
"""Click settings shared by `mem` and `sm`."""


@click.group(table=COMMANDS, **GROUP_SETTINGS)
@global_options
@click.pass_context
def mem(ctx: click.Context, /, **options: Any) -> None:
    """One memory for you and the agents that work for you: files in, the right paragraph out.

    Begin with `mem sync FOLDER`, then `mem search WORDS`.
    """
    begin(ctx, **options)


def begin(ctx: click.Context, *, config_path: Path | None, db: Path | None, as_json: bool) -> None:
    """Hand the global options to the command that follows; without one, print the help."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        return
    from cli.caller import environment
    from cli.invocation import CliContext  # reads no file yet: help need not wait for it

    ctx.obj = CliContext(config_path, db, as_json, ctx.info_name or "mem")
    ctx.color = wanted_colour(environment())


def wanted_colour(environ: Mapping[str, str]) -> bool | None:
    """The colour setting of the environment; None leaves it to whether stdout is a terminal.

    NO_COLOR (no-color.org) wins over FORCE_COLOR; an empty value counts as unset.
    """
    if environ.get("NO_COLOR") or environ.get("TERM") == "dumb":
        return False
    return True if environ.get("FORCE_COLOR") else None
