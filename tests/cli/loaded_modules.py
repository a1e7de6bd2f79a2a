"""The modules that a run of `mem` loads, and those that it must not load."""

from pathlib import Path

from tests.cli.shell import python

HEAVY = (
    *("numpy", "faiss", "fastapi", "pydantic", "rich", "asyncio", "uvicorn", "openai"),
    *("filelock", "torch", "sqlite_vec", "watchdog", "platformdirs", "annotated_types"),
    *("google", "voyageai", "httpx", "requests", "pypdfium2", "selectolax"),
)
"""Modules that a one-shot command must not import."""

IMPORTED = """
import re
import sys
from cli.main import run
code = run({arguments!r})
print(*sorted(sys.modules), file=sys.stderr)
sys.exit(code)
"""


def imported(arguments: list[str], cwd: Path, **changes: str) -> set[str]:
    """The modules that a run of `mem` has imported."""
    answer = python(IMPORTED.format(arguments=arguments), cwd=cwd, **changes)
    assert answer.code == 0, answer.err
    return set(answer.err.splitlines()[-1].split())


def ours(modules: set[str]) -> dict[str, str]:
    """Those of our packages, by package, as the tables of the tests have them."""
    packages = ("cli", "contracts", "ingest", "memory", "providers", "search")
    found = {package: _inside(package, modules) for package in packages}
    return {package: names for package, names in found.items() if names}


def _inside(package: str, modules: set[str]) -> str:
    names = sorted(name for name in modules if name.startswith(f"{package}."))
    return " ".join(name.partition(".")[2] for name in names)
