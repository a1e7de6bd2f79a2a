"""Workbooks (XLSX) by openpyxl: each sheet a place, each row a line, cells separated by tabs.

For a formula, the value stored by the program that saved the file is read.
"""

import datetime
import warnings
from typing import TYPE_CHECKING, Final

from ingest.loaders.base import LoadedText
from ingest.loaders.draft import DocumentError, Draft, clean
from ingest.loaders.failure_containment import damage_of, drafted
from ingest.loaders.office.archive import check_office_file
from ingest.values import SkippedFile

if TYPE_CHECKING:
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

_MIDNIGHT: Final = datetime.time()


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """The values of all sheets."""
    return drafted(_fill, data, name, what="workbook", kind="table", language="sheet")


def _fill(draft: Draft, data: bytes) -> None:
    from io import BytesIO

    check_office_file(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and other parts without text
        from openpyxl import load_workbook

        workbook = load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
        for sheet in workbook.worksheets:
            draft.place(f"sheet {clean(sheet.title)}")
            try:
                with damage_of("sheet"):
                    _add_sheet(draft, sheet)
            except DocumentError as error:
                if error.reason != "broken":
                    raise
                draft.block("[The rest of this sheet cannot be read.]", close=True)


def _add_sheet(draft: Draft, sheet: "ReadOnlyWorksheet") -> None:
    sheet.reset_dimensions()  # some programs write wrong ones, which hide cells
    is_first = True
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        line = "\t".join(map(_shown, row)).rstrip()
        if line:
            draft.block(line, close=not is_first, lines=[(number, number)])
            is_first = False


def _shown(value: object) -> str:
    """A cell as text, in one line; dates in ISO form."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime):
        if value.time() == _MIDNIGHT:
            return value.date().isoformat()
        return value.isoformat(sep=" ", timespec="seconds")
    return " ".join(clean(str(value)).split())
