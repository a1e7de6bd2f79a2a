"""Read JSON larger than memory, one value of its outermost list at a time.

Exports of chats are one list of conversations, often on one line, of several hundred megabytes.
Only the current value and the text read ahead are held.
"""

import codecs
import json
import re
from collections.abc import Iterator
from typing import Final, Protocol

from contracts.errors import InputError

_READ_BYTES: Final = 1 << 20
_MOST_CHARS: Final = 1 << 26
"""The most characters of one value, or of one line; a larger one is not something that was said."""

_CUT_CHARS: Final = 16
"""A mistake this near to the end of the text read so far may be caused by its end."""

_DECODER: Final = json.JSONDecoder(strict=False)
_MARK: Final = re.compile(r"[^ \t\r\n]")
HINT: Final = "export the file again, or remove the damaged part"


class ByteStream(Protocol):
    """A file or a member of an archive, opened for its bytes."""

    def read(self, size: int = -1, /) -> bytes: ...

    def readline(self, limit: int = -1, /) -> bytes: ...


def values(stream: ByteStream, *, most_chars: int = _MOST_CHARS) -> Iterator[object]:
    """The values of the list that the text is; otherwise the text's values one by one.

    Raises InputError, after the values before it, for invalid JSON.
    """
    window = _Window(stream, most_chars)
    is_list = window.peek() == "["
    if is_list:
        window.skip()
    while mark := window.peek():
        if is_list and mark == "]":
            return
        if mark == ",":
            window.skip()
        else:
            yield window.value()
    if is_list:
        raise InputError("the file ends before its list does", hint=HINT)


def numbered_lines(
    stream: ByteStream, *, most_bytes: int = _MOST_CHARS
) -> Iterator[tuple[int, object | InputError]]:
    """The value of every line that is not blank, or its error; lines count from 1."""
    number = 0
    while line := stream.readline(most_bytes):
        number += 1
        if len(line) == most_bytes and not line.endswith(b"\n"):
            while (rest := stream.readline(_READ_BYTES)) and not rest.endswith(b"\n"):
                pass
            yield number, InputError(f"it has more than {most_bytes:,} bytes", hint=HINT)
        elif text := line.decode("utf-8-sig", "replace").strip():
            yield number, _value_of(text)


def _value_of(text: str) -> object | InputError:
    try:
        found: object = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        return InputError(f"it is not JSON: {_said(error)}", hint=HINT)
    return found


class _Window:
    """The part of a text being read."""

    def __init__(self, stream: ByteStream, most_chars: int) -> None:
        self._stream = stream
        self._most_chars = most_chars
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._text = ""
        self._at = 0
        self._dropped = 0
        self._is_all = False

    def peek(self) -> str:
        """The next non-blank character; empty at the end."""
        while True:
            if found := _MARK.search(self._text, self._at):
                self._at = found.start()
                return found[0]
            self._at = len(self._text)
            if self._is_all:
                return ""
            self._read(_READ_BYTES)

    def skip(self) -> None:
        self._at += 1

    def value(self) -> object:
        """The value that begins here. The text read for it doubles until it is whole."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except (ValueError, RecursionError) as error:
                if self._is_all or not self._may_be_cut(error):
                    place = self._dropped + getattr(error, "pos", self._at)
                    raise InputError(
                        f"it is not JSON at character {place:,}: {_said(error)}", hint=HINT
                    ) from error
            else:
                if end < len(self._text) or self._is_all:
                    self._at = end
                    found: object = value
                    return found
            self._read(max(_READ_BYTES, len(self._text) - self._at))

    def _may_be_cut(self, error: Exception) -> bool:
        if not isinstance(error, json.JSONDecodeError):
            return False
        is_open = error.msg.startswith("Unterminated string")
        return is_open or error.pos >= len(self._text) - _CUT_CHARS

    def _read(self, n_bytes: int) -> None:
        """Read about so many bytes more, but hardly more than one value may have."""
        parts = [self._text[self._at :]]
        room = self._most_chars - len(parts[0])
        if room < 0:
            raise InputError(f"a value has more than {self._most_chars:,} characters", hint=HINT)
        self._dropped += self._at
        for _ in range(0, max(1, min(n_bytes, room)), _READ_BYTES):
            data = self._stream.read(_READ_BYTES)
            self._is_all = not data
            parts.append(self._decoder.decode(data, final=self._is_all))
            if self._is_all:
                break
        self._text = "".join(parts)
        self._at = 0


def _said(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deep"
    return getattr(error, "msg", str(error))
