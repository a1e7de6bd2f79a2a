"""Word documents (DOCX): headings by their styles, lists with their numbers, tables, notes,
comments, text boxes, and each header and footer once. Deleted text is not read.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ingest.loaders.base import LoadedText
from ingest.loaders.draft import DocumentError, Draft
from ingest.loaders.failure_containment import drafted
from ingest.loaders.office.open_xml import Package, attribute, below, first, local
from ingest.loaders.office.tabular import table_text
from ingest.loaders.office.word_numbering import BULLET, Numbering
from ingest.loaders.office.word_styles import PLAIN, TITLE, Style, direct_style, styles_of
from ingest.values import SkippedFile

if TYPE_CHECKING:
    from lxml.etree import _Element

_UNREAD: Final = frozenset(
    {
        "pPr",
        "rPr",
        "sdtPr",
        "del",
        "moveFrom",
        "instrText",
        "delText",
        "Fallback",
        "fldData",
        "docPr",
    }
)
_SIGNS: Final = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_WRAPPERS: Final = frozenset(
    {"sdt", "sdtContent", "ins", "moveTo", "customXml", "AlternateContent", "Choice"}
)
_NOTES: Final = {
    "footnoteReference": "footnotes",
    "endnoteReference": "endnotes",
    "commentReference": "comments",
}
_MAX_CELL_CHARS: Final = 1_000
_HEX: Final = re.compile(r"[0-9A-Fa-f]{1,8}")
_FIRST_ROW: Final = 0x20
"""The bit of `tblLook` that marks a special first row."""


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """The text of the document."""
    return drafted(
        lambda draft, data: _Document(data, draft).fill(), data, name, what="Word document"
    )


class _Paragraph:
    """The content of one paragraph: its words, its text boxes, and the notes it refers to."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.boxes: list[_Element] = []
        self.notes: list[tuple[str, str]] = []

    def take(self, element: "_Element") -> None:
        for child in element:
            name = local(child)
            if name in _UNREAD or (name == "r" and first(child, "rPr", "vanish") is not None):
                continue
            if name == "t":
                self.words.append(child.text or "")
            elif name in _SIGNS:
                self.words.append(_SIGNS[name])
            elif name == "txbxContent":
                self.boxes.append(child)
            elif name in _NOTES:
                self._refer(_NOTES[name], attribute(child, "id") or "")
            else:
                self.take(child)

    def _refer(self, kind: str, number: str) -> None:
        self.notes.append((kind, number))
        if kind != "comments":
            self.words.append(f"[^{number}]")


class _Document:
    """One document being turned into text."""

    def __init__(self, data: bytes, draft: Draft) -> None:
        self._package = Package(data)
        self._draft = draft
        self._numbering = Numbering()
        self._styles: dict[str, Style] = {}
        self._notes: dict[tuple[str, str], _Element] = {}
        self._shift = 0
        self._after_item = False

    def fill(self) -> None:
        package, draft = self._package, self._draft
        body = first(package.xml(package.main), "body")
        if body is None:
            raise DocumentError("broken", "not a Word document: it has no body")
        margins: list[_Element] = []
        for kind, target in package.relations(package.main).values():
            try:
                self._learn(kind, target, margins)
            except DocumentError:
                draft.paragraph(f"[The {kind} of this document cannot be read.]")
        self._shift = int(
            any(self._style(part).level == TITLE for part in body if local(part) == "p")
        )
        self._blocks(body)
        shown: set[str] = set()
        for margin in margins:
            text = " ".join(self._plain(margin).split())
            if text not in shown:
                shown.add(text)
                draft.paragraph(text)

    def _learn(self, kind: str, target: str, margins: "list[_Element]") -> None:
        if kind == "styles":
            self._styles = styles_of(self._package.xml(target))
        elif kind == "numbering":
            self._numbering.learn(self._package.xml(target))
        elif kind in {"header", "footer"}:
            margins.append(self._package.xml(target))
        elif kind in _NOTES.values():
            for note in self._package.xml(target):
                self._notes[kind, attribute(note, "id") or ""] = note

    def _blocks(self, element: "_Element") -> None:
        for child in element:
            name = local(child)
            if name == "p":
                self._paragraph(child)
            elif name == "tbl":
                self._table(child)
            elif name in _WRAPPERS:
                self._blocks(child)

    def _style(self, paragraph: "_Element") -> Style:
        """The paragraph's own properties over those of its style."""
        properties = first(paragraph, "pPr")
        if properties is None:
            return PLAIN
        named = self._styles.get(attribute(first(properties, "pStyle"), "val") or "", PLAIN)
        own = direct_style(properties)
        return Style(
            named.level if own.level is None else own.level,
            own.list_number or named.list_number,
            own.list_level or named.list_level,
            named.is_contents,
        )

    def _paragraph(self, element: "_Element") -> None:
        style = self._style(element)
        if style.is_contents:  # the table of contents repeats the headings
            return
        found = _Paragraph()
        found.take(element)
        text = "".join(found.words).strip()
        if text:
            self._add(text, style)
        for box in found.boxes:
            self._blocks(box)
        for kind, number in found.notes:
            self._note(kind, number)

    def _add(self, text: str, style: Style) -> None:
        level = style.list_level
        depth = int(level) if level and level.isdecimal() else 0
        label = self._numbering.label(style.list_number, depth) if style.list_number else ""
        after_item, self._after_item = self._after_item, False
        if style.level is not None:
            self._draft.heading(style.level + self._shift, f"{label} {text}".lstrip(f"{BULLET} "))
        elif label:
            self._draft.item(text, label, depth=depth, close=after_item)
            self._after_item = True
        else:
            self._draft.paragraph(text)

    def _note(self, kind: str, number: str) -> None:
        note = self._notes.get((kind, number))
        text = "" if note is None else " ".join(self._plain(note).split())
        if text and kind == "comments":
            self._draft.paragraph(f"Comment by {attribute(note, 'author') or 'somebody'}: {text}")
        elif text:
            self._draft.paragraph(f"[^{number}]: {text}")

    def _plain(self, element: "_Element") -> str:
        """All paragraphs below `element`, without structure."""
        lines = []
        for paragraph in below(element, "p"):
            found = _Paragraph()
            found.take(paragraph)
            lines.append("".join(found.words))
        return "\n".join(line for line in lines if line.strip())

    def _table(self, table: "_Element") -> None:
        rows = [list(_parts(row, "tc")) for row in _parts(table, "tr")]
        texts = [[self._plain(cell) for cell in row] for row in rows]
        is_layout = (
            max(map(len, rows), default=0) < 2
            or any(len(text) > _MAX_CELL_CHARS for row in texts for text in row)
            or next(below(table, "tbl"), None) is not None
        )
        if is_layout:
            for row in rows:
                for cell in row:
                    self._blocks(cell)
            return
        filled: list[list[str]] = []
        for row, words in zip(rows, texts, strict=True):
            filled.append(_spread(row, words, filled[-1] if filled else []))
        self._draft.block(table_text(filled, has_header=_has_header(table)))
        for kind, number in _references(table):
            self._note(kind, number)
        self._after_item = False


def _parts(element: "_Element", name: str) -> "Iterator[_Element]":
    """Rows of a table, or cells of a row; some are inside wrappers."""
    for child in element:
        if local(child) == name:
            yield child
        elif local(child) in _WRAPPERS:
            yield from _parts(child, name)


def _spread(row: "list[_Element]", words: list[str], above: list[str]) -> list[str]:
    """The texts of a row, a cell over several columns or rows in each of its places."""
    cells: list[str] = []
    for cell, text in zip(row, words, strict=True):
        merged = first(cell, "tcPr", "vMerge")
        if merged is not None and attribute(merged, "val") != "restart" and len(cells) < len(above):
            text = above[len(cells)]
        cells.append(text)
        span = attribute(first(cell, "tcPr", "gridSpan"), "val")
        cells.extend([""] * (min(int(span), 100) - 1 if span and span.isdecimal() else 0))
    return cells


def _has_header(table: "_Element") -> bool:
    row = next(_parts(table, "tr"), None)
    if first(row, "trPr", "tblHeader") is not None:
        return True
    look = first(table, "tblPr", "tblLook")
    special = attribute(look, "firstRow")
    if special is not None:
        return special in {"1", "true", "on"}
    bits = attribute(look, "val") or ""
    return _HEX.fullmatch(bits) is not None and bool(int(bits, 16) & _FIRST_ROW)


def _references(element: "_Element") -> Iterator[tuple[str, str]]:
    for child in element.iterdescendants():
        kind = _NOTES.get(local(child))
        if kind:
            yield kind, attribute(child, "id") or ""
