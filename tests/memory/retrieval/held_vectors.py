"""Five hundred vectors, in SQLite and in memory, which both answer alike."""

from random import Random

from contracts import QueryVector
from memory.retrieval.memory_index import MemoryIndex
from memory.storage.sqlite import SqliteStorage
from memory.storage.vectors import normalised
from memory.values.status_reports import VectorIndexStatus
from tests.memory.processes import random_vector
from tests.memory.storage.oracle import EVERYTHING, World


def filled(storage: SqliteStorage) -> World:
    """Give it a space and five hundred vectors."""
    world = World(storage)
    world.add_space()
    for owner in range(5):
        fill(world, Random(owner), f"f{owner}", 100)
    return world


def held(world: World) -> MemoryIndex:
    """An index that is built, however few the vectors are, and counted after every change."""
    derived = MemoryIndex(world.storage, fewest=1, counted_every_s=0)
    derived.start()
    derived.wait()
    assert derived.vectors.status() == VectorIndexStatus("faiss", 500, None)
    return derived


def fill(world: World, chance: Random, owner: str, chunks: int) -> list[int]:
    ids = world.put_texts(owner, *(f"{chance.random()}" for _ in range(chunks)))
    world.put_vectors({chunk_id: random_vector(chance) for chunk_id in ids})
    return ids


def some_query(chance: Random) -> QueryVector:
    query = normalised(random_vector(chance))
    assert query is not None
    return query


def check(derived: MemoryIndex, world: World, *, seed: int = 0, limit: int = 10) -> None:
    """Both answer alike as of one moment."""
    query = some_query(Random(seed))
    with world.storage.database.snapshot():
        expected = world.storage.vector_candidates(query, EVERYTHING, limit=limit)
        assert derived.vector_candidates(query, EVERYTHING, limit=limit) == expected
        asked = [*reversed(world.rows), 1 << 40]
        assert derived.cosines(query, asked) == world.storage.cosines(query, asked)
