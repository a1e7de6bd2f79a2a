"""Sections: the parts of a text that share a heading path, and how small ones are joined."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Headings = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """`text[start:end]`; the sections of a text follow each other without a gap.

    `heading_ends` has, for each heading at the section's start, the start of the line after it;
    their titles are the last ones of `headings`. Definitions have none, as their first line belongs
    to the body. `is_preamble` marks what stands before the first heading.
    """

    start: int
    end: int
    headings: Headings = ()
    heading_ends: tuple[int, ...] = ()
    is_preamble: bool = False

    @property
    def body(self) -> int:
        """Where the heading lines end."""
        return self.heading_ends[-1] if self.heading_ends else self.start

    @property
    def size_chars(self) -> int:
        return self.end - self.start


def join_small(
    sections: Iterable[Section], size_chars: int, *, below_one_heading: bool
) -> Iterator[Section]:
    """Join neighbours that are too small to be found on their own.

    Two join when each is under half of `size_chars` and one under a quarter, and when the second is
    a sibling or a descendant of the first. The result has their common path, so titles below it
    stay in the body. `below_one_heading` forbids an empty common path. What stands before the first
    heading or definition takes the path of what follows.
    """
    group: Section | None = None
    first_depth, is_single = 0, True
    for section in sections:
        if group is None:
            group, first_depth, is_single = section, len(section.headings), True
            continue
        path = _common(group.headings, section.headings)
        if is_single and (group.is_preamble or not group.headings):
            path = section.headings
        if (
            _are_small(group.size_chars, section.size_chars, size_chars)
            and len(path) >= first_depth - 1
            and (path or not below_one_heading)
        ):
            lost = max(0, len(group.headings) - len(path))
            ends = group.heading_ends[: max(0, len(group.heading_ends) - lost)]
            group, is_single = Section(group.start, section.end, path, ends), False
        else:
            yield group
            group, first_depth, is_single = section, len(section.headings), True
    if group is not None:
        yield group


def _are_small(one: int, other: int, size_chars: int) -> bool:
    return max(one, other) * 2 < size_chars and min(one, other) * 4 < size_chars


def _common(one: Headings, other: Headings) -> Headings:
    shared = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        shared += 1
    return one[:shared]
