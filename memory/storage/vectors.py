"""How an embedding is stored: a float16 row that is true, and an int8 row that is fast to scan.

One vector is coded with the standard library alone, so that a single query costs no numpy import; a
batch goes through numpy, and so does one vector in a process that has it. Both give the same bytes.
"""

import struct
import sys
from array import array
from collections.abc import Sequence
from math import sqrt
from operator import mul
from typing import TYPE_CHECKING, Any

from contracts import QueryVector
from memory.storage.values import StoredVector

if TYPE_CHECKING:
    from providers import Rows

INT8_LARGEST = 127
CODE_LIMIT = 8.0
"""The largest component that a code can hold, in root mean squares of a unit vector's."""

REFINED_AT_LEAST = 200
REFINED_FOR_EACH = 2
"""How many codes are refined for each chunk that is asked for: see `refined`."""


def refined(limit: int) -> int:
    """Of how many of the nearest codes the cosine is computed to find the `limit` nearest vectors.

    More than are asked for, since codes that are nearly as near as the last of them may stand for
    nearer vectors. Of the true 200 (1,000) nearest of 100,000 real embeddings, with no margin .983
    (.983) are found by FAISS, which scans exactly, with twice as many 1.000 (.9998).
    """
    return max(REFINED_AT_LEAST, REFINED_FOR_EACH * limit)


def normalised(components: Sequence[float]) -> QueryVector | None:
    """The unit vector of that direction, or None when it has no norm or is not finite."""
    norm = sqrt(sum(map(mul, components, components)))
    if not 0.0 < norm < float("inf"):
        return None
    return array("f", [component / norm for component in components])


def quantised(vector: QueryVector) -> bytes:
    """The unit vector in int8 on `code_scale`; what is larger is clipped."""
    scale = code_scale(len(vector))
    numpy = _numpy()
    if numpy is None:
        return array("b", [_clipped(round(component * scale)) for component in vector]).tobytes()
    scaled = numpy.rint(numpy.asarray(vector, dtype=numpy.float64) * scale)
    codes: bytes = scaled.clip(-INT8_LARGEST, INT8_LARGEST).astype(numpy.int8).tobytes()
    return codes


def _clipped(value: int) -> int:
    return min(INT8_LARGEST, max(-INT8_LARGEST, value))


def code_scale(dimensions: int) -> float:
    """What a component of a unit vector is multiplied by to become int8.

    It depends on the dimensions alone, so that distances between codes are distances between
    vectors: a component is `1 / sqrt(dimensions)` in the root mean square, and of real embeddings
    fewer than one in 5,000 is beyond eight times that.
    """
    return INT8_LARGEST * sqrt(dimensions) / CODE_LIMIT


def decoded(stored: bytes) -> tuple[float, ...]:
    """The vector that a float16 row holds."""
    return struct.unpack(f"<{len(stored) // 2}e", stored)


def cosine(vector: QueryVector, stored: bytes) -> float:
    """The cosine of a unit vector with a stored float16 row, in [-1, 1]."""
    product: float = sum(map(mul, vector, decoded(stored)))
    return min(1.0, max(-1.0, product))


def cosines(vector: QueryVector, rows: Sequence[bytes]) -> list[float]:
    """The cosine of a unit vector with each of these float16 rows, in [-1, 1].

    By numpy where the process has loaded it anyway, which is 18 times quicker for hundreds of rows;
    importing it for one query would cost more than all of them.
    """
    numpy = _numpy()
    if numpy is None or not rows:
        return [cosine(vector, row) for row in rows]
    matrix = numpy.frombuffer(b"".join(rows), dtype="<f2").reshape(len(rows), -1)
    wide, query = matrix.astype(numpy.float32), numpy.asarray(vector, dtype=numpy.float32)
    # `@` gives equal rows unequal products in different places, so that they would not tie.
    products = numpy.einsum("ij,j->i", wide, query)
    exact: list[float] = products.clip(-1.0, 1.0).tolist()
    return exact


def _numpy() -> Any:
    """The library where the process has it anyway, else None."""
    return sys.modules.get("numpy")


def stored_vectors(rows: "Rows") -> list[StoredVector | None]:
    """Code a batch of embeddings, `(n, dimensions)`; None where a row has no norm.

    int8 rows are made from the float16 ones, so that they can be made again from what is stored.
    """
    import numpy as np

    matrix = np.asarray(rows, dtype=np.float64)  # squares of float32 numbers overflow float32
    if not len(matrix):
        return []
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    usable = np.isfinite(norms) & (norms > 0)
    exact = np.where(usable, matrix / np.where(usable, norms, 1), 0).astype("<f2")
    scaled = np.rint(exact.astype(np.float64) * code_scale(matrix.shape[1]))
    coarse = np.clip(scaled, -INT8_LARGEST, INT8_LARGEST).astype(np.int8)
    return [
        StoredVector(q.tobytes(), v.tobytes()) if ok else None
        for q, v, ok in zip(coarse, exact, usable[:, 0], strict=True)
    ]


def from_float16(v: bytes) -> StoredVector:
    """The stored form of a float16 row, its int8 row made again."""
    row = array("f", decoded(v))
    return StoredVector(quantised(row), v)
