"""The caller's side: a running server of the same database answers in place of this process.

It has the database open and the model loaded. Without one, or with one that is not for us, the
command works by itself; nobody sees a difference but in the time. This runs before every command
that it serves, so it imports little.
"""

import os
import sys
from codecs import lookup
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cli.caller import VARIABLES
from contracts import MemError, UnavailableError
from contracts.named_tuple import NamedTuple

if TYPE_CHECKING:
    from memory.local_server.client import RunningServer
    from memory.local_server.values import CommandAnswer, CommandRequest

SERVED = ("search", "show", "context", "turn", "remember", "recall", "chats")
"""The commands that a server runs; of `turn` only `add`, of `chats` only `capture`."""

MAY_BE_DONE = "it may have done it; look before you run it again: mem recall WORDS"
"""The next step where a command that writes was handed over and nothing came back."""

GREETING_S = 0.05
"""A server that has not proved itself by then is too busy to be worth the wait."""

_PART_SERVED = {"turn": "add", "chats": "capture"}
_WRITES = frozenset(("turn", "remember"))
_STDIN = "-"
_FILES = {"--config": "config", "--db": "database"}


class _Typed(NamedTuple):
    """The served command among the arguments, and the files that they name."""

    command: str
    config: str | None
    database: str | None


def answered(arguments: Sequence[str], *, wait_s: float = GREETING_S) -> int | None:
    """Have a running server run the command, print its output, and return its exit code.

    None: no such server says within `wait_s` that it can, or it did nothing; the command is still
    to be run. Raises UnavailableError when a server was handed a command that writes, and ended
    before it answered.
    """
    typed = _typed(arguments)
    if typed is None:
        return None
    from memory.local_server.address import has_addresses

    if not has_addresses():
        return None
    server = _server(typed, wait_s)
    answer = None if server is None else _answer(server, typed, _request(typed, arguments))
    if answer is None or answer.code is None:
        return None
    for name, text in answer.printed:
        _print(text, is_error=name == "stderr")
    return answer.code


def _typed(arguments: Sequence[str]) -> _Typed | None:
    """Return the served command, None for others and for one that reads stdin.

    A value that looks like `--db` is taken for that option; the server, which parses the arguments
    in full, then leaves the command to this process.
    """
    files: dict[str, str | None] = dict.fromkeys(_FILES.values())
    command, words = "", iter(arguments)
    for word in words:
        option, equals, value = word.partition("=")
        if word == "--":
            break
        if option in _FILES:
            files[_FILES[option]] = value if equals else next(words, None)
        elif not command and word != "--json":
            if word not in SERVED:
                return None
            command = word
    if not command or (command in _PART_SERVED and not _is_served_part(command, arguments)):
        return None
    return _Typed(command, **files)


def _is_served_part(command: str, arguments: Sequence[str]) -> bool:
    """Return whether a server runs this part of a command, which reads nothing from stdin."""
    words = list(arguments)
    part = words[words.index(command) + 1 :][:1]
    return part == [_PART_SERVED[command]] and _STDIN not in words


def _print(text: str, *, is_error: bool) -> None:
    """Print what the command would print here; it is as it should be."""
    stream = sys.stderr if is_error else sys.stdout
    if lookup(stream.encoding).name == "ascii":
        import click  # which prints UTF-8 there

        click.echo(text, nl=False, err=is_error, color=True)
        return
    stream.write(text)
    stream.flush()


def _server(typed: _Typed, wait_s: float) -> "RunningServer | None":
    from memory.config.loading import load_config
    from memory.local_server.client import connect

    config = None if typed.config is None else Path(typed.config)
    database = None if typed.database is None else Path(typed.database)
    try:
        return connect(load_config(config, database=database), wait_s=wait_s)
    except MemError:
        return None  # the command itself says so


def _request(typed: _Typed, arguments: Sequence[str]) -> "CommandRequest":
    from memory.local_server.values import CommandRequest

    variables = {name: os.environ[name] for name in VARIABLES if name in os.environ}
    terminals = [name for name in ("stdout", "stderr") if getattr(sys, name).isatty()]
    if "stdout" in terminals:
        with suppress(OSError):
            columns, rows = os.get_terminal_size(sys.stdout.fileno())
            variables |= {"COLUMNS": str(columns), "LINES": str(rows)}
    return CommandRequest(
        arguments=list(arguments),
        config=typed.config,
        database=typed.database,
        folder=str(Path.cwd()),
        variables=variables,
        encoding=sys.stdout.encoding,
        terminals=terminals,
    )


def _answer(
    server: "RunningServer", typed: _Typed, request: "CommandRequest"
) -> "CommandAnswer | None":
    """Return the answer. What was read can be read again; what was written must not be repeated."""
    writes = typed.command in _WRITES
    try:
        return server.run(request)
    except UnavailableError as error:
        if writes:
            raise UnavailableError(error.message, hint=MAY_BE_DONE) from error
        return None
    except KeyboardInterrupt:
        if writes:
            raise KeyboardInterrupt(f"a running server was asked: {MAY_BE_DONE}") from None
        raise
