"""E-books, written here file by file: chapters in reading order, with their names."""

import io
import zipfile

import pytest

from ingest import LoadedText, SkippedFile, chunk, load_bytes

CONTAINER = (
    '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)
OPF = """<?xml version="1.0"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Whale</dc:title>
<dc:creator>A. Sailor</dc:creator><dc:creator>B. Mate</dc:creator></metadata>
<manifest>
<item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>
<item id="x" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="two" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>
</manifest>
<spine><itemref idref="n"/><itemref idref="one"/><itemref idref="two"/></spine></package>"""
NCX = (
    '<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" '
    '"http://127.0.0.1:1/ncx.dtd"><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>'
    "<navPoint><navLabel><text>Part</text></navLabel><content src='text/two%20b.xhtml#mid'/>"
    "</navPoint><navPoint><navLabel><text>The Storm</text></navLabel>"
    "<content src='text/two%20b.xhtml'/>"
    "</navPoint></navMap></ncx>"
)


def page(inner: str, title: str = "The Whale") -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">'
        f"<head><title>{title}</title></head><body>{inner}</body></html>"
    )


def book(**changed: str | None) -> bytes:
    parts: dict[str, str | None] = {
        "META-INF/container.xml": CONTAINER,
        "OEBPS/book.opf": OPF,
        "OEBPS/nav.xhtml": page("<nav><a href='text/one.xhtml'>Departure</a></nav>"),
        "OEBPS/toc.ncx": NCX,
        "OEBPS/text/one.xhtml": page(
            "<h1>Departure</h1><p>We left.</p><h2>At night</h2><p>Dark.</p>"
        ),
        "OEBPS/text/two b.xhtml": page("<p>It blew.</p>"),
    }
    parts.update(
        {name.replace("__", "/").replace("_", "."): text for name, text in changed.items()}
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in parts.items():
            if text is not None:
                archive.writestr(name, text)
    return out.getvalue()


def loaded(data: bytes) -> LoadedText:
    found = load_bytes(data, "b.epub")
    assert isinstance(found, LoadedText), found
    return found


def test_chapters_in_reading_order():
    found = loaded(book())
    assert found.text == (
        "# The Whale\n\nA. Sailor, B. Mate\n\n## Departure\n\nWe left.\n\n### At night\n\nDark.\n\n"
        "## The Storm\n\nIt blew."
    )
    assert [(place.label, found.text[place.start_char :][:7]) for place in found.places] == [
        ("chapter 1", "# The W"),
        ("chapter 2", "## The "),
    ]


def test_chapters_are_headings():
    long = loaded(book(**{"OEBPS__text__two b_xhtml": page(f"<p>{'It blew. ' * 90}</p>")}))
    assert chunk(long)[-1].headings == ("The Whale", "The Storm")


def test_damaged_chapter_costs_only_itself():
    text = loaded(book(OEBPS__text__one_xhtml=None)).text
    assert text.endswith("[Chapter 1 cannot be read.]\n\n## The Storm\n\nIt blew.")


def test_damaged_contents_cost_only_the_names():
    text = loaded(book(OEBPS__toc_ncx="<ncx", OEBPS__nav_xhtml="<")).text
    assert text.endswith("Dark.\n\nIt blew.")


def test_declared_entities_are_not_expanded():
    bomb = "<!DOCTYPE p [<!ENTITY a 'lollol'><!ENTITY b '&a;&a;&a;'>]><package"
    opf = OPF.replace("<package", bomb).replace("The Whale", "The &b;Whale")
    assert loaded(book(OEBPS__book_opf=opf)).text.startswith("# The &b; Whale\n")


LOCKS = (
    "<encryption xmlns:e='http://www.w3.org/2001/04/xmlenc#'><e:EncryptedData><e:CipherData>"
    "<e:CipherReference URI='{}'/></e:CipherData></e:EncryptedData></encryption>"
)


def test_locked_font_keeps_nobody_from_reading():
    assert loaded(book(**{"META-INF__encryption_xml": LOCKS.format("OEBPS/font.otf")}))


@pytest.mark.parametrize(
    "data, reason",
    [
        (book(**{"META-INF__encryption_xml": LOCKS.format("OEBPS/text/one.xhtml")}), "encrypted"),
        (book(OEBPS__book_opf=None), "broken"),
        (book(OEBPS__book_opf="<package"), "broken"),
        (book(**{"META-INF__container_xml": None}), "broken"),
        (b"PK nonsense", "broken"),
    ],
)
def test_what_cannot_be_read_says_why(data, reason):
    found = load_bytes(data, "b.epub")
    assert isinstance(found, SkippedFile)
    assert found.reason == reason
