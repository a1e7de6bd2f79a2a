"""The outline of source code: one section for each definition.

The language's grammar finds them if it is installed and fits the text. Otherwise the layout of the
lines does: broken and mixed files are cut as well, and a misleading layout only moves the start of
a piece; nothing is lost.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from ingest.chunking.grammars.definitions import Path
from ingest.chunking.grammars.parsing import parsed_source
from ingest.chunking.grammars.syntax import GRAMMARS, DefinedName, Start, qualified_name
from ingest.chunking.sections import Headings, Section

_MAX_NAME_CHARS: Final = 200

# The indentation is possessive: trying every shorter one costs more than all the rest.
_PYTHON: Final = deferred(
    r"\n(?:(?P<indent>[ \t]*+)(?=[@dca])"
    r"(?:(?P<mark>@)|(?:async[ \t]+)?(?P<kind>def|class)[ \t]+(?P<name>\w+))"
    r"|(?P<other>[^\s#)\]}@]))"
)
_LONG_QUOTES: Final = deferred(r"\"\"\"|'''")
# A line at the left edge after a blank line, or after a line that closes a block there.
_TOP_LEVEL: Final = deferred(r"\n[ \t\r]*\n\s*|\n[})\]][^\n]*\n")
_KEYWORD_NAME: Final = deferred(
    r"^(?:[\w@]+(?:\([^()\n]*\))?[ \t]+){0,6}?"
    r"(?:func|fun|fn|function|def|defp|defmodule|class|struct|enum|union|trait|interface|impl"
    r"|type|module|namespace|sub|object|protocol|extension|record|contract|message|service"
    r"|macro_rules!|local[ \t]+function"
    r"|create[ \t]+(?:or[ \t]+replace[ \t]+)?(?:table|view|function|procedure|trigger|index))"
    r"(?:[ \t]*\*?[ \t]+|[ \t]*<[^<>\n]*>[ \t]*|[ \t]*\([^()\n]*\)[ \t]*)"
    r"(?P<name>[A-Za-z_$][\w$.:]*)",
    re.IGNORECASE,
)
_ASSIGNED_NAME: Final = deferred(
    r"^(?:export[ \t]+)?(?:default[ \t]+)?(?:const|let|var)[ \t]+(?P<name>[\w$]+)[^=\n]*=[ \t]*"
    r"(?:async\b|function\b|class\b|\(|[\w$]+[ \t]*=>)"
)
_CALLABLE_NAME: Final = deferred(
    r"^(?:[A-Za-z_][\w:<>,\[\]]*[\s*&]+){0,6}?(?P<name>[A-Za-z_~][\w:~]*)[ \t]*"
    r"\([^;{}]*\)[\w \t\r\n]*\{"
)
_COMMENT: Final = deferred(
    r"(?:[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|(?://|#|--|;|%|@)[^\n]*)[ \t\r]*\n)*"
)
_NO_NAMES: Final = frozenset(
    {"if", "for", "while", "switch", "catch", "return", "else", "do", "try", "with", "case"}
)
_HEAD_CHARS: Final = 600
_BRACE_LANGUAGES: Final = frozenset(
    {"c", "cpp", "csharp", "d", "dart", "java", "objective-c", "shell", "groovy", "php", "awk"}
)
_DATA_LANGUAGES: Final = frozenset({"css", "dockerfile", "make", "yaml"})


class CodeOutline(NamedTuple):
    """The sections of a source text, in order and without a gap, and its definitions."""

    sections: list[Section]
    names: list[DefinedName]


def code_outline(text: str, language: str | None, size_chars: int) -> CodeOutline:
    """The outline of a source text.

    Functions and methods, below their types and modules; the lines of a type up to its first method
    are a section, and a type that fits into `size_chars` is one section.
    """
    parsed = parsed_source(text, language, size_chars) if language in GRAMMARS else None
    if parsed is not None:
        return CodeOutline(_between(parsed.starts, len(text)), parsed.names)
    sections = by_look(text, language)
    named = ((section.start, qualified_name(section.headings)) for section in sections)
    return CodeOutline(sections, _first_of_each([(start, name) for start, name in named if name]))


def _first_of_each(names: list[DefinedName]) -> list[DefinedName]:
    """Leave out repetitions: the lines after a method, too, are below the name of its type."""
    first = {name: start for start, name in reversed(names)}
    return [(start, name) for start, name in names if first[name] == start]


def by_look(text: str, language: str | None) -> list[Section]:
    """The sections by the layout of the lines, for texts without a grammar.

    Python as above, but without the rule for types that fit; in other languages the named blocks at
    the left edge.
    """
    if language == "python":
        starts = _python_starts(text)
    elif language in _DATA_LANGUAGES:
        starts = iter(())
    else:
        starts = _block_starts(text, language)
    return _between(((start, path, "") for start, path in starts), len(text))


def _between(starts: Iterable[Start], end: int) -> list[Section]:
    sections: list[Section] = []
    at, signature = 0, ""
    path: Path = ()
    for start, following, of_following in starts:
        if start > at:
            sections.append(Section(at, start, path, signature=signature))
        at, path, signature = start, following, of_following
    sections.append(Section(at, end, path, signature=signature))
    return sections


def _python_starts(text: str) -> Iterator[tuple[int, Headings]]:
    """The start of each section (at the decorators and comments above it), and its path."""
    stack: list[tuple[int, str, bool]] = []
    decorated: int | None = None
    for found in _python_lines("\n" + text):
        line = found.start()
        if found["mark"]:
            decorated = line if decorated is None else decorated
            continue
        if found["other"]:
            decorated = None
            if stack:
                stack.clear()
                yield line, ()
            continue
        indent = len(found["indent"].expandtabs())
        while stack and stack[-1][0] >= indent:
            stack.pop()
        if all(is_class for _, _, is_class in stack):
            start = _with_comments(text, line if decorated is None else decorated)
            stack.append((indent, found["name"], found["kind"] == "class"))
            yield start, tuple(name for _, name, _ in stack)
        decorated = None


def _python_lines(padded: str) -> Iterator[re.Match[str]]:
    """The lines that may start or end a definition, outside triple-quoted strings."""
    strings = _long_strings(padded)
    start, end = next(strings)
    at = 0
    while found := _PYTHON.search(padded, at):
        line = found.start()
        while end <= line:
            start, end = next(strings)
        if start < line:
            at = end
        else:
            at = line + 2 if found["other"] else found.end()
            yield found


def _long_strings(text: str) -> Iterator[tuple[int, int]]:
    """The starts and ends of triple-quoted strings; the last one is past the end of the text.

    An unclosed one is ignored.
    """
    at = 0
    while found := _LONG_QUOTES.search(text, at):
        at = found.end()
        closing = text.find(found[0], at)
        if closing < 0:
            break
        at = closing + 3
        yield found.start(), at
    yield len(text), len(text) + 1


def _with_comments(text: str, line: int) -> int:
    """The start of the comment lines directly above `line`."""
    while line:
        above = text.rfind("\n", 0, line - 1) + 1
        if not text[above:line].lstrip().startswith("#"):
            break
        line = above
    return line


def _block_starts(text: str, language: str | None) -> Iterator[tuple[int, Headings]]:
    """Blocks at the left edge; unnamed neighbours stay together."""
    is_named = True
    for start in _left_edges(text):
        name = _name_of(text, start, language)
        if name:
            yield start, (name,)
        elif is_named:
            yield start, ()
        is_named = bool(name)


def _left_edges(text: str) -> Iterator[int]:
    yield 0
    at = 0
    while found := _TOP_LEVEL.search(text, at):
        end = found.end()
        at = end - 1 if text[end - 1] == "\n" else end
        if end < len(text) and text[end - 1] == "\n" and text[end] not in " \t\r\n)]}":
            yield end


def _name_of(text: str, start: int, language: str | None) -> str | None:
    head = text[start : start + _HEAD_CHARS]
    head = head[_COMMENT.match(head).end() :]  # type: ignore[union-attr]  # matches always
    found = _CALLABLE_NAME.match(head) if language in _BRACE_LANGUAGES else None
    found = found or _KEYWORD_NAME.match(head) or _ASSIGNED_NAME.match(head)
    if found is None or found["name"] in _NO_NAMES:
        return None
    return found["name"].rstrip(":.")[:_MAX_NAME_CHARS] or None
