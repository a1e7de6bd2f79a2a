"""The question before everything a person has is read."""

import sys
from collections.abc import Iterable
from pathlib import Path

import click

from cli.output import shown
from contracts import InputError


def confirm_wide(paths: Iterable[Path], *, yes: bool, as_json: bool) -> None:
    """Ask before a path is read that holds a whole home folder, or a whole disk.

    Raises InputError without a terminal, click.Abort for a no.
    """
    wide = next(filter(_is_wide, paths), None)
    if wide is None or yes:
        return
    if as_json or not sys.stdin.isatty():
        raise InputError(
            f"{wide} holds everything you have: confirmation needed, but there is no terminal",
            hint="name a folder in it, look with --dry-run, or add --yes",
        )
    click.confirm(shown(f"{wide} holds everything you have. Read all of it?"), abort=True, err=True)


def _is_wide(path: Path) -> bool:
    """Return whether a path is the root of the file system, a home folder, or above one."""
    try:
        real = path.resolve()
        return real == Path(real.anchor) or Path.home().resolve().is_relative_to(real)
    except (OSError, RuntimeError, ValueError):  # no home, or a path that a later check refuses
        return False
