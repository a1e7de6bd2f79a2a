"""A search for words in the bytes of a database's files, as a thief of the disk could do."""

import json
import mmap
from collections.abc import Sequence
from pathlib import Path

SUFFIXES = ("", "-wal", "-shm", "-journal")


def words_on_disk(path: str, words: Sequence[str]) -> dict[str, list[str]]:
    """Return which of the words each file of a database contains; files without any are left out.

    Each word is searched as it is, in lower case as in the keyword index, and as JSON encodes it.
    """
    if path == ":memory:":
        return {}
    found = {name: _held(Path(name), words) for name in (f"{path}{end}" for end in SUFFIXES)}
    return {name: held for name, held in found.items() if held}


def _held(file: Path, words: Sequence[str]) -> list[str]:
    if not file.exists() or not file.stat().st_size:
        return []
    with (
        file.open("rb") as opened,
        mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content,
    ):
        return [word for word in words if any(content.find(form) >= 0 for form in _forms(word))]


def _forms(word: str) -> set[bytes]:
    return {form.encode() for form in (word, word.lower(), json.dumps(word)[1:-1])}
