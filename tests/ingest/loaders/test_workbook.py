"""Workbooks, as openpyxl writes them."""

import io
import re
import zipfile

import openpyxl
import pytest

from ingest import LoadedText, LoadLimits, SkippedFile, chunk, load_bytes
from ingest.loaders import Place
from ingest.loaders.base import SourceLines
from tests.ingest.loaders.workbooks import prices, saved

SMALL = LoadLimits(text_bytes=1 << 20)


def test_values_by_sheet():
    loaded = load_bytes(saved(prices()), "p.xlsx")
    assert isinstance(loaded, LoadedText)
    text = (
        "Part\tPrice\tSince\tSold\nbolt M8\t3\t2024-03-01\tTRUE\n\t2.5\t2024-03-02 10:30:00\n\n"
        "Rome\t#N/A"
    )
    places = (Place(0, "sheet Prices"), Place(text.index("Rome"), "sheet Cities"))
    rows = [(0, 1), (text.index("bolt"), 2), (text.index("\t2.5"), 4), (text.index("Rome"), 1)]
    lines = tuple(SourceLines(start, row, row) for start, row in rows)
    assert loaded == LoadedText(text, "table", "utf-8", "sheet", places, lines=lines)
    assert [piece.headings for piece in chunk(loaded)] == [
        ("sheet Prices", "Part | Price | Since | Sold"),
        ("sheet Cities",),
    ]


def test_formulas_have_the_value_that_was_saved():
    workbook = openpyxl.Workbook()
    workbook.active.append(["Sum", "=1+2"])
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(workbook))) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            solved = re.sub(b"(<f>1\\+2</f>)<v */?>(</v>)?", b"\\1<v>3</v>", old.read(name))
            new.writestr(name, solved)
    loaded = load_bytes(out.getvalue(), "f.xlsx")
    assert isinstance(loaded, LoadedText)
    assert loaded.text == "Sum\t3"


def test_damaged_sheet_costs_only_itself():
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(prices()))) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, data[:500] if name == "xl/worksheets/sheet1.xml" else data)
    loaded = load_bytes(out.getvalue(), "p.xlsx")
    assert isinstance(loaded, LoadedText)
    assert "[The rest of this sheet cannot be read.]" in loaded.text
    assert loaded.text.endswith("\n\nRome\t#N/A")


def entity_bomb() -> bytes:
    out = io.BytesIO()
    declared = b'<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    with zipfile.ZipFile(io.BytesIO(saved(prices()))) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, declared + data if name.endswith("sheet1.xml") else data)
    return out.getvalue()


def zip_bomb(size: int, members: int = 1) -> bytes:
    out = io.BytesIO(saved(prices()))
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as archive:
        for number in range(members):
            archive.writestr(f"xl/media/{number}.bin", bytes(size))
    return out.getvalue()


@pytest.mark.parametrize(
    "make, reason, detail",
    [
        (bytes, "broken", "not a readable zip archive"),
        (lambda: saved(openpyxl.Workbook()), "empty", "no text"),
        (entity_bomb, "broken", "document type"),
        (lambda: zip_bomb(5 << 20), "over-limit", "unpacks to more than"),
        (lambda: zip_bomb(0, 50_001), "over-limit", "50"),
    ],
    ids=["nothing", "empty", "entities", "bomb", "parts"],
)
def test_what_cannot_be_read_says_why(make, reason, detail):
    found = load_bytes(make(), "p.xlsx", limits=SMALL)
    assert isinstance(found, SkippedFile)
    assert found.reason == reason
    assert detail in found.detail


def test_size_that_an_archive_lies_about_is_not_believed():
    """The directory announces one byte; the compressed data would unpack to very many."""
    name = b"xl/media/0.bin"
    data = bytearray(zip_bomb(5 << 20))
    entry = data.rindex(name) - 46
    data[entry + 24 : entry + 28] = (1).to_bytes(4, "little")
    loaded = load_bytes(bytes(data), "p.xlsx", limits=SMALL)
    assert isinstance(loaded, LoadedText), "what is no text is not unpacked at all"
    text_part = data.replace(name, b"xl/comment.xml")
    found = load_bytes(bytes(text_part), "p.xlsx", limits=SMALL)
    assert isinstance(found, SkippedFile)
    assert found.reason == "broken"
