"""Links to files in the output of a terminal (OSC 8)."""

import re
from pathlib import PurePath
from typing import Final

from memory.values.results import SearchResult

_SOURCE_LINES: Final = re.compile(r"source lines? (\d+)")


def link_to_hit(text: str, hit: SearchResult) -> str:
    """A text that opens the file of a hit, at its line, where the terminal can.

    The lines of a hit in a text that was extracted are not those of the file: its place has these,
    if any. A hit in no file is the text alone.
    """
    if hit.file_path is None:
        return text
    line = hit.start_line
    if hit.place is not None:
        named = _SOURCE_LINES.search(hit.place)
        line = int(named[1]) if named else None
    return link(text, hit.file_path, line)


def link(text: str, path: str, line: int | None) -> str:
    """A text that opens a file, at a line, where the terminal can; others show the text alone.

    Everything in the path except letters and digits is percent-encoded, so none of it can command
    the terminal.
    """
    place = "" if line is None else f"#{line}"
    return f"\x1b]8;;{PurePath(path).as_uri()}{place}\x1b\\{text}\x1b]8;;\x1b\\"
