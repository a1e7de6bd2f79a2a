"""The embedding cache of every backend, against a dictionary."""

from collections.abc import Mapping
from contextlib import suppress
from random import Random

import pytest

from memory.storage import Space, Storage, content_hash
from memory.storage.cache import CachedKind
from tests.memory.storage.oracle import SPACE, World

OTHER = SPACE._replace(embedder="other")
ROW = 512
ENTRY = ROW + 250
"""Bytes that a vector of ROW bytes counts for."""

LONG_AGO = "2020-01-01T00:00:00.000Z"
KINDS: tuple[CachedKind, ...] = ("document", "query")


def content(name: object) -> bytes:
    return content_hash(str(name))


def vector(name: object) -> bytes:
    return content(name) * (ROW // 16)


def put(
    storage: Storage,
    *names: object,
    space: Space = SPACE,
    kind: CachedKind = "document",
    most: int = 1000,
) -> None:
    """Keep the vectors of these, with room for `most` of them."""
    rows = {content(name): vector(name) for name in names}
    with storage.database.transaction() as tx:
        storage.cache.put(tx, space, rows, kind=kind, most_bytes=most * ENTRY)


def kept(
    storage: Storage, names: range, *, space: Space = SPACE, kind: CachedKind = "document"
) -> list[int]:
    found = storage.cache.get(space, map(content, names), kind=kind)
    assert all(found[content(name)] == vector(name) for name in names if content(name) in found)
    return [name for name in names if content(name) in found]


def date(storage: Storage, uses: Mapping[int, str]) -> None:
    """Say when vectors were used last."""
    sql = "UPDATE embedding_cache SET used_at = :at WHERE hash = :hash"
    with storage.database.transaction() as tx:
        for name, moment in uses.items():
            tx.run(sql, {"hash": content(name), "at": moment})


def test_a_vector_is_of_its_text_its_embedder_and_its_kind(storage: Storage) -> None:
    put(storage, 1, 2)
    put(storage, 1, space=OTHER, kind="query")
    assert kept(storage, range(4)) == [1, 2]
    assert kept(storage, range(4), kind="query") == []
    assert kept(storage, range(4), space=OTHER) == []
    assert kept(storage, range(4), space=OTHER, kind="query") == [1]
    rechunked = SPACE._replace(generation="another", id=99)
    assert kept(storage, range(4), space=rechunked) == [1, 2]


def test_what_was_used_longest_ago_goes(storage: Storage) -> None:
    put(storage, *range(10))
    date(storage, {name: f"2026-01-0{9 - name}T00:00:00.000Z" for name in range(9)})
    put(storage, 10, most=8)  # room for 8, of which a tenth is left free
    assert kept(storage, range(11)) == [0, 1, 2, 3, 4, 9, 10]
    put(storage, 11, most=8)
    assert kept(storage, range(12)) == [0, 1, 2, 3, 4, 9, 10, 11]


def test_a_use_counts_once_an_hour(storage: Storage) -> None:
    put(storage, 1, 2, 3)
    put(storage, 1, space=OTHER)
    date(storage, {1: LONG_AGO, 2: LONG_AGO})
    assert [storage.cache.is_stale(SPACE, content(name), kind="document") for name in (1, 3)] == [
        *(True, False)
    ]
    assert not storage.cache.is_stale(SPACE, content(1), kind="query")
    with storage.database.transaction() as tx:
        storage.cache.mark_used(tx, SPACE, [content(1), content(3)], kind="document")
    assert not storage.cache.is_stale(SPACE, content(1), kind="document")
    assert storage.cache.is_stale(OTHER, content(1), kind="document")
    put(storage, 4, most=4)
    assert kept(storage, range(5)) == [1, 3, 4]  # 2, and the other space's 1, were older


def test_a_vector_put_again_is_not_kept_twice_and_was_used(storage: Storage) -> None:
    put(storage, 1, 2)
    date(storage, {1: LONG_AGO, 2: LONG_AGO})
    size = storage.cache.size()
    put(storage, 1)
    assert storage.cache.size() == size == (2, 2 * ENTRY)
    assert not storage.cache.is_stale(SPACE, content(1), kind="document")


def test_no_room_keeps_nothing(storage: Storage) -> None:
    put(storage, 1, 2, 3, most=0)
    assert storage.cache.size() == (0, 0)


def test_the_embedders_to_keep_are_those_of_the_database(storage: Storage) -> None:
    """A transaction that is undone leaves nothing behind in this process."""
    with suppress(ZeroDivisionError), storage.database.transaction() as tx:
        storage.cache.put(tx, SPACE, {content(1): vector(1)}, kind="document", most_bytes=ENTRY)
        assert storage.cache.limits() == {SPACE.embedder: ENTRY}
        raise ZeroDivisionError
    assert storage.cache.limits() == {}
    put(storage, 1, most=2)
    put(storage, 2, kind="query", space=SPACE._replace(embedder="asked"))
    assert storage.cache.limits() == {SPACE.embedder: 2 * ENTRY}
    with storage.database.transaction() as tx:
        storage.cache.stop_keeping(tx, SPACE)
    assert storage.cache.limits() == {}


def test_removing_an_owner_forgets_what_no_other_chunk_holds(world: World) -> None:
    world.put_texts("f1", "alpha", "beta")
    world.put_texts("f2", "beta")
    put(world.storage, "alpha", "beta", "gamma")
    put(world.storage, "alpha", space=OTHER, kind="query")
    world.remove("f1")
    left = world.storage.cache.get(SPACE, map(content, ("alpha", "beta", "gamma")), kind="document")
    assert set(left) == {content("beta"), content("gamma")}
    assert world.storage.cache.get(OTHER, [content("alpha")], kind="query") == {}
    with world.storage.database.transaction() as tx:
        assert world.storage.remove_owner(tx, "file", "f2", keep_cached=True) == 1
    del world.rows[max(world.rows)]
    assert set(world.storage.cache.get(SPACE, [content("beta")], kind="document"))


@pytest.mark.parametrize("seed", range(5))
def test_whatever_happens_it_holds_what_a_dictionary_would(storage: Storage, seed: int) -> None:
    """The number and the bytes are those of the rows, and only the oldest were evicted."""
    chance = Random(seed)
    held: dict[tuple[str, CachedKind, int], int] = {}  # the last use, by a clock of turns
    for turn in range(60):
        space, kind = chance.choice((SPACE, OTHER)), chance.choice(KINDS)
        names = chance.sample(range(40), chance.randint(1, 6))
        put(storage, *names, space=space, kind=kind, most=30)
        held |= {(space.embedder, kind, name): turn for name in names}
        date_all(storage, {(space.embedder, kind, name) for name in names}, turn)
        if len(held) > 30:
            here = present(storage, held)
            assert 21 <= len(here) <= 30
            newest_gone = max(turn for key, turn in held.items() if key not in here)
            assert newest_gone <= min(held[key] for key in here)
            held = {key: last for key, last in held.items() if key in here}
        if chance.random() < 0.2:
            gone = chance.sample(range(40), 5)
            with storage.database.transaction() as tx:
                storage.cache.forget(tx, map(content, gone))
            held = {key: last for key, last in held.items() if key[2] not in gone}
        assert present(storage, held) == set(held)
        assert storage.cache.size() == (len(held), len(held) * ENTRY)


def date_all(storage: Storage, keys: set[tuple[str, CachedKind, int]], turn: int) -> None:
    sql = """UPDATE embedding_cache SET used_at = :at
        WHERE hash = :hash AND embedder = :embedder AND kind = :kind"""
    with storage.database.transaction() as tx:
        for embedder, kind, name in keys:
            values = {"hash": content(name), "embedder": embedder, "kind": kind}
            tx.run(sql, {**values, "at": f"2020-01-01T00:00:{turn:02}.000Z"})


def present(
    storage: Storage, keys: Mapping[tuple[str, CachedKind, int], int]
) -> set[tuple[str, CachedKind, int]]:
    return {
        (embedder, kind, name)
        for embedder, kind, name in keys
        if storage.cache.get(SPACE._replace(embedder=embedder), [content(name)], kind=kind)
    }
