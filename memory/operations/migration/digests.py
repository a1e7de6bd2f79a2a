"""A digest of rows that does not depend on how a backend stores a value."""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any


class Digest:
    """The number of rows seen in their order, and a digest of their values."""

    def __init__(self) -> None:
        self.rows = 0
        self._hash = blake2b(digest_size=16)

    @property
    def value(self) -> str:
        """The number and the digest."""
        return f"{self.rows} {self._hash.hexdigest()}"

    def add(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows of numbers, texts, bytes and nulls."""
        for row in rows:
            self.rows += 1
            for value in row:
                self._hash.update(_written(value))


def _written(value: object) -> bytes:
    """Return a value with its kind and length: a whole number is the same as a float or not."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bytes | memoryview):
        kind, data = b"b", bytes(value)
    else:
        kind, data = type(value).__name__[:1].encode(), str(value).encode("utf-8", "surrogatepass")
    return b"%b%d:%b" % (kind, len(data), data)
