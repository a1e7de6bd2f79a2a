"""The lines of a web page's file: each tag is given the number of its line, as an attribute.

The parser tells no positions. What it makes of a page does not depend on an unknown attribute.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

LineOf: TypeAlias = Callable[[int], int]
"""The line of the file for a line of the page."""

_LINE: Final = "mem-line"
_START: Final = re.compile(r"<(?:!--|([A-Za-z][^\s/>]{0,50}))")
_REST: Final = re.compile(
    r"((?:[^<>\"']{1,1000}|\"[^\"]{0,4000}\"|'[^']{0,4000}'){0,200}+>)(?:\r?\n)?"
)
_RAW: Final = frozenset(
    {
        *("script", "style", "textarea", "title", "xmp", "noscript"),
        *("iframe", "noembed", "noframes", "template"),
    }
)
_PREFORMATTED: Final = frozenset({"pre", "listing"})


def with_lines(html: str) -> str:
    """The page with the lines of its tags; not of those in comments, programs and the like.

    The line of a tag is the one where it ends, of a preformatted text the one where that begins.
    """
    parts: list[str] = []
    unclosed: set[str] = set()
    at = copied = counted = 0
    line = 1
    while found := _START.search(html, at):
        at = found.end()
        name = (found[1] or "--").lower()
        if name in _RAW or name == "--":
            at = _end_of(html, at, name, unclosed)
            continue
        rest = _REST.match(html, at)
        if rest is None:
            continue
        line += html.count("\n", counted, found.start())
        counted = found.start()
        end = rest.end() if name in _PREFORMATTED else rest.end(1)
        begins = line + html.count("\n", counted, end)
        parts += (html[copied:at], f" {_LINE}={begins} ")
        copied, at = at, end
    return "".join((*parts, html[copied:]))


def line_of_tag(node: "LexborNode") -> int:
    """The line that a tag was given; 0 for none."""
    written = node.attributes.get(_LINE) or ""
    return int(written) if written.isdecimal() else 0


def _end_of(html: str, at: int, name: str, unclosed: set[str]) -> int:
    """The end of a comment or of an element without tags inside; where it began if it has none."""
    if name in unclosed:
        return at
    if name == "--":
        end = html.find("-->", at)
    else:
        closing = re.compile(f"</{name}", re.IGNORECASE).search(html, at)
        end = closing.start() if closing else -1
    if end < 0:
        unclosed.add(name)
        return at
    return end
