"""Word documents, as python-docx writes them, and with what only a word processor writes."""

import io
import re
import zipfile
from collections.abc import Callable

import docx
import pytest
from docx.document import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from ingest import LoadedText, SkippedFile, chunk, load_bytes
from ingest.loaders.draft import DocumentError
from ingest.loaders.office.open_xml import parse_xml as read_xml


def saved(fill: Callable[[Document], object]) -> bytes:
    document = docx.Document()
    fill(document)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def rewritten(data: bytes, change: Callable[[str, bytes], bytes | None]) -> bytes:
    """The archive with its members changed; None leaves one out."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for member in old.namelist():
            content = change(member, old.read(member))
            if content is not None:
                new.writestr(member, content)
    return out.getvalue()


def loaded(data: bytes) -> LoadedText:
    found = load_bytes(data, "d.docx")
    assert isinstance(found, LoadedText), found
    return found


def text(fill: Callable[[Document], object]) -> str:
    return loaded(saved(fill)).text


def xml(inner: str) -> object:
    return parse_xml(f"<w:p {nsdecls('w')}>{inner}</w:p>")


def test_headings_paragraphs_and_lists():
    def fill(document: Document) -> None:
        document.add_heading("Handbook", 0)
        document.add_heading("Travel", 1)
        document.add_paragraph("Book early.\nAlways.")
        document.add_heading("By train", 2)
        for words in ("first class", "# second class"):
            document.add_paragraph(words, style="List Bullet")
        document.add_paragraph("ask")
        for words in ("go", "return"):
            document.add_paragraph(words, style="List Number")

    assert text(fill) == (
        "# Handbook\n\n## Travel\n\nBook early.\nAlways.\n\n### By train\n\n- first class\n"
        "- \\# second class\n\nask\n\n1. go\n2. return"
    )
    assert chunk(loaded(saved(fill)))[-1].headings[:2] == ("Handbook", "Travel")


def test_without_a_title_headings_keep_their_level():
    assert text(lambda document: document.add_heading("Travel", 1)) == "# Travel"


def test_tables():
    def fill(document: Document) -> None:
        table = document.add_table(3, 2)
        for cell, words in zip(
            (cell for row in table.rows for cell in row.cells),
            ("Part", "Price", "bolt", "3\n€", "a|b", ""),
            strict=True,
        ):
            cell.text = words
        box = document.add_table(1, 1).cell(0, 0)
        box.text = "Warning"
        box.add_paragraph("It is hot.")

    assert text(fill) == (
        "| Part | Price |\n| --- | --- |\n| bolt | 3 € |\n| a\\|b |  |\n\nWarning\n\nIt is hot."
    )


def test_merged_cells_count_for_each_row():
    def fill(document: Document) -> None:
        table = document.add_table(3, 3)
        table.cell(1, 0).merge(table.cell(2, 0)).text = "x"
        table.cell(1, 1).merge(table.cell(1, 2)).text = "y"
        table.cell(2, 1).text = "z"
        table.cell(0, 0).text = "head"

    assert text(fill).splitlines()[2:] == ["| x | y |  |", "| x | z |  |"]


def test_comments_headers_and_links():
    def fill(document: Document) -> None:
        document.sections[0].header.paragraphs[0].text = "Confidential"
        paragraph = document.add_paragraph("Pay within ")
        run = paragraph.add_run("30 days")
        document.add_comment(run, "Too short", author="Ada")
        document.add_paragraph("Second.")
        document.add_section().header.is_linked_to_previous = True

    assert text(fill) == (
        "Pay within 30 days\n\nComment by Ada: Too short\n\nSecond.\n\nConfidential"
    )


def test_what_is_not_shown_is_not_read():
    def fill(document: Document) -> None:
        document.element.body.insert(
            0,
            xml(
                "<w:r><w:t>kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
                "<w:ins><w:r><w:t> added</w:t></w:r></w:ins>"
                "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>"
                "<w:r><w:instrText>PAGE</w:instrText><w:tab/><w:t>end</w:t></w:r>"
            ),
        )

    assert text(fill) == "kept added end"


def test_text_boxes_are_read_once():
    box = "<w:txbxContent><w:p><w:r><w:t>in the box</w:t></w:r></w:p></w:txbxContent>"
    mc = "http://schemas.openxmlformats.org/markup-compatibility/2006"

    def fill(document: Document) -> None:
        document.element.body.insert(
            0,
            xml(
                f"<w:r><w:t>around</w:t></w:r><w:r><mc:AlternateContent xmlns:mc='{mc}'>"
                f"<mc:Choice Requires='wps'>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
                "</mc:AlternateContent></w:r>"
            ),
        )

    assert text(fill) == "around\n\nin the box"


def test_footnotes_stand_below_their_paragraph():
    """Written by hand: python-docx knows no footnotes."""
    notes = (
        f"<w:footnotes {nsdecls('w')}><w:footnote w:id='2'><w:p><w:r><w:t>See annex.</w:t></w:r>"
        "</w:p></w:footnote></w:footnotes>"
    )
    link = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"

    def fill(document: Document) -> None:
        document.element.body.insert(
            0, xml("<w:r><w:t>Claim</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r>")
        )
        document.add_paragraph("Next.")

    def change(member: str, content: bytes) -> bytes:
        if member != "word/_rels/document.xml.rels":
            return content
        relation = f'<Relationship Id="rIdF" Type="{link}" Target="footnotes.xml"/>'
        return content.replace(b"</Relationships>", relation.encode() + b"</Relationships>")

    data = rewritten(saved(fill), change)
    assert loaded(data).text == (
        "[The footnotes of this document cannot be read.]\n\nClaim[^2]\n\nNext."
    )
    with zipfile.ZipFile(out := io.BytesIO(data), "a") as archive:
        archive.writestr("word/footnotes.xml", notes)
    assert loaded(out.getvalue()).text == "Claim[^2]\n\n[^2]: See annex.\n\nNext."


@pytest.mark.parametrize(
    "form, pattern, shown",
    [
        ("decimal", "%1.%2", ["1.1", "1.2", "2.1"]),
        ("lowerLetter", "(%2)", ["(a)", "(b)", "(a)"]),
        ("upperRoman", "§ %2", ["§ I", "§ II", "§ I"]),
        ("decimalZero", "%2", ["01", "02", "01"]),
        ("none", "Note", ["Note", "Note", "Note"]),
    ],
)
def test_numbers_of_paragraphs_are_text(form, pattern, shown):
    levels = (
        "<w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1'/>"
        "</w:lvl><w:lvl w:ilvl='1'>"
        f"<w:numFmt w:val='{form}'/><w:lvlText w:val='{pattern}'/></w:lvl>"
    )

    def fill(document: Document) -> None:
        numbering = document.part.numbering_part.element
        for item in list(numbering):
            numbering.remove(item)
        root = parse_xml(
            f"<w:numbering {nsdecls('w')}><w:abstractNum w:abstractNumId='7'>{levels}"
            "</w:abstractNum><w:num w:numId='9'><w:abstractNumId w:val='7'/></w:num></w:numbering>"
        )
        numbering.extend(list(root))
        for level in (0, 1, 1, 0, 1):
            document.element.body.append(
                xml(
                    f"<w:pPr><w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='9'/></w:numPr>"
                    f"</w:pPr><w:r><w:t>text {level}</w:t></w:r>"
                )
            )

    assert re.findall(r"^  (.*) text 1$", text(fill), re.MULTILINE) == shown


def broken_part(part: str) -> bytes:
    data = saved(lambda document: document.add_paragraph("x"))
    return rewritten(data, lambda name, content: content[:90] if name == part else content)


def typed(declaration: str) -> bytes:
    data = saved(lambda document: document.add_paragraph("x"))

    def change(name: str, content: bytes) -> bytes:
        if name != "word/document.xml":
            return content
        return content.replace(b"<w:document", declaration.encode() + b"<w:document", 1)

    return rewritten(data, change)


@pytest.mark.parametrize("encoding", ["utf-7", "utf-16", "utf-32"])
def test_a_document_type_is_found_in_any_encoding(encoding):
    xml = f"<?xml version='1.0' encoding='{encoding}'?><!DOCTYPE w [<!ENTITY a 'lol'>]><w>&a;</w>"
    written = xml.encode(encoding)
    if encoding == "utf-7":
        written = written.replace(b"<!DOCTYPE", b"+ADwAIQ-DOCTYPE")
    with pytest.raises(DocumentError, match="declares a document type"):
        read_xml(written)


@pytest.mark.parametrize(
    "data, reason, detail",
    [
        (b"PK\x03\x04 nothing more", "broken", "not a readable zip archive"),
        (b"plain text", "broken", "not a readable zip archive"),
        (broken_part("word/document.xml"), "broken", "no readable part"),
        (broken_part("_rels/.rels"), "broken", "no readable part"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "broken", "before 2007"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            "encrypted",
            "wants a password",
        ),
        (typed("<!DOCTYPE w [<!ENTITY a 'lol'>]>"), "broken", "declares a document type"),
        (saved(lambda document: None), "empty", "no text"),
    ],
)
def test_what_cannot_be_read_says_why(data, reason, detail):
    found = load_bytes(data, "d.docx")
    assert isinstance(found, SkippedFile)
    assert found.reason == reason
    assert detail in found.detail


@pytest.mark.parametrize("part", ["word/styles.xml", "word/numbering.xml"])
def test_damaged_part_beside_the_text_costs_only_itself(part):
    kind = part.removeprefix("word/").removesuffix(".xml")
    assert loaded(broken_part(part)).text == f"[The {kind} of this document cannot be read.]\n\nx"


def test_damaged_picture_costs_nothing():
    data = saved(lambda document: document.add_paragraph("x"))
    with zipfile.ZipFile(out := io.BytesIO(data), "a") as archive:
        archive.writestr("word/media/image1.png", b"unmistakable")
    torn = out.getvalue().replace(b"unmistakable", b"unmistakeble")
    assert loaded(torn).text == "x"
