"""The page of formats lists every name that a loader knows, whether it needs the extra, and the
parts that citations name.
"""

import io
import json
import re
from collections.abc import Callable
from email.message import EmailMessage
from zipfile import ZipFile

import pytest

from ingest.loaders import LoadedText, formats, load_bytes
from ingest.loaders.registry import DEFAULT_PATTERNS, FORMATS
from tests.ingest.pdfs import pdf
from tests.repository import ROOT

ROW = re.compile(r"^\| [^|]+ \| ([^|]+) \| (yes|no) \|$", re.MULTILINE)


def test_the_page_lists_every_format_and_its_need() -> None:
    page = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    listed: dict[str, str] = {}
    for names, need in ROW.findall(page):
        found = re.findall(r"`([^`]+)`", names)
        assert not listed.keys() & set(found)
        listed |= dict.fromkeys(found, need)
    assert set(listed) == {pattern.removeprefix("*") for pattern in DEFAULT_PATTERNS}
    needing = {name for item in FORMATS if item.library for name in item.suffixes}
    assert {name for name, need in listed.items() if need == "yes"} == needing
    assert set(formats.CODE_SUFFIXES) <= set(listed)


def slides() -> bytes:
    from pptx import Presentation

    made, file = Presentation(), io.BytesIO()
    for title in ("One", "Two"):
        made.slides.add_slide(made.slide_layouts[1]).shapes.title.text = title
    made.save(file)
    return file.getvalue()


def workbook() -> bytes:
    from openpyxl import Workbook

    made, file = Workbook(), io.BytesIO()
    made.active.title = "Q3"
    made.active.append(["item", "price"])
    made.save(file)
    return file.getvalue()


def notebook() -> bytes:
    cell = {"cell_type": "markdown", "metadata": {}, "source": ["text"]}
    return json.dumps({"cells": [cell, cell], "metadata": {}, "nbformat": 4}).encode()


def book() -> bytes:
    file = io.BytesIO()
    container = "urn:oasis:names:tc:opendocument:xmlns:container"
    with ZipFile(file, "w") as packed:
        packed.writestr(
            "META-INF/container.xml",
            f'<container xmlns="{container}"><rootfiles><rootfile full-path="a.opf"/></rootfiles>'
            "</container>",
        )
        packed.writestr(
            "a.opf",
            '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml" '
            'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine>'
            "</package>",
        )
        packed.writestr("a.xhtml", "<html><body><p>text</p></body></html>")
    return file.getvalue()


def letter() -> bytes:
    made = EmailMessage()
    made["Subject"] = "Offer"
    made.set_content("text")
    made.add_attachment("text", filename="plan.txt")
    return made.as_bytes()


def mailbox() -> bytes:
    one = b"From a@example.org Mon Mar  2 10:00:00 2026\nSubject: Offer\n\ntext\n\n"
    return one + one


@pytest.mark.parametrize(
    "cited, make",
    [
        ("talk.srt:1-7, 00:00:01 to", lambda: b"1\n00:00:01,000 --> 00:00:02,000\ntext\n"),
        ("report.pdf:41-52, page 3", lambda: pdf([["one"], ["two"], ["three"]])),
        ("plan.pptx:5-7, slide 2", slides),
        ("costs.xlsx:3-8, sheet Q3", workbook),
        ("study.ipynb:1-15, cells 1-2", notebook),
        ("novel.epub:1-3, chapter 1", book),
        ("offer.eml:9-12, attachment plan.txt", letter),
        ("archive.mbox:8-13, message 2", mailbox),
    ],
)
def test_citations_name_the_parts_that_the_page_says(cited: str, make: Callable[[], bytes]) -> None:
    assert f"`{cited}" in (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    loaded = load_bytes(make(), cited.partition(":")[0])
    assert isinstance(loaded, LoadedText)
    named = cited.partition(", ")[2].replace("cells 1-2", "cell 2").removesuffix(" to")
    assert named in [place.label for place in loaded.places]
