"""OpenDocument workbooks (ODS), as the same text as other workbooks."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ingest.loaders.base import LoadedText
from ingest.loaders.draft import Draft, clean
from ingest.loaders.failure_containment import drafted
from ingest.loaders.office.open_xml import attribute, below, local
from ingest.loaders.office.opendocument import content_of, plain_text
from ingest.values import SkippedFile

if TYPE_CHECKING:
    from lxml.etree import _Element

_MAX_REPEATS: Final = 1_000
"""Empty cells up to the end of a sheet are one element with a repeat count."""


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """The values of all sheets, rows as lines."""
    return drafted(_fill, data, name, what="OpenDocument workbook", kind="table", language="sheet")


def _fill(draft: Draft, data: bytes) -> None:
    tree = content_of(data)
    for table in below(tree, "table"):
        draft.place(f"sheet {clean(attribute(table, 'name') or '')}")
        is_first = True
        for number, row in _numbered_rows(table):
            cells: list[str] = []
            for cell in row:
                repeats = attribute(cell, "number-columns-repeated") or "1"
                times = int(repeats) if repeats.isdecimal() else 1
                cells.extend([_value(cell)] * min(times, _MAX_REPEATS))
            line = "\t".join(cells).rstrip()
            if line:
                draft.block(line, close=not is_first, lines=[(number, number)])
                is_first = False


def _numbered_rows(table: "_Element") -> Iterator[tuple[int, list["_Element"]]]:
    """The number of each row of a sheet, and its cells; equal rows are one element."""
    number = 1
    for row in below(table, "table-row"):
        yield number, [cell for cell in row if local(cell) in {"table-cell", "covered-table-cell"}]
        repeats = attribute(row, "number-rows-repeated") or "1"
        number += int(repeats) if repeats.isdecimal() else 1


def _value(cell: "_Element") -> str:
    """Dates in ISO form, other values as displayed."""
    date = attribute(cell, "date-value")
    return date.replace("T", " ") if date else plain_text(cell)
