"""One small, real file of each format, for the tests that treat all formats alike."""

import io
import json
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from functools import cache
from typing import Any

import docx
import openpyxl
import pptx

WORDS = "The ferry leaves at noon"
"""Stands in every sample."""


def page(address: str = "") -> bytes:
    links = (
        f'<base href="{address}/"/><link rel="stylesheet" href="{address}/a.css"/>'
        f'<img src="{address}/b.png" alt=""/><iframe src="{address}/c"></iframe>'
        f'<script src="{address}/d.js"></script>'
    )
    return (
        '<?xml version="1.0"?>'
        f'<!DOCTYPE html SYSTEM "{address}/e.dtd" [<!ENTITY far SYSTEM "{address}/f.txt">]>'
        f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title></head><body>{links}'
        f"<h1>Title</h1><p>{WORDS}.</p><table><tr><th>a</th></tr><tr><td>b</td></tr></table>"
        "<ul><li>c<pre>d</pre></li></ul></body></html>"
    ).encode()


def _saved(document: Any) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def word() -> bytes:
    document = docx.Document()
    document.add_heading("Title", 0)
    document.add_paragraph(WORDS, style="List Number")
    table = document.add_table(2, 2)
    table.cell(0, 0).text = "in a cell"
    run = document.add_paragraph("more").runs
    document.add_comment(run, "a comment", author="Ada")
    return _saved(document)


def workbook() -> bytes:
    book = openpyxl.Workbook()
    for row in (["Line", "Note"], ["1", WORDS], ["2", 2.5]):
        book.active.append(row)
    return _saved(book)


def slides() -> bytes:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Title"
    slide.placeholders[1].text_frame.text = WORDS
    slide.notes_slide.notes_text_frame.text = "a note"
    return _saved(deck)


def epub(address: str = "") -> bytes:
    declared = f'<!DOCTYPE a SYSTEM "{address}/a.dtd" [<!ENTITY far SYSTEM "{address}/b.txt">]>'
    parts = {
        "META-INF/container.xml": '<a><rootfile full-path="b.opf"/></a>',
        "b.opf": f'{declared}<a><title>T &far;</title><manifest><item id="i" href="c.html"/>'
        '<item id="n" href="t.ncx" media-type="application/x-dtbncx+xml"/></manifest>'
        '<spine><itemref idref="i"/></spine></a>',
        "t.ncx": f'{declared}<a><navPoint><text>&far;</text><content src="c.html"/></navPoint></a>',
        "c.html": page(address).decode(),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def mail(address: str = "") -> bytes:
    message = EmailMessage()
    message["Subject"], message["From"] = "Title", "ada@example.org"
    message.set_content(page(address).decode(), subtype="html")
    message.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="t.csv")
    host, _, port = address.removeprefix("http://").partition(":")
    message.add_attachment(
        f"Content-Type: text/plain\nsite={host}; port={port}".encode(),
        maintype="message",
        subtype="external-body",
    )
    return message.as_bytes()


def mailbox() -> bytes:
    line = b"From ada@example.org Fri Mar  1 10:30:00 2024\n"
    return line + mail() + b"\n" + line + mail()


def notebook() -> bytes:
    output = {"output_type": "stream", "text": ["printed\n"]}
    cells = [
        {"cell_type": "markdown", "source": [f"# Title\n{WORDS}"]},
        {"cell_type": "code", "source": "x", "outputs": [output]},
    ]
    return json.dumps({"cells": cells, "metadata": {"language_info": {"name": "r"}}}).encode()


def table() -> bytes:
    return f'Line,Note\n1,"{WORDS},\nor later"\n2,x\n'.encode()


def rich_text() -> bytes:
    return rb"{\rtf1\ansi\b Title\b0\par " + WORDS.encode() + rb" \u8364?\par}"


def open_document() -> bytes:
    content = (
        "<c xmlns:t='t'><t:body><t:text><t:h t:outline-level='1'>Title</t:h><t:list><t:item><t:p>"
        f"{WORDS}</t:p></t:item></t:list><t:table t:name='T'><t:table-row><t:table-cell><t:p>"
        f"{WORDS}</t:p></t:table-cell></t:table-row></t:table></t:text></t:body></c>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("content.xml", content)
    return out.getvalue()


SAMPLES: dict[str, Callable[[], bytes]] = {
    "a.html": cache(page),
    "a.docx": cache(word),
    "a.xlsx": cache(workbook),
    "a.pptx": cache(slides),
    "a.epub": cache(epub),
    "a.eml": cache(mail),
    "a.mbox": cache(mailbox),
    "a.ipynb": cache(notebook),
    "a.csv": cache(table),
    "a.odt": cache(open_document),
    "a.ods": cache(open_document),
    "a.rtf": cache(rich_text),
}
