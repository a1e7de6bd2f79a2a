"""The messages and exit codes of the command line when something fails.

One line for the fact, one for the next step, and an exit code by class of error, so that scripts
need not read messages.
"""

import errno
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

import click

from cli.safe_path import has_working_directory
from contracts import (
    BusyError,
    ConfigError,
    ForbiddenError,
    IncompatibleError,
    InputError,
    MemError,
    NotFoundError,
    StorageError,
    UnavailableError,
)

EXIT_CODES: dict[type[MemError], int] = {
    InputError: 2,
    ConfigError: 3,
    NotFoundError: 4,
    ForbiddenError: 5,
    BusyError: 6,
    UnavailableError: 7,
    IncompatibleError: 8,
    StorageError: 9,
}
"""One code for each reaction of the caller; 2 also for a wrong use of the command line."""

PROBLEMS = 10
"""`mem doctor` found a problem; the command itself worked."""

INTERRUPTED = 130
READER_GONE = 141
"""The code that a shell reports for a process ended by SIGINT or SIGPIPE."""


def exit_code(error: MemError) -> int:
    """The code of an error's class, or of the nearest class above it; otherwise 1."""
    return next((EXIT_CODES[kind] for kind in type(error).__mro__ if kind in EXIT_CODES), 1)


def guarded(action: Callable[[], object], arguments: Sequence[str], *, program: str = "mem") -> int:
    """Run a command, report its errors and return the exit code.

    Programming errors pass through: a bug report needs their traceback.
    """
    report = _Reporter(program, _wants_json(arguments))
    try:
        action()
        sys.stdout.flush()
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.UsageError as error:
        return report("usage", _usage_message(error), _usage_hint(error, program), code=2)
    except click.ClickException as error:
        return report("usage", error.format_message(), f"{program} --help", code=error.exit_code)
    except MemError as error:
        return report(error.code, error.message, error.hint, code=exit_code(error))
    except (KeyboardInterrupt, click.Abort) as ended:
        hint = str(ended) or "finished work is kept; run it again to continue"
        return report("interrupted", "interrupted", hint, code=INTERRUPTED)
    except BrokenPipeError:
        return READER_GONE
    except OSError as error:
        if not has_working_directory():
            hint = "change into another one: cd"
            return report(
                NotFoundError.code,
                "the working directory was removed",
                hint,
                code=EXIT_CODES[NotFoundError],
            )
        if error.errno != errno.ENOSPC:
            raise
        hint = "free some space, or write somewhere else"
        return report(
            StorageError.code, "no space left to write to", hint, code=EXIT_CODES[StorageError]
        )
    return 0


def _usage_message(error: click.UsageError) -> str:
    """Click's message in one line, where it has the choices in lines of their own."""
    message = error.format_message().replace("\n\t", " ")
    return message.replace("valid integer range.", "whole number.").replace(
        "valid float range.", "number."
    )


def _usage_hint(error: click.UsageError, program: str) -> str:
    """The command's help, and how to pass a word that starts with a dash."""
    name = error.ctx.command_path if error.ctx else program
    takes_words = error.ctx is not None and any(
        isinstance(parameter, click.Argument) for parameter in error.ctx.command.params
    )
    if isinstance(error, click.NoSuchOption) and not error.possibilities and takes_words:
        return f"{name} --help; if it is not an option, put -- before the words: {name} -- ..."
    return f"{name} --help"


class _Reporter:
    """Writes an error to stderr, as JSON when JSON was asked for."""

    def __init__(self, program: str, as_json: bool) -> None:
        self._program = program
        self._as_json = as_json

    def __call__(self, kind: str, message: str, hint: str, *, code: int) -> int:
        with suppress(OSError):  # where nobody can read it, the code remains
            self._write(kind, message, hint, code=code)
        return code

    def _write(self, kind: str, message: str, hint: str, *, code: int) -> None:
        if self._as_json:
            error = {"error": kind, "message": message, "hint": hint, "exit_code": code}
            click.echo(json.dumps(error), err=True)
        else:
            click.echo(
                f"{click.style(f'{self._program}:', fg='red')} {_one_line(message)}", err=True
            )
            click.echo(f"{click.style('hint:', bold=True)} {_one_line(hint)}", err=True)


def _one_line(text: str) -> str:
    from cli.output import shown
    from memory.values.text_checks import shortened

    return shown(shortened(text))


def _wants_json(arguments: Sequence[str]) -> bool:
    """Return whether `--json` is among the arguments, which may not have been parsed."""
    options = list(arguments)
    if "--" in options:
        options = options[: options.index("--")]
    return "--json" in options
