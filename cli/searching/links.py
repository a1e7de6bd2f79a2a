"""Links to files in the output of a terminal (OSC 8)."""

from pathlib import PurePath


def link(text: str, path: str, line: int | None) -> str:
    """A text that opens a file, at a line, where the terminal can; others show the text alone.

    Everything in the path that is no letter or digit is percent-encoded, so none of it can command
    the terminal.
    """
    place = "" if line is None else f"#{line}"
    return f"\x1b]8;;{PurePath(path).as_uri()}{place}\x1b\\{text}\x1b]8;;\x1b\\"
