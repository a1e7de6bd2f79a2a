"""The command that adds an extra to a program that was installed from a checkout."""

import itertools
import sys
from pathlib import Path

EXTRAS_MB = {
    "documents": 70,
    "mcp": 25,
    "onnx": 120,
    "sentence-transformers": 1230,
    "openai": 20,
    "gemini": 45,
    "voyage": 120,
    "plots": 1,
    "postgres": 15,
}
"""Size on disk beside the core, in MB, on Linux with Python 3.11 and torch for processors only."""


def install_command(extra: str) -> str:
    """Return the command that adds an extra, to be typed in the checkout."""
    parts = Path(sys.prefix).parts
    tool = "pipx install --force" if "pipx" in parts else "pip install"
    if ("uv", "tools") in itertools.pairwise(parts):
        tool = "uv tool install --force"
    return f"{tool} '.[{extra}]'"


def install_hint(extra: str) -> str:
    """Return the command that adds an extra, where to type it, and the size of the extra."""
    size = f", {EXTRAS_MB[extra]:,} MB" if extra in EXTRAS_MB else ""
    return f"{install_command(extra)} (in {checkout()}{size})"


def checkout() -> str:
    """Return the folder of the source if this program runs from it, else words for it."""
    folder = Path(__file__).parent.parent
    is_source = (folder / "pyproject.toml").is_file()
    return str(folder) if is_source else "the checkout of symbiosis-memory"
