"""`mem turn analyze`: judge whether a conversation is worth remembering."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from cli.invocation import CliContext, pass_context
from cli.output import print_json
from contracts import InputError, NotFoundError
from ingest.threads.signals import ThreadAnalysis, analyze_thread
from memory.conversations.thread_analysis import analyze_session

_STDIN = "-"


@click.command("analyze")
@click.argument("source", metavar="[FILE]", required=False)
@click.option("--session", metavar="S", help="A stored conversation.")
@pass_context
def analyze_command(context: CliContext, /, source: str | None, session: str | None) -> None:
    """Judge whether a conversation is worth remembering, from patterns alone.

    FILE holds JSON: a list of messages with `role` and `content`, or an object with `messages`; -
    reads stdin.
    """
    if (source is None) == (session is None):
        raise InputError(
            "give either a file or a session",
            hint="mem turn analyze FILE, or mem turn analyze --session S",
        )
    if session is not None:
        with context.open_workspace() as workspace:
            found = analyze_session(workspace, session)
    else:
        found = analyze_thread(_messages(str(source)))
    if context.json:
        print_json(found)
        return
    for line in lines_of(found):
        click.echo(line)


def lines_of(found: ThreadAnalysis) -> list[str]:
    """The verdict and the signals behind it."""
    signals = found["signals"]
    told = [name for name, value in signals.items() if value is True]
    told.append(f"turn_count {signals['turn_count']}")
    completed = ", completed" if found["is_completed"] else ""
    return [
        f"{found['recommendation']}  {found['score']:.2f}{completed}",
        f"  {', '.join(told)}",
    ]


def _messages(source: str) -> Any:
    try:
        data = sys.stdin.buffer.read() if source == _STDIN else Path(source).read_bytes()
        value = json.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise NotFoundError(
            f"{source} cannot be read: {error.strerror}", hint="check its spelling"
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{source} is not JSON: {error}",
            hint='give a list of objects like {"role": "user", "content": "..."}',
        ) from error
    is_whole = isinstance(value, dict) and "messages" in value
    return value["messages"] if is_whole else value
