"""The public face of the package."""

import subprocess
import sys

import ingest


def test_all_names_exist_and_nothing_else_is_offered():
    offered = {
        name
        for name, value in vars(ingest).items()
        if not name.startswith("_") and type(value).__name__ != "module"
    }
    assert set(ingest.__all__) == offered


def test_import_stays_light():
    heavy = ("numpy", "pathspec", "pydantic")
    code = f"import sys, ingest; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
