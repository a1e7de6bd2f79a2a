"""Classify the elements of a web page: text, structure, or nothing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ingest.loaders.web.page_lines import line_of_tag

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MAIN: Final = "main, [role=main]"
PREFORMATTED: Final = frozenset({"pre", "listing", "xmp", "plaintext"})
_BLOCK_NAMES: Final = """
address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
figcaption figure footer form header hgroup hr legend li main menu nav ol p search section summary
table tbody td tfoot th thead tr ul
"""
_NEVER_READ_NAMES: Final = """
annotation-xml applet area audio base canvas datalist defs embed frame frameset head iframe input
link meta metadata noembed noframes noscript object option param rp script select source style
template textarea track video
"""
_NAMES_IN_CELLS: Final = "address caption center div p section span tbody td tfoot th thead tr"
BLOCKS: Final = PREFORMATTED.union(_BLOCK_NAMES.split())
_NEVER_READ: Final = frozenset(_NEVER_READ_NAMES.split())
_NO_CELL: Final = BLOCKS.difference(_NAMES_IN_CELLS.split())
_LANDMARKS: Final = frozenset({"nav", "header", "footer", "aside", "search"})
_LANDMARK_ROLES: Final = frozenset(
    {"navigation", "banner", "contentinfo", "complementary", "search"}
)
_INVISIBLE: Final = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_LANGUAGE: Final = re.compile(r"(?:^|\s)(?:language|lang|highlight|brush:?)[-: ]\s*([\w+#.-]+)")
_LINE_NUMBERS: Final = re.compile(r"(?:^|[\s_-])(?:linenos?|line-?numbers?|gutter)(?:$|\s)")
_BLANKS: Final = re.compile(r"[ \t\n\r\f\v\xa0]+")
_PERMALINKS: Final = frozenset("¶#§🔗⚓")
_MAX_SPAN: Final = 100
_MAX_CELLS: Final = 2_000_000


def is_left_out(node: "LexborNode", tag: str, *, is_named: bool, keeps_hidden: bool) -> bool:
    """Return whether an element is never read: programs, controls, and permanently hidden parts.

    The button of a folded section is its heading (`is_named`); `keeps_hidden` is for pages whose
    whole text is hidden until a program shows it.
    """
    if tag in _NEVER_READ:
        return not (tag == "script" and (node.attributes.get("type") or "").startswith("math/"))
    if tag == "button":
        return not is_named
    attributes = node.attributes
    if not attributes or keeps_hidden:
        return False
    if "hidden" in attributes:
        is_tab = attributes.get("role") == "tabpanel"
        return not is_tab and attributes["hidden"] != "until-found"
    if _is_line_number(node):
        return True
    style = attributes.get("style")
    return bool(style and _INVISIBLE.search(style))


def is_boilerplate(node: "LexborNode", tag: str, *, is_inside_main: bool) -> bool:
    """Return whether this is a menu, a banner or a margin, on a page that marks its main part."""
    role = node.attributes.get("role")
    if is_inside_main:
        return tag == "nav" or role == "navigation"
    return tag in _LANDMARKS or role in _LANDMARK_ROLES


def is_permalink(node: "LexborNode") -> bool:
    """Return whether a link only shows a sign such as `¶`, to copy the address of a heading."""
    return node.text().strip() in _PERMALINKS


def squeeze(text: str, *, breaks: str = "") -> str:
    """White space as displayed: one blank, and a line end at each of `breaks`."""
    if not breaks or breaks not in text:
        return _BLANKS.sub(" ", text).strip(" ")
    lines = (_BLANKS.sub(" ", line).strip(" ") for line in text.split(breaks))
    return "\n".join(lines).strip("\n")


def verbatim(node: "LexborNode") -> str:
    """The text of preformatted lines, without line numbers and buttons."""
    parts: list[str] = []
    stack = [node.child]
    while stack:
        item = stack.pop()
        if item is None:
            continue
        stack.append(item.next)
        tag = item.tag or "-"
        if tag == "-text":
            parts.append(item.text_content or "")
        elif tag == "br":
            parts.append("\n")
        elif tag[0] != "-" and not is_left_out(item, tag, is_named=False, keeps_hidden=False):
            stack.append(item.child)
    return "".join(parts)


def code_language(node: "LexborNode") -> str:
    """The language given by the classes of a code block, else nothing."""
    around = [node.css_first("code"), node, node.parent]
    if node.parent is not None:
        around.append(node.parent.parent)
    for place in around:
        found = place and _LANGUAGE.search(place.attributes.get("class") or "")
        if found:
            return found[1] if found[1] not in {"default", "none"} else ""
    return ""


def _is_line_number(node: "LexborNode") -> bool:
    if not _LINE_NUMBERS.search(node.attributes.get("class") or ""):
        return False
    return not any(sign.isalpha() for sign in node.text())


@dataclass(frozen=True, slots=True)
class Cells:
    """A table of data, read row by row; `lines` are those of each row's first and last cell, if
    the page has lines, else zeros.
    """

    cells: list[list[str]]
    has_header: bool
    caption: str
    lines: list[tuple[int, int]]


def cells_of(table: "LexborNode") -> Cells | None:
    """The cells of a table; None if it only arranges blocks on the page."""
    rows: list[list[str]] = []
    lines: list[tuple[int, int]] = []
    above: dict[int, tuple[int, str]] = {}
    has_header = False
    caption = ""
    filled = 0
    for row in _rows(table):
        if row.tag == "caption":
            caption = squeeze(row.text())
            continue
        found = [(cell, _cell_text(cell)) for cell in _children(row) if cell.tag in {"td", "th"}]
        cells: list[str] = []
        for cell, text in found:
            if text is None:
                return None
            _put(cells, above, cell, text)
        _put_spanned(cells, above)
        filled += len(cells)
        if filled > _MAX_CELLS:
            return None
        if not rows:
            is_head = row.parent is not None and row.parent.tag == "thead"
            has_header = is_head or all(cell.tag == "th" for cell, _ in found)
        rows.append(cells)
        marks = [line_of_tag(each) for each in (row, *(cell for cell, _ in found))]
        lines.append((marks[0], max(marks)))
    return Cells(rows, has_header, caption, lines)


def _put(
    cells: list[str], above: dict[int, tuple[int, str]], cell: "LexborNode", text: str
) -> None:
    """Append one cell, and remember the rows it spans."""
    _put_spanned(cells, above)
    attributes = cell.attributes
    down = _span(attributes.get("rowspan")) - 1
    for column in range(_span(attributes.get("colspan"))):
        if down:
            above[len(cells)] = down, text
        cells.append("" if column else text)


def _put_spanned(cells: list[str], above: dict[int, tuple[int, str]]) -> None:
    while len(cells) in above:
        left, text = above.pop(len(cells))
        if left > 1:
            above[len(cells)] = left - 1, text
        cells.append(text)


def _span(value: str | None) -> int:
    return min(max(int(value), 1), _MAX_SPAN) if value and value.isdecimal() else 1


def _rows(table: "LexborNode") -> Iterator["LexborNode"]:
    for part in _children(table):
        if part.tag in {"tr", "caption"}:
            yield part
        elif part.tag in {"thead", "tbody", "tfoot"}:
            yield from (row for row in _children(part) if row.tag == "tr")


def _children(node: "LexborNode") -> Iterator["LexborNode"]:
    child = node.child
    while child is not None:
        yield child
        child = child.next


def _cell_text(cell: "LexborNode") -> str | None:
    """The text of a cell, in one line; None if it holds blocks of its own."""
    parts: list[str] = []
    stack = [cell.child]
    while stack:
        item = stack.pop()
        if item is None:
            continue
        stack.append(item.next)
        tag = item.tag or "-"
        if tag == "-text":
            parts.append(item.text_content or "")
        elif tag in _NO_CELL:
            return None
        elif tag == "img":
            parts.append(f" {item.attributes.get('alt') or ''} ")
        elif tag[0] != "-" and not is_left_out(item, tag, is_named=False, keeps_hidden=False):
            if tag in BLOCKS or tag == "br":
                parts.append(" ")
            if not (tag == "a" and is_permalink(item)):
                stack.append(item.child)
    return squeeze("".join(parts))
