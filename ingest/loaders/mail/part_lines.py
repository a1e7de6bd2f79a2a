"""The lines of a message's file that the text of its parts is from."""

from collections.abc import Iterator
from email.errors import MissingHeaderBodySeparatorDefect
from email.message import Message
from typing import Any, Final

from ingest.loaders.draft import Lines

_MOST_ENCODED_LINE: Final = 1_000
_MOST_HEAD_BYTES: Final = 65_536
"""The distance to look for the body that follows headers with the same words."""

_BLANK: Final = (b"\n\n", b"\n\r\n")


class Part(Message):
    """A message, or a part of one, that keeps its body as it is written in the file."""

    _body: str | None = None

    def set_payload(self, payload: Any, charset: Any = None) -> None:
        """Take the body; the parser gives that of a part without parts as a text."""
        super().set_payload(payload, charset)
        self._body = payload if isinstance(payload, str) else None

    @property
    def written(self) -> bytes:
        """The bytes of the body, undecoded; none if it consists of parts."""
        return (self._body or "").encode("utf-8", "surrogateescape")


class PartLines:
    """The lines of the parts of a message, which begins at `first_line` of its file.

    `data` are the bytes of the message, and each line of them is one of the file. Its parts come in
    their order.
    """

    def __init__(self, data: bytes, message: Message, *, first_line: int = 1) -> None:
        self._data = data
        self._first_line = first_line
        self._line_of = dict(self._found(message))

    def head(self) -> Lines:
        """The lines of the headers of the message."""
        ends = [at for end in _BLANK if (at := self._data.find(end)) >= 0]
        if not ends:
            return ()
        return [(self._first_line, self._first_line + self._data.count(b"\n", 0, min(ends)))]

    def of(self, part: Message) -> Lines:
        """The line of each line of a text, which may be encoded; none for a part without text."""
        first = self._line_of.get(part)
        if first is None or not isinstance(part, Part):
            return ()
        lines = _lines_of(part.written, str(part.get("content-transfer-encoding", "")), part)
        return [(first + number, first + number) for number in lines]

    def _found(self, message: Message) -> Iterator[tuple[Message, int]]:
        """Yield each part that has a body, with the line where that begins."""
        end, counted, line = 0, 0, self._first_line
        for part in message.walk():
            raw = part.written if isinstance(part, Part) else b""
            at = self._start(raw, end, part) if raw else -1
            if at >= 0:
                line += self._data.count(b"\n", counted, at)
                end, counted = at + len(raw), at
                yield part, line

    def _start(self, raw: bytes, after: int, part: Message) -> int:
        """The byte where a body begins: behind a blank line, if its words are in headers, too."""
        at = self._data.find(raw, after)
        if at < 0 or self._data[max(0, at - 3) : at].endswith(_BLANK):
            return at
        if any(isinstance(each, MissingHeaderBodySeparatorDefect) for each in part.defects):
            return at
        most = at + _MOST_HEAD_BYTES + len(raw)
        found = [
            start + len(blank)
            for blank in _BLANK
            if (start := self._data.find(blank + raw, after, most)) >= 0
        ]
        return min(found, default=at)


def _lines_of(raw: bytes, encoding: str, part: Message) -> list[int]:
    """The line in `raw`, from 0, where each line of the decoded text begins."""
    kind = encoding.strip().lower()
    if kind == "quoted-printable":
        return _quoted(raw)
    if kind == "base64":
        return _base64(raw, part)
    return list(range(raw.count(b"\n") + 1))


def _quoted(raw: bytes) -> list[int]:
    lines = [0]
    for number, line in enumerate(raw.split(b"\n")):
        lines += [number] * line.upper().count(b"=0A")
        if not line.rstrip(b" \t\r").endswith(b"="):
            lines.append(number + 1)
    return lines[:-1] if lines[1:] else lines


def _base64(raw: bytes, part: Message) -> list[int]:
    """Lines of equal length hold equally many bytes, three in four characters."""
    decoded = part.get_payload(decode=True)
    width = len(raw.lstrip().split(b"\n", 1)[0].strip()) * 3 // 4
    blank = raw[: len(raw) - len(raw.lstrip())].count(b"\n")
    if not isinstance(decoded, bytes) or not 0 < width <= _MOST_ENCODED_LINE:
        return []
    lines, at = [blank], 0
    while (at := decoded.find(b"\n", at) + 1) > 0:
        lines.append(blank + at // width)
    return lines
