"""The safe path: nothing is imported from the working directory, as with `python -P`.

A folder called `memory` in somebody's repository is not this program. The package `cli` imports
this module first, so that neither our other packages nor a library can come from there.
"""

import os
import sys
from collections.abc import MutableMapping


def without_working_directory() -> list[str]:
    """Return `sys.path` without the working directory and without relative folders.

    The folder of this program stays: a developer works there. Nothing can be imported from a
    working directory that was removed.
    """
    if not has_working_directory():
        return [folder for folder in sys.path if os.path.isabs(folder)]  # noqa: PTH117
    relative = {os.path.abspath(part) for part in _parts() if not os.path.isabs(part)}  # noqa: PTH100, PTH117
    kept = []
    for number, folder in enumerate(sys.path):
        unsafe = folder in relative or not os.path.isabs(folder)  # noqa: PTH117
        if not unsafe and number == 0:  # as `python -m` has it
            unsafe = os.path.realpath(folder) == os.path.realpath(os.curdir)
        if not unsafe or os.path.realpath(folder or os.curdir) == _ours():
            kept.append(folder)
    return kept


def has_working_directory() -> bool:
    """Return whether the working directory still exists."""
    try:
        os.getcwd()  # noqa: PTH109
    except FileNotFoundError:
        return False
    return True


def protect_children(environ: MutableMapping[str, str]) -> None:
    """Have Python processes that are started from here use the safe path, too."""
    environ["PYTHONSAFEPATH"] = "1"
    if parts := _parts():
        absolute = [part for part in parts if os.path.isabs(part)]  # noqa: PTH117
        environ["PYTHONPATH"] = os.pathsep.join(absolute)


def _ours() -> str:
    return os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120


def _parts() -> list[str]:
    named = os.environ.get("PYTHONPATH", "")
    return named.split(os.pathsep) if named else []


sys.path[:] = without_working_directory()
