"""Convert a web page, or a chapter of a book, to Markdown.

Nothing that the page refers to is loaded. The tree is walked without recursion, since the page
decides its depth.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from ingest.loaders.draft import Draft, Lines, clean, fenced, fenced_lines, literal
from ingest.loaders.office.tabular import table_text
from ingest.loaders.web.page_lines import LineOf, with_lines
from ingest.loaders.web.page_parts import (
    BLOCKS,
    MAIN,
    PREFORMATTED,
    cells_of,
    code_language,
    is_boilerplate,
    is_left_out,
    is_permalink,
    squeeze,
    verbatim,
)
from ingest.loaders.web.passed_lines import PassedLines

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_Exit: TypeAlias = Callable[[], None]
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_MAX_PREFIX_CHARS: Final = 24
_SELF_CLOSED: Final = re.compile(
    r"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)[\s/>])"
    r"([A-Za-z][\w:.-]*)(\s[^<>]*)?/>"
)
_CDATA: Final = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)


def add_page(
    draft: Draft,
    html: str,
    *,
    title_level: int = 1,
    title: str | None = None,
    line_of: LineOf | None = None,
) -> bool:
    """Add the visible text of a page; return whether there was any.

    The title (`title`, or the page's own) is a heading of `title_level` if the page has no
    first-level heading, else a paragraph above it, and left out where a heading repeats it. Menus
    and the like around a marked main part are left out, unless nothing else is there. `line_of` is
    the line of the file for a line of the page, if the file has lines.
    """
    from selectolax.lexbor import LexborHTMLParser

    if line_of is not None:
        html = with_lines(html)
    root = LexborHTMLParser(_without_xml_forms(html)).root
    body = root and root.css_first("body")
    if root is None or body is None:
        return False
    shift = title_level - 1
    main = _main_of(root)
    has_top = any(squeeze(node.text()) for node in (main or root).css("h1"))
    if title is None:
        title = _title(root)
    if title in {squeeze(node.text()) for node in root.css("h1, h2, h3")}:
        title = ""
    for leave_out in (True, False):
        walk = _Walk(draft, shift=shift, main=main if leave_out else None)
        walk.lines = PassedLines(line_of)
        walk.leaves_out = leave_out
        if title:
            walk.before = (title, not has_top)
        if walk.run(body):
            return True
    if title:
        draft.heading(title_level, title)
    return bool(title)


def _without_xml_forms(html: str) -> str:
    """XHTML as an HTML parser understands it: `<title/>` would hide everything after it."""
    head = html[:2_000]
    if "<?xml" not in head and "www.w3.org/1999/xhtml" not in head:
        return html
    from html import escape

    closed = _SELF_CLOSED.sub(r"<\1\2></\1>", html)
    return _CDATA.sub(lambda found: escape(found[1]), closed)


def _title(root: "LexborNode") -> str:
    node = root.css_first("head > title")
    return squeeze(node.text()) if node else ""


def _main_of(root: "LexborNode") -> "LexborNode | None":
    """The part that the page marks as its main one, or its only article."""
    main = root.css_first(MAIN)
    if main is None:
        articles = root.css("article")
        main = articles[0] if len(articles) == 1 else None
    return main if main is not None and squeeze(main.text()) else None


@dataclass(slots=True)
class _Prefix:
    """The prefix of the first line of a list item or quotation, and of the others."""

    first: str
    rest: str
    is_used: bool = False

    def take(self) -> str:
        if self.is_used:
            return self.rest
        self.is_used = True
        return self.first


class _Walk:
    """One walk through a page."""

    leaves_out = True
    before: tuple[str, bool] | None = None
    lines = PassedLines(None)

    def __init__(self, draft: Draft, *, shift: int, main: "LexborNode | None") -> None:
        self._draft = draft
        self._shift = shift
        self._main = None if main is None else main.mem_id
        self._around: set[int] = set()
        node = main
        while node is not None:
            self._around.add(node.mem_id)
            node = node.parent
        self._is_inside_main = False
        self._inline: list[str] = []
        self._prefixes: list[_Prefix] = []
        self._lists: list[int | None] = []
        self._names = 0  # the number of headings, terms and the like we are in
        self._has_text = False
        self._is_tight = False  # the next block may follow without a blank line
        self._after_item = False

    def run(self, body: "LexborNode") -> bool:
        """Walk through everything below `body`."""
        stack: list[LexborNode | _Exit] = [self._flush]
        if body.child is not None:
            stack.append(body.child)
        while stack:
            item = stack.pop()
            if callable(item):
                item()
                continue
            following = item.next
            if following is not None:
                stack.append(following)
            leave = self._enter(item)
            if leave is not None:
                stack.append(leave)
                child = item.child
                if child is not None:
                    stack.append(child)
        return self._has_text

    def _enter(self, node: "LexborNode") -> _Exit | None:
        """The action after the children of `node`; None if they are skipped."""
        tag = node.tag
        if tag == "-text":
            self._inline.append(node.text_content or "")
            self.lines.pass_text(self._inline[-1])
            return None
        if tag is None or tag[0] == "-" or self._skips(node, tag):
            return None
        self.lines.pass_tag(node)
        if tag in _HEADINGS:
            return self._heading(_HEADINGS[tag])
        if tag in BLOCKS:
            return self._block(node, tag)
        return self._phrase(node, tag)

    def _skips(self, node: "LexborNode", tag: str) -> bool:
        if is_left_out(node, tag, is_named=bool(self._names), keeps_hidden=not self.leaves_out):
            return True
        return (
            self._main is not None
            and node.mem_id not in self._around
            and is_boilerplate(node, tag, is_inside_main=self._is_inside_main)
        )

    def _heading(self, level: int) -> _Exit:
        self._flush()
        self._names += 1

        def leave() -> None:
            self._names -= 1
            title = squeeze(clean("".join(self._inline)))
            self._inline.clear()
            lines = self.lines.taken()
            if title:
                self._emit_before()
                self._draft.heading(level + self._shift, title, lines)
                self._emitted()

        return leave

    def _phrase(self, node: "LexborNode", tag: str) -> _Exit | None:
        if tag == "br":
            self._inline.append("\x1e")
        elif tag == "img":
            self._inline.append(f" {node.attributes.get('alt') or ''} ")
        elif tag == "a" and is_permalink(node):
            return None
        elif tag == "math":
            source = node.css_first("annotation")
            if source is not None:
                self._inline.append(source.text())
                return None
        elif tag in {"text", "title", "desc", "label"}:
            self._inline.append(" ")
        return _nothing

    def _block(self, node: "LexborNode", tag: str) -> _Exit | None:
        self._flush()
        if tag in PREFORMATTED:
            body = verbatim(node)
            if body.strip():
                shown = body.strip("\r\n")
                blank = body.count("\n", 0, len(body) - len(body.lstrip("\r\n")))
                lines = fenced_lines(self.lines.each(node, body), blank, shown)
                self._emit(fenced(shown, code_language(node)), lines)
            return None
        if tag == "table":
            rows = cells_of(node)
            if rows is not None:
                self._emit(literal(rows.caption), self.lines.of(node))
                text = table_text(rows.cells, has_header=rows.has_header)
                self._emit(text, self.lines.of_rows(rows, text))
                return None
        if node.mem_id == self._main:
            return self._main_part()
        if tag in {"ul", "ol", "menu", "dir"}:
            return self._list(node, tag)
        if tag == "li":
            return self._item()
        if tag == "blockquote":
            return self._prefixed(_Prefix("> ", "> "))
        return self._term() if tag in {"dt", "summary"} else self._flush

    def _main_part(self) -> _Exit:
        self._is_inside_main = True

        def leave() -> None:
            self._flush()
            self._is_inside_main = False

        return leave

    def _list(self, node: "LexborNode", tag: str) -> _Exit:
        start = node.attributes.get("start") or "1" if tag == "ol" else ""
        self._lists.append((int(start) if start.isdecimal() else 1) if tag == "ol" else None)

        def leave() -> None:
            self._flush()
            self._lists.pop()

        return leave

    def _item(self) -> _Exit:
        number = self._lists[-1] if self._lists else None
        if number is None:
            return self._prefixed(_Prefix("- ", "  "))
        self._lists[-1] = number + 1
        mark = f"{number}. "
        return self._prefixed(_Prefix(mark, " " * len(mark)))

    def _prefixed(self, prefix: _Prefix) -> _Exit:
        self._prefixes.append(prefix)

        def leave() -> None:
            self._flush()
            self._prefixes.pop()

        return leave

    def _term(self) -> _Exit:
        """A term is directly above its definition."""
        self._names += 1

        def leave() -> None:
            self._names -= 1
            self._flush()
            self._is_tight = True

        return leave

    def _flush(self) -> None:
        if not self._inline:
            return
        text = squeeze("".join(self._inline), breaks="\x1e")
        self._inline.clear()
        lines = self.lines.taken()
        if text:
            self._emit(literal(text), lines)

    def _emit(self, markdown: str, lines: Lines) -> None:
        """Add a block, with the marks of its lists and quotations."""
        if not markdown:
            return
        self._emit_before()
        is_item = any(not prefix.is_used for prefix in self._prefixes)
        first = "".join(prefix.take() for prefix in self._prefixes)
        rest = "".join(prefix.rest for prefix in self._prefixes)
        first, rest = first[-_MAX_PREFIX_CHARS:], rest[-_MAX_PREFIX_CHARS:]
        top, *others = markdown.split("\n")
        block = "\n".join([first + top, *(rest + line for line in others)])
        is_close = self._is_tight or (is_item and self._after_item)
        self._draft.block(block, close=is_close, lines=lines)
        self._emitted()
        self._after_item = bool(self._lists)

    def _emit_before(self) -> None:
        if self.before is not None:
            title, is_heading = self.before
            self.before = None
            if is_heading:
                self._draft.heading(1 + self._shift, title)
            else:
                self._draft.paragraph(title)

    def _emitted(self) -> None:
        self._has_text = True
        self._is_tight = self._after_item = False


def _nothing() -> None:
    """Do nothing after a phrase."""
