"""Format values as text for a terminal or as JSON for a program."""

import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import asdict, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from memory.values.citations import shown_session

# Control characters, line ends, direction marks, invisible copies of ASCII, and non-characters.
_UNSAFE = (
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)
_LEFT_BY_JSON = "[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"

_DAY_S = 86_400
_STEPS = ((60, "s", 1), (3600, "min", 60), (_DAY_S, "h", 3600))
_KIB = 1024
_JSON_INDENT = 2


def shown(text: str) -> str:
    """A text on one line, with everything that could command the terminal escaped."""
    if text.isprintable():  # most text is, and the pattern need not be compiled
        return text
    return re.sub(_UNSAFE, lambda found: found[0].encode("unicode_escape").decode(), text)


def shown_path(path: str | Path, cwd: Path) -> str:
    """A path safe to print, relative to `cwd` when inside it."""
    place = Path(path)
    if place != cwd and place.is_relative_to(cwd):
        place = place.relative_to(cwd)
    return shown(str(place))


def print_json(value: Any) -> None:
    """Print a dataclass, a list of them or a plain value as JSON: one line, unless to a terminal.

    Where the output encoding cannot hold every character, all non-ASCII is escaped; what could
    command a terminal, or end a line for some reader, is always.
    """
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    indent = _JSON_INDENT if sys.stdout.isatty() else None
    is_utf8 = encoding.lower().replace("-", "") == "utf8"
    text = json.dumps(_plain(value), ensure_ascii=not is_utf8, indent=indent)
    click.echo(re.sub(_LEFT_BY_JSON, lambda found: f"\\u{ord(found[0]):04x}", text))


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value, dict_factory=_with_numbers)
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _with_numbers(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a dataclass; ids of sessions that are whole numbers are numbers."""
    found = dict(fields)
    if isinstance(session_id := found.get("session_id"), str):
        found["session_id"] = shown_session(session_id)
    return found


def warn(text: str) -> None:
    """Print one warning on stderr."""
    click.echo(f"{click.style('warning:', fg='yellow')} {shown(text)}", err=True)


def error_lines(errors: Sequence[str]) -> list[str]:
    """Errors of a report as lines of its answer."""
    return [f"{click.style('error:', fg='red')} {shown(error)}" for error in errors]


def note(text: str) -> None:
    """Print one remark on stderr, dimmer than an answer."""
    click.echo(click.style(shown(text), dim=True), err=True)


def width(text: str) -> int:
    """The columns of a text in a terminal: none for combining marks, two for wide characters."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def table(rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset()) -> list[str]:
    """Rows as lines with aligned columns; columns numbered in `right` are right-aligned."""
    if not rows:
        return []
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            _padded(cell, room, to_the_right=number in right)
            for number, (cell, room) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def labelled(label: str, lines: Iterable[str]) -> list[tuple[str, str]]:
    """Rows of a table, the label before the first one."""
    return [("" if number else label, line) for number, line in enumerate(lines)]


def _padded(cell: str, room: int, *, to_the_right: bool) -> str:
    space = " " * (room - width(cell))
    return space + cell if to_the_right else cell + space


def counted(number: int, noun: str) -> str:
    """`1 file`, `2,000 files`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def size(n_bytes: int) -> str:
    """Bytes for people: `812 B`, `3.5 MB` (of 1024)."""
    amount, unit = float(n_bytes), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if amount < _KIB:
            break
        amount, unit = amount / _KIB, larger
    return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"


def ago(moment: str, *, now: datetime | None = None) -> str:
    """The age of an ISO 8601 time: `12 s ago`, `3 days ago`."""
    then = datetime.fromisoformat(moment)
    seconds = max(0.0, ((now or datetime.now(UTC)) - then).total_seconds())
    for limit, unit, length in _STEPS:
        if seconds < limit:
            return f"{int(seconds // length)} {unit} ago"
    return f"{counted(int(seconds // _DAY_S), 'day')} ago"
