"""The outline of line-based tables: CSV, TSV, and the sheets of a workbook.

Each section is as many whole rows as a piece may hold, below the name of its sheet and the header
row, so that a row far down is understood, and found, by the names of its columns.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from ingest.chunking.sections import Headings, Section
from ingest.loaders.base import Place

_DELIMITERS: Final = {"tsv": "\t", "sheet": "\t"}
_CANDIDATES: Final = ",;\t|"
_SAMPLE_CHARS: Final = 20_000
_SAMPLE_ROWS: Final = 20
_HEADER_ROWS: Final = 10
"""A header is looked for below a title and blank rows, not further down."""
_MAX_HEADER_CHARS: Final = 300
_MAX_NAME_CHARS: Final = 80
_QUOTED: Final = re.compile(r'"[^"\n]*+(?:""[^"\n]*+)*+"')
_NUMBER: Final = re.compile(r"[-+(]?[$€£¥]?\s*\d[\d.,:/\s-]*\s*[%€$£]?\)?")

Span = tuple[int, int]


def table_sections(
    text: str, language: str | None, places: Sequence[Place], size_chars: int
) -> Iterator[Section]:
    """Whole rows, as many as fit into `size_chars`; the places of the text are its sheets."""
    starts: list[tuple[int, Headings]] = [(place.start_char, (place.label,)) for place in places]
    if not starts or starts[0][0]:
        starts.insert(0, (0, ()))
    ends = [start for start, _ in starts[1:]] + [len(text)]
    for (start, path), end in zip(starts, ends, strict=True):
        yield from _sheet(text, (start, end), language, path, size_chars)


def _sheet(
    text: str, span: Span, language: str | None, path: Headings, size_chars: int
) -> Iterator[Section]:
    start, end = span
    delimiter = _DELIMITERS.get(language or "") or _delimiter(text[start : start + _SAMPLE_CHARS])
    quotes = language != "sheet"
    header = _header(text, span, delimiter, quotes=quotes)
    ends: tuple[int, ...] = ()
    if header is not None:
        (first, last), title = header
        path = (*path, title)
        if not text[start:first].strip() and text[last:end].strip():
            ends = (last,)
    at = start
    for _, stop in _rows(text, span, delimiter, quotes=quotes):
        if stop - start > size_chars and at > start:
            yield Section(start, at, path, ends)
            start, ends = at, ()
        at = stop
    if start < end:
        yield Section(start, end, path, ends)


def _rows(text: str, span: Span, delimiter: str, *, quotes: bool) -> Iterator[Span]:
    """Start and end of each row, line end included; a quoted cell may hold line ends."""
    start, end = span
    wide = _wide_cells(text, span, delimiter) if quotes else iter(())
    opening, closing = next(wide, (end, end))
    at = start
    while start < end:
        line = text.find("\n", at, end) + 1 or end
        while closing < line and opening < end:
            opening, closing = next(wide, (end, end))
        if opening < line <= closing and at < closing:
            at = closing
            continue
        yield start, line
        start = at = line


def _wide_cells(text: str, span: Span, delimiter: str) -> Iterator[Span]:
    """The quoted cells that hold a line end. A quote inside a cell does not open one."""
    sign = re.escape(delimiter)
    cell = re.compile(
        rf'(?:(?<=[\n{sign}])|(?<![\s\S]))"[^"]*+(?:""[^"]*+)*+"(?=[ \t]*(?:{sign}|\r?\n|\Z))'
    )
    for found in cell.finditer(text, *span):
        if "\n" in found[0]:
            yield found.span()


def _delimiter(sample: str) -> str:
    """The character that occurs equally often in most of the first rows."""
    lines = [line for line in _QUOTED.sub("", sample).split("\n") if line.strip()][:_SAMPLE_ROWS]
    if lines and lines[0].strip().lower().startswith("sep=") and len(lines[0].strip()) == 5:
        return lines[0].strip()[-1]
    best, most = ",", (0, 0)
    for candidate in _CANDIDATES:
        counts = Counter(line.count(candidate) for line in lines)
        counts.pop(0, None)
        if counts:
            number, agreeing = counts.most_common(1)[0]
            if (agreeing, number) > most:
                best, most = candidate, (agreeing, number)
    return best


def _header(text: str, span: Span, delimiter: str, *, quotes: bool) -> tuple[Span, str] | None:
    """The row that names the columns, and the names as one title.

    It is the first of the first rows that has their width and holds only words, none twice. Without
    a row below there is nothing to name.
    """
    rows: list[tuple[Span, list[str]]] = []
    for start, end in _rows(text, span, delimiter, quotes=quotes):
        cells = _cells(text[start : min(end, start + _SAMPLE_CHARS)], delimiter, quotes=quotes)
        if any(cells):
            rows.append(((start, end), cells))
        if len(rows) > _HEADER_ROWS or end - span[0] > _SAMPLE_CHARS:
            break
    width = max((sum(map(bool, cells)) for _, cells in rows), default=0)
    for place, cells in rows[:-1]:
        named = [cell for cell in cells if cell]
        if len(named) >= 2 and len(named) * 2 > width:
            return (place, _title(named)) if _are_names(named) else None
    return None


def _are_names(cells: list[str]) -> bool:
    return len(set(cells)) == len(cells) and not any(
        len(cell) > _MAX_NAME_CHARS or _NUMBER.fullmatch(cell) for cell in cells
    )


def _title(names: list[str]) -> str:
    title = " | ".join(names)
    if len(title) <= _MAX_HEADER_CHARS:
        return title
    return title[: title.rfind(" | ", 0, _MAX_HEADER_CHARS)]


def _cells(row: str, delimiter: str, *, quotes: bool) -> list[str]:
    """The cells of one row, each in one line."""
    if not quotes:
        return [" ".join(cell.split()) for cell in row.split(delimiter)]
    try:
        found = next(csv.reader([row], delimiter=delimiter), [])
    except csv.Error:
        return []
    return [" ".join(cell.split()) for cell in found]
