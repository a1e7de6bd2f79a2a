"""OpenDocument and RTF files, written here as LibreOffice writes them."""

import io
import zipfile

import pytest

from ingest import LoadedText, SkippedFile, chunk, load_bytes
from ingest.loaders import Place
from ingest.loaders.base import SourceLines

SPACES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in (
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("draw", "drawing"),
        ("presentation", "presentation"),
    )
)


def packed(kind: str, inner: str, manifest: str = "<m/>") -> bytes:
    content = (
        f'<?xml version="1.0"?><office:document-content {SPACES}><office:body><office:{kind}>'
        f"{inner}</office:{kind}></office:body></office:document-content>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("META-INF/manifest.xml", manifest)
        archive.writestr("content.xml", content)
    return out.getvalue()


def loaded(data: bytes, name: str) -> LoadedText:
    found = load_bytes(data, name)
    assert isinstance(found, LoadedText), found
    return found


@pytest.mark.parametrize(
    "inner, text",
    [
        (
            '<text:h text:outline-level="2">Trip</text:h><text:p>By<text:s/>train<text:tab/>or '
            "<text:span>bus</text:span><text:line-break/># soon</text:p>",
            "## Trip\n\nBy train or bus\n\\# soon",
        ),
        (
            "<text:list><text:list-item><text:p>a</text:p><text:list><text:list-item><text:p>b"
            "</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>c"
            "</text:p></text:list-item></text:list>",
            "- a\n  - b\n- c",
        ),
        (
            "<text:p>Claim<text:note><text:note-citation>1</text:note-citation><text:note-body>"
            "<text:p>Proof.</text:p></text:note-body></text:note> holds.</text:p>",
            "Claim[^1] holds.\n\n[^1]: Proof.",
        ),
        (
            "<text:p>Seen<office:annotation><dc:creator xmlns:dc='d'>Ada</dc:creator><text:p>Why?"
            "</text:p></office:annotation></text:p>",
            "Seen\n\nComment by Ada: Why?",
        ),
        (
            "<text:p>around<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box>"
            "</draw:frame></text:p>",
            "around\n\nboxed",
        ),
        (
            "<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Part"
            "</text:p></table:table-cell><table:table-cell><text:p>Price</text:p></table:table-cell>"
            "</table:table-row></table:table-header-rows><table:table-row><table:table-cell><text:p>"
            "bolt</text:p></table:table-cell><table:table-cell><text:p>3</text:p></table:table-cell>"
            "</table:table-row></table:table>",
            "| Part | Price |\n| --- | --- |\n| bolt | 3 |",
        ),
        (
            "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:section>"
            "<text:p>kept</text:p></text:section>",
            "kept",
        ),
    ],
)
def test_text_documents(inner, text):
    assert loaded(packed("text", inner), "a.odt").text == text


def test_workbooks():
    cell = "<table:table-cell{}><text:p>{}</text:p></table:table-cell>"
    rest = '<table:table-cell table:number-columns-repeated="16382"/>'
    rows = "".join(
        f"<table:table-row>{cell.format('', one)}{cell.format(more, two)}{rest}</table:table-row>"
        for one, more, two in (
            ("Part", "", "Since"),
            ("bolt", ' office:date-value="2024-03-01"', "1 March"),
        )
    )
    empty = f'<table:table-row table:number-rows-repeated="1048574">{rest}</table:table-row>'
    sheet = f'<table:table table:name="Stock">{rows}{empty}</table:table>'
    found = loaded(packed("spreadsheet", sheet), "a.ods")
    assert found == LoadedText(
        *("Part\tSince\nbolt\t2024-03-01", "table", "utf-8", "sheet", (Place(0, "sheet Stock"),)),
        lines=(SourceLines(0, 1, 1), SourceLines(11, 2, 2)),
    )
    assert chunk(found)[0].headings == ("sheet Stock", "Part | Since")


def test_presentations():
    box = "<draw:frame><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>"
    pages = (
        f'<draw:page draw:name="Intro">{box.format("words")}<presentation:notes>'
        f"{box.format('say this')}</presentation:notes></draw:page><draw:page>{box.format('end')}"
        "</draw:page>"
    )
    found = loaded(packed("presentation", pages), "a.odp")
    assert found.text == "# Intro\n\nwords\n\nNotes: say this\n\n# Slide 2\n\nend"
    assert [place.label for place in found.places] == ["slide 1", "slide 2"]


def test_rich_text():
    data = (
        rb"{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Arial;}}\b \'cf\'f0\'e8\'e2\'e5\'f2\b0\par "
        rb"Gr\u252?\u223?e \u8364? {\*\generator hidden}# and \i more\i0\par}"
    )
    assert loaded(data, "a.rtf").text == "Привет\n\nGrüße € # and more"


@pytest.mark.parametrize(
    "data, name, reason",
    [
        (packed("text", "<text:p>x</text:p>", "<m><encryption-data/></m>"), "a.odt", "encrypted"),
        (packed("text", "<text:p>"), "a.odt", "broken"),
        (packed("text", ""), "a.odt", "empty"),
        (packed("spreadsheet", "<table:table/>"), "a.ods", "empty"),
        (b"PK", "a.odp", "broken"),
        (b"plain", "a.rtf", "broken"),
        (b"{\\rtf1 }", "a.rtf", "empty"),
    ],
)
def test_what_cannot_be_read_says_why(data, name, reason):
    found = load_bytes(data, name)
    assert isinstance(found, SkippedFile)
    assert found.reason == reason
