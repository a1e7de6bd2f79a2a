"""The encoding of embeddings: fixed-point numbers, kept in float16, and in int8 for fast scans.

A component is a whole number of steps, and a step is a power of two, so that float16 holds it
exactly, in SQLite as in PostgreSQL. A code is the same number in 256 times longer steps.

One vector is coded with the standard library alone, so that a single query does not import numpy; a
batch goes through numpy, and so does one vector in a process that has loaded it. Both give the same
bytes.
"""

import struct
import sys
from array import array
from collections.abc import Hashable, Mapping, Sequence
from math import log2, sqrt
from operator import mul
from typing import TYPE_CHECKING, Any, TypeVar

from contracts import QueryVector
from memory.storage.values import Space, StoredVector

if TYPE_CHECKING:
    from providers import Rows

Key = TypeVar("Key", bound=Hashable)

INT8_LARGEST = 127
CODE_LIMIT = 8.0
"""About the largest component of a code, in root mean squares of a unit vector's components."""

LENGTH_WITHIN = 0.01
"""The largest deviation of a vector's length from 1; rounding to float16 leaves less than .001."""

STEPS = 256
"""The steps of a component in one of its code."""

LARGE = struct.Struct("<Hh")
"""A component that is too large for its code: its place and its true code."""

REFINED_AT_LEAST = 200
REFINED_FOR_EACH = 2
"""The number of codes that are refined for each requested chunk: see `refined`."""


def refined(limit: int) -> int:
    """Return how many of the nearest codes to refine by cosine to find the `limit` nearest vectors.

    It exceeds `limit`, since codes a little farther away may belong to nearer vectors. Of the true
    200 (1,000) nearest of 100,000 real embeddings, FAISS, which scans exactly, finds .983 (.983)
    with no margin and 1.000 (.9998) with twice as many.
    """
    return max(REFINED_AT_LEAST, REFINED_FOR_EACH * limit)


def normalised(components: Sequence[float]) -> QueryVector | None:
    """Return the unit vector of that direction, or None when it has no norm or is not finite."""
    norm = sqrt(sum(map(mul, components, components)))
    if not 0.0 < norm < float("inf"):
        return None
    return array("f", [component / norm for component in components])


def quantised(vector: QueryVector) -> bytes:
    """Convert the unit vector to int8 with `code_scale`; larger components are clipped."""
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
    """Return the factor that turns a component of a unit vector into int8, a power of two.

    It depends on the dimensions alone, so that distances between codes are distances between
    vectors: a component is `1 / sqrt(dimensions)` in the root mean square, and of real embeddings
    fewer than one in 5,000 is beyond eight times that.
    """
    return float(2 ** round(log2(INT8_LARGEST * sqrt(dimensions) / CODE_LIMIT)))


def decoded(stored: bytes) -> tuple[float, ...]:
    """Return the vector that a float16 row holds."""
    return struct.unpack(f"<{len(stored) // 2}e", stored)


def cosine(vector: QueryVector, stored: bytes) -> float:
    """Return the cosine of a unit vector with a stored float16 row, in [-1, 1]."""
    product: float = sum(map(mul, vector, decoded(stored)))
    return min(1.0, max(-1.0, product))


def cosines(vector: QueryVector, rows: Sequence[bytes]) -> list[float]:
    """Return the cosine of a unit vector with each of these float16 rows, in [-1, 1].

    It uses numpy if the process has loaded it, which is 18 times quicker for hundreds of rows;
    importing it for one query would cost more than all of them.
    """
    numpy = _numpy()
    if numpy is None or not rows:
        return [cosine(vector, row) for row in rows]
    matrix = numpy.frombuffer(b"".join(rows), dtype="<f2").reshape(len(rows), -1)
    # As exact as without numpy, so that a command that a server runs prints the same digits.
    wide, query = matrix.astype(numpy.float64), numpy.asarray(vector, dtype=numpy.float64)
    # `@` gives equal rows unequal products in different positions, so they would not tie.
    products = numpy.einsum("ij,j->i", wide, query)
    exact: list[float] = products.clip(-1.0, 1.0).tolist()
    return exact


def _numpy() -> Any:
    """Return numpy if the process has loaded it, else None."""
    return sys.modules.get("numpy")


def stored_vectors(rows: "Rows") -> list[StoredVector | None]:
    """Code a batch of embeddings, `(n, dimensions)`; None where a row has no norm."""
    import numpy as np

    matrix = np.asarray(rows, dtype=np.float64)  # squares of float32 numbers overflow float32
    if not len(matrix):
        return []
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    usable = np.isfinite(norms) & (norms > 0)
    rounded = np.where(usable, matrix / np.where(usable, norms, 1), 0).astype("<f2")
    coded = _coded(rounded)
    return [row if ok else None for row, ok in zip(coded, usable[:, 0], strict=True)]


def from_float16(rows: Mapping[Key, bytes]) -> dict[Key, StoredVector]:
    """Return the stored form of finite float16 rows of one length."""
    import numpy as np

    if not rows:
        return {}
    matrix = np.frombuffer(b"".join(rows.values()), dtype="<f2").reshape(len(rows), -1)
    return dict(zip(rows, _coded(matrix), strict=True))


def _coded(rounded: Any) -> list[StoredVector]:
    """Return the stored form of float16 rows, `(n, dimensions)`.

    A float16 number is either a whole number of steps or less than 2,048 of them, so that the
    nearest whole number of steps is a float16 number too.
    """
    import numpy as np

    steps = steps_of(rounded)
    exact = (steps / (STEPS * code_scale(rounded.shape[1]))).astype("<f2")
    codes = np.clip((steps + STEPS // 2) // STEPS, -INT8_LARGEST, INT8_LARGEST).astype(np.int8)
    return [StoredVector(q.tobytes(), v.tobytes()) for q, v in zip(codes, exact, strict=True)]


def steps_of(rows: Any) -> Any:
    """Return the steps of the components of float16 rows, both `(n, dimensions)`, as int32."""
    import numpy as np

    return np.rint(rows.astype(np.float64) * (STEPS * code_scale(rows.shape[1]))).astype(np.int32)


def is_unit(v: bytes) -> bool:
    """Return whether a float16 row has the length 1, about as float16 can have it."""
    row = decoded(v)
    return abs(sqrt(sum(map(mul, row, row))) - 1) < LENGTH_WITHIN


def vector_table(space: Space) -> str:
    """Return the name of the table with a space's vectors."""
    return f"vectors_{space.id:d}"
