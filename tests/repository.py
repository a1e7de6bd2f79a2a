"""This repository as the tests of its documents and of its packaging see it."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("contracts", "providers", "search", "ingest", "memory", "cli")


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
