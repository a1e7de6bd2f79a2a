"""The parts of a text that share a heading path, and the joining of small ones."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

Headings = tuple[str, ...]

Heading = tuple[int, int, int, str]
"""Level, start of the heading, start of the line after it, title."""


@dataclass(frozen=True, slots=True)
class Section:
    """`text[start:end]`; the sections of a text follow each other without a gap.

    `heading_ends` has, for each heading at the section's start, the start of the line after it;
    their titles are the last ones of `headings`. Definitions have none, as their first line belongs
    to the body. `is_preamble` marks text before the first heading. `signature` is that of a
    definition; it replaces the name above pieces that do not begin with it.
    """

    start: int
    end: int
    headings: Headings = ()
    heading_ends: tuple[int, ...] = ()
    is_preamble: bool = False
    signature: str = ""

    @property
    def body(self) -> int:
        """The end of the heading lines."""
        return self.heading_ends[-1] if self.heading_ends else self.start

    @property
    def later_headings(self) -> Headings:
        """The headings of all pieces but the first."""
        return (*self.headings[:-1], self.signature) if self.signature else self.headings

    @property
    def size_chars(self) -> int:
        return self.end - self.start


def headed_sections(text: str, headings: list[Heading], top: Headings = ()) -> list[Section]:
    """A section from each heading to the next, below `top`.

    A heading directly followed by a deeper one opens a section together with it. Text before the
    first heading belongs to it if it is the document's title (level 1).
    """
    first = headings[0][1] if headings else len(text)
    sections: list[Section] = []
    if text[:first].strip():
        is_titled = bool(headings) and headings[0][0] == 1
        path_above = (headings[0][3],) if is_titled else top
        sections.append(Section(0, first, path_above, is_preamble=True))
    path: list[tuple[int, str]] = []
    start = first
    ends: tuple[int, ...] = ()
    for index, (level, _, body, title) in enumerate(headings):
        del path[bisect_right(path, level, key=lambda item: item[0] + 1) :]
        path.append((level, title))
        ends = (*ends, body)
        following = headings[index + 1] if index + 1 < len(headings) else None
        end = following[1] if following else len(text)
        if following and following[0] > level and not text[body:end].strip():
            continue
        sections.append(Section(start, end, (*top, *(name for _, name in path)), ends))
        start, ends = end, ()
    return sections


def line_end(text: str, line: int) -> int:
    """The end of the line that starts at `line`, before its line feed."""
    end = text.find("\n", line)
    return len(text) if end < 0 else end


def split_at(text: str, sections: Iterable[Section], starts: Sequence[int]) -> Iterator[Section]:
    """Split sections at these offsets, which rise; headings stay with the text below them."""
    for section in sections:
        at, rest = section.start, section
        inside = slice(bisect_right(starts, at), bisect_left(starts, section.end))
        for start in starts[inside]:
            if text[max(at, section.body) : start].strip():
                yield replace(rest, end=start)
                at, rest = start, Section(start, section.end, section.later_headings)
        yield rest


def join_small(
    sections: Iterable[Section],
    size_chars: int,
    *,
    below_one_heading: bool,
    apart: Collection[int] = (),
) -> Iterator[Section]:
    """Join neighbours that are too small to be found on their own.

    Two join when each is under half of `size_chars` and one under a quarter, and when the second is
    a sibling or a descendant of the first. The result has their common path, so titles below it
    stay in the body. `below_one_heading` forbids an empty common path. Text before the first
    heading or definition takes the path of the text after it. A section that begins at one of
    `apart` does not join the one before it.
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
            section.start not in apart
            and _are_small(group.size_chars, section.size_chars, size_chars)
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
