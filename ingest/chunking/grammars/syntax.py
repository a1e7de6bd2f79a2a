"""Find the definitions of a source text by the grammar of its language.

It runs in the process of `parser_child.py` only: a parser of broken text can take all memory, or
crash. The tree is walked from the outside in, no further than the bodies of types and modules, so
that a function costs the same whatever is in it.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from contracts.named_tuple import NamedTuple
from ingest.chunking.grammars.definitions import (
    BODIES,
    MAX_DEPTH,
    TYPES,
    Path,
    definition_of,
    signature_of,
    titles_of,
)

if TYPE_CHECKING:
    from tree_sitter import Language, Node

GRAMMARS: Final = {
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "go": ("tree_sitter_go", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "kotlin": ("tree_sitter_kotlin", "language"),
    "lua": ("tree_sitter_lua", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "python": ("tree_sitter_python", "language"),
    "ruby": ("tree_sitter_ruby", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "scala": ("tree_sitter_scala", "language"),
    "shell": ("tree_sitter_bash", "language"),
    "swift": ("tree_sitter_swift", "language"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
}
"""Our name of a language, the module of its grammar, and the function there that returns it."""

Start = tuple[int, Path, str]
"""The offset in characters, the path of enclosing definitions, and the signature of the innermost
if it starts there.
"""

DefinedName = tuple[int, str]
"""The offset of a definition in characters, and its name below those of its types and modules:
`Session.request`.
"""


class ParsedSource(NamedTuple):
    """The starts of the sections of a text, and its definitions; both rising."""

    starts: list[Start]
    names: list[DefinedName]


_GROUPS: Final = frozenset(
    {
        *("ERROR", "linkage_specification", "preproc_if", "preproc_ifdef"),
        *("preproc_else", "preproc_elif", "if_statement", "elif_clause", "else_clause"),
        *("try_statement", "except_clause", "finally_clause", "with_statement"),
        *("foreign_mod_item", *BODIES),
    }
)
"""Unnamed nodes that contain definitions."""
_LEADING: Final = frozenset(
    {
        *("comment", "line_comment", "block_comment", "multiline_comment", "attribute_item"),
        *("decorator", "access_specifier", "identifier"),  # the last is Ruby's `private`
    }
)
"""Nodes that belong to the definition below them."""
_TYPE_ARGUMENTS: Final = re.compile(r"<[^<>]*>")
_JOINT: Final = re.compile(r"::|[.:#\\]")
_NAME: Final = re.compile(r"[^\W\d][\w$?!=']*|[$@~][\w$]+|operator\W+")


def parse(text: str, language: str, size_chars: int) -> ParsedSource | None:
    """The starts of a text's sections, and its definitions.

    A type that fits into `size_chars` is one section. None if the grammar does not fit: more than
    half is broken, or something is broken and no definition is found.
    """
    from tree_sitter import Parser

    data = text.encode()
    tree = Parser(_grammar(language)).parse(data)
    walk = _Walk(data, size_chars)
    found = list(walk.sections(tree.root_node, (), depth=0))
    is_unread = tree.root_node.has_error and not any(path for _, path, _ in found)
    if is_unread or walk.broken_bytes * 2 > len(data):
        return None
    if len(data) == len(text):
        return ParsedSource(found, walk.names)
    places = _in_characters(data, [start for start, *_ in found])
    named = _in_characters(data, [start for start, _ in walk.names])
    return ParsedSource(
        [
            (place, path, signature)
            for place, (_, path, signature) in zip(places, found, strict=True)
        ],
        [(place, name) for place, (_, name) in zip(named, walk.names, strict=True)],
    )


def qualified_name(path: Path) -> str:
    """The names of a path of definitions joined by dots; empty if one has no name.

    Only the type of `impl Trait for Type` counts, and type arguments do not.
    """
    names: list[str] = []
    for title in path:
        words = _TYPE_ARGUMENTS.sub("", title).split()
        names += _JOINT.split(words[-1].strip("*&")) if words else [""]
    return ".".join(names) if all(map(_NAME.fullmatch, names)) else ""


@cache
def _grammar(language: str) -> "Language":
    from tree_sitter import Language

    module, function = GRAMMARS[language]
    return Language(getattr(import_module(module), function)())


def _in_characters(data: bytes, offsets: list[int]) -> Iterator[int]:
    at = characters = 0
    for offset in offsets:
        characters += len(data[at:offset].decode())
        at = offset
        yield characters


class _Walk:
    """One walk through a tree: it notes definitions, and counts bytes that cannot be read."""

    def __init__(self, data: bytes, size_chars: int) -> None:
        self._data = data
        self._size = size_chars
        self._next = 0  # where the next section may start
        self.broken_bytes = 0
        self.names: list[DefinedName] = []

    def sections(self, parent: "Node", path: Path, *, depth: int) -> Iterator[Start]:
        """Each definition below `parent`, and each place where something else follows one."""
        leading: int | None = None
        is_open = False  # the latest section started with a definition
        for node in parent.named_children:
            start = node.start_byte if leading is None else leading
            if node.type in _LEADING:
                leading = None if self._line(start) is None else start
                continue
            leading = None
            definition = definition_of(node)
            if definition is not None:
                inner = (*path, *titles_of(definition))
                if name := qualified_name(inner):
                    self.names.append((definition.start_byte, name))
                yield from self._begin(start, inner, signature_of(definition))
                yield from self._members(definition, start, inner, depth)
                is_open = True
                continue
            if is_open:
                yield from self._begin(start, path)
                is_open = False
            if node.type in _GROUPS and depth < MAX_DEPTH:
                if node.is_error:
                    self.broken_bytes += node.end_byte - node.start_byte
                before = self._next
                yield from self.sections(node, path, depth=depth + 1)
                is_open = self._next > before

    def _members(self, node: "Node", start: int, path: Path, depth: int) -> Iterator[Start]:
        if node.type not in TYPES or depth >= MAX_DEPTH:
            return
        fits = self._fits(start, node.end_byte)
        for child in node.named_children:
            if child.type in BODIES:
                inner = self.sections(child, path, depth=depth + 1)
                if fits:  # no section begins inside, but the names there count
                    self._skip(inner)
                else:
                    yield from inner

    def _skip(self, sections: Iterator[Start]) -> None:
        following = self._next
        for _ in sections:
            pass
        self._next = following

    def _begin(self, at: int, path: Path, signature: str = "") -> Iterator[Start]:
        line = self._line(at)
        if line is not None and line >= self._next:
            self._next = line + 1
            yield line, path, signature

    def _line(self, at: int) -> int | None:
        """The start of the line if `at` is its first visible character."""
        line = at
        while line and self._data[line - 1] in b" \t":
            line -= 1
        return line if not line or self._data[line - 1 : line] == b"\n" else None

    def _fits(self, start: int, end: int) -> bool:
        if end - start > 4 * self._size:
            return False
        return end - start <= self._size or len(self._data[start:end].decode()) <= self._size
