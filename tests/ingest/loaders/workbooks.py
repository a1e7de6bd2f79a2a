"""Workbooks that tests make with openpyxl."""

import datetime
import io

import openpyxl
from openpyxl.workbook import Workbook


def saved(workbook: Workbook) -> bytes:
    out = io.BytesIO()
    workbook.save(out)
    return out.getvalue()


def prices() -> Workbook:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "Prices"
    for row in (
        ["Part", "Price", "Since", "Sold"],
        ["bolt\nM8", 3.0, datetime.date(2024, 3, 1), True],
        [],
        [None, 2.5, datetime.datetime.fromisoformat("2024-03-02 10:30"), None],
    ):
        sheet.append(row)
    workbook.create_sheet("Empty")
    workbook.create_sheet("Cities").append(["Rome", "#N/A"])
    return workbook
