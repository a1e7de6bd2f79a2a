"""The extractor stays small: its lines of code are counted, plain word lists aside."""

import ast
from pathlib import Path

from tests.repository import ROOT

FOLDER = ROOT / "ingest" / "extractor"
LISTS = FOLDER / "words"
MODELS = FOLDER / "llm"
MOST_LINES = 2_500
"""Lines that are not blank, no comment and no docstring; patterns count."""


def lines_of_code(path: Path) -> int:
    text = path.read_text(encoding="utf-8")
    documented: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            documented |= set(range(value.lineno, (value.end_lineno or value.lineno) + 1))
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in documented
        for number, line in enumerate(text.splitlines(), 1)
    )


def test_the_rules_are_few() -> None:
    modules = [
        path
        for path in FOLDER.rglob("*.py")
        if not path.is_relative_to(LISTS) and not path.is_relative_to(MODELS)
    ]
    assert sum(map(lines_of_code, modules)) <= MOST_LINES
