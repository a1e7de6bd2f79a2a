"""The folder that is searched: documentation, source code, and what a person keeps."""

import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

PERSONAL: Final = Path(__file__).parent / "material"
"""A vault, mail, a notebook, a PDF and Chinese texts, made for this."""

_DOCUMENTATION_ONLY: Final = ("django", "flask")


def make_folder(target: Path, archives: Sequence[Path], python_pages: Path | None) -> None:
    """Put everything below `target`: the documentation of Django and Flask, other source
    distributions whole, the pages of Python's documentation, and what is personal.
    """
    shutil.copytree(PERSONAL, target, dirs_exist_ok=True)
    if python_pages is not None:
        shutil.copytree(python_pages, target / "python", ignore_dangling_symlinks=True)
    for archive in archives:
        with tarfile.open(archive) as members:
            for member in members:
                place = _place(member.name)
                content = members.extractfile(member) if place and member.isfile() else None
                if place is not None and content is not None:
                    path = target / place
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content.read())


def _place(name: str) -> str | None:
    """The path of a member of an archive in the folder; None: it is left out."""
    top, _, rest = name.partition("/")
    package = top.rpartition("-")[0].lower()
    if ".." in name.split("/") or not rest:
        return None
    if package in _DOCUMENTATION_ONLY:
        return f"{package}/{rest}" if rest.startswith("docs/") else None
    return name
