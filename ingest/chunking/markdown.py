"""The outline of a Markdown text: sections by their headings, and its fenced code.

Only lines that can open a section are looked at: ATX and setext headings, and fences, in which a
`#` is not a heading. One regular expression finds them, so that prose is quick; a full Markdown
parser takes hundreds of microseconds for the text of one piece.
"""

import re
from typing import Final

from ingest.chunking.sections import Heading, Headings, Section, headed_sections, line_end
from ingest.chunking.titles import plain_title

_MAX_TITLE_CHARS: Final = 500
"""A longer line is not a title, whatever precedes it."""

# A line feed is put before the searched text: an expression that begins with a literal is matched
# many times faster than one that begins with a line start.
_MARK: Final = re.compile(
    r"\n(?: {0,3}(?:(?P<hashes>#{1,6})(?=[ \t\r\n]|\Z)|(?P<rule>=+|-+)[ \t\r]*(?=\n|\Z))"
    r"|(?P<indent>[ \t]*)(?P<fence>`{3,}(?=[^`\n]*(?:\n|\Z))|~{3,}))"
)
# Its first line is a key; otherwise the text merely begins with a ruler.
_FRONT_MATTER: Final = re.compile(
    r"---[ \t\r]*\n[\w\"'-][^:\n]*:(?:[ \t\r].*)?\n(?:.*\n)*?(?:---|\.\.\.)[ \t\r]*(?:\n|\Z)"
    r"|\+\+\+[ \t\r]*\n[\w\"'\[-][^=\n]*=?.*\n(?:.*\n)*?\+\+\+[ \t\r]*(?:\n|\Z)"
)
_FRONT_TITLE: Final = re.compile(r"^title[ \t]*[:=][ \t]*(.*?)[ \t\r]*$", re.MULTILINE)
_NO_SETEXT_TITLE: Final = re.compile(
    r"[ \t]*(?:$|>|\||#{1,6}[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t])|\t| {4}"
)
_CLOSING_HASHES: Final = re.compile(r"(?:^|[ \t])#+[ \t]*$")


def parse_markdown(text: str) -> tuple[list[Section], list[tuple[int, int]]]:
    """The sections, each from its heading to the next, and the ranges of fenced code.

    A heading directly followed by a deeper one opens a section together with it. Text before the
    first heading belongs to it if it is the document's title (level 1); without such a heading, the
    title in YAML or TOML front matter, if any, is the outermost heading of all sections.
    """
    matter = _FRONT_MATTER.match(text)
    headings, fences = _marks(text, matter.end() if matter else 0)
    top: Headings = ()
    if matter and not any(level == 1 for level, *_ in headings):
        top = _front_title(matter[0])
    return headed_sections(text, headings, top), fences


def _front_title(matter: str) -> Headings:
    found = _FRONT_TITLE.search(matter)
    title = found[1].strip("\"'").strip()[:_MAX_TITLE_CHARS] if found else ""
    return (title,) if title else ()


def _marks(text: str, start: int) -> tuple[list[Heading], list[tuple[int, int]]]:
    padded = "\n" + text
    headings: list[Heading] = []
    fences: list[tuple[int, int]] = []
    endless: dict[str, int] = {}
    at = start
    while found := _MARK.search(padded, at):
        at = found.end()
        line = found.start()
        if found["hashes"]:
            heading = _atx(text, line, found["hashes"])
        elif found["rule"]:
            heading = _setext(text, line, found["rule"], headings, fences)
        else:
            heading = None
            end = _fence_end(padded, found, endless)
            if end is not None:
                fences.append((line, end))
                at = end
        if heading is not None:
            headings.append(heading)
    return headings, fences


def _atx(text: str, line: int, hashes: str) -> Heading | None:
    end = line_end(text, line)
    if end - line > _MAX_TITLE_CHARS:
        return None
    title = text[line:end].strip()[len(hashes) :].strip()
    title = plain_title(_CLOSING_HASHES.sub("", title))
    return (len(hashes), line, min(end + 1, len(text)), title) if title else None


def _setext(
    text: str, line: int, rule: str, headings: list[Heading], fences: list[tuple[int, int]]
) -> Heading | None:
    """The one line of text above a row of `=` or `-`, if a blank line or a block is above it.

    More lines are treated as a paragraph before a ruler, as people write them.
    """
    if not line:
        return None
    above = text.rfind("\n", 0, line - 1) + 1
    if line - above > _MAX_TITLE_CHARS or _NO_SETEXT_TITLE.match(text, above, line - 1):
        return None
    begins = max(headings[-1][2] if headings else 0, fences[-1][1] if fences else 0)
    if above < begins:
        return None
    if above > begins:
        before = text.rfind("\n", 0, above - 1) + 1
        if text[before:above].strip():
            return None
    title = plain_title(text[above:line].strip())
    end = line_end(text, line)
    return (1 if rule[0] == "=" else 2, above, min(end + 1, len(text)), title) if title else None


def _fence_end(padded: str, opening: re.Match[str], endless: dict[str, int]) -> int | None:
    """The start of the line after the closing fence, in the text without padding.

    An unclosed fence extends to the end of the text; a deeply indented one may be an example inside
    indented code, and is ignored. `endless` keeps what was not found, so that many such lines do
    not each search the rest of the text.
    """
    sign, length = opening["fence"][0], len(opening["fence"])
    if length < endless.get(sign, length + 1):
        closing = re.compile(rf"\n[ \t]*{sign}{{{length},}}[ \t\r]*(?=\n|\Z)")
        closed = closing.search(padded, padded.find("\n", opening.end()))
        if closed:
            return min(closed.end(), len(padded) - 1)
        endless[sign] = length
    is_nested = len(opening["indent"]) > 3 or "\t" in opening["indent"]
    return None if is_nested else len(padded) - 1
