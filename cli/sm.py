"""The entry point of `sm`: the commands for conversations under short names.

They use the same database as `mem` and do what its commands do.
"""

from typing import Any

import click

from cli.commands import GROUP_SETTINGS, begin, global_options
from cli.lazy_groups import LazyCommand
from cli.main import run_sm

COMMANDS = {
    "add-turn": LazyCommand(
        "cli.conversations.sm_commands:add_turn",
        "Store what was said, and remember what the rules find in it.",
    ),
    "get-context": LazyCommand(
        "cli.conversations.session_context:get_context",
        "Show the last turns of a session, and the memories that matter next.",
    ),
    "remember": LazyCommand(
        "cli.conversations.sm_commands:remember",
        "Keep a text as a memory, or strengthen the one that says the same.",
    ),
    "list": LazyCommand(
        "cli.conversations.sm_commands:list_", "List memories, the strongest first."
    ),
    "explain": LazyCommand(
        "cli.conversations.sm_commands:explain",
        "Explain a memory: its source, its score, and its history.",
    ),
    "forget": LazyCommand(
        "cli.operations.forget:sm_forget", "Forget a memory, or records with a text, for good."
    ),
    "gc": LazyCommand(
        "cli.conversations.gc:gc",
        "Score memories again, promote what lasts, and delete what has faded.",
    ),
    "stats": LazyCommand(
        "cli.conversations.gc:stats", "Count memories, and report what happened to them."
    ),
}
"""Every command, in the order of first use; a test compares the texts with the commands' own."""


@click.group(table=COMMANDS, **GROUP_SETTINGS)
@global_options
@click.pass_context
def sm(ctx: click.Context, /, **options: Any) -> None:
    """Symbiosis Memory: what was said, and what of it is worth keeping.

    The same memory as `mem`, which has more commands.
    """
    begin(ctx, **options)


if __name__ == "__main__":
    run_sm()
