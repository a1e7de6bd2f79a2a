"""Vectors as whole numbers of steps: a code and a rest of a byte each, and more where a component
is too large for a code.

A component is `256 * code + rest` steps, with a rest from -128 to 127. Loads numpy.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from contracts import QueryVector
from memory.storage.values import CodeBatch, StoredVector
from memory.storage.vectors import LARGE, STEPS, code_scale, steps_of

Bytes: TypeAlias = NDArray[np.int8]
Steps: TypeAlias = NDArray[np.int32]

_LARGE_FIELDS: Final = [("place", "<u2"), ("code", "<i2")]


def code_batch(ids: Sequence[int], rows: Sequence[StoredVector]) -> CodeBatch:
    """Return vectors of one length with the rests of their codes."""
    rests, large = split(rows)
    beyond = {ids[number]: part for number, part in large.items()}
    return CodeBatch(ids, b"".join(row.q for row in rows), rests.tobytes(), beyond)


def split(rows: Sequence[StoredVector]) -> tuple[Bytes, dict[int, bytes]]:
    """Return the rests of vectors of one length, `(n, dimensions)`, and what is beyond the codes,
    packed, by number of row.
    """
    if not rows:
        return np.empty((0, 0), dtype=np.int8), {}
    exact = np.frombuffer(b"".join(row.v for row in rows), dtype="<f2").reshape(len(rows), -1)
    steps = steps_of(exact)
    codes = (steps + STEPS // 2) // STEPS
    large: dict[int, bytes] = {}
    for row, place in np.argwhere(codes != matrix([row.q for row in rows])).tolist():
        large[row] = large.get(row, b"") + LARGE.pack(place, codes[row, place])
    return (steps - STEPS * codes).astype(np.int8), large


def joined(codes: Bytes, rests: Bytes, large: Mapping[int, bytes]) -> Steps:
    """Return the steps of vectors, `(n, dimensions)`; `large` is by number of row."""
    steps: Steps = codes.astype(np.int32)
    steps *= STEPS
    steps += rests
    if not large:
        return steps
    packed = np.frombuffer(b"".join(large.values()), dtype=_LARGE_FIELDS)
    row = np.repeat(list(large), [len(part) // LARGE.size for part in large.values()])
    known = packed["place"] < steps.shape[1]  # of a damaged row it may be any
    row, place, code = row[known], packed["place"][known], packed["code"][known]
    np.add.at(steps, (row, place), STEPS * (code.astype(np.int32) - codes[row, place]))
    return steps


def matrix(rows: Sequence[bytes]) -> Bytes:
    """Return int8 rows of one length, `(n, dimensions)`."""
    return np.frombuffer(b"".join(rows), dtype=np.int8).reshape(len(rows), -1)


def cosines(vector: QueryVector, steps: Steps) -> list[float]:
    """Return the cosine of a unit vector with each of these, in [-1, 1]: those of their float16
    rows, to the last digit.
    """
    # `@` gives equal rows unequal products in different positions, so they would not tie.
    wide: Any = np.einsum("ij,j->i", steps.astype(np.float64), np.asarray(vector, dtype=np.float64))
    products = wide / (STEPS * code_scale(len(vector)))
    exact: list[float] = products.clip(-1.0, 1.0).tolist()
    return exact
