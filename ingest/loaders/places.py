"""Name the place of a part of a text: pages, slides, sheets; and find it again by that name."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from ingest.loaders.base import LoadedText, Place, SourceLines

_NUMBERED: Final = re.compile(r"([a-z]+) (\d+)")
_SEVERAL: Final = re.compile(r"([a-z]+)s (\d+)-(\d+)")
_LINES: Final = re.compile(r"(?:(.+), )?(?:source line|row)s? (\d{1,9})(?:-(\d{1,9}))?", re.DOTALL)


def place_between(loaded: LoadedText, start_char: int, end_char: int) -> str | None:
    """The place of `text[start_char:end_char]`: its page, sheet or cell, and the lines or rows of
    the file that it is from: `sheet Q3, rows 4-9`, `source lines 120-134`.

    None for a text that is stored as it is in the file.
    """
    label = label_between(loaded.places, start_char, end_char) if loaded.places else None
    lines = _lines_between(loaded.lines, start_char, end_char)
    if lines is None or (loaded.kind == "table" and label not in _labels(loaded.places)):
        return label
    unit = "row" if loaded.kind == "table" else "source line"
    first, last = lines
    named = f"{unit}s {first}-{last}" if last > first else f"{unit} {first}"
    return f"{label}, {named}" if label else named


def span_of_place(loaded: LoadedText, label: str) -> tuple[int, int] | None:
    """The characters that a label names, as `place_between` writes it; None for an unknown one."""
    end_char = len(loaded.text)
    if span := span_of(loaded.places, label, end_char):
        return span
    found = _LINES.fullmatch(label)
    if found is None:
        return None
    around = span_of(loaded.places, found[1], end_char) if found[1] else (0, end_char)
    first, last = int(found[2]), int(found[3] or found[2])
    if around is None or last < first:
        return None
    ends = [*(each.start_char for each in loaded.lines[1:]), end_char]
    inside = [
        (each.start_char, end)
        for each, end in zip(loaded.lines, ends, strict=False)
        if around[0] <= each.start_char < around[1] and first <= each.last and last >= each.first
    ]
    return (inside[0][0], min(inside[-1][1], around[1])) if inside else None


def _labels(places: Sequence[Place]) -> set[str]:
    return {place.label for place in places}


def _lines_between(
    lines: Sequence[SourceLines], start_char: int, end_char: int
) -> tuple[int, int] | None:
    if not lines:
        return None
    begin = max(bisect_right(lines, start_char, key=_start) - 1, 0)
    end = bisect_right(lines, max(start_char, end_char - 1), key=_start)
    known = [each for each in lines[begin:end] if each.first]
    if not known:
        return None
    return min(each.first for each in known), max(each.last for each in known)


def _start(each: SourceLines) -> int:
    return each.start_char


def label_between(places: Sequence[Place], start_char: int, end_char: int) -> str | None:
    """The place of `text[start_char:end_char]`: `page 3`, `pages 3-4`, `sheet Costs to sheet
    Prices`.

    None if it begins before the first place.
    """
    first = _at(places, start_char)
    last = _at(places, max(start_char, end_char - 1))
    if first < 0:
        return None
    one, other = places[first].label, places[last].label
    if one == other:
        return one
    from_, to = _NUMBERED.fullmatch(one), _NUMBERED.fullmatch(other)
    if from_ and to and from_[1] == to[1]:
        return f"{from_[1]}s {from_[2]}-{to[2]}"
    return f"{one} to {other}"


def span_of(places: Sequence[Place], label: str, end_char: int) -> tuple[int, int] | None:
    """The characters that a label names, as `label_between` writes it; None for an unknown one.

    `end_char` is the end of the text.
    """
    for one, other in _bounds(label):
        named = [index for index, place in enumerate(places) if place.label in (one, other)]
        if named and {places[index].label for index in named} == {one, other}:
            after = named[-1] + 1
            end = places[after].start_char if after < len(places) else end_char
            return places[named[0]].start_char, end
    return None


def _bounds(label: str) -> list[tuple[str, str]]:
    """The first and the last label that a label may mean."""
    bounds = [(label, label)]
    several = _SEVERAL.fullmatch(label)
    if several:
        bounds.append((f"{several[1]} {several[2]}", f"{several[1]} {several[3]}"))
    one, between, other = label.partition(" to ")
    while between:
        bounds.append((one, other))
        more, between, other = other.partition(" to ")
        one = f"{one} to {more}"
    return bounds


def _at(places: Sequence[Place], char: int) -> int:
    return bisect_right(places, char, key=lambda place: place.start_char) - 1
