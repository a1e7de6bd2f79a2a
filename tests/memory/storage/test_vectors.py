"""Vectors as stored: steps that are true, codes that are fast, made with numpy or without."""

import struct
import subprocess
import sys
from math import inf, log2, nan, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.storage import StoredVector
from memory.storage.vectors import (
    INT8_LARGEST,
    STEPS,
    code_scale,
    cosine,
    cosines,
    from_float16,
    is_unit,
    normalised,
    quantised,
    stored_vectors,
)

COMPONENTS = st.floats(-100, 100, width=32)
VECTORS = st.lists(COMPONENTS, min_size=3, max_size=16).filter(lambda v: max(map(abs, v)) > 1e-3)


def float16(row: StoredVector) -> tuple[float, ...]:
    return struct.unpack(f"<{len(row.v) // 2}e", row.v)


def int8(codes: bytes) -> tuple[int, ...]:
    return struct.unpack(f"{len(codes)}b", codes)


@given(VECTORS)
def test_a_stored_vector_keeps_its_direction(vector: list[float]) -> None:
    (row,) = stored_vectors([vector])
    assert row is not None
    norm = sqrt(sum(x * x for x in vector))
    exact = [x / norm for x in vector]
    # Of components up to 1, float16 is half of 2**-11 off; then they are rounded to steps.
    scale = code_scale(len(vector))
    assert float16(row) == pytest.approx(exact, rel=0, abs=2**-12 + 0.5 / (STEPS * scale))
    assert all((x * STEPS * scale).is_integer() for x in float16(row))
    scaled = [x * scale for x in float16(row)]
    expected = [min(INT8_LARGEST, max(-INT8_LARGEST, x)) for x in scaled]
    assert int8(row.q) == pytest.approx(expected, abs=0.5)


def test_codes_use_their_range_and_clip_beyond_it() -> None:
    """Of 256 equal components each is one root mean square: an eighth of the range."""
    (even,) = stored_vectors([[1.0] * 256])
    assert even is not None
    assert set(int8(even.q)) == {16}
    (single,) = stored_vectors([[-1.0] + [0.0] * 255])
    assert single is not None
    assert int8(single.q) == (-INT8_LARGEST, *[0] * 255)


@given(VECTORS)
def test_a_stored_row_is_made_again_from_its_float16_form(vector: list[float]) -> None:
    (row,) = stored_vectors([vector])
    assert row is not None
    assert from_float16({1: row.v}) == {1: row}


@pytest.mark.parametrize("dimensions", [1, 2, 64, 256, 384, 768, 1024, 3072])
def test_a_long_row_is_made_again_from_its_float16_form(dimensions: int) -> None:
    chance = Random(dimensions)
    rows = stored_vectors([[chance.gauss() ** 3 for _ in range(dimensions)] for _ in range(40)])
    exact = {place: row.v for place, row in enumerate(rows) if row is not None}
    assert list(from_float16(exact).values()) == rows


@pytest.mark.parametrize("dimensions", [1, 2, 64, 256, 384, 768, 1024, 3072])
def test_a_code_reaches_six_to_twelve_root_mean_squares(dimensions: int) -> None:
    scale = code_scale(dimensions)
    assert log2(scale).is_integer()
    assert 5.6 < INT8_LARGEST / scale * sqrt(dimensions) < 11.4


@given(VECTORS, VECTORS)
def test_the_cosine_is_that_of_the_vectors(left: list[float], right: list[float]) -> None:
    size = min(len(left), len(right))
    query, stored = normalised(left[:size]), normalised(right[:size])
    (row,) = stored_vectors([right[:size]])
    if query is None or stored is None or row is None:
        return
    exact = sum(a * b for a, b in zip(query, stored, strict=True))
    assert -1 <= cosine(query, row.v) <= 1
    assert cosine(query, row.v) == pytest.approx(exact, abs=1e-3)


@given(VECTORS)
def test_a_unit_vector_has_length_one(vector: list[float]) -> None:
    unit = normalised(vector)
    assert unit is not None
    assert sum(x * x for x in unit) == pytest.approx(1, abs=1e-5)
    scale = code_scale(len(unit))
    expected = [max(-INT8_LARGEST, min(INT8_LARGEST, round(x * scale))) for x in unit]
    assert list(int8(quantised(unit))) == expected


def test_codes_are_the_same_without_numpy() -> None:
    """Halves are rounded to even, and what is too large is clipped, no matter who does it."""
    unit = [component / code_scale(256) for component in (0.5, 1.5, -2.5, 126.4, 400, -400, 0.0)]
    vector = normalised([*unit, *(Random(2).gauss() for _ in range(249))])
    assert vector is not None
    script = (
        "import sys\n"
        "from memory.storage.vectors import quantised\n"
        f"print(quantised({list(vector)!r}).hex(), quantised({unit * 36 + [0.0] * 4!r}).hex())\n"
        "assert 'numpy' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    here = f"{quantised(vector).hex()} {quantised(unit * 36 + [0.0] * 4).hex()}\n"
    assert done.stdout == here
    assert int8(quantised(unit * 36 + [0.0] * 4))[:7] == (0, 2, -2, 126, 127, -127, 0)


WITHOUT_NORM = {
    "zero": [0.0, 0.0],
    "not a number": [nan, 1.0],
    "infinite": [inf, 1.0],
    "both": [inf, -inf],
}


@pytest.mark.parametrize("vector", WITHOUT_NORM.values(), ids=WITHOUT_NORM)
def test_what_has_no_norm_is_not_stored(vector: list[float]) -> None:
    usable = [3.0, -4.0]
    rows = stored_vectors([vector, usable])
    assert rows[0] is None
    assert rows[1] is not None
    assert float16(rows[1]) == pytest.approx([0.6, -0.8], rel=2**-11)
    assert normalised(vector) is None


@pytest.mark.parametrize("scale", [1e-30, 1e30], ids=["tiny", "huge"])
def test_the_length_of_a_vector_does_not_matter(scale: float) -> None:
    assert stored_vectors([[3 * scale, -4 * scale]]) == stored_vectors([[3.0, -4.0]])


def test_an_empty_batch() -> None:
    assert stored_vectors([]) == []


def test_many_cosines_are_those_of_each() -> None:
    """By numpy, which this process has loaded, as without it."""
    rows = [row for row in stored_vectors([[3, 4, 0], [0, 1, -1], [1, 1, 1]]) if row is not None]
    query = normalised([1.0, 2.0, -0.5])
    assert query is not None
    found = cosines(query, [row.v for row in rows])
    assert found == pytest.approx([cosine(query, row.v) for row in rows], abs=1e-6)
    assert cosines(query, []) == []


def test_equal_rows_have_equal_cosines_wherever_they_stand() -> None:
    chance = Random(1)
    (row,) = stored_vectors([[chance.gauss() for _ in range(256)]])
    query = normalised([chance.gauss() for _ in range(256)])
    assert row is not None
    assert query is not None
    found = {score for count in (1, 2, 3, 7, 301) for score in cosines(query, [row.v] * count)}
    assert len(found) == 1


@given(VECTORS)
def test_every_stored_row_has_length_one(vector: list[float]) -> None:
    (row,) = stored_vectors([vector])
    assert row is not None
    assert is_unit(row.v)
    assert not is_unit(bytes(len(row.v)))
    assert not is_unit(struct.pack("<2e", nan, 0.0))


@pytest.mark.parametrize("odd", [nan, inf, -inf])
def test_a_row_that_is_no_number_is_recognised(odd: float) -> None:
    assert is_unit(struct.pack("<3e", 0.6, -0.8, 0.0))
    assert not is_unit(struct.pack("<3e", 0.6, odd, -odd))
