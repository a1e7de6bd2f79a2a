"""OpenDocument workbooks (ODS), as the same text as other workbooks."""

from typing import TYPE_CHECKING, Final

from ingest.loaders.base import LoadedText
from ingest.loaders.draft import Draft, clean
from ingest.loaders.failure_containment import drafted
from ingest.loaders.office.open_xml import attribute, below
from ingest.loaders.office.opendocument import content_of, plain_text, rows_of
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
        for row in rows_of(table):
            cells: list[str] = []
            for cell in row:
                repeats = attribute(cell, "number-columns-repeated") or "1"
                times = int(repeats) if repeats.isdecimal() else 1
                cells.extend([_value(cell)] * min(times, _MAX_REPEATS))
            line = "\t".join(cells).rstrip()
            if line:
                draft.block(line, close=not is_first)
                is_first = False


def _value(cell: "_Element") -> str:
    """Dates in ISO form, other values as displayed."""
    date = attribute(cell, "date-value")
    return date.replace("T", " ") if date else plain_text(cell)
