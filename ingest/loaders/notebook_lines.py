"""The lines of a notebook's file that its cells are from: those of their JSON."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Final

from contracts.named_tuple import NamedTuple

_BLANKS: Final = re.compile(r"[ \t\n\r]*")
_DECODER: Final = json.JSONDecoder()


class CellLines(NamedTuple):
    """The line of each line of a cell's source, and the first and last line of its output."""

    source: list[tuple[int, int]]
    output: list[tuple[int, int]]


def lines_of_cells(text: str) -> list[CellLines]:
    """The lines of each cell that is an object, in order; none for cells in worksheets.

    `text` is valid JSON, an object.
    """
    newlines = [found.start() for found in re.finditer("\n", text)]
    cells = dict(_members(text, _after_blanks(text, 0))).get("cells")
    if cells is None or text[cells[0]] != "[":
        return []
    return [
        _cell_lines(text, begin, newlines)
        for begin, _, value in _items(text, cells[0])
        if isinstance(value, dict)
    ]


def _cell_lines(text: str, begin: int, newlines: Sequence[int]) -> CellLines:
    members = dict(_members(text, begin))
    source, output = members.get("source", members.get("input")), members.get("outputs")
    lines: list[tuple[int, int]] = []
    if source is not None and text[source[0]] == "[":
        starts_line = True
        for at, _, value in _items(text, source[0]):
            if isinstance(value, str):
                line = _line(newlines, at)
                number = value.count("\n") + starts_line - value.endswith("\n")
                lines += [(line, line)] * number
                starts_line = value.endswith("\n")
    elif source is not None:
        line = _line(newlines, source[0])
        lines.append((line, line))
    printed = [(_line(newlines, output[0]), _line(newlines, output[1] - 1))] if output else []
    return CellLines(lines, printed)


def _line(newlines: Sequence[int], at: int) -> int:
    return bisect_right(newlines, at) + 1


def _members(text: str, begin: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """The keys of the object that begins there, each with the begin and the end of its value."""
    at = _after_blanks(text, begin + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        at = _after_blanks(text, _after_blanks(text, at) + 1)
        _, end = _DECODER.raw_decode(text, at)
        yield key, (at, end)
        at = _next(text, end)


def _items(text: str, begin: int) -> Iterator[tuple[int, int, Any]]:
    """The begin, the end and the value of each item of the list that begins there."""
    at = _after_blanks(text, begin + 1)
    while text[at] != "]":
        value, end = _DECODER.raw_decode(text, at)
        yield at, end, value
        at = _next(text, end)


def _next(text: str, at: int) -> int:
    at = _after_blanks(text, at)
    return _after_blanks(text, at + 1) if text[at] == "," else at


def _after_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return at if found is None else found.end()
