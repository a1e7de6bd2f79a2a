"""The outlines of Org and AsciiDoc: headings by their leading signs, and unsplit blocks."""

import re
from typing import Final

from ingest.chunking.sections import Heading, Section, headed_sections, line_end
from ingest.chunking.titles import plain_title

_MAX_TITLE_CHARS: Final = 300
_ORG: Final = re.compile(
    r"\n(?:(?P<signs>\*+)[ \t]+(?=\S)|[ \t]*#\+begin_(?P<block>[a-z]+))", re.IGNORECASE
)
_ASCIIDOC: Final = re.compile(
    r"\n(?:(?P<signs>={1,6}|#{1,6})[ \t]+(?=\S)|(?P<block>-{4,}|={4,}|\.{4,}|\*{4,}|_{4,}|\+{4,}"
    r"|/{4,}|[|,:!]={3,}|```)(?=[ \t\r]*(?:\n|\Z)|[a-z]))"
)
_ORG_EXTRAS: Final = re.compile(
    r"^(?:TODO|DONE|NEXT|WAITING|CANCELLED)[ \t]+|^\[#[A-Z0-9]\][ \t]*|[ \t]+:[\w@#%:]+:[ \t]*$"
)
_ORG_TITLE: Final = re.compile(
    r"^[ \t]*#\+title:[ \t]*([^\n]{1,300})", re.IGNORECASE | re.MULTILINE
)
_ORG_LINK: Final = re.compile(r"\[\[[^\[\]]*\]\[([^\[\]]*)\]\]")


def parse_org(text: str, size_chars: int) -> tuple[list[Section], list[tuple[int, int]]]:
    """The sections of an Org file below its `#+TITLE:`, and its blocks from `#+begin_` on."""
    headings, blocks = _parse(text, size_chars, marks=_ORG, closing=r"\n[ \t]*#\+end_{0}\b[^\n]*")
    title = _ORG_TITLE.search(text)
    top = (_plain(title[1]),) if title and title[1].strip() else ()
    # No heading of an Org file is its title.
    lower = [(level + 1, start, body, name) for level, start, body, name in headings]
    return headed_sections(text, lower, top), blocks


def parse_asciidoc(text: str, size_chars: int) -> tuple[list[Section], list[tuple[int, int]]]:
    """The sections of an AsciiDoc file, and its blocks between two equal lines."""
    headings, blocks = _parse(text, size_chars, marks=_ASCIIDOC, closing=r"\n{0}[ \t\r]*(?=\n|\Z)")
    return headed_sections(text, headings), blocks


def _parse(
    text: str, size_chars: int, *, marks: re.Pattern[str], closing: str
) -> tuple[list[Heading], list[tuple[int, int]]]:
    padded = "\n" + text
    headings: list[Heading] = []
    blocks: list[tuple[int, int]] = []
    endless: set[str] = set()
    at = 0
    while found := marks.search(padded, at):
        at = found.end()
        line = found.start()
        end = line_end(text, line)
        if found["signs"]:
            title = _plain(text[at - 1 : end])
            if title and end - line <= _MAX_TITLE_CHARS:
                headings.append((len(found["signs"]), line, min(end + 1, len(text)), title))
            at = max(at, end)
        elif found["block"] not in endless:
            closed = re.compile(closing.format(re.escape(found["block"])), re.IGNORECASE)
            last = closed.search(padded, end + 1)
            if last is None:
                endless.add(found["block"])
            else:
                at = last.end()
                if at - line <= size_chars:
                    blocks.append((line, min(at, len(text))))
    return headings, blocks


def _plain(title: str) -> str:
    words = title.strip()
    for _ in range(3):
        words = _ORG_EXTRAS.sub("", words)
    return plain_title(_ORG_LINK.sub(r"\1", words).strip())
