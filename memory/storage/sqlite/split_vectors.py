"""Vectors in two tables: `q` has the code of each component, and `v` what the codes leave.

A component is `256 * code + rest` steps, with a rest from -128 to 127: a byte for the scan and a
byte for exactness. `v` has the rests, then `(place, code)` in two uint16 and int16 of each
component whose code is too large for `q`, and last the CRC-32 of `q` and all that, for a check to
find damage. In a file of an older version that may only be read, `v` is a float16 row.
"""

import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from operator import mul
from typing import Any, Final, TypeAlias
from zlib import crc32

from contracts import QueryVector
from memory.storage import vectors
from memory.storage.values import StoredVector
from memory.storage.vectors import STEPS, code_scale

CRC_BYTES: Final = 4
LARGE_BYTES: Final = 4
"""The bytes of a component that is too large."""

SplitRow: TypeAlias = tuple[bytes, bytes]
"""The columns `q` and `v` of a vector."""

_LARGE: Final = struct.Struct("<Hh")
_LARGE_FIELDS: Final = [("place", "<u2"), ("code", "<i2")]


def left_by_codes(rows: Sequence[StoredVector]) -> list[bytes]:
    """Return the column `v` of vectors of one length."""
    import numpy as np

    if not rows:
        return []
    exact = np.frombuffer(b"".join(row.v for row in rows), dtype="<f2").reshape(len(rows), -1)
    steps = vectors.steps_of(exact)
    codes = (steps + STEPS // 2) // STEPS
    left = [rest.tobytes() for rest in (steps - STEPS * codes).astype(np.int8)]
    for row, place in zip(*(codes != _matrix([row.q for row in rows])).nonzero(), strict=True):
        left[row] += _LARGE.pack(place, codes[row, place])
    return [_with_crc(row.q, part) for row, part in zip(rows, left, strict=True)]


def _with_crc(q: bytes, left: bytes) -> bytes:
    return left + crc32(left, crc32(q)).to_bytes(CRC_BYTES, "little")


def is_formed(row: SplitRow, dimensions: int) -> bool:
    """Return whether a row has the form of a vector of that length; its bytes may be damaged."""
    q, v = row
    beyond = len(v) - dimensions - CRC_BYTES
    return len(q) == dimensions and (
        (beyond >= 0 and beyond % LARGE_BYTES == 0) or _is_float16(row)
    )


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
    factor = 1 / _steps_in_one(rows[0])
    if "numpy" in sys.modules:
        import numpy as np

        # `@` gives equal rows unequal products in different positions, so they would not tie.
        steps = _steps(rows).astype(np.float64)
        products = np.einsum("ij,j->i", steps, np.asarray(vector, dtype=np.float64)) * factor
        exact: list[float] = products.clip(-1.0, 1.0).tolist()
        return exact
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
    large = _LARGE.iter_unpack(v[len(q) : -CRC_BYTES])
    return [(place, STEPS * (code - codes[place])) for place, code in large if place < len(q)]


def _steps_in_one(row: SplitRow) -> float:
    """Return the number of steps in a component of 1."""
    return STEPS * code_scale(len(row[0]))


def _int8(row: bytes) -> Sequence[int]:
    return struct.unpack(f"{len(row)}b", row)


def _steps(rows: Sequence[SplitRow]) -> Any:
    """Return the steps of vectors, `(n, dimensions)` in int32."""
    import numpy as np

    size = len(rows[0][0])
    codes, rests = _matrix([q for q, _ in rows]), _matrix([v[:size] for _, v in rows])
    steps = codes.astype(np.int32) * STEPS + rests
    longer = {number: v for number, (_, v) in enumerate(rows) if len(v) != size + CRC_BYTES}
    halves = {number: v for number, v in longer.items() if _is_float16(rows[number])}
    if halves:
        exact = np.frombuffer(b"".join(halves.values()), dtype="<f2").reshape(len(halves), -1)
        steps[list(halves)] = vectors.steps_of(exact)
    if large := {n: v[size:-CRC_BYTES] for n, v in longer.items() if n not in halves}:
        _add_beyond(steps, codes, large)
    return steps


def _add_beyond(steps: Any, codes: Any, large: Mapping[int, bytes]) -> None:
    """Add what is beyond the codes of components that are too large, packed by number of row."""
    import numpy as np

    packed = np.frombuffer(b"".join(large.values()), dtype=_LARGE_FIELDS)
    row = np.repeat(list(large), [len(part) // LARGE_BYTES for part in large.values()])
    known = packed["place"] < steps.shape[1]
    row, place, code = row[known], packed["place"][known], packed["code"][known]
    np.add.at(steps, (row, place), STEPS * (code.astype(np.int32) - codes[row, place]))


def _matrix(rows: Sequence[bytes]) -> Any:
    import numpy as np

    return np.frombuffer(b"".join(rows), dtype=np.int8).reshape(len(rows), -1)
