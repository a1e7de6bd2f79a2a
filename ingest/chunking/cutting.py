"""Cut one section that is too long for a piece.

It walks through the section in windows of the wanted size and takes the last cut of the best kind
in the window: between blocks, at a sentence end (or a line end, where lines are the unit), between
words, anywhere. Each step examines one window only, so a line of many megabytes takes linear time.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from ingest.chunking.values import ChunkSettings

Style: TypeAlias = Literal["prose", "lines", "words"]
"""The unit kept whole inside a block: sentences, lines, or words."""

_Place: TypeAlias = Literal["block", "line", "sentence", "inside"]

_SPACE: Final = re.compile(r"\s*")
# A blank line with all white space after it, or the line break before a list item.
_BLOCK: Final = re.compile(r"\n[ \t\r]*(?:\n\s*|(?=(?:[-*+]|\d{1,9}[.)])[ \t]))")
# A line that closes a bracket belongs to those before it.
_LINE: Final = re.compile(r"\n([ \t]*)(?=[^\s)\]}])")
# A continuation in lower case is not a new sentence ("e.g. this").
_SENTENCE: Final = re.compile(r"[.!?…][\"'”’)\]*_]*\s++(?![a-z])|[。！？｡][”’」』）】]*\s*+")
_JOINERS: Final = "\u200d\ufe0e\ufe0f"
_LONGEST_CLUSTER: Final = 32


class Cutter:
    """Cuts spans of one text. `guards` are ranges, in order and apart, that stay whole if they fit
    (fenced code).
    """

    def __init__(
        self,
        text: str,
        settings: ChunkSettings,
        *,
        style: Style,
        guards: Sequence[tuple[int, int]] = (),
    ) -> None:
        self._text = text
        self._size = settings.size_chars
        # More than half would leave too little new text in a piece to advance.
        self._overlap = min(settings.overlap_chars, settings.size_chars // 2)
        self._style = style
        self._starts = [start for start, _ in guards]
        self._ends = [end for _, end in guards]

    def pieces(self, start: int, end: int, body: int) -> Iterator[tuple[int, str]]:
        """Each piece of `text[start:end]` with its offset, in rising order.

        Neither a cut nor an overlap falls between the heading lines, which end at `body`, and the
        first word below them, as long as a piece can hold both.
        """
        text, size = self._text, self._size
        end = start + len(text[start:end].rstrip())
        if start >= end:
            return
        at = self.tight(start)
        fresh = _word_start(text, at)  # the first visible character not yet in a piece
        body = _word_start(text, min(body, end))
        while end - at > size:
            needed = max(fresh, body if body - at < size else 0) + 1
            cut, place = self._cut(at, needed, end)
            yield at, text[at:cut].rstrip()
            fresh = _word_start(text, cut)
            at = self._restart(
                cut, place, floor=max(cut - self._overlap, at + 1, body), fresh=fresh
            )
        yield at, text[at:end]

    def tight(self, at: int) -> int:
        """Skip blank lines, but not the indentation of the first non-blank line, unless that takes
        half a piece.
        """
        text = self._text
        word = _word_start(text, at)
        if word == at:
            return at
        line = text.rfind("\n", at, word) + 1
        if not line:
            line = at if at == 0 or text[at - 1] == "\n" else word
        return line if (word - line) * 2 <= self._size else word

    def _cut(self, at: int, needed: int, end: int) -> tuple[int, _Place]:
        """The end of the piece that starts at `at`, at least `needed`, and the kind of cut."""
        size, rest = self._size, end - at
        # Two even pieces instead of a full one and a remnant.
        last = max(needed, at + (rest * 2 // 3 if rest * 2 < size * 3 else size))
        first = max(needed, at + (last - at) // 2)
        by_lines = self._style == "lines"
        if self._style != "words":
            guard = self._guard(last)
            if guard is not None:
                opening, closing = guard
                if opening >= needed and (closing - opening <= size or opening >= first):
                    return opening, "block"
                by_lines = True
            else:
                block = self._block(at, needed, last, end)
                if block is not None:
                    return block, "block"
            sentence = None if by_lines or self._in_table(at, last) else self._sentence(first, last)
            if sentence is not None:
                return sentence, "sentence"
            line = self._line(first, last, by_indent=by_lines)
            if line is not None:
                return line, "line"
        return self._word(first, last), "inside"

    def _guard(self, at: int) -> tuple[int, int] | None:
        """The guarded range that a cut at `at` would split."""
        index = bisect_left(self._starts, at) - 1
        if index >= 0 and at < self._ends[index]:
            return self._starts[index], self._ends[index]
        return None

    def _block(self, at: int, needed: int, last: int, end: int) -> int | None:
        """The last start of a block in the window, of the least indentation.

        A deeper one would split a list item or a definition; if that began in this window and fits
        into the next piece, it moves there as a whole.
        """
        first = max(needed, at + (last - at) // 3)
        found = self._least_indented(first, last)
        if found is None or found[0] == 0 or first <= needed:
            return None if found is None else found[1]
        indent, place = found
        outer = self._least_indented(needed, first - 1)
        if outer is not None and outer[0] < indent:
            limit = outer[1] + self._size
            if end <= limit or self._has_block(last, limit, indent=outer[0]):
                return outer[1]
        return place

    def _least_indented(self, first: int, last: int) -> tuple[int, int] | None:
        """Indentation and position of the last of the least indented blocks that start there."""
        text = self._text
        best: tuple[int, int] | None = None
        for found in _BLOCK.finditer(text, max(0, first - 1), last):
            word = found.end()
            line = text.rfind("\n", found.start(), word) + 1
            if line < first or (self._starts and self._guard(line)):
                continue
            if best is None or word - line <= best[0]:
                best = word - line, line
        if self._ends:
            index = bisect_right(self._ends, last) - 1
            if index >= 0 and self._ends[index] >= max(first, best[1] if best else 0):
                return 0, self._ends[index]
        return best

    def _has_block(self, first: int, last: int, *, indent: int) -> bool:
        """Return whether a block of at most that indentation starts there."""
        return any(
            found.end() - self._text.rfind("\n", found.start(), found.end()) - 1 <= indent
            for found in _BLOCK.finditer(self._text, first, last)
        )

    def _in_table(self, at: int, place: int) -> bool:
        line = self._text.rfind("\n", at, place) + 1
        return self._text.startswith("|", line or at)

    def _sentence(self, first: int, last: int) -> int | None:
        place = None
        for found in _SENTENCE.finditer(self._text, first - 1, last):
            place = found.end()
        return place if place is not None and place >= first else None

    def _line(self, first: int, last: int, *, by_indent: bool) -> int | None:
        """The last line start there, or the last of the least indented ones."""
        if not by_indent:
            return self._text.rfind("\n", first - 1, last) + 1 or None
        best: tuple[int, int] | None = None
        for found in _LINE.finditer(self._text, first - 1, last):
            indent = found.end() - found.start()
            if best is None or indent <= best[0]:
                best = indent, found.start() + 1
        return best[1] if best else self._text.rfind("\n", first - 1, last) + 1 or None

    def _word(self, first: int, last: int) -> int:
        text = self._text
        if text[last].isspace() or text[last - 1].isspace():
            return last
        parts = text[first:last].rsplit(None, 1)
        if len(parts) == 2:
            return last - len(parts[1])
        return self._cluster(first, last)

    def _cluster(self, first: int, last: int) -> int:
        """`last`, or slightly before it, so that no character is separated from its marks."""
        for place in range(last, max(first, last - _LONGEST_CLUSTER) - 1, -1):
            if not _is_joined(self._text, place):
                return place
        return last

    def _restart(self, cut: int, place: _Place, *, floor: int, fresh: int) -> int:
        """The start of the next piece: the line or word of `fresh`, or earlier by the overlap."""
        if floor >= cut or (place == "block" and self._style == "lines"):
            return self.tight(cut)
        start = self._overlap_start(floor, cut, place)
        guard = self._guard(start)
        if guard is not None and guard[1] <= cut:
            start = guard[1]
        start = self.tight(start)
        return start if start < fresh < start + self._size else self.tight(cut)

    def _overlap_start(self, floor: int, cut: int, place: _Place) -> int:
        text = self._text
        if self._style == "prose" and place != "line":
            for found in _SENTENCE.finditer(text, max(0, floor - 2), cut):
                if floor <= found.end() < cut:
                    return found.end()
        if self._style != "words":
            line = text.find("\n", floor - 1, cut - 1) + 1
            if line:
                return line
        if place != "inside":
            return cut
        if text[floor - 1].isspace():
            return floor
        parts = text[floor:cut].split(None, 1)
        if len(parts) == 2:
            return cut - len(parts[1])
        return next((at for at in range(floor, cut) if not _is_joined(text, at)), cut)


def _word_start(text: str, at: int) -> int:
    """The first non-space character at or after `at`."""
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]  # matches always


def _is_joined(text: str, place: int) -> bool:
    """Return whether the characters on both sides of `place` are displayed as one."""
    after = text[place]
    if after < "\u0300":
        return False
    return (
        after in _JOINERS
        or text[place - 1] == "\u200d"
        or unicodedata.category(after)[0] == "M"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
    )
