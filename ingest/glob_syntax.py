"""The syntax of git's patterns: a line of an ignore file, and the steps of its glob.

The rules are those of git's own matcher (gitignore(5), wildmatch.c), with its corner cases: a
class without its end matches nothing, `**` is special only between slashes, and a pattern without a
slash is about the name alone. A pattern is a text whose characters stand for whatever the caller
compares: characters, or bytes.
"""

import string
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from contracts.named_tuple import NamedTuple

_WILD: Final = frozenset("*?[\\")


class Wild(Enum):
    """A step that any number of characters fit."""

    STAR = "*"
    """Any characters but slashes."""

    ANYTHING = "**"
    """Any characters."""

    FOLDERS = "**/"
    """No folder, or any number of them with their slashes."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """A step that one character fits, never a slash. `ranges` hold their first and last one."""

    ranges: tuple[tuple[str, str], ...]
    is_negated: bool = False

    def fits(self, char: str) -> bool:
        """Return whether the character fits."""
        found = any(low <= char <= high for low, high in self.ranges)
        return found != self.is_negated and char != "/"


ANY: Final = OneOf((), is_negated=True)
"""The step `?`."""

Step: TypeAlias = Wild | OneOf | str
"""A step of a glob; a text is one character that stands for itself."""

Glob: TypeAlias = tuple[Step, ...]


class IgnoreLine(NamedTuple):
    """The rule in a line of an ignore file: it ignores, or brings back, what its glob matches."""

    glob: Glob
    ignores: bool
    by_name: bool
    """The glob is for names; otherwise for paths below the ignore file."""
    folders_only: bool


def read_line(line: str) -> IgnoreLine | None:
    """The rule in a line; None for a comment, and for a pattern that can match nothing."""
    if line.startswith("#"):
        return None
    pattern = _without_trailing_spaces(line.partition("\0")[0])  # git's texts end at a NUL
    ignores = not pattern.startswith("!")
    pattern = pattern if ignores else pattern[1:]
    folders_only = pattern.endswith("/")
    pattern = pattern[:-1] if folders_only else pattern
    by_name = "/" not in pattern
    glob = parse_glob(pattern.removeprefix("/"))
    return IgnoreLine(glob, ignores, by_name, folders_only) if glob else None


def _without_trailing_spaces(line: str) -> str:
    """A line without the spaces at its end that no backslash protects."""
    bare = line.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return line[: len(bare) + 1] if backslashes % 2 else bare


def parse_glob(pattern: str) -> Glob | None:
    """The steps of a pattern; None if it can match nothing."""
    plain = next((at for at, char in enumerate(pattern) if char in _WILD), len(pattern))
    steps: list[Step] = list(pattern[:plain])
    at = plain
    while at < len(pattern):
        if pattern[at] == "*":
            step, at = _stars(pattern, at, first=plain)
            if step is not Wild.FOLDERS or not steps or steps[-1] is not step:
                steps.append(step)
            continue
        read = _single(pattern, at)
        if read is None:
            return None
        steps.append(read[0])
        at = read[1]
    return tuple(steps)


def _single(pattern: str, at: int) -> tuple[Step, int] | None:
    """The step for one character at `at`, and where the next one begins."""
    char = pattern[at]
    if char == "?":
        return ANY, at + 1
    if char == "[":
        return _class(pattern, at + 1)
    if char == "\\":
        return (pattern[at + 1], at + 2) if at + 1 < len(pattern) else None
    return char, at + 1


def _stars(pattern: str, start: int, *, first: int) -> tuple[Wild, int]:
    """The step of the stars at `start`.

    Git compares the characters before the first wildcard on their own, so that stars there count
    as the beginning of the pattern.
    """
    end = start
    while end < len(pattern) and pattern[end] == "*":
        end += 1
    is_open = start == first or pattern[start - 1] == "/"
    if end - start == 1 or not is_open:
        return Wild.STAR, end
    if pattern[end : end + 1] == "/":
        return Wild.FOLDERS, end + 1
    if end == len(pattern) or pattern[end : end + 2] == "\\/":
        return Wild.ANYTHING, end
    return Wild.STAR, end


def _class(pattern: str, at: int) -> tuple[OneOf, int] | None:
    """The class whose first character is at `at`, and where it ends; None without an end."""
    is_negated = pattern[at : at + 1] in ("!", "^") and at < len(pattern)
    at += is_negated
    ranges: list[tuple[str, str]] = []
    low = ""  # the character before, which can begin a range
    is_first = True
    while is_first or pattern[at : at + 1] != "]":
        is_first = False
        read = _member(pattern, at, low)
        if read is None:
            return None
        found, low, at = read
        ranges += found
    return OneOf(tuple(ranges), is_negated), at + 1


def _member(pattern: str, at: int, low: str) -> tuple[list[tuple[str, str]], str, int] | None:
    """A member of a class: its ranges, the character that can begin a range, and its end."""
    char = pattern[at : at + 1]
    if char == "-" and low and pattern[at + 1 : at + 2] not in ("", "]"):
        read = _escaped(pattern, at + 1)
        return None if read is None else ([(low, read[0])], "", read[1])
    if char == "[" and pattern[at + 1 : at + 2] == ":":
        end = pattern.find("]", at + 2)
        if end < 0:
            return None
        if end - 1 >= at + 2 and pattern[end - 1] == ":":
            named = _NAMED.get(pattern[at + 2 : end - 1])
            return None if named is None else (named, "", end + 1)
    read = _escaped(pattern, at)
    return None if read is None else ([(read[0], read[0])], *read)


def _escaped(pattern: str, at: int) -> tuple[str, int] | None:
    """The character at `at`, or after a backslash there, and its end; None without one."""
    at += pattern[at : at + 1] == "\\"
    return (pattern[at], at + 1) if at < len(pattern) else None


def _ranges(members: str) -> list[tuple[str, str]]:
    return [(char, char) for char in members]


_NAMED: Final[dict[str, list[tuple[str, str]]]] = {
    "alnum": _ranges(string.ascii_letters + string.digits),
    "alpha": [("a", "z"), ("A", "Z")],
    "blank": _ranges(" \t"),
    "cntrl": [("\0", "\x1f"), ("\x7f", "\x7f")],
    "digit": [("0", "9")],
    "graph": [("!", "~")],
    "lower": [("a", "z")],
    "print": [(" ", "~")],
    "punct": _ranges(string.punctuation),
    "space": _ranges(" \t\n\r\v\f"),
    "upper": [("A", "Z")],
    "xdigit": _ranges(string.hexdigits),
}
