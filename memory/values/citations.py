"""Citations of files and texts, the parser that reads them again, and ids of sessions as shown."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from contracts.named_tuple import NamedTuple

_LINES = r"(?s)(?P<path>.+?):(?P<first>\d{1,18})(?:-(?P<last>\d{1,18}))?"
_PLACE = r"(?:, .+)?"

_ESCAPE = r"\\(?:[nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U000[0-9a-f]{5})"
"""A control character as `shown` prints it."""


class Citation(NamedTuple):
    """A place in a file or text; `lines` None means all of it (counted from 1, both included).

    `place` is the name of a part, such as `page 3`, when it is given instead of lines.
    """

    path: str | None = None
    record_id: str | None = None
    lines: tuple[int, int] | None = None
    place: str | None = None


def cite_lines(path: str, first: int, last: int, *, cwd: Path, place: str | None = None) -> str:
    """Format `PATH:12-30` or `PATH:12-30, page 3`; the absolute path is relative to `cwd` if
    below it.
    """
    shown = cite_path(path, cwd=cwd)
    lines = f"{shown}:{first}-{last}" if last > first else f"{shown}:{first}"
    return f"{lines}, {place}" if place else lines


def cite_path(path: str, *, cwd: Path) -> str:
    """Format the absolute path of a whole file, relative to `cwd` if below it."""
    return path.removeprefix(f"{str(cwd).rstrip('/')}/")


def cite_text(record_id: str) -> str:
    """Format `text ID`, the citation of an ingested text."""
    return f"text {record_id}"


_MOST_DIGITS = 18


def shown_session(session_id: str) -> str | int:
    """Return a session's id, a whole number as a number, as the view `messages` shows it."""
    if not session_id.isascii() or len(session_id) > _MOST_DIGITS:
        return session_id
    if not session_id.removeprefix("-").isdecimal():
        return session_id
    number = int(session_id)
    return number if str(number) == session_id else session_id


def readings(text: str, *, cwd: Path) -> list[Citation]:
    """Return the possible meanings of a citation, likeliest first: `PATH:12`, `PATH:12-30`, either
    followed by a place (redundant with the lines), `PATH`, `text ID`, a record's id, or `PATH, page
    3`.

    Names of files may look like any of these, begin with a tilde or a blank, or hold control
    characters, which were printed as escapes; so each spelling is read in every way. Relative paths
    start at `cwd`. A text that is not valid Unicode names nothing.
    """
    found: list[Citation] = []
    spellings = dict.fromkeys((text.strip(), text, unescaped(text.strip())))
    for spelling in filter(_can_be_name, spellings):
        for pattern in (_LINES, _LINES + _PLACE):
            match = re.fullmatch(pattern, spelling)
            if match is None:
                continue
            first = int(match["first"])
            lines = (first, int(match["last"] or first))
            found += [Citation(path=path, lines=lines) for path in _paths(match["path"], cwd)]
        found += [Citation(path=path) for path in _paths(spelling, cwd)]
        found.append(Citation(record_id=spelling.removeprefix("text ")))
        found += _with_place(spelling, cwd)
    return found


def _with_place(spelling: str, cwd: Path) -> Iterator[Citation]:
    """Yield readings as `PATH, page 3`; names of files and of places may hold a comma too."""
    name, comma, place = spelling.partition(", ")
    while comma:
        for path in _paths(name, cwd) if name and place else ():
            yield Citation(path=path, place=place)
        more, comma, place = place.partition(", ")
        name = f"{name}, {more}"


def _can_be_name(text: str) -> bool:
    return "\0" not in text and text == text.encode("utf-8", "replace").decode()


def unescaped(text: str) -> str:
    """Return the text as it was before its control characters were printed as escapes."""
    return re.sub(_ESCAPE, lambda found: found[0].encode().decode("unicode_escape"), text)


def _paths(name: str, cwd: Path) -> Iterable[str]:
    """Return the absolute paths that a name may mean: as written, with links followed, and as
    folders list it.
    """
    from memory.values.path_case import spelled

    names = (name, os.path.expanduser(name))  # noqa: PTH111  # pathlib's raises for unknown users
    whole = [os.path.join(cwd, each) for each in dict.fromkeys(names)]  # noqa: PTH118
    absolute = (os.path.abspath(each) for each in whole)  # noqa: PTH100  # pathlib's keeps ".."
    found = [*absolute, *map(os.path.realpath, whole)]
    return dict.fromkeys([*found, *map(spelled, found)])
