"""Looks for words in the bytes of a database's files, as a thief of the disk would."""

import mmap
import re
from collections.abc import Sequence
from pathlib import Path

SUFFIXES = ("", "-wal", "-shm", "-journal")


def occurrences(path: str, words: Sequence[bytes]) -> dict[str, int]:
    """How often any of the words stands in each file of a database; files without are left out.

    Capital letters A to Z and small ones are the same.
    """
    if path == ":memory:" or not words:
        return {}
    pattern = re.compile(b"|".join(map(re.escape, words)), re.IGNORECASE)
    counted = {f"{path}{suffix}": _count(Path(f"{path}{suffix}"), pattern) for suffix in SUFFIXES}
    return {name: number for name, number in counted.items() if number}


def _count(file: Path, pattern: re.Pattern[bytes]) -> int:
    if not file.exists() or not file.stat().st_size:
        return 0
    with (
        file.open("rb") as opened,
        mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content,
    ):
        return sum(1 for _ in pattern.finditer(content))
