"""This repository as the tests of its documents and of its packaging see it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
"""Where the programs of this environment are."""

PACKAGES = ("contracts", "providers", "search", "ingest", "memory", "cli")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def blocks(page: str, language: str) -> list[str]:
    """The blocks of code in a page that are marked as of this language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def files_of_the_repository() -> list[str]:
    """Every file that git knows or would take, relative to the root."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = filter(None, listed.stdout.split("\0"))
    return sorted(name for name in names if (ROOT / name).is_file())


def copy_of_the_repository(target: Path) -> Path:
    for name in files_of_the_repository():
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy)
    return target
