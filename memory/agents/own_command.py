"""The words that start this program again, from any folder."""

import os
import sys
from pathlib import Path

_NAMES = frozenset(("mem", "mem.exe", "sm", "sm.exe"))


def own_command() -> list[str]:
    """Return the absolute path of `mem`, else Python with the module.

    A link, as pipx and uv make one, stays a link: it survives an update.
    """
    typed = Path(os.path.abspath(sys.argv[0]))  # noqa: PTH100  # does not follow links
    if typed.name in _NAMES and os.access(typed, os.X_OK):
        return [str(typed.with_name(typed.name.replace("sm", "mem", 1)))]
    beside = Path(sys.executable).with_name("mem.exe" if sys.platform == "win32" else "mem")
    if os.access(beside, os.X_OK):
        return [str(beside)]
    return [sys.executable, "-P", "-m", "cli.main"]
