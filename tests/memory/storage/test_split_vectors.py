"""Vectors of SQLite: a byte of each component in one table, and its other byte in the other."""

import subprocess
import sys
from math import cos
from random import Random

import pytest

from memory.storage import StoredVector
from memory.storage.portable import vector_steps
from memory.storage.sqlite.split_vectors import (
    CRC_BYTES,
    checked_rows,
    code_batch,
    cosines,
    decoded,
    float16_rows,
    left_by_codes,
)
from memory.storage.vectors import LARGE, normalised, stored_vectors
from memory.storage.vectors import cosines as float16_cosines
from memory.storage.vectors import decoded as float16_decoded

LARGE_AT = 3


def some(count: int = 30, dimensions: int = 256) -> list[StoredVector]:
    """Vectors by chance; one has two components too large for a code."""
    chance = Random(dimensions)
    made = [[chance.gauss() for _ in range(dimensions)] for _ in range(count)]
    made[LARGE_AT][7], made[LARGE_AT][9] = -2.0 * dimensions, 1.5 * dimensions
    rows = [row for row in stored_vectors(made) if row is not None]
    assert len(rows) == count
    return rows


def as_kept(rows: list[StoredVector]) -> list[tuple[bytes, bytes]]:
    return list(zip([row.q for row in rows], left_by_codes(rows), strict=True))


@pytest.mark.parametrize("dimensions", [256, 384, 768, 1024])
def test_a_component_takes_two_bytes_and_four_more_if_it_is_too_large(dimensions: int) -> None:
    rows = some(dimensions=dimensions)
    kept = as_kept(rows)
    sizes = [len(v) for _, v in kept]
    assert sizes.pop(LARGE_AT) == dimensions + 2 * LARGE.size + CRC_BYTES
    assert sizes.count(dimensions + CRC_BYTES) > len(sizes) - 3  # chance makes few so large
    assert float16_rows(kept) == [row.v for row in rows]
    assert [tuple(decoded(row)) for row in kept] == [float16_decoded(row.v) for row in rows]


def test_nothing() -> None:
    assert left_by_codes([]) == float16_rows([]) == cosines(some()[0].q, []) == []


def test_cosines_are_those_of_the_float16_rows_to_the_last_digit() -> None:
    rows = some()
    query = normalised([cos(place) for place in range(256)])
    assert query is not None
    assert cosines(query, as_kept(rows)) == float16_cosines(query, [row.v for row in rows])


def test_rows_of_both_forms_have_the_cosines_of_their_decoded_vectors() -> None:
    rows = some()
    split = as_kept(rows)
    whole = [(row.q, row.v) for row in rows]
    q, v = split[0]
    outside = v[:-CRC_BYTES] + b"\xff\xff\x01\x00" + v[-CRC_BYTES:]  # of a damaged file
    twice = v[:-CRC_BYTES] + 2 * b"\x05\x00\x80\x00" + v[-CRC_BYTES:]
    query = normalised([cos(place) for place in range(256)])
    assert query is not None
    for mixed in (whole, [*whole, *split], [(q, outside), (q, twice), *split[1:], *whole]):
        expected = [sum(a * b for a, b in zip(query, decoded(row), strict=True)) for row in mixed]
        assert cosines(query, mixed) == pytest.approx(expected, abs=1e-12)


def test_a_batch_is_the_same_from_rows_of_either_form() -> None:
    rows = some()
    split = [(number, *row) for number, row in enumerate(as_kept(rows))]
    whole = [(number, row.q, row.v) for number, row in enumerate(rows)]
    batch = code_batch(split)
    assert batch.q == b"".join(row.q for row in rows)
    assert batch.large.keys() >= {LARGE_AT}
    assert batch == code_batch(whole) == vector_steps.code_batch([*range(len(rows))], rows)
    assert code_batch([]) == ([], b"", b"", {})


def test_cosines_need_no_numpy() -> None:
    kept = as_kept(some())
    query = normalised([cos(place) for place in range(256)])
    assert query is not None
    script = (
        "import sys\n"
        "from memory.storage.sqlite.split_vectors import cosines\n"
        f"print(*cosines({list(query)!r}, {kept!r}))\n"
        "assert 'numpy' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert [float(part) for part in done.stdout.split()] == pytest.approx(
        cosines(query, kept), abs=1e-12
    )


def test_rows_that_make_no_vector() -> None:
    kept = as_kept(some())
    (q, v), (large_q, large_v) = kept[0], kept[LARGE_AT]
    odd = [
        *((b"", v), (q, v[:-1]), (q[:-1], v), (q, b""), (kept[1][0], v), (q, large_v)),
        *((q, bytes([v[0] ^ 1]) + v[1:]), (q, v[:-1] + bytes([v[-1] ^ 1]))),
        (large_q, large_v[:257] + large_v[258:]),
    ]
    found = checked_rows([*odd, *kept], 256)
    assert found == [*[None] * len(odd), *float16_rows(kept)]
    assert checked_rows([(q[:-1], v[:-1])], 256) == [None]
