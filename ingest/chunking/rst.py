"""The outline of reStructuredText: sections by underlined titles; directives and literal blocks.

The signs below and above a title have no fixed rank: the first pair that appears is the highest.
"""

import re
from typing import Final

from ingest.chunking.sections import Heading, Section, headed_sections, line_end

_MAX_TITLE_CHARS: Final = 300
_ADORNMENT: Final = r"(?P<{0}>[!-/:-@\[-`{{-~])(?P={0}){{2,}}[ \t\r]*"
_UNDERLINE: Final = re.compile(
    r"\n(?P<title>[ \t]*+[^\s][^\n]*)\n" + _ADORNMENT.format("sign") + r"(?=\n|\Z)"
)
_OVERLINE: Final = re.compile(_ADORNMENT.format("sign") + r"\Z")
_BLOCK: Final = re.compile(
    r"\n(?P<indent>[ \t]*+)(?:\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?[\w:.+-]+::|[^\n]*::[ \t\r]*(?=\n))"
)
_ROLE: Final = re.compile(r"(?::[\w:.+-]+:)?`+[~!]?([^`<]+?)(?:\s*<[^>`]+>)?`+_{0,2}")
_EMPHASIS: Final = re.compile(r"(\*{1,2})(?=\S)([^*]+?)(?<=\S)\1")


def parse_rst(text: str, size_chars: int) -> tuple[list[Section], list[tuple[int, int]]]:
    """The sections by their titles, and the directives and literal blocks that fit."""
    return headed_sections(text, _headings(text)), _blocks(text, size_chars)


def _headings(text: str) -> list[Heading]:
    padded = "\n" + text
    ranks: dict[tuple[str, bool], int] = {}
    found: list[Heading] = []
    at = 0
    while mark := _UNDERLINE.search(padded, at):
        at = mark.start() + 1
        heading = _heading(text, mark, ranks, found[-1][2] if found else 0)
        if heading is not None:
            found.append(heading)
            at = mark.end()
    return found


def _heading(
    text: str, mark: re.Match[str], ranks: dict[tuple[str, bool], int], begins: int
) -> Heading | None:
    """A title: below a blank line, or a line of the same sign, and no wider than the line below."""
    start = mark.start()
    title, under = mark["title"].strip(), len(mark[0]) - len(mark["title"]) - 2
    if len(title) > min(_MAX_TITLE_CHARS, max(under, 4) + 4) or _OVERLINE.match(title):
        return None
    above = text.rfind("\n", 0, max(start - 1, 0)) + 1
    line = text[above:start].strip() if start else ""
    over = _OVERLINE.match(line)
    is_over = over is not None and over["sign"] == mark["sign"]
    if start < begins or (not is_over and (line or mark["title"][0].isspace())):
        return None
    level = ranks.setdefault((mark["sign"], is_over), len(ranks) + 1)
    end = line_end(text, start + len(mark["title"]) + 1)
    return level, above if is_over else start, min(end + 1, len(text)), _plain(title)


def _plain(title: str) -> str:
    return _EMPHASIS.sub(r"\2", _ROLE.sub(r"\1", title)).replace("\\", "").strip() or title


def _blocks(text: str, size_chars: int) -> list[tuple[int, int]]:
    """The lines indented below a directive, or below a paragraph that ends with two colons."""
    padded = "\n" + text
    found: list[tuple[int, int]] = []
    at = 0
    while mark := _BLOCK.search(padded, at):
        start = mark.start()
        body = line_end(text, start) + 1
        limit = start + size_chars
        end = _block_end(text, (body, limit), len(mark["indent"].expandtabs()))
        at = mark.end()
        if end is not None:
            found.append((start, end))
            at = end
    return found


def _block_end(text: str, span: tuple[int, int], indent: int) -> int | None:
    """The end of the lines that are blank or indented further.

    None if there are none, or if they continue beyond the span.
    """
    at, limit = span
    end = None
    while at < len(text):
        after = text.find("\n", at) + 1 or len(text)
        line = text[at:after].expandtabs()
        if line.strip():
            if len(line) - len(line.lstrip()) <= indent:
                break
            end = after
        if after > limit:
            return None
        at = after
    return end
