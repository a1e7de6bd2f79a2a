"""OpenDocument texts and presentations (ODT, ODP), as LibreOffice and others write them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ingest.loaders.base import LoadedText
from ingest.loaders.draft import DocumentError, Draft
from ingest.loaders.failure_containment import damage_of, drafted
from ingest.loaders.office.archive import open_archive
from ingest.loaders.office.open_xml import attribute, below, local, parse_xml
from ingest.loaders.office.tabular import table_text
from ingest.values import SkippedFile

if TYPE_CHECKING:
    from lxml.etree import _Element

_CONTENT: Final = "content.xml"
_MANIFEST: Final = "META-INF/manifest.xml"
_SIGNS: Final = {"tab": " ", "line-break": "\n", "s": " "}
_BESIDE: Final = frozenset({"note", "annotation", "frame", "custom-shape"})
_UNREAD: Final = frozenset(
    {
        "tracked-changes",
        "table-of-content",
        "annotation-end",
        "sequence-decls",
        "forms",
        "note-citation",
    }
)


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """The text of a document or of a presentation."""
    return drafted(_fill, data, name, what="OpenDocument file")


def content_of(data: bytes) -> "_Element":
    """The tree of the content. Raises `DocumentError` if it is missing or unreadable."""
    with open_archive(data) as archive:
        names = archive.namelist()
        if _CONTENT not in names:
            raise DocumentError("broken", "not an OpenDocument file: its content is missing")
        if _MANIFEST in names and b"encryption-data" in archive.read(_MANIFEST):
            raise DocumentError("encrypted", "wants a password")
        with damage_of("content"):
            return parse_xml(archive.read(_CONTENT))


def _fill(draft: Draft, data: bytes) -> None:
    tree = content_of(data)
    slides = 0
    for part in below(tree, "body"):
        for body in part:
            for child in body:
                if local(child) == "page":
                    slides += 1
                    draft.place(f"slide {slides}")
                    draft.heading(1, attribute(child, "name") or f"Slide {slides}")
                    _blocks(draft, child, depth=0)
                else:
                    _block(draft, child, depth=0)


def _blocks(draft: Draft, element: "_Element", *, depth: int) -> None:
    for child in element:
        _block(draft, child, depth=depth)


def _block(draft: Draft, element: "_Element", *, depth: int) -> None:
    name = local(element)
    if name in _UNREAD:
        return
    if name == "h":
        level = attribute(element, "outline-level")
        draft.heading(int(level) if level and level.isdecimal() else 1, "".join(_words(element)))
        _add_beside(draft, element)
    elif name == "p":
        draft.paragraph("".join(_words(element)))
        _add_beside(draft, element)
    elif name == "list":
        _list(draft, element, depth)
    elif name == "table":
        rows = [[plain_text(cell) for cell in row] for row in rows_of(element)]
        has_header = any(True for _ in below(element, "table-header-rows"))
        draft.block(table_text(rows, has_header=has_header))
    elif name == "notes":
        words = plain_text(element)
        draft.paragraph(f"Notes: {words}" if words else "")
    else:
        _blocks(draft, element, depth=depth)


def _list(draft: Draft, element: "_Element", depth: int) -> None:
    is_first = depth == 0
    for item in element:
        for child in item:
            if local(child) == "list":
                _list(draft, child, depth + 1)
            elif local(child) in {"p", "h"}:
                words = "".join(_words(child)).strip()
                if words:
                    draft.item(words, "-", depth=depth, close=not is_first)
                    is_first = False
                _add_beside(draft, child)


def _words(element: "_Element") -> Iterator[str]:
    """The words of a paragraph, without notes and boxes; a note leaves its mark."""
    yield element.text or ""
    for child in element:
        name = local(child)
        if name in _SIGNS:
            yield _SIGNS[name]
        elif name == "note":
            yield "".join(
                f"[^{''.join(mark.itertext())}]" for mark in below(child, "note-citation")
            )
        elif name not in _BESIDE and name not in _UNREAD:
            yield from _words(child)
        yield child.tail or ""


def _add_beside(draft: Draft, paragraph: "_Element") -> None:
    """Notes, comments and text boxes of a paragraph, below it."""
    for child in paragraph.iterdescendants():
        name = local(child)
        if name == "note":
            mark = "".join("".join(item.itertext()) for item in below(child, "note-citation"))
            draft.paragraph(f"[^{mark}]: {plain_text(child)}")
        elif name == "annotation":
            author = "".join("".join(item.itertext()) for item in below(child, "creator"))
            draft.paragraph(f"Comment by {author or 'somebody'}: {plain_text(child)}")
        elif name == "text-box":
            _blocks(draft, child, depth=0)


def plain_text(element: "_Element") -> str:
    """All paragraphs below `element`, in one line."""
    lines = ("".join(_words(item)).strip() for item in element.iterdescendants("{*}p", "{*}h"))
    return " ".join(line for line in lines if line)


def rows_of(table: "_Element") -> Iterator[list["_Element"]]:
    """The cells of each row of a table, those of its header first."""
    for child in table:
        name = local(child)
        if name == "table-row":
            yield [cell for cell in child if local(cell) in {"table-cell", "covered-table-cell"}]
        elif name in {"table-rows", "table-header-rows", "table-row-group"}:
            yield from rows_of(child)
