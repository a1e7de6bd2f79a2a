"""docs/python_reference.md says what the docstrings say."""

import subprocess
import sys
from importlib import import_module

from memory import MemoryManager
from tests.repository import ROOT
from tools.python_reference import MODULES, PAGE, public


def test_the_page_is_up_to_date() -> None:
    code = "from tools.python_reference import page; print(page(), end='')"
    made = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert PAGE.read_text(encoding="utf-8") == made, (
        "write it again: python -m tools.python_reference"
    )


def test_the_page_has_every_public_name_and_method() -> None:
    page = PAGE.read_text(encoding="utf-8")
    headings = {line.strip("#` ") for line in page.splitlines() if line.startswith("##")}
    names = {name for module in MODULES for name in public(import_module(module))}
    methods = {f"MemoryManager.{name}" for name in vars(MemoryManager) if not name.startswith("_")}
    assert len(names) > 80
    assert (names | methods) - headings == set()
