"""Name the place of a part of a text: pages, slides, sheets; and find it again by that name."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from ingest.loaders.base import Place

_NUMBERED: Final = re.compile(r"([a-z]+) (\d+)")
_SEVERAL: Final = re.compile(r"([a-z]+)s (\d+)-(\d+)")


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
