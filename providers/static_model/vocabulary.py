"""The entries of the built-in model, by name: `vocab.txt`, searched or read as a whole.

ASCII entries come first, then an empty line, then the others: splitting text known to be ASCII
saves a new process more than a millisecond.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

LOOKED_UP = 64
"""The number of entries looked up in the text, enough for a query; for more, a dictionary of all is
made, which takes 6 ms.
"""


class Vocabulary:
    """Entries and their ids, which are line numbers. Safe to share between threads.

    Raises UnicodeDecodeError when the content is not such text.
    """

    def __init__(self, content: bytes) -> None:
        content.decode()
        self._lines = b"\n%b\n" % content
        self._gap = self._lines.rfind(b"\n\n")
        self._looked_up = 0

    def get(self, entry: str) -> int | None:
        """The id of an entry, None if there is none."""
        if self._looked_up >= LOOKED_UP:
            return self._ids.get(entry)
        self._looked_up += 1
        if not entry or "\n" in entry:
            return None
        found = self._lines.find(b"\n%b\n" % entry.encode("utf-8", "surrogatepass"))
        return self._lines.count(b"\n", 0, found) - (found > self._gap) if found >= 0 else None

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return self._lines.count(b"\n") - 2

    @cached_property
    def _ids(self) -> dict[str, int]:
        plain, _, others = self._lines[1:-1].rpartition(b"\n\n")
        entries = plain.decode("ascii").split("\n") + others.decode().split("\n")
        return dict(zip(entries, range(len(entries)), strict=True))


def format_vocabulary(entries: Sequence[str]) -> bytes:
    """The content of `vocab.txt` for entries with those of ASCII first."""
    plain = [entry for entry in entries if entry.isascii()]
    others = entries[len(plain) :]
    return ("\n".join(plain) + "\n\n" + "\n".join(others)).encode()
