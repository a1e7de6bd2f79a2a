"""The source code that is searched: copies without docstrings, and the definitions in them."""

import ast
import sysconfig
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_LEFT_OUT = frozenset(
    {
        *("__pycache__", "config", "ensurepip", "idlelib", "lib-dynload", "lib2to3", "pydoc_data"),
        *("site-packages", "test", "tests", "turtledemo"),
    }
)
"""Folders of the standard library that are not copied."""


class Defined(NamedTuple):
    """A definition: its file, its first and last line, its full dotted name, that below the module,
    and whether it is a `class` or a `def`.
    """

    path: Path
    first_line: int
    last_line: int
    name: str
    local_name: str
    kind: str


def copy_library(target: Path) -> None:
    """Copy the standard library's Python files, without docstrings."""
    root = Path(sysconfig.get_path("stdlib"))
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        if not any(part in _LEFT_OUT or part.startswith("config-") for part in place.parts):
            _write(target / "stdlib" / place, path.read_bytes())


def copy_sdist(archive: Path, target: Path) -> None:
    """Copy the text files of a source distribution, Python without docstrings."""
    with tarfile.open(archive) as members:
        for member in members:
            content = members.extractfile(member) if member.isfile() else None
            if content is not None and Path(member.name).suffix in (".py", ".md", ".rst", ".txt"):
                _write(target / member.name, content.read())


def _write(path: Path, data: bytes) -> None:
    if not data.strip():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(without_docstrings(data) if path.suffix == ".py" else data)


def without_docstrings(data: bytes) -> bytes:
    """Replace every docstring of a source text by `pass`; broken sources stay as they are."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError):
        return data
    lines = data.split(b"\n")
    for node in sorted(_docstrings(tree), key=lambda node: -node.lineno):
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
        before = lines[node.lineno - 1][: node.col_offset]
        lines[node.lineno - 1 : end_line] = [before + b"pass" + lines[end_line - 1][end:]]
    return b"\n".join(lines)


def _docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        first = node.body[0] if isinstance(node, kinds) and node.body else None
        value = first.value if isinstance(first, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value


def definitions(root: Path) -> list[Defined]:
    """The classes, functions and methods of all Python files below a folder."""
    found: list[Defined] = []
    for path in sorted(root.rglob("*.py")):
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        parts = list(path.relative_to(root).with_suffix("").parts)
        module = parts[:-1] if parts[-1] == "__init__" else parts
        found += _inside(tree.body, path, module, [])
    return found


def _inside(
    body: Iterable[ast.stmt], path: Path, module: list[str], above: list[str]
) -> Iterator[Defined]:
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            local = [*above, node.name]
            kind = "class" if isinstance(node, ast.ClassDef) else "def"
            yield Defined(
                path,
                node.lineno,
                node.end_lineno or 0,
                ".".join([*module, *local]),
                ".".join(local),
                kind,
            )
            if isinstance(node, ast.ClassDef):
                yield from _inside(node.body, path, module, local)
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from _inside(node.body, path, module, above)
            yield from _inside(getattr(node, "orelse", []), path, module, above)
            for handler in getattr(node, "handlers", []):
                yield from _inside(handler.body, path, module, above)
