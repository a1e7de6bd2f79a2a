"""Presentations (PPTX): slide by slide, each a place, with tables, charts, diagrams and notes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ingest.loaders.base import LoadedText
from ingest.loaders.draft import DocumentError, Draft
from ingest.loaders.failure_containment import drafted
from ingest.loaders.office.open_xml import Package, attribute, below, first, local
from ingest.loaders.office.tabular import table_text
from ingest.values import SkippedFile

if TYPE_CHECKING:
    from lxml.etree import _Element

_TITLES: Final = frozenset({"title", "ctrTitle"})
_NO_TEXT: Final = frozenset({"sldNum", "dt", "ftr", "hdr", "sldImg"})
"""Placeholders that repeat the same on every slide, or show nothing."""
_BESIDE: Final = ("chart", "diagramData", "notesSlide", "comments")
_HIDDEN_FORM: Final = "Fallback"


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """The text of all slides, hidden ones included."""
    return drafted(_fill, data, name, what="presentation")


def _fill(draft: Draft, data: bytes) -> None:
    package = Package(data)
    relations = package.relations(package.main)
    for number, item in enumerate(below(package.xml(package.main), "sldId"), start=1):
        draft.place(f"slide {number}")
        relation = relations.get(_relation_id(item))
        try:
            if relation is None:
                raise DocumentError("broken", "a slide is missing")
            _add_slide(draft, package, relation.target, number)
        except DocumentError as error:
            if error.reason != "broken":
                raise
            draft.paragraph(f"[The rest of slide {number} cannot be read.]")


def _relation_id(element: "_Element") -> str:
    """`r:id`; a slide also has an `id` of its own."""
    ids = [value for key, value in element.attrib.items() if str(key).endswith("}id")]
    return str(ids[0]) if ids else ""


def _add_slide(draft: Draft, package: Package, part: str, number: int) -> None:
    shapes = [(shape, _placeholder(shape)) for shape in _shapes(package.xml(part))]
    titles = [" ".join(_lines(shape)) for shape, kind in shapes if kind in _TITLES]
    draft.heading(1, " ".join(titles).strip() or f"Slide {number}")
    for shape, kind in shapes:
        if kind not in _TITLES and kind not in _NO_TEXT:
            _add_shape(draft, shape, is_list=kind in {"", "body", "obj"})
    for relation in package.relations(part).values():
        if relation.kind in _BESIDE:
            _add_beside(draft, package.xml(relation.target), relation.kind)


def _shapes(tree: "_Element") -> Iterator["_Element"]:
    """Shapes and tables in their order on the slide, taken out of their groups."""
    for child in tree:
        name = local(child)
        if name in {"sp", "graphicFrame", "cxnSp"}:
            yield child
        elif name != _HIDDEN_FORM:
            yield from _shapes(child)


def _placeholder(shape: "_Element") -> str | None:
    """The kind of placeholder of a shape, '' for the common one, None for none."""
    found = first(shape, "nvSpPr", "nvPr", "ph")
    return None if found is None else attribute(found, "type") or ""


def _lines(element: "_Element") -> list[str]:
    return [text for text in map(_line, below(element, "p")) if text]


def _line(paragraph: "_Element") -> str:
    parts = []
    for item in paragraph.iterdescendants():
        name = local(item)
        if name == "t":
            parts.append(item.text or "")
        elif name in {"br", "tab"}:
            parts.append(" ")
    return "".join(parts).strip()


def _add_shape(draft: Draft, shape: "_Element", *, is_list: bool) -> None:
    tables = list(below(shape, "tbl"))
    for table in tables:
        rows = [
            [" ".join(_lines(cell)) for cell in row if local(cell) == "tc"]
            for row in table
            if local(row) == "tr"
        ]
        special = attribute(first(table, "tblPr"), "firstRow")
        draft.block(table_text(rows, has_header=special in {"1", "true"}))
    if tables:
        return
    paragraphs = [(item, _line(item)) for item in below(shape, "p")]
    paragraphs = [(item, text) for item, text in paragraphs if text]
    if not is_list or len(paragraphs) < 2:
        draft.paragraph("\n".join(text for _, text in paragraphs))
        return
    for index, (item, text) in enumerate(paragraphs):
        level = attribute(first(item, "pPr"), "lvl")
        depth = int(level) if level and level.isdecimal() else 0
        draft.item(text, "-", depth=depth, close=index > 0)


def _add_beside(draft: Draft, tree: "_Element", kind: str) -> None:
    """Add the parts of a slide that are stored separately."""
    if kind == "chart":
        _add_chart(draft, tree)
    elif kind == "notesSlide":
        lines = [
            line
            for shape in _shapes(tree)
            if _placeholder(shape) not in _NO_TEXT
            for line in _lines(shape)
        ]
        draft.paragraph("Notes: " + "\n".join(lines) if lines else "")
    elif kind == "comments":
        for comment in below(tree, "cm"):
            words = " ".join("".join(item.itertext()) for item in below(comment, "text"))
            draft.paragraph(f"Comment: {words}" if words.strip() else "")
    else:
        for line in _lines(tree):
            draft.paragraph(line)


def _add_chart(draft: Draft, tree: "_Element") -> None:
    """Add the title of a chart, and its numbers as a table."""
    for title in below(tree, "title"):
        draft.paragraph(" ".join(_lines(title)))
    columns: list[list[str]] = []
    for series in below(tree, "ser"):
        names = _values(first(series, "tx"))
        categories = _values(first(series, "cat"))
        if not columns and categories:
            columns.append(["", *categories])
        columns.append([" ".join(names), *_values(first(series, "val"))])
    height = max(map(len, columns), default=0)
    rows = [[column[at] if at < len(column) else "" for column in columns] for at in range(height)]
    draft.block(table_text(rows, has_header=True))


def _values(element: "_Element | None") -> list[str]:
    return [] if element is None else [item.text or "" for item in below(element, "v")]
