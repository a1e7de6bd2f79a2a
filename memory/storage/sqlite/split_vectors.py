"""Vectors in two tables: `q` has the code of each component, and `v` what the codes leave.

A component is `256 * code + rest` steps, with a rest from -128 to 127: a byte for the scan and a
byte for exactness. `v` has the rests, then `(place, code)` in two uint16 and int16 of each
component whose code is too large for `q`, and last the CRC-32 of `q` and all that, for a check to
find damage. In a file of an older version that may only be read, `v` is a float16 row.
"""

import struct
import sys
from collections.abc import Iterator, Sequence
from operator import mul
from typing import TYPE_CHECKING, Final, TypeAlias
from zlib import crc32

from contracts import QueryVector
from memory.storage import vectors
from memory.storage.values import CodeBatch, StoredVector
from memory.storage.vectors import LARGE, STEPS, code_scale

if TYPE_CHECKING:
    from memory.storage.portable.vector_steps import Steps

CRC_BYTES: Final = 4
SplitRow: TypeAlias = tuple[bytes, bytes]
"""The columns `q` and `v` of a vector."""


def left_by_codes(rows: Sequence[StoredVector]) -> list[bytes]:
    """Return the column `v` of vectors of one length."""
    from memory.storage.portable.vector_steps import split

    rests, large = split(rows)
    parts = [rest.tobytes() + large.get(number, b"") for number, rest in enumerate(rests)]
    return [_with_crc(row.q, part) for row, part in zip(rows, parts, strict=True)]


def code_batch(rows: Sequence[tuple[int, bytes, bytes]]) -> CodeBatch:
    """Return formed vectors of one length, given with the ids of their chunks."""
    size = len(rows[0][1]) if rows else 0
    halves = {key: StoredVector(q, v) for key, q, v in rows if _is_float16((q, v))}
    divided = dict(zip(halves, left_by_codes(list(halves.values())), strict=True))
    by_id = {key: divided.get(key, v) for key, _, v in rows}
    large = {key: v[size:-CRC_BYTES] for key, v in by_id.items() if len(v) > size + CRC_BYTES}
    rests = b"".join(v[:size] for v in by_id.values())
    return CodeBatch(list(by_id), b"".join(q for _, q, _ in rows), rests, large)


def _with_crc(q: bytes, left: bytes) -> bytes:
    return left + crc32(left, crc32(q)).to_bytes(CRC_BYTES, "little")


def is_formed(row: SplitRow, dimensions: int) -> bool:
    """Return whether a row has the form of a vector of that length; its bytes may be damaged."""
    if not all(isinstance(part, bytes) for part in row):
        return False
    q, v = row
    beyond = len(v) - dimensions - CRC_BYTES
    return len(q) == dimensions and ((beyond >= 0 and beyond % LARGE.size == 0) or _is_float16(row))


def _is_float16(row: SplitRow) -> bool:
    # A split row of this size would have more components that are too large than a unit vector can.
    q, v = row
    return len(v) == 2 * len(q) and len(q) != CRC_BYTES


def float16_rows(rows: Sequence[SplitRow]) -> list[bytes]:
    """Return the float16 rows of formed vectors of one length."""
    if not rows:
        return []
    exact = (_steps(rows) / _steps_in_one(rows[0])).astype("<f2")
    return [row.tobytes() for row in exact]


def checked_rows(rows: Sequence[SplitRow], dimensions: int) -> list[bytes | None]:
    """Return the float16 row of each vector, None where one is damaged."""
    sound = [row for row in rows if _is_sound(row, dimensions)]
    made = iter(float16_rows(sound))
    return [next(made) if _is_sound(row, dimensions) else None for row in rows]


def _is_sound(row: SplitRow, dimensions: int) -> bool:
    q, v = row
    return is_formed(row, dimensions) and (_is_float16(row) or v == _with_crc(q, v[:-CRC_BYTES]))


def decoded(row: SplitRow) -> Sequence[float]:
    """Return a formed vector as it is stored."""
    q, v = row
    if _is_float16(row):
        return vectors.decoded(v)
    pairs = zip(_int8(q), _int8(v), strict=False)  # `v` is longer
    steps = [STEPS * code + rest for code, rest in pairs]
    for place, more in _beyond(row):
        steps[place] += more
    in_one = _steps_in_one(row)
    return [number / in_one for number in steps]


def cosines(vector: QueryVector, rows: Sequence[SplitRow]) -> list[float]:
    """Return the cosine of a unit vector with each of these formed ones of its length, in [-1, 1].

    They are those of the float16 rows, to the last digit where the process has loaded numpy.
    """
    if not rows:
        return []
    if "numpy" in sys.modules:
        from memory.storage.portable import vector_steps

        return vector_steps.cosines(vector, _steps(rows))
    factor = 1 / _steps_in_one(rows[0])
    return [min(1.0, max(-1.0, product * factor)) for product in _products(vector, rows)]


def _products(vector: QueryVector, rows: Sequence[SplitRow]) -> Iterator[float]:
    """Yield the inner product with the steps of each vector, without numpy.

    All components of a row are joined at once, as 16-bit numbers from 0: one long integer takes the
    places of a loop over them, and half of its time.
    """
    size, query = len(vector), list(vector)
    flipped = int.from_bytes(b"\x00\x80" * size, "little")
    signs = int.from_bytes(b"\x80\x00" * size, "little")
    from_zero = 0x8000 * sum(query)
    both = bytearray(2 * size)
    for row in rows:
        q, v = row
        if _is_float16(row):
            yield vectors.cosine(vector, v) * _steps_in_one(row)
            continue
        both[::2], both[1::2] = v[:size], q
        joined = int.from_bytes(both, "little") ^ flipped
        joined -= (joined & signs) << 1  # a rest below 0 takes one from its code
        steps = struct.unpack(f"<{size}H", joined.to_bytes(2 * size, "little"))
        beyond = sum(query[place] * more for place, more in _beyond(row))
        yield sum(map(mul, query, steps)) - from_zero + beyond


def _beyond(row: SplitRow) -> list[tuple[int, int]]:
    """Return the place and the steps beyond its code of each component that is too large."""
    q, v = row
    if len(v) == len(q) + CRC_BYTES or _is_float16(row):
        return []
    codes = _int8(q)
    large = LARGE.iter_unpack(v[len(q) : -CRC_BYTES])
    return [(place, STEPS * (code - codes[place])) for place, code in large if place < len(q)]


def _steps_in_one(row: SplitRow) -> float:
    """Return the number of steps in a component of 1."""
    return STEPS * code_scale(len(row[0]))


def _int8(row: bytes) -> Sequence[int]:
    return struct.unpack(f"{len(row)}b", row)


def _steps(rows: Sequence[SplitRow]) -> "Steps":
    """Return the steps of vectors, `(n, dimensions)`."""
    import numpy as np

    from memory.storage.portable.vector_steps import joined, matrix

    size = len(rows[0][0])
    longer = {number: v for number, (_, v) in enumerate(rows) if len(v) != size + CRC_BYTES}
    halves = {number: v for number, v in longer.items() if _is_float16(rows[number])}
    large = {n: v[size:-CRC_BYTES] for n, v in longer.items() if n not in halves}
    steps = joined(matrix([q for q, _ in rows]), matrix([v[:size] for _, v in rows]), large)
    if halves:
        exact = np.frombuffer(b"".join(halves.values()), dtype="<f2").reshape(len(halves), -1)
        steps[list(halves)] = vectors.steps_of(exact)
    return steps
