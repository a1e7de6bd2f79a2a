"""Citations: how a hit names its place, and how a named place is understood again."""

import re
from dataclasses import dataclass
from pathlib import Path

_LINES = re.compile(r"(?P<path>.+?):(?P<first>\d+)(?:-(?P<last>\d+))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a file or text; `lines` None means all of it (counted from 1, both included)."""

    path: str | None = None
    record_id: str | None = None
    lines: tuple[int, int] | None = None


def cite_lines(path: str, first: int, last: int, *, cwd: Path) -> str:
    """`PATH:12-30`, the path relative to `cwd` when it lies below it."""
    shown = Path(path)
    if shown.is_relative_to(cwd):
        shown = shown.relative_to(cwd)
    return f"{shown}:{first}-{last}" if last > first else f"{shown}:{first}"


def cite_text(record_id: str) -> str:
    """`text ID`, the citation of an ingested text."""
    return f"text {record_id}"


def parse_citation(text: str, *, cwd: Path) -> Citation:
    """What a citation names: `text ID`, `PATH`, `PATH:12` or `PATH:12-30`, or a record's id.

    A path with a separator or a suffix is made absolute from `cwd`; anything else may be an id as
    well as a path, and is returned as both.
    """
    stripped = text.strip()
    if stripped.startswith("text ") and len(stripped.split()) == 2:
        return Citation(record_id=stripped.split()[1])
    match = _LINES.fullmatch(stripped)
    name, lines = stripped, None
    if match:
        first = int(match["first"])
        name, lines = match["path"], (first, int(match["last"] or first))
    path = str((cwd / Path(name).expanduser()).resolve())
    return Citation(path=path, record_id=name if match is None else None, lines=lines)
