"""Write a table of a document as lines that can be found and understood on their own."""

from collections.abc import Sequence
from typing import Final

from ingest.loaders.draft import clean

_WHOLE_CHARS: Final = 700
"""A table up to this length usually stays in one chunk, together with its header."""


def table_text(rows: Sequence[Sequence[str]], *, has_header: bool) -> str:
    """Rows of cells as a Markdown table; a long one has the header's name before each value.

    Rows without any text are left out.
    """
    kept = [cells for cells in ([_cell(cell) for cell in row] for row in rows) if any(cells)]
    if not kept:
        return ""
    if max(map(len, kept)) == 1:
        return "\n".join(row[0] for row in kept)
    if has_header and len(kept) > 1:
        if sum(len(cell) + 3 for row in kept for cell in row) > _WHOLE_CHARS:
            return _named(kept[0], kept[1:])
        kept.insert(1, ["---"] * len(kept[0]))
    return "\n".join(f"| {' | '.join(row)} |" for row in kept)


def _named(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The header in its own line (a name without values is text too), then `name: value`."""
    lines = [f"| {' | '.join(header)} |"]
    for row in rows:
        cells = []
        for index, value in enumerate(row):
            name = header[index] if index < len(header) else ""
            if value:
                cells.append(f"{name}: {value}" if name else value)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(text: str) -> str:
    return " ".join(clean(text).split()).replace("|", "\\|")
