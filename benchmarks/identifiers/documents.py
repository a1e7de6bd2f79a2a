"""The documents of the test set: real code and text of the running Python, and generated logs.

Python's standard library, the wheels of pip and setuptools that come with it, their metadata and
IDLE's list of changes are the same for every copy of a Python version. They name hardly any commit,
UUID or address; `logs.py` makes files that do.
"""

import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from zipfile import ZipFile

_LEFT_OUT = {"site-packages", "test", "tests", "idle_test", "encodings", "__pycache__"}
_MADE_BY_THE_BUILD = "_sysconfigdata"
_SUFFIXES = (".py", ".txt", ".rst", ".cfg", "METADATA", "RECORD")
_MOST_CHARS = 150_000
"""Longer files are tables of data."""


@dataclass(frozen=True, slots=True)
class Document:
    """A text and its path in the collection, separated by slashes."""

    path: str
    text: str


def real_documents(*, one_of: int = 1) -> list[Document]:
    """Every document of the library, or about one of every N, in the order of their paths."""
    library = Path(sysconfig.get_path("stdlib"))
    found = [*_files(library), *_wheels(library)]
    chosen = [item for item in found if _number(item.path) % one_of == 0 and item.text.strip()]
    return sorted(chosen, key=lambda item: item.path)


def _files(library: Path) -> Iterator[Document]:
    for path in library.rglob("*"):
        parts = path.relative_to(library).parts
        if _LEFT_OUT.isdisjoint(parts) and path.is_file() and path.name.endswith(_SUFFIXES):
            yield from _document("library", parts, path.read_bytes())


def _wheels(library: Path) -> Iterator[Document]:
    for path in sorted((library / "ensurepip" / "_bundled").glob("*.whl")):
        with ZipFile(path) as wheel:
            for name in wheel.namelist():
                if name.endswith(_SUFFIXES):
                    yield from _document(path.name.split("-")[0], name.split("/"), wheel.read(name))


def _document(source: str, parts: Sequence[str], content: bytes) -> Iterator[Document]:
    """The document, unless it is too long. Folders become a part of its name: some, such as `venv`,
    are left out by programs that index folders.
    """
    name = ".".join(parts)
    text = content.decode("utf-8", errors="replace")
    if len(text) <= _MOST_CHARS and _MADE_BY_THE_BUILD not in name:
        yield Document(f"{source}/{name}" if "." in parts[-1] else f"{source}/{name}.txt", text)


def _number(text: str) -> int:
    """A number that is the same for the same text everywhere, and otherwise random."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
