"""Values as psycopg writes them into statements and reads them from rows."""

import struct
from collections.abc import Iterable, Sequence
from typing import Any

from psycopg import pq
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.types.string import StrDumperUnknown

from memory.storage.postgres.statements import escaped, unescaped

_UNKNOWN = 705
"""The number of the type of a literal without a type."""


class _Text(StrDumperUnknown):
    """A text, which may contain NUL. A half of a surrogate pair raises UnicodeEncodeError."""

    def dump(self, obj: Any) -> bytes:
        return escaped(obj).encode()


class _Truth(Dumper):
    """0 or 1 as a literal without a type: a number in a column, a condition elsewhere."""

    def dump(self, obj: Any) -> bytes:
        return b"1" if obj else b"0"

    def quote(self, obj: Any) -> bytes:
        return b"'1'" if obj else b"'0'"


class _StoredText(Loader):
    def load(self, data: Buffer) -> str:
        return unescaped(bytes(data).decode())


class _Number(Loader):
    """A sum of whole numbers, or a mean: an int or a float, as SQLite has it."""

    def load(self, data: Buffer) -> int | float:
        text = bytes(data).decode()
        return int(text) if text.lstrip("-").isdigit() else float(text)


def _swapped(halves: bytes) -> bytes:
    """Return the same numbers of two bytes in the other byte order."""
    swapped = bytearray(halves)
    swapped[0::2], swapped[1::2] = halves[1::2], halves[0::2]
    return bytes(swapped)


class _HalfVectorLoader(Loader):
    format = pq.Format.BINARY

    def load(self, data: Buffer) -> bytes:
        return _swapped(bytes(data)[4:])


def halfvec_rows(rows: Iterable[tuple[int, bytes]]) -> bytes:
    """Return rows of a number and a float16 row, as `StoredVector.v` has it, for a binary COPY."""
    parts = [b"PGCOPY\n\xff\r\n\0", bytes(8)]
    for number, v in rows:
        parts += (struct.pack(">hiqihh", 2, 8, number, len(v) + 4, len(v) // 2, 0), _swapped(v))
    return b"".join((*parts, b"\xff\xff"))


def halfvec_text(vector: Sequence[float]) -> str:
    """Return a vector as pgvector reads it."""
    return f"[{','.join(map(repr, map(float, vector)))}]"


def adapt(context: Any, *, halfvec_oid: int) -> None:
    """Let a connection write and read values as the other backends do."""
    known = context.adapters
    known.register_dumper(str, _Text)
    known.register_dumper(bool, _Truth)
    for kind in ("text", "varchar", "name", "jsonb", _UNKNOWN):
        known.register_loader(kind, _StoredText)
    known.register_loader("numeric", _Number)
    known.register_loader(halfvec_oid, _HalfVectorLoader)
