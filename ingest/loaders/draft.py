"""Build the text of a document, block by block, as Markdown.

Formats other than text (web pages, office files, mail, books) all end here, so that the form of
headings and tables, the places, and the limit of a text are decided once.
"""

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from ingest.loaders.base import TEXT_LIMIT, Kind, LoadedText, Place, SourceLines
from ingest.loaders.reading import refuse
from ingest.values import SkippedFile, SkipReason

# Lines of a plain paragraph that would be read as structure.
_STRUCTURE: Final = re.compile(
    r"^(?=[ ]{0,3}(?:#{1,6}(?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$)|[ \t]*(?:`{3}|~{3}))", re.MULTILINE
)
_FENCE: Final = re.compile(r"^[ \t]*(`{3,})", re.MULTILINE)
_ANY_FENCE: Final = re.compile(r"^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_MAX_TITLE_CHARS: Final = 400
_MAX_DEPTH: Final = 8
_MAX_CHARS_A_LINE: Final = 1_000
"""Files with more text a line, on average, are not cited by their lines: they hardly have any."""

Lines: TypeAlias = Sequence[tuple[int, int]]
"""The first and last line of the file that each line of a block is from, or the whole block is."""


class DocumentError(Exception):
    """The reason why a document, or one part of it, gives no text. It never leaves the loaders."""

    def __init__(self, reason: SkipReason, detail: str) -> None:
        super().__init__(detail)
        self.reason: SkipReason = reason
        self.detail = detail


class Draft:
    """A growing text, up to `TEXT_LIMIT`. Blocks are separated by a blank line."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._places: list[Place] = []
        self._lines: list[SourceLines] = []
        self._label: str | None = None
        self._last_label: str | None = None
        self._length = 0
        self._max_chars = TEXT_LIMIT.get()

    @property
    def has_text(self) -> bool:
        return bool(self._blocks)

    def block(self, markdown: str, *, close: bool = False, lines: Lines = ()) -> None:
        """Add a block unchanged; `close` puts it on the line directly below the previous one.

        `lines` are those of the file that it is from, if they are known.
        """
        stripped = markdown.rstrip()
        block = stripped.lstrip("\r\n")
        if not block:
            return
        gap = ("\n" if close else "\n\n") if self._blocks else ""
        if self._label is not None:
            self._places.append(Place(self._length + len(gap), self._label))
            self._label = None
        blank = stripped.count("\n", 0, len(stripped) - len(block))
        self._place_lines(self._length + len(gap), block, lines[blank:] if lines[1:] else lines)
        self._blocks.append(gap + block)
        self._length += len(gap) + len(block)
        if self._length > self._max_chars:
            raise DocumentError("over-limit", f"more than {self._max_chars} characters of text")

    def _place_lines(self, start: int, block: str, lines: Lines) -> None:
        if not lines:
            if self._lines and self._lines[-1].first:
                self._lines.append(SourceLines(start, 0, 0))
            return
        parts = block.split("\n") if lines[1:] else [block]
        for part, (first, last) in zip(parts, lines, strict=False):
            if not self._lines or self._lines[-1][1:] != (first, last):
                self._lines.append(SourceLines(start, first, last))
            start += len(part) + 1

    def paragraph(self, text: str, *, lines: Lines = ()) -> None:
        """Add plain words, escaping anything that looks like markup."""
        self.block(literal(text), lines=lines)

    def item(self, text: str, label: str, *, depth: int, close: bool) -> None:
        """Add a list item; `close` if one is directly above."""
        lines = literal(text).split("\n")
        start = f"{'  ' * min(depth, _MAX_DEPTH)}{label} "
        rest = "\n".join(" " * len(start) + line for line in lines[1:])
        self.block(f"{start}{lines[0]}\n{rest}", close=close)

    def heading(self, level: int, title: str, lines: Lines = ()) -> None:
        """Add a title; one that is too long becomes a paragraph."""
        words = " ".join(title.split())
        lines = [(lines[0][0], lines[-1][1])] if lines else ()
        if not words:
            return
        if len(words) > _MAX_TITLE_CHARS:
            self.paragraph(words, lines=lines)
        else:
            self.block(f"{'#' * min(max(level, 1), 6)} {words}", lines=lines)

    def code(self, text: str, language: str = "", lines: Lines = ()) -> None:
        """Add a fenced block."""
        stripped = text.rstrip("\r\n")
        body = stripped.lstrip("\r\n")
        if body.strip():
            blank = stripped.count("\n", 0, len(stripped) - len(body))
            self.block(fenced(body, language), lines=fenced_lines(lines, blank, body))

    def place(self, label: str) -> None:
        """Start the place called `label` here."""
        if label != self._last_label:
            self._label = self._last_label = label

    def include(self, loaded: LoadedText, label: str) -> None:
        """Add another file's text; its places become places of `label`."""
        text, offset = loaded.text, 0
        if loaded.kind == "text":
            text = literal(text)
        elif loaded.kind != "markdown":
            language = loaded.language or ""
            text = fenced(text.rstrip(), language if loaded.kind == "code" else "")
            offset = text.find("\n") + 1
        stripped = text.lstrip("\r\n")
        offset -= len(text) - len(stripped)
        if not stripped.strip():
            return
        start = self._length + (2 if self._blocks else 0)
        self.block(stripped)
        for place in loaded.places:
            self._places.append(
                Place(max(start, start + offset + place.start_char), f"{label}, {place.label}")
            )

    def finish(
        self,
        name: str,
        *,
        kind: Kind = "markdown",
        encoding: str = "utf-8",
        language: str | None = None,
    ) -> LoadedText | SkippedFile:
        """The whole text, of the file `name`."""
        if not self._blocks:
            return refuse(name, "empty", "no text in it")
        text = "".join(self._blocks)
        lines = self._lines if kind == "table" or _has_lines(self._lines, len(text)) else ()
        return LoadedText(text, kind, encoding, language, tuple(self._places), lines=tuple(lines))


def fenced_lines(lines: Lines, blank: int, body: str) -> Lines:
    """The lines of `fenced(body)`, of which `blank` empty lines above were cut off."""
    if not lines[1:]:
        return lines
    inner = lines[blank : blank + body.count("\n") + 1]
    return [inner[0], *inner, inner[-1]] if inner else ()


def _has_lines(lines: Sequence[SourceLines], length: int) -> bool:
    """Return whether the lines of a file tell the parts of its text apart."""
    return length <= _MAX_CHARS_A_LINE * max(1, len({each[1:] for each in lines if each.first}))


def literal(text: str) -> str:
    """`text`, with a backslash before lines that Markdown would read as structure."""
    return _STRUCTURE.sub(r"\\", clean(text))


def clean(text: str) -> str:
    r"""The text without NUL, lone surrogates and soft hyphens, with `\n` as the only line end."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace("\0", "").replace("\xad", "")
    return _SURROGATE.sub("\ufffd", text)


def fenced(text: str, language: str = "") -> str:
    """`text` between fences longer than any in it."""
    longest = max((len(fence) for fence in _FENCE.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{clean(text)}\n{fence}"


def closed_fences(markdown: str) -> str:
    """Markdown whose last fence is closed, so that it does not swallow the following text."""
    opened = ""
    for fence in _ANY_FENCE.findall(markdown):
        if not opened:
            opened = fence
        elif fence[0] == opened[0] and len(fence) >= len(opened):
            opened = ""
    return f"{markdown.rstrip()}\n{opened}" if opened else markdown
