"""The complete lines of a file that another program appends to, from where a reader ended."""

import hashlib
import json
from collections.abc import Iterator
from typing import BinaryIO, Final

from contracts.named_tuple import NamedTuple

MOST_LINE_BYTES: Final = 16 * 1024 * 1024
"""The longest line that is read; longer ones hold no message, but an image or a file."""

_SAMPLE_BYTES: Final = 1024
_STEP_BYTES: Final = 1 << 20


class Place(NamedTuple):
    """A place between two lines, and marks of what was before it when it was reached.

    `head` and `tail` are digests of the first and the last bytes before `offset`. `skips`: the
    place is inside a line that is too long.
    """

    offset: int = 0
    head: str = ""
    tail: str = ""
    skips: bool = False


class Line(NamedTuple):
    """A line: its first byte, the byte after its end, and its value, or why it has none."""

    start: int
    end: int
    value: object = None
    fault: str = ""
    skips: bool = False


def place_at(stream: BinaryIO, offset: int, *, skips: bool) -> Place:
    """The place at an offset of this file."""
    stream.seek(0)
    head = stream.read(min(_SAMPLE_BYTES, offset))
    stream.seek(max(0, offset - _SAMPLE_BYTES))
    return Place(offset, _digest(head), _digest(stream.read(min(_SAMPLE_BYTES, offset))), skips)


def is_same(stream: BinaryIO, place: Place) -> bool:
    """Return whether the file still has what was before a place."""
    return place_at(stream, place.offset, skips=place.skips) == place


def lines_after(stream: BinaryIO, place: Place) -> Iterator[Line]:
    """The complete lines after a place.

    A last line without an end counts as complete only if it is an object: no part of one is.
    """
    stream.seek(place.offset)
    start, skips = place.offset, place.skips
    while data := stream.readline(MOST_LINE_BYTES):
        end = start + len(data)
        has_end = data.endswith(b"\n")
        if skips or (len(data) >= MOST_LINE_BYTES and not has_end):
            end, has_end = (end, True) if has_end else _end_of_line(stream, end)
            fault = "" if skips else f"it has more than {MOST_LINE_BYTES:,} bytes"
            skips = not has_end
            yield Line(start, end, fault=fault, skips=skips)
        elif data.strip():
            value, fault = _value_of(data)
            if not has_end and (fault or not isinstance(value, dict)):
                return
            yield Line(start, end, value, fault)
        start = end


def _end_of_line(stream: BinaryIO, at: int) -> tuple[int, bool]:
    """The end of the line in whose middle the stream is, and whether it has one yet."""
    while data := stream.readline(_STEP_BYTES):
        at += len(data)
        if data.endswith(b"\n"):
            return at, True
    return at, False


def _value_of(data: bytes) -> tuple[object, str]:
    try:
        return json.loads(data.decode("utf-8-sig", "replace"), strict=False), ""
    except RecursionError:
        return None, "it is nested too deep"
    except ValueError:
        return None, "it is not JSON"


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()
