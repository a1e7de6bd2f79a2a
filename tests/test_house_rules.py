"""Rules about the source that no linter knows."""

import ast
import importlib
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.repository import PACKAGES, ROOT, SOURCES, module_name

MOST_MODULE_LINES = 500
MOST_FUNCTION_LINES = 60
MOST_CONTRACT_LINES = 350
NO_CONTRACTS = {"lazy_regex.py", "named_tuple.py"}
"""Modules of `contracts` that declare nothing: they make classes and patterns cheap to import."""
MOST_MODULES = 15
MOST_README_LINES = 150
HEAVY = {
    *("numpy", "faiss", "torch", "onnxruntime", "tokenizers", "sentence_transformers"),
    *("openai", "pydantic", "fastapi", "mcp", "mcp_types"),
    *("uvicorn", "rich", "platformdirs", "filelock", "watchdog", "inotify_simple"),
    *("google", "voyageai", "httpx", "requests", "prometheus_client", "fsrs"),
    "phonenumbers",
    *(
        "pypdfium2",
        "selectolax",
        "docx",
        "pptx",
        "openpyxl",
        "lxml",
        "striprtf",
        "charset_normalizer",
        "tree_sitter",
    ),
}
"""Libraries that are imported in functions: a command that has no use for them stays quick."""

LOADED_FOR_THEM_ALONE = (
    *("memory/api/", "memory/config/schema.py"),
    *(f"memory/mcp/{name}.py" for name in ("answers", "calls", "refusals", "server", "tools")),
    *(
        "memory/storage/portable/vector_steps.py",
        "search/in_memory/id_set.py",
        "search/in_memory/keyword_index.py",
        "search/in_memory/maxscore.py",
        "search/in_memory/postings.py",
    ),
)
"""Modules whose only importers want one of those libraries, and import them in a function."""


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def test_modules_are_small() -> None:
    lines = {
        module_name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES
    }
    assert {name: count for name, count in lines.items() if count > MOST_MODULE_LINES} == {}


def test_a_folder_holds_one_subject() -> None:
    """One that holds more modules than these has two."""
    modules = Counter(path.parent for path in SOURCES if path.name != "__init__.py")
    large = {
        folder.relative_to(ROOT).as_posix(): count
        for folder, count in modules.items()
        if count > MOST_MODULES
    }
    assert large == {}


def test_functions_are_small() -> None:
    long = {
        f"{module_name(path)}.{node.name}": node.end_lineno - node.lineno + 1
        for path in SOURCES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= MOST_FUNCTION_LINES
    }
    assert long == {}


def imported_at_the_top(path: Path) -> set[str]:
    imported = set()
    for node in parsed(path).body:
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imported.add(node.module.partition(".")[0])
    return imported


def imports_of(path: Path) -> Iterator[str]:
    """Every module of ours that a module imports, and each name from it, wherever it does."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_heavy_libraries_are_imported_where_they_are_used() -> None:
    heavy = {
        module_name(path): imported_at_the_top(path) & HEAVY
        for path in SOURCES
        if not path.relative_to(ROOT).as_posix().startswith(LOADED_FOR_THEM_ALONE)
    }
    assert {name: libraries for name, libraries in heavy.items() if libraries} == {}


def test_packages_only_export() -> None:
    """An `__init__` holds a docstring, imports and `__all__`, which names what was imported."""
    packages = [path for path in SOURCES if path.name == "__init__.py"]
    faults = {module_name(path): list(faults_of_package(path)) for path in packages}
    assert {name: found for name, found in faults.items() if found} == {}


def faults_of_package(path: Path) -> Iterator[str]:
    body = parsed(path).body
    if not isinstance(body[0], ast.Expr):
        yield "no docstring"
    kinds = {type(node) for node in body[1:]}
    for kind in kinds - {ast.ImportFrom, ast.If, ast.Assign, ast.FunctionDef}:
        yield f"holds {kind.__name__}"
    module = importlib.import_module(module_name(path))
    exported = set(getattr(module, "__all__", ()))
    yield from (f"{name} is not there" for name in exported if not hasattr(module, name))
    imported = {
        alias.asname or alias.name
        for node in body
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES
        for alias in node.names
    }
    yield from (f"{name} is not exported" for name in imported - exported)


def test_contracts_are_tiny() -> None:
    lines = sum(
        len(path.read_text(encoding="utf-8").splitlines())
        for path in (ROOT / "contracts").rglob("*.py")
        if path.name not in NO_CONTRACTS
    )
    assert lines <= MOST_CONTRACT_LINES


def test_every_module_says_why_it_exists() -> None:
    silent = [module_name(path) for path in SOURCES if not ast.get_docstring(parsed(path))]
    assert silent == []


def test_every_error_class_is_raised() -> None:
    errors = importlib.import_module("contracts.errors")
    names = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.MemError)
    } - {"MemError"}
    called = {
        node.func.id
        for path in SOURCES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert names - called == set()


def test_tests_wait_for_the_end_of_a_process_with_a_deadline() -> None:
    """By `tests.waiting.output_of`, which says what the process said if it does not end."""
    waiting = {
        path.name
        for path in (ROOT / "tests").rglob("*.py")
        if re.search(r"\.communicate\(", path.read_text(encoding="utf-8"))
    }
    assert waiting == {"waiting.py"}


def test_tests_share_what_is_in_no_test() -> None:
    """What two test modules need is in a module beside them that is named after it."""
    borrowed = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for name in imports_of(path)
        if any(part.startswith("test_") for part in name.split("."))
    ]
    assert borrowed == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= MOST_README_LINES


def test_links_between_documents_lead_somewhere() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert broken == []


def test_all_packages_can_be_imported() -> None:
    for package in PACKAGES:
        module = importlib.import_module(package)
        for found in pkgutil.walk_packages(module.__path__, f"{package}."):
            if not found.name.endswith("__main__"):
                importlib.import_module(found.name)
