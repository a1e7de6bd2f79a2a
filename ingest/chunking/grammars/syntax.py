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

Path = tuple[str, ...]
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


_MAX_DEPTH: Final = 12
_MAX_TITLE_CHARS: Final = 200

_FUNCTIONS: Final = frozenset(
    {
        *("function_definition", "function_declaration", "generator_function_declaration"),
        *("function_signature", "method_definition", "method_declaration", "method_signature"),
        *("abstract_method_signature", "constructor_declaration", "destructor_declaration"),
        *("compact_constructor_declaration", "operator_declaration", "indexer_declaration"),
        *("conversion_operator_declaration", "function_item", "function_signature_item"),
        *("macro_definition", "method", "singleton_method", "secondary_constructor"),
        *("init_declaration", "deinit_declaration", "subscript_declaration"),
        *("protocol_function_declaration", "type_declaration", "extension_definition"),
    }
)
_LONG_ONES: Final = frozenset(
    {
        *("property_declaration", "type_alias_declaration", "type_item", "type_definition"),
        *("preproc_function_def", "annotation_type_element_declaration"),
    }
)
"""Node types that are definitions if they have several lines."""
_TYPES: Final = frozenset(
    {
        *("class_declaration", "abstract_class_declaration", "interface_declaration"),
        *("enum_declaration", "record_declaration", "annotation_type_declaration"),
        *("struct_declaration", "trait_declaration", "protocol_declaration"),
        *("object_declaration", "companion_object", "class_definition", "object_definition"),
        *("trait_definition", "enum_definition", "given_definition"),
        *("impl_item", "trait_item", "mod_item", "struct_item", "enum_item", "union_item"),
        *("class_specifier", "struct_specifier", "union_specifier", "enum_specifier"),
        *("namespace_definition", "namespace_declaration", "internal_module"),
        *("module", "class", "singleton_class"),
    }
)
_BODIES: Final = frozenset(
    {
        *("block", "body_statement", "class_body", "declaration_list", "enum_body"),
        *("enum_body_declarations", "enum_class_body", "enum_declaration_list", "interface_body"),
        *("field_declaration_list", "protocol_body", "statement_block", "template_body"),
        *("with_template_body", "annotation_type_body", "compound_statement"),
    }
)
_GROUPS: Final = frozenset(
    {
        *("ERROR", "linkage_specification", "preproc_if", "preproc_ifdef"),
        *("preproc_else", "preproc_elif", "if_statement", "elif_clause", "else_clause"),
        *("try_statement", "except_clause", "finally_clause", "with_statement"),
        *("foreign_mod_item", *_BODIES),
    }
)
"""Unnamed nodes that contain definitions."""
_WRAPPERS: Final = frozenset(
    {
        *("decorated_definition", "export_statement", "template_declaration"),
        "ambient_declaration",
        *("expression_statement", "lexical_declaration", "variable_declaration"),
    }
)
"""Nodes that begin before the single definition in them."""
_LEADING: Final = frozenset(
    {
        *("comment", "line_comment", "block_comment", "multiline_comment", "attribute_item"),
        *("decorator", "access_specifier", "identifier"),  # the last is Ruby's `private`
    }
)
"""Nodes that belong to the definition below them."""
_ASSIGNMENTS: Final[dict[str, tuple[str, str]]] = {
    "variable_declarator": ("name", "value"),
    "assignment_expression": ("left", "right"),
    "assignment_statement": ("", ""),  # of Lua, with a list on each side
    "field_definition": ("property", "value"),
    "public_field_definition": ("name", "value"),
}
"""The fields of the name and of the value, for assignments whose value may be a function."""
_VALUES: Final = frozenset(
    {
        *("arrow_function", "function_expression", "generator_function", "class"),
        *("function_definition", "anonymous_function"),
    }
)
_NAMELESS: Final = frozenset({"subscript_declaration", "extension_definition"})
_DECORATIONS: Final = frozenset(
    {"annotation", "attribute_list", "comment", "decorator", "modifiers", "visibility_modifier"}
)
_MAX_SIGNATURE_BYTES: Final = 300
_AFTER_SIGNATURE: Final = re.compile(r"[ :={]+(?:>[ ]*)?$")
_NO_TITLE: Final = re.compile(r"[({=;:\n]")
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
            definition = _definition(node)
            if definition is not None:
                inner = (*path, *_titles(definition))
                if name := qualified_name(inner):
                    self.names.append((definition.start_byte, name))
                yield from self._begin(start, inner, _signature(definition))
                yield from self._members(definition, start, inner, depth)
                is_open = True
                continue
            if is_open:
                yield from self._begin(start, path)
                is_open = False
            if node.type in _GROUPS and depth < _MAX_DEPTH:
                if node.is_error:
                    self.broken_bytes += node.end_byte - node.start_byte
                before = self._next
                yield from self.sections(node, path, depth=depth + 1)
                is_open = self._next > before

    def _members(self, node: "Node", start: int, path: Path, depth: int) -> Iterator[Start]:
        if node.type not in _TYPES or depth >= _MAX_DEPTH:
            return
        fits = self._fits(start, node.end_byte)
        for child in node.named_children:
            if child.type in _BODIES:
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


def _definition(node: "Node") -> "Node | None":
    """The node of the definition that a statement is, or begins with."""
    kind = node.type
    if kind in _FUNCTIONS:
        return node
    if kind in _TYPES:
        is_mention = kind.endswith("_specifier") and node.child_by_field_name("body") is None
        return None if is_mention else node
    if kind in _LONG_ONES:
        return node if node.end_point.row > node.start_point.row else None
    if kind in _WRAPPERS:
        inner = (_definition(child) for child in node.named_children)
        return next((found for found in inner if found is not None), None)
    if kind in _ASSIGNMENTS:
        return node if _value(node) is not None else None
    return None


def _value(node: "Node") -> "Node | None":
    """The function that an assignment names."""
    value = _side(node, 1)
    return value if value is not None and value.type in _VALUES else None


def _side(node: "Node", index: int) -> "Node | None":
    """The name of an assignment, or its value."""
    field = _ASSIGNMENTS[node.type][index]
    if field:
        return node.child_by_field_name(field)
    items = node.named_child(index) if node.named_child_count > index else None
    return items.named_child(0) if items is not None and items.named_child_count else None


def _titles(node: "Node") -> Path:
    """The name of a definition; a method of Go is below the type of its receiver."""
    name = _plain(_named(node))
    if not name:
        start = (node.text or b"")[: 4 * _MAX_TITLE_CHARS].decode(errors="ignore").lstrip()
        name = _NO_TITLE.split(start, maxsplit=1)[0].strip() or node.type
    if node.type == "impl_item" and (trait := node.child_by_field_name("trait")):
        name = f"{_plain(trait)} for {name}"
    receiver = node.child_by_field_name("receiver") if node.type == "method_declaration" else None
    if receiver is None:
        return (name,)
    words = _plain(receiver).strip("()").replace("*", " ").split()
    return (words[-1].partition("[")[0], name) if words else (name,)


def _signature(node: "Node") -> str:
    """The words of a definition before its body, without decorators."""
    inner = (_value(node) if node.type in _ASSIGNMENTS else None) or node
    parts = [child for child in inner.children if child.type not in _DECORATIONS]
    body = inner.child_by_field_name("body")
    ends = [child.start_byte for child in parts if child.type in _BODIES or child == body]
    start = node.start_byte if inner is not node or not parts else parts[0].start_byte
    end = min(ends, default=node.end_byte)
    words = (node.text or b"")[start - node.start_byte :][: min(end - start, _MAX_SIGNATURE_BYTES)]
    text = " ".join(words.decode(errors="ignore").split())
    return _AFTER_SIGNATURE.sub("", text if ends else text.partition("{")[0])


def _named(node: "Node") -> "Node | None":
    """The node of a definition's name; some have none."""
    if node.type in _ASSIGNMENTS:
        return _side(node, 0)
    if node.type in _NAMELESS:
        return None
    if node.type == "impl_item":
        return node.child_by_field_name("type")
    if node.type == "type_declaration":
        specs = (child.child_by_field_name("name") for child in node.named_children)
        return next((name for name in specs if name is not None), None)
    name = node.child_by_field_name("name")
    declarator = node.child_by_field_name("declarator") if name is None else None
    for _ in range(_MAX_DEPTH):
        inner = declarator and _declared(declarator)
        if inner is None:
            break
        declarator = inner
    return name or declarator


def _declared(node: "Node") -> "Node | None":
    inner = node.child_by_field_name("declarator")
    if inner is None and node.type in {"reference_declarator", "parenthesized_declarator"}:
        return node.named_child(0) if node.named_child_count else None
    return inner


def _plain(node: "Node | None") -> str:
    text = (node.text or b"").decode() if node is not None else ""
    return " ".join(text.split())[:_MAX_TITLE_CHARS]
