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
from search.in_memory.vector_index import VectorIndex

DIMENSIONS = 24


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
        found = index.search(query, limit)
        true = sorted((product(query, code) for code in codes.values()), reverse=True)[:limit]
        assert [product(query, codes[key]) for key in found] == true
        assert len(set(found)) == len(found)
        among = sorted(chance.sample(sorted(codes), len(codes) // 2))
        found = index.search(query, limit, among=IdSet(np.asarray([*among, 2**40 - 1])))
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
    assert index.search(bytes(DIMENSIONS), 10) == []
    added(index, {})
    assert index.vectors([7]).ids == []
    added(index, {7: bytes(DIMENSIONS)})
    assert index.vectors([8]).codes.shape == (0, DIMENSIONS)
    assert index.remove([7, 8]) == 1
    assert index.search(bytes(DIMENSIONS), 10) == []
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
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                text = ast.get_docstring(node)
                if text and len(text) > 30:
                    yield text


@pytest.mark.slow
def test_real_embeddings_keep_their_order() -> None:
    """Codes alone keep 95 % of the true ten; all of them are among those looked at again."""
    texts = list(dict.fromkeys(islice(docstrings(), 4_000)))
    assert len(texts) > 2_000
    rows = np.asarray(StaticProvider().embed(texts, kind="document"), dtype=np.float64)
    stored = stored_vectors(rows)
    kept = [number for number, row in enumerate(stored) if row is not None]
    index = VectorIndex(rows.shape[1])
    index.add(*code_batch(kept, [row for row in stored if row is not None]))
    unit = rows[kept] / np.linalg.norm(rows[kept], axis=1, keepdims=True)
    alone, refined = [], []
    for place in range(0, len(kept), 10):
        true = {kept[at] for at in np.argsort(-(unit @ unit[place]))[:10]}
        row = stored[kept[place]]
        assert row is not None
        alone.append(len(true & set(index.search(row.q, 10))) / 10)
        refined.append(len(true & set(index.search(row.q, 200))) / 10)
    assert np.mean(alone) > 0.95
    assert np.mean(refined) > 0.99


def test_a_set_of_ids_follows_what_was_added_and_removed() -> None:
    index, chance = VectorIndex(DIMENSIONS), Random(7)
    codes = {key: random_code(chance) for key in range(1, 7)}
    added(index, {key: codes[key] for key in (1, 2, 3)})
    among = IdSet(np.asarray([2, 3, 5, 6]))
    assert set(index.search(codes[2], 9, among=among)) == {2, 3}
    added(index, {key: codes[key] for key in (4, 5, 6)})
    assert set(index.search(codes[2], 9, among=among)) == {2, 3, 5, 6}
    index.remove({1, 3})
    assert set(index.search(codes[2], 9, among=among)) == {2, 5, 6}
