"""Generate docs/python_reference.md from the docstrings: `python -m tools.python_reference`.

A test compares. Signatures and fields are read from the source, so that they are as written and
nothing that a module imports only for type checkers has to be there.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent
PAGE: Final = ROOT / "docs" / "python_reference.md"

MODULES: Final = (
    *("memory", "memory.context_builder", "memory.retrieval", "memory.episodic"),
    *("memory.semantic", "memory.segmentation", "memory.scheduler", "contracts", "providers"),
)
"""The modules for programs, in the order of the page; all else is internal."""

FIRST: Final = ("MemoryManager", "SyncMemoryManager")
"""The names of `memory` that come before the others."""

INTERNAL: Final = {
    "contracts": {"CandidateIndex", "ChunkRow", "KeywordFields", "KeywordQuery", "QueryVector"},
    "memory.storage": {"Storage"},
}
"""Names that packages share with each other and programs have no use for."""

OURS: Final = ("contracts", "ingest", "memory", "providers", "search")

_HEAD: Final = """\
# Python reference

This page is made from the docstrings: `python -m tools.python_reference`. [From Python](python.md)
is the introduction. Names come from the module of their section; those of the last one are taken
or returned by the methods, and need not be imported.
"""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def page() -> str:
    """Return the whole page."""
    sections = (line for name in MODULES for line in _module(import_module(name)))
    return "\n".join([_HEAD, *sections, *_values()])


def _module(module: ModuleType) -> Iterator[str]:
    yield f"## `{module.__name__}`\n"
    yield f"{inspect.getdoc(module)}\n"
    for name in public(module):
        yield from _described(name, getattr(module, name))


def public(module: ModuleType) -> list[str]:
    """Return the names that a module offers: its `__all__`, else the functions it defines."""
    offered = getattr(module, "__all__", None)
    if offered is None:
        here = vars(module).items()
        offered = [
            name
            for name, value in here
            if inspect.isfunction(value) and value.__module__ == module.__name__
        ]
    hidden = INTERNAL.get(module.__name__, set())
    names = [name for name in offered if not name.startswith("_") and name not in hidden]
    return sorted(names, key=lambda name: (name not in FIRST, name.lower()))


def _described(name: str, value: Any) -> Iterator[str]:
    found = _definition(value)
    if isinstance(found, ast.ClassDef):
        yield from _class(name, value, found)
    elif found is not None:
        yield f"### `{name}`\n"
        yield _signature(name, found)
        yield _text(found)
    else:
        shown = repr(value)
        yield f"### `{name}`\n"
        yield f"A constant{f': `{shown}`' if len(shown) < 40 else ''}.\n"


def _class(name: str, value: type, node: ast.ClassDef) -> Iterator[str]:
    yield f"### `{name}`\n"
    yield _text(node)
    fields = list(_fields(node))
    if fields:
        yield "| field | type | default | meaning |\n|---|---|---|---|"
        yield from ("| " + " | ".join(_cell(part) for part in field) + " |" for field in fields)
        yield ""
    for method in node.body:
        if isinstance(method, Definition) and _is_told(method):
            yield f"#### `{name}.{method.name}`\n"
            yield _signature(method.name, method)
            yield _text(method)


def _is_told(method: Definition) -> bool:
    """Return true for a public method with a docstring; a base class has it for the others."""
    return not method.name.startswith("_") and ast.get_docstring(method) is not None


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, str, str, str]]:
    """Yield name, type, default and meaning of the fields that a class declares."""
    for one, after in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            if one.target.id.startswith("_"):
                continue
            kind, text = _kind(one.annotation)
            told = after.value if isinstance(after, ast.Expr) else None
            text = text or (told.value if isinstance(told, ast.Constant) else "")
            meaning = " ".join(str(text).split())
            yield f"`{one.target.id}`", f"`{kind}`", _default(one.value), meaning


def _kind(annotation: ast.expr) -> tuple[str, object]:
    """Return the type of a field, and the meaning of a setting."""
    if isinstance(annotation, ast.Subscript) and isinstance(annotation.slice, ast.Tuple):
        kind, *others = annotation.slice.elts
        for other in others:
            if isinstance(other, ast.Call) and isinstance(other.args[0], ast.Constant):
                return _plain(kind), other.args[0].value
    return _plain(annotation), ""


def _default(value: ast.expr | None) -> str:
    if value is None:
        return ""
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "field":
        made = [each.value for each in value.keywords if each.arg == "default_factory"]
        return f"`{ast.unparse(made[0])}()`" if made else ""
    return f"`{ast.unparse(value)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _signature(name: str, node: Definition) -> str:
    if isinstance(node, ast.ClassDef):
        return f"```python\nclass {name}\n```\n"
    marks = [ast.unparse(mark) for mark in node.decorator_list]
    is_method = bool(node.args.args) and node.args.args[0].arg in ("self", "cls")
    if "property" in marks:
        return f"```python\n{name}: {_plain(node.returns)}\n```\n"
    told = [f"{mark} " for mark in marks if mark in ("classmethod", "staticmethod")]
    told += ["async "] if isinstance(node, ast.AsyncFunctionDef) else []
    parts = _parameters(node.args, skip=is_method)
    returns = f" -> {_plain(node.returns)}" if node.returns else ""
    line = f"{name}({', '.join(parts)}){returns}"
    if len(line) > 96:
        inner = "".join(f"    {part},\n" for part in parts)
        line = f"{name}(\n{inner}){returns}"
    return f"```python\n{''.join(told)}{line}\n```\n"


def _parameters(args: ast.arguments, *, skip: bool) -> list[str]:
    """Return the parameters as written, without `self`."""
    plain = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(plain) - len(args.defaults)) + list(args.defaults)
    found = [_parameter(*pair) for pair in zip(plain, defaults, strict=True)][int(skip) :]
    if args.posonlyargs and len(args.posonlyargs) > int(skip):
        found.insert(len(args.posonlyargs) - int(skip), "/")
    if args.vararg:
        found.append(f"*{_parameter(args.vararg, None)}")
    elif args.kwonlyargs:
        found.append("*")
    found += [_parameter(*pair) for pair in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    return [*found, f"**{_parameter(args.kwarg, None)}"] if args.kwarg else found


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    told = f"{argument.arg}: {_plain(argument.annotation)}" if argument.annotation else argument.arg
    return f"{told} = {ast.unparse(default)}" if default else told


def _plain(annotation: ast.expr | None) -> str:
    """Return an annotation without the quotes of those for type checkers only."""
    return ast.unparse(annotation).replace("'", "").replace('"', "") if annotation else ""


def _text(node: Definition) -> str:
    return f"{ast.get_docstring(node) or ''}\n"


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(sys.modules[module]))


def _definition(value: Any) -> Definition | None:
    """Return the source of a class or function of ours, None for anything else."""
    home = getattr(value, "__module__", None)
    name = getattr(value, "__qualname__", None)
    if not isinstance(home, str) or not isinstance(name, str):
        return None
    if home.partition(".")[0] not in OURS:
        return None
    for node in ast.walk(_tree(home)):
        if isinstance(node, Definition) and node.name == name:
            return node
    return None


def _values() -> Iterator[str]:
    """Yield the classes that methods of `MemoryManager` take or return and nobody exports."""
    exported = {name for module in MODULES for name in public(import_module(module))}
    exported |= set().union(*INTERNAL.values())
    yield "## Values\n"
    for name, home in sorted(_named_in_the_manager().items()):
        if name not in exported:
            value = getattr(import_module(home), name)
            node = _definition(value)
            if isinstance(node, ast.ClassDef):
                yield from _class(name, value, node)


def _named_in_the_manager() -> dict[str, str]:
    """Return the names in annotations of `MemoryManager`, each with the module it is from."""
    from memory import manager

    tree = _tree(manager.__name__)
    imported = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    functions = (
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    annotations = (_plain(each) for node in functions for each in _annotations(node))
    used = {word for text in annotations for word in re.findall(r"\w+", text)}
    return {
        name: home
        for name, home in imported.items()
        if name in used and home.partition(".")[0] in OURS
    }


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr | None]:
    arguments = (each for each in ast.walk(node.args) if isinstance(each, ast.arg))
    return [node.returns, *(each.annotation for each in arguments)]


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
