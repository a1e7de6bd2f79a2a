"""The lines of a message's file that the text of its parts is from."""

from email.message import Message
from typing import Final

from ingest.loaders.draft import Lines

_MOST_ENCODED_LINE: Final = 1_000


class PartLines:
    """Finds the parts of a file, which come in the order of its bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._line = 1

    def start_at(self, at: int) -> None:
        """Go on to the byte where a message begins."""
        if at > self._at:
            self._line += self._data.count(b"\n", self._at, at)
            self._at = at

    def head(self) -> Lines:
        """The lines of the headers of the message that begins here."""
        ends = [at for end in (b"\n\n", b"\n\r\n") if (at := self._data.find(end, self._at)) >= 0]
        if not ends:
            return ()
        return [(self._line, self._line + self._data.count(b"\n", self._at, min(ends)))]

    def of(self, part: Message) -> Lines:
        """The line of each line of a text, which may be encoded; none for a part of another file.

        The next part is looked for after this one.
        """
        written = part.get_payload()
        if not isinstance(written, str) or not written:
            return ()
        raw = written.encode("ascii", "surrogateescape") if _is_plain(written) else b""
        at = self._data.find(raw, self._at) if raw else -1
        if at < 0:
            return ()
        self.start_at(at)
        lines = _lines_of(raw, str(part.get("content-transfer-encoding", "")), part)
        return [(self._line + number, self._line + number) for number in lines]


def _is_plain(text: str) -> bool:
    return all(ord(char) < 128 or 0xDC80 <= ord(char) <= 0xDCFF for char in set(text))


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
