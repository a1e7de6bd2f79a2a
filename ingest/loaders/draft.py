"""Build the text of a document, block by block, as Markdown.

Formats other than text (web pages, office files, mail, books) all end here, so that the form of
headings and tables, the places, and the limit of a text are decided once.
"""

import re
from typing import Final

from ingest.loaders.base import TEXT_LIMIT, Kind, LoadedText, Place
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
        self._label: str | None = None
        self._last_label: str | None = None
        self._length = 0
        self._max_chars = TEXT_LIMIT.get()

    @property
    def has_text(self) -> bool:
        return bool(self._blocks)

    def block(self, markdown: str, *, close: bool = False) -> None:
        """Add a block unchanged; `close` puts it on the line directly below the previous one."""
        block = markdown.rstrip().lstrip("\r\n")
        if not block:
            return
        gap = ("\n" if close else "\n\n") if self._blocks else ""
        if self._label is not None:
            self._places.append(Place(self._length + len(gap), self._label))
            self._label = None
        self._blocks.append(gap + block)
        self._length += len(gap) + len(block)
        if self._length > self._max_chars:
            raise DocumentError("over-limit", f"more than {self._max_chars} characters of text")

    def paragraph(self, text: str, *, close: bool = False) -> None:
        """Add plain words, escaping anything that looks like markup."""
        self.block(literal(text), close=close)

    def item(self, text: str, label: str, *, depth: int, close: bool) -> None:
        """Add a list item; `close` if one is directly above."""
        lines = literal(text).split("\n")
        start = f"{'  ' * min(depth, _MAX_DEPTH)}{label} "
        rest = "\n".join(" " * len(start) + line for line in lines[1:])
        self.block(f"{start}{lines[0]}\n{rest}", close=close)

    def heading(self, level: int, title: str) -> None:
        """Add a title; one that is too long becomes a paragraph."""
        words = " ".join(title.split())
        if not words:
            return
        if len(words) > _MAX_TITLE_CHARS:
            self.paragraph(words)
        else:
            self.block(f"{'#' * min(max(level, 1), 6)} {words}")

    def code(self, text: str, language: str = "") -> None:
        """Add a fenced block."""
        body = text.strip("\r\n")
        if body.strip():
            self.block(fenced(body, language))

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
        return LoadedText(text, kind, encoding, language, tuple(self._places))


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
