"""The index of codes against sums over a dictionary, and how much of the true order it keeps."""

import ast
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest

from memory.storage.portable.vector_steps import code_batch
from memory.storage.vectors import stored_vectors
from providers.static_model import StaticProvider
from search.in_memory.id_set import IdSet
from search.in_memory.product_codes import ProductCodes
from search.in_memory.vector_index import VectorIndex

DIMENSIONS = 24
WIDE = 128


def random_code(chance: Random) -> bytes:
    """Any bytes, the largest and the smallest values often among them."""
    return bytes(chance.choice((127, 129, chance.randrange(256))) for _ in range(DIMENSIONS))


def product(one: bytes, other: bytes) -> int:
    """The inner product of two codes."""
    left, right = (np.frombuffer(code, dtype=np.int8).astype(np.int64) for code in (one, other))
    return int(left @ right)


def added(index: VectorIndex, codes: Mapping[int, bytes]) -> None:
    """Add codes that leave their own bytes backwards, and of each even id something beyond."""
    rests = b"".join(code[::-1] for code in codes.values())
    index.add(list(codes), b"".join(codes.values()), rests, beyond(codes))


def nearest(
    index: VectorIndex, code: bytes, limit: int, *, among: IdSet | None = None
) -> list[int]:
    """The ids of the vectors that a search finds."""
    return index.at(index.search(code, limit, among=among)).ids


def beyond(ids: Iterable[int]) -> dict[int, bytes]:
    return {key: str(key).encode() for key in ids if key % 2 == 0}


def test_it_equals_a_dictionary_whatever_was_done() -> None:
    chance = Random(3)
    index, codes = VectorIndex(DIMENSIONS), dict[int, bytes]()
    fresh = iter(range(1 << 40, 1 << 41))
    for _ in range(150):
        gone = chance.sample(sorted(codes), chance.randrange(len(codes) // 3 + 1))
        new = {key: random_code(chance) for key in islice(fresh, chance.randrange(60))}
        new |= {key: random_code(chance) for key in gone if chance.random() < 0.5}
        assert index.remove([*gone, -1]) == len(gone)
        added(index, new)
        for key in gone:
            del codes[key]
        codes |= new
        assert len(index) == len(codes)
        query, limit = random_code(chance), chance.choice((1, 10, 1_000))
        found = nearest(index, query, limit)
        true = sorted((product(query, code) for code in codes.values()), reverse=True)[:limit]
        assert [product(query, codes[key]) for key in found] == true
        assert len(set(found)) == len(found)
        among = sorted(chance.sample(sorted(codes), len(codes) // 2))
        found = nearest(index, query, limit, among=IdSet(np.asarray([*among, 2**40 - 1])))
        true = sorted((product(query, codes[key]) for key in among), reverse=True)[:limit]
        assert [product(query, codes[key]) for key in found] == true
        assert set(found) <= set(among)
        asked = chance.sample([*codes, *gone, 3, 1 << 50], len(codes) // 2 + 1)
        ids, coded, rests, large = index.vectors(asked)
        assert ids == [key for key in asked if key in codes]
        assert [row.tobytes() for row in coded] == [codes[key] for key in ids]
        assert [row.tobytes() for row in rests] == [codes[key][::-1] for key in ids]
        assert {ids[row]: part for row, part in large.items()} == beyond(ids)


def test_an_empty_one_finds_nothing() -> None:
    index = VectorIndex(DIMENSIONS)
    assert nearest(index, bytes(DIMENSIONS), 10) == []
    added(index, {})
    assert index.vectors([7]).ids == []
    added(index, {7: bytes(DIMENSIONS)})
    assert index.vectors([8]).codes.shape == (0, DIMENSIONS)
    assert index.remove([7, 8]) == 1
    assert nearest(index, bytes(DIMENSIONS), 10) == []
    assert index.vectors([7]).ids == []


def test_codes_of_another_length_are_refused() -> None:
    index = VectorIndex(DIMENSIONS)
    with pytest.raises(ValueError, match="25 bytes for 1 codes of 24"):
        index.add([1], bytes(25), bytes(24), {})
    with pytest.raises(ValueError, match="23 bytes for 1 codes of 24"):
        index.add([1], bytes(24), bytes(23), {})
    assert len(index) == 0


def test_the_estimate_is_above_what_the_codes_take() -> None:
    assert VectorIndex.needed_bytes(1_000_000, 256) > 4 * 256_000_000
    assert VectorIndex.needed_bytes(0, 256) > 0


def docstrings() -> Iterator[str]:
    """Of the standard library: real sentences that every Python has."""
    library = Path(sysconfig.get_path("stdlib"))
    for path in sorted([*library.glob("*.py"), *library.glob("[!t]*/[!_]*.py")]):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                text = ast.get_docstring(node)
                if text and len(text) > 30:
                    yield text


@pytest.mark.slow
def test_real_embeddings_keep_their_order() -> None:
    """Codes alone keep 95 % of the true ten, short ones first as many; all of them are among those
    looked at again.
    """
    texts = list(dict.fromkeys(islice(docstrings(), 7_000)))
    assert len(texts) > 4_500
    rows = np.asarray(StaticProvider().embed(texts, kind="document"), dtype=np.float64)
    stored = stored_vectors(rows)
    kept = [number for number, row in enumerate(stored) if row is not None]
    index, short = VectorIndex(rows.shape[1]), VectorIndex(rows.shape[1])
    for each in (index, short):
        each.add(*code_batch(kept, [row for row in stored if row is not None]))
    short.shorten()
    unit = rows[kept] / np.linalg.norm(rows[kept], axis=1, keepdims=True)
    alone, refined, shortened = [], [], []
    for place in range(0, len(kept), 10):
        true = {kept[at] for at in np.argsort(-(unit @ unit[place]))[:10]}
        row = stored[kept[place]]
        assert row is not None
        alone.append(len(true & set(nearest(index, row.q, 10))) / 10)
        refined.append(len(true & set(nearest(index, row.q, 200))) / 10)
        shortened.append(len(true & set(nearest(short, row.q, 10))) / 10)
    assert np.mean(alone) > 0.95
    assert np.mean(refined) > 0.99
    assert np.mean(shortened) > 0.95


def test_a_set_of_ids_follows_what_was_added_and_removed() -> None:
    index, chance = VectorIndex(DIMENSIONS), Random(7)
    codes = {key: random_code(chance) for key in range(1, 7)}
    added(index, {key: codes[key] for key in (1, 2, 3)})
    among = IdSet(np.asarray([2, 3, 5, 6]))
    assert set(nearest(index, codes[2], 9, among=among)) == {2, 3}
    added(index, {key: codes[key] for key in (4, 5, 6)})
    assert set(nearest(index, codes[2], 9, among=among)) == {2, 3, 5, 6}
    index.remove({1, 3})
    assert set(nearest(index, codes[2], 9, among=among)) == {2, 5, 6}


def in_groups(chance: Random, count: int, *, first: int = 0) -> dict[int, bytes]:
    """Codes of `WIDE` near one of a hundred, as texts have topics, by id."""
    middles = [[Random(group).randrange(-90, 90) for _ in range(WIDE)] for group in range(100)]
    return {
        key: bytes((each + chance.randrange(-30, 31)) % 256 for each in chance.choice(middles))
        for key in range(first, first + count)
    }


def test_short_codes_are_looked_through_first(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(5)
    index, plain, codes = VectorIndex(WIDE), VectorIndex(WIDE), in_groups(chance, 6_000)
    added(index, codes)
    added(plain, codes)
    index.shorten()
    likely = []
    looked = ProductCodes.nearest
    monkeypatch.setattr(
        ProductCodes,
        "nearest",
        lambda self, query, count: likely.append(count) or looked(self, query, count),  # type: ignore[func-returns-value]
    )

    def check(limit: int, *, among: IdSet | None = None) -> float:
        shares = []
        for query in in_groups(chance, 30).values():
            true = nearest(plain, query, limit, among=among)
            found = nearest(index, query, limit, among=among)
            assert len(found) == len(true)
            shares.append(len({*found} & {*true}) / len(true))
        return float(np.mean(shares))

    assert check(20) > 0.9
    assert likely == [100] * 30
    most = IdSet(np.asarray(sorted(chance.sample(sorted(codes), 4_500))))
    likely.clear()
    assert check(15, among=most) > 0.9
    assert likely == [100] * 30
    few = IdSet(np.asarray([3, 7, 11, 4_000]))
    assert check(4, among=few) == 1
    likely.clear()
    assert check(30) == 1  # so many of 6,000 are found as quickly by a scan
    assert likely == []
    gone, new = chance.sample(sorted(codes), 1_000), in_groups(chance, 2_000, first=10_000)
    for each in (index, plain):
        each.remove(gone)
        added(each, new)
    assert not index.is_worn
    assert check(20) > 0.9
    index.remove(range(3_500))
    index.remove(range(10_000, 11_500))
    assert index.is_worn
    assert not plain.is_worn


def test_vectors_that_hardly_differ_are_all_scanned() -> None:
    """Their short codes are the same: many of the nearest would not be looked at."""
    chance = Random(6)
    middle = [chance.randrange(-90, 90) for _ in range(WIDE)]
    index, codes = VectorIndex(WIDE), in_groups(chance, 3_000)
    codes |= {
        key: bytes((each + chance.randrange(-2, 3)) % 256 for each in middle)
        for key in range(3_000, 6_000)
    }
    added(index, codes)
    index.shorten()
    for query in islice(reversed(codes.values()), 20):
        true = sorted((product(query, code) for code in codes.values()), reverse=True)[:20]
        assert [product(query, codes[key]) for key in nearest(index, query, 20)] == true


def test_short_codes_of_an_index_that_has_grown_are_worn() -> None:
    """They were chosen for the vectors that it had."""
    index = VectorIndex(WIDE)
    added(index, in_groups(Random(6), 5_000))
    index.shorten()
    added(index, in_groups(Random(7), 5_000, first=5_000))
    assert not index.is_worn
    added(index, in_groups(Random(8), 1, first=10_000))
    assert index.is_worn


def test_few_vectors_have_no_short_codes() -> None:
    index = VectorIndex(WIDE)
    added(index, in_groups(Random(6), 200))
    index.shorten()
    assert not index.is_worn
    assert len(nearest(index, in_groups(Random(7), 1)[0], 1)) == 1
