"""Lines about what a turn said that is over."""

import click

from cli.output import shown
from memory.values.results import Superseded


def no_longer_so(past: Superseded) -> str:
    """A line that names a statement that is over, and what took its place since when."""
    now = f": {past.now}" if past.now else ""
    line = f"no longer so: {past.statement} (since {past.date}, {past.by}{now})"
    return click.style(shown(line), fg="yellow")
