"""The outline of data that people read as text: JSON, JSON Lines, YAML, TOML, INI.

An entry that fits into a piece, with its closing brackets, is never split; small neighbours share a
piece, and the keys around it are its headings. Only the borders of entries are parsed, not values,
so files with mistakes are cut as well.
"""

import re
from collections.abc import Iterator
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest.chunking.sections import Headings, Section

_MAX_DEPTH: Final = 8
_STRING: Final = r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'"
_JSON_MARK: Final = re.compile(
    rf"{_STRING}|\\.|//[^\n]*|/\*(?:[^*]|\*(?!/)){{0,2000}}+\*/|[{{}}\[\],]"
)
"""A backslash outside a string, as in JSON that was quoted itself, takes the next sign with it:
otherwise each quotation mark there would begin a string that runs to the end of the line.
"""
_JSON_KEY: Final = re.compile(
    r"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/)){0,2000}+\*/)*+"
    r"(?:\"(?P<quoted>(?:[^\"\\\n]|\\.){1,200})\"|'(?P<single>[^'\n]{1,200})'"
    r"|(?P<bare>[\w$.-]{1,200}))\s*:"
)
_YAML_LINE: Final = re.compile(r"(?P<indent>[ ]*+)(?=[^\s#])(?P<item>-(?=\s|\Z))?")
_YAML_BREAK: Final = re.compile(r"(?:---|\.\.\.|%)")
_YAML_KEY: Final = re.compile(
    r"[ ]*(?:-[ ]+)*(?P<quote>[\"']?)(?P<name>[^\s\"'#\[\]{}][^:\n]{0,199}?)(?P=quote)"
    r"[ ]*:(?=\s|\Z)"
)
_TABLE: Final = re.compile(
    r"\"\"\"(?:[^\"]|\"(?!\"\"))*+\"\"\"|'''(?:[^']|'(?!''))*+'''"
    r"|^\[\[?[ \t]*(?P<name>[^\[\]\n]{1,200}?)[ \t]*\]\]?[ \t\r]*(?:[#;][^\n]*)?$",
    re.MULTILINE,
)


class _Entry(NamedTuple):
    """The start of an entry, and its key, empty if it has none."""

    start: int
    name: str


def data_sections(text: str, language: str | None, size_chars: int) -> Iterator[Section]:
    """Entries below the keys around them, as many whole ones together as fit into `size_chars`."""
    return _Packer(text, language or "", size_chars).sections((0, 0, len(text)), (), depth=0)


class _Packer:
    """Groups entries of one text into sections."""

    def __init__(self, text: str, language: str, size_chars: int) -> None:
        self._text = text
        self._language = language
        self._size = size_chars

    def sections(
        self, span: tuple[int, int, int], path: Headings, *, depth: int
    ) -> Iterator[Section]:
        """The sections from `begin` to `end` of an entry that starts at `start`.

        The opening of the surrounding entries may lie between the first two.
        """
        begin, start, end = span
        entries = [] if end - begin <= self._size else self._entries(start, end, depth)
        held: list[_Entry] = []
        for index, entry in enumerate(entries):
            after = entries[index + 1].start if index + 1 < len(entries) else end
            is_long = after - entry.start > self._size
            if held and (is_long or after - begin > self._size):
                yield Section(begin, entry.start, _path_of(held, path))
                begin, held = entry.start, []
            if is_long:
                inner = (*path, entry.name) if entry.name else path
                yield from self.sections((begin, entry.start, after), inner, depth=depth + 1)
                begin = after
            else:
                held.append(entry)
        if begin < end:
            yield Section(begin, end, _path_of(held, path))

    def _entries(self, start: int, end: int, depth: int) -> list[_Entry]:
        """The entries directly inside the one that starts at `start`."""
        if depth >= _MAX_DEPTH:
            return []
        if self._language == "yaml":
            return list(_yaml_entries(self._text, start, end, is_inside=depth > 0))
        if self._language in {"ini", "toml"}:
            return [] if depth else list(_tables(self._text))
        if self._language == "jsonl" and not depth:
            return list(_lines(self._text))
        return list(_json_entries(self._text, start, end))


def _path_of(held: list[_Entry], path: Headings) -> Headings:
    return (*path, held[0].name) if len(held) == 1 and held[0].name else path


def _lines(text: str) -> Iterator[_Entry]:
    at = 0
    while at < len(text):
        yield _Entry(at, "")
        at = text.find("\n", at) + 1 or len(text)


def _json_entries(text: str, start: int, end: int) -> Iterator[_Entry]:
    depth = 0
    for found in _JSON_MARK.finditer(text, start, end):
        sign = found[0]
        if sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth <= 0:
                return
        if depth == 1 and sign in "{[,":
            entry = _json_entry(text, found.end(), end)
            if entry is not None:
                yield entry


def _json_entry(text: str, at: int, end: int) -> _Entry | None:
    """The entry after an opening bracket or a comma, from the start of its line if it has one."""
    while at < end and text[at].isspace():
        at += 1
    if at >= end or text[at] in "}]":
        return None
    line = at
    while line and text[line - 1] in " \t":
        line -= 1
    key = _JSON_KEY.match(text, at, end)
    name = (key["quoted"] or key["single"] or key["bare"]) if key else ""
    return _Entry(line if not line or text[line - 1] == "\n" else at, name)


def _yaml_entries(text: str, start: int, end: int, *, is_inside: bool) -> Iterator[_Entry]:
    """The least indented lines, each with the comments above it.

    A list may have the same indentation as its key.
    """
    at = start
    base = -1
    comment: int | None = None
    is_key = False
    is_own = is_inside  # the next line belongs to the entry itself
    while at < end:
        after = text.find("\n", at, end) + 1 or end
        line = _YAML_LINE.match(text, at, after)
        if line is None or _YAML_BREAK.match(text, at):
            if text[at:after].strip() and comment is None:
                comment = at
            elif not text[at:after].strip():
                comment = None
        elif is_own:
            is_own = False
        else:
            indent = len(line["indent"])
            base = indent if base < 0 else base
            if indent <= base and not (is_key and line["item"]):
                key = _YAML_KEY.match(text, at, after)
                is_key = line["item"] is None
                yield _Entry(at if comment is None else comment, key["name"] if key else "")
            comment = None
        at = after


def _tables(text: str) -> Iterator[_Entry]:
    """Tables that begin with a name in square brackets, and the part before the first."""
    last = 0
    for found in _TABLE.finditer(text):
        if found["name"] is None:
            continue
        start = _with_comments(text, found.start())
        if start > 0 and last == 0:
            yield _Entry(0, "")
        if start >= last:
            yield _Entry(start, found["name"])
        last = found.end()


def _with_comments(text: str, line: int) -> int:
    """The start of the comment lines directly above `line`."""
    while line:
        above = text.rfind("\n", 0, line - 1) + 1
        if text[above:line].lstrip()[:1] not in {"#", ";"}:
            break
        line = above
    return line
