"""The lines of the file that a walk through a page has reached."""

from typing import TYPE_CHECKING

from ingest.loaders.draft import Lines
from ingest.loaders.web.page_lines import LineOf, line_of_tag
from ingest.loaders.web.page_parts import Cells

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


class PassedLines:
    """Counts the lines of a page; tells none without `line_of`."""

    def __init__(self, line_of: LineOf | None) -> None:
        self._line_of = line_of
        self._line = 1
        self._span: tuple[int, int] | None = None

    def pass_tag(self, node: "LexborNode") -> None:
        """Go on to the line of a tag."""
        if self._line_of is not None:
            self._line = line_of_tag(node) or self._line

    def pass_text(self, text: str) -> None:
        """Go on to the end of a text."""
        if self._line_of is None:
            return
        shown = text.strip()
        if shown:
            first = self._line + text.count("\n", 0, text.index(shown))
            last = first + shown.count("\n")
            begin, end = self._span or (first, last)
            self._span = min(begin, first), max(end, last)
        self._line += text.count("\n")

    def taken(self) -> Lines:
        """The lines of the texts that were passed since the last call."""
        span, self._span = self._span, None
        return () if span is None or self._line_of is None else [self._told(*span)]

    def of(self, node: "LexborNode") -> Lines:
        """The line of an element."""
        line = line_of_tag(node)
        return [self._told(line, line)] if line and self._line_of is not None else ()

    def each(self, node: "LexborNode", body: str) -> Lines:
        """The lines of a preformatted text."""
        first = line_of_tag(node)
        if not first or self._line_of is None:
            return ()
        return [self._told(line, line) for line in range(first, first + body.count("\n") + 1)]

    def of_rows(self, rows: Cells, text: str) -> Lines:
        """The lines of the rows of a table that was written as this text."""
        if self._line_of is None:
            return ()
        kept = [
            self._told(*span)
            for cells, span in zip(rows.cells, rows.lines, strict=True)
            if span[0] and any(cell.strip() for cell in cells)
        ]
        missing = text.count("\n") + 1 - len(kept)
        if kept and missing == 1:
            kept.insert(1, kept[0])  # the line below a header
        elif missing:
            return [(kept[0][0], kept[-1][1])] if kept else ()
        return kept

    def _told(self, first: int, last: int) -> tuple[int, int]:
        line_of = self._line_of or int
        return line_of(first), line_of(last)
