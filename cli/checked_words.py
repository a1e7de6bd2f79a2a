"""The check of every word of the command line that is not a path, whichever command takes it."""

from contextlib import suppress
from typing import Any, Final

import click

from memory.values.text_checks import NAME_LIMIT, TEXT_LIMIT, checked_text

_LONG: Final = frozenset({"text", "content", "metadata", "query"})
"""Parameters whose value may be longer than a name."""

_FILE_NAMES: Final = frozenset(
    ("sources", "source", "paths", "path", "target", "citation", "citations", "why")
)
"""Parameters that may name a file, whose name may be bytes that are not UTF-8."""


class CheckedWord(click.types.StringParamType):
    """A text as `checked_text` has it; any other is an InputError."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        word = super().convert(value, param, ctx)
        name = (param.name if param is not None else None) or "text"
        if name not in _FILE_NAMES:
            with suppress(UnicodeError):  # in a locale that is not UTF-8, Python keeps its bytes
                word = word.encode("utf-8", "surrogateescape").decode()
        label = param.opts[-1] if isinstance(param, click.Option) else name.upper()
        return checked_text(
            word,
            label,
            most=TEXT_LIMIT if name in _LONG else NAME_LIMIT,
            bytes_allowed=name in _FILE_NAMES,
        )


def check_words(command: click.Command) -> None:
    """Make a command check its words."""
    for parameter in command.params:
        if type(parameter.type) is click.types.StringParamType:
            parameter.type = CheckedWord()
