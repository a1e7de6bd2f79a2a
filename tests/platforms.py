"""The test modules that need what only Unix has; elsewhere they are left out by name."""

import os
import re
from functools import cache
from pathlib import Path
from typing import Final

_UNIX: Final = re.compile(
    r"import (?:fcntl|pty|resource|termios)\b|os\.(?:fork|geteuid|mkfifo)\b|AF_UNIX|\bst_mode\b"
    r"|signal\.SIG(?:KILL|HUP|STOP|CONT)\b|symlink_to|/proc/|/bin/sh"
)


@cache
def needs_of_unix(module: Path) -> tuple[str, ...]:
    """Return the names of Unix that a test module uses, in the order of the alphabet."""
    return tuple(sorted(set(_UNIX.findall(module.read_text(encoding="utf-8")))))


def is_left_out(module: Path) -> bool:
    """Return whether this system lacks what a test module needs."""
    return os.name == "nt" and module.suffix == ".py" and bool(needs_of_unix(module))


def left_out(folder: Path) -> list[str]:
    """Return a line for each module below a folder that is left out here, with its needs."""
    modules = sorted(path for path in folder.rglob("test_*.py") if is_left_out(path))
    return [f"left out: {path.name} needs {', '.join(needs_of_unix(path))}" for path in modules]
