"""The definition that a node of a syntax tree is, its name and its signature, in any language."""

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node

Path = tuple[str, ...]
"""The names of a definition and of those around it, from the outside in."""

MAX_DEPTH: Final = 12
"""The most definitions around another one that are looked into."""

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
TYPES: Final = frozenset(
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
"""Node types of types and modules, whose bodies hold definitions."""
BODIES: Final = frozenset(
    {
        *("block", "body_statement", "class_body", "declaration_list", "enum_body"),
        *("enum_body_declarations", "enum_class_body", "enum_declaration_list", "interface_body"),
        *("field_declaration_list", "protocol_body", "statement_block", "template_body"),
        *("with_template_body", "annotation_type_body", "compound_statement"),
    }
)
"""Node types of those bodies."""
_WRAPPERS: Final = frozenset(
    {
        *("decorated_definition", "export_statement", "template_declaration"),
        "ambient_declaration",
        *("expression_statement", "lexical_declaration", "variable_declaration"),
    }
)
"""Nodes that begin before the single definition in them."""
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


def definition_of(node: "Node") -> "Node | None":
    """The node of the definition that a statement is, or begins with."""
    kind = node.type
    if kind in _FUNCTIONS:
        return node
    if kind in TYPES:
        is_mention = kind.endswith("_specifier") and node.child_by_field_name("body") is None
        return None if is_mention else node
    if kind in _LONG_ONES:
        return node if node.end_point.row > node.start_point.row else None
    if kind in _WRAPPERS:
        inner = (definition_of(child) for child in node.named_children)
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


def titles_of(node: "Node") -> Path:
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


def signature_of(node: "Node") -> str:
    """The words of a definition before its body, without decorators."""
    inner = (_value(node) if node.type in _ASSIGNMENTS else None) or node
    parts = [child for child in inner.children if child.type not in _DECORATIONS]
    body = inner.child_by_field_name("body")
    ends = [child.start_byte for child in parts if child.type in BODIES or child == body]
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
    for _ in range(MAX_DEPTH):
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
