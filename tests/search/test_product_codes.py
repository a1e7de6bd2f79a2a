"""Short codes against the vectors that they stand for, whatever was added and removed."""

import numpy as np
from numpy.typing import NDArray

from search.in_memory.product_codes import ProductCodes

DIMENSIONS = 32
COUNT = 6_000


def some_rows(chance: np.random.Generator, count: int) -> NDArray[np.float32]:
    """Rows in a hundred groups, as texts have topics."""
    middles = np.random.default_rng(1).normal(size=(100, DIMENSIONS))
    near = middles[chance.integers(100, size=count)] + chance.normal(size=(count, DIMENSIONS)) / 3
    return (20 * near).round().astype(np.float32)


def check(codes: ProductCodes, rows: NDArray[np.float32], chance: np.random.Generator) -> None:
    """Of the true ten nearest, nearly all are among the likely hundred."""
    shares = []
    for query in some_rows(chance, 50):
        found, products = codes.nearest(query[None], 100)
        assert np.corrcoef(products, rows[found] @ query)[0, 1] > 0.8
        assert len(np.unique(found)) == len(found)
        assert len(rows) > found.max(initial=0)
        true = np.argsort(-(rows @ query), kind="stable")[:10]
        shares.append(np.isin(true, found).mean())
    assert np.mean(shares) > 0.95


def test_they_find_the_rows_whatever_was_done() -> None:
    chance = np.random.default_rng(2)
    rows = some_rows(chance, COUNT)
    codes = ProductCodes(rows)
    codes.add(rows)
    check(codes, rows, chance)
    for _ in range(8):
        kept = chance.random(len(rows)) > 0.05
        kept[-1] = chance.random() > 0.5
        codes.keep(kept)
        new = some_rows(chance, chance.integers(300))
        codes.add(new)
        rows = np.concatenate([rows[kept], new])
        assert not codes.is_worn
        check(codes, rows, chance)
    codes.keep(np.arange(len(rows)) < 1_000)
    assert codes.is_worn
    check(codes, rows[:1_000], chance)


def test_which_vectors_can_have_them() -> None:
    assert all(ProductCodes.suit(COUNT, dimensions) for dimensions in (64, 256, 384, 512))
    assert not any(ProductCodes.suit(COUNT, dimensions) for dimensions in (2, 62, 257, 768, 3_072))
    assert not ProductCodes.suit(1_000, 256)
