"""Which kinds of records answer a search that names none."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from contracts import KeywordQuery, Scope
from memory.episodes.forming import form_episodes
from memory.retrieval.memory_index import MemoryIndex
from memory.retrieval.searching import search
from memory.storage.sqlite import SqliteStorage
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.episodes.said import BEGUN, BOAT, LATER, say
from tests.memory.processes import random_vector
from tests.memory.random_texts import some_chunks, some_query
from tests.memory.storage.oracle import EVERYTHING, World, new_chunk


@pytest.mark.parametrize(
    "options, sources",
    [
        (None, {"turn"}),
        (SearchOptions(scope=Scope(session_id="s1")), {"turn"}),
        (SearchOptions(scope=Scope(without_sources=("turn",))), set()),
        (SearchOptions(sources=["episode"]), {"episode"}),
        (SearchOptions(sources=["episode", "turn"]), {"episode", "turn"}),
        (SearchOptions(sources=["./docs"]), set()),
    ],
    ids=["nothing asked", "of a session", "no turns", "episodes", "both", "files"],
)
def test_episodes_answer_when_they_are_asked_for(
    memory: Workspace, options: SearchOptions | None, sources: set[str]
) -> None:
    say(memory, BOAT)
    form_episodes(memory, now=LATER)
    found = search(memory, "who ordered the new rudder with the sail", options)
    assert {hit.source for hit in found.results} == sources


def test_as_many_turns_are_found_however_many_episodes_are_better(memory: Workspace) -> None:
    for number in range(60):
        say(memory, [f"{BOAT[7]} Sail number {number}."], begin=BEGUN + timedelta(days=number))
    form_episodes(memory)
    for most in (1, 7, 59, 60, 100):
        options = SearchOptions(max_results=most, fold="none", all_chunks=True)
        found = search(memory, "Ana rudder sail", options).results
        turns = search(
            memory,
            "Ana rudder sail",
            SearchOptions(max_results=most, fold="none", all_chunks=True, sources=["turn"]),
        ).results
        assert [hit.chunk_id for hit in found] == [hit.chunk_id for hit in turns]
        assert len(found) == min(most, 60)


def test_episodes_do_not_make_a_missing_name_one_within_limits(memory: Workspace) -> None:
    say(memory, [*BOAT, "The config key is max_chunk_size here."])
    form_episodes(memory, now=LATER)
    found = search(memory, "max_chunk_sizes")
    assert "nothing has 'max_chunk_sizes'" in found.warnings[0]


@pytest.fixture(params=["file", "memory"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """A database with a space, and the index of a server that is told of every change."""
    storage = SqliteStorage.in_memory()
    if request.param == "file":
        storage.close()
        storage = SqliteStorage.open(tmp_path / "memory.db", create=True)
    made = World(storage)
    made.add_space()
    put(made, Random(0), "t0", "turn", 40)
    made.derived = MemoryIndex(storage, fewest=1, counted_every_s=0)
    made.derived.start()
    made.derived.wait()
    yield made
    made.derived.close()
    storage.close()


def put(world: World, chance: Random, owner: str, source: str, chunks: int) -> None:
    new = [
        new_chunk(chunk.text, owner, n=number, source=source, fields=chunk.fields)
        for number, chunk in enumerate(some_chunks(chance, owner, chunks))
    ]
    ids = world.put(owner, new, source=source).added
    world.put_vectors({chunk_id: random_vector(chance) for chunk_id in ids})


def check(world: World, chance: Random, *without: str) -> None:
    """Every leg, in memory and in SQLite, against sums over all chunks."""
    assert world.derived is not None
    scope = Scope(without_sources=without) if without else EVERYTHING
    world.check_keyword(some_query(chance), scope)
    world.check_vector(random_vector(chance), scope)
    derived, world.derived = world.derived, None
    world.check_vector(random_vector(chance), scope)
    world.derived = derived


SHARES = {"none": (40, 0), "a few": (40, 3), "half": (40, 40), "most": (3, 60), "all": (0, 30)}


@pytest.mark.parametrize("turns, episodes", SHARES.values(), ids=SHARES)
def test_every_leg_leaves_them_out_whatever_their_share(
    world: World, turns: int, episodes: int
) -> None:
    chance = Random(turns + episodes)
    put(world, chance, "t0", "turn", turns)
    for source in ("episode", "triple"):
        put(world, chance, source, source, episodes)
    check(world, chance, "episode", "triple")
    check(world, chance, "triple")
    put(world, chance, "t1", "turn", 5)
    put(world, chance, "e1", "episode", 5)
    check(world, chance, "episode", "triple")
    world.remove("episode", source="episode")
    world.remove("e1", source="episode")
    world.remove("t0", source="turn")
    check(world, chance, "episode", "triple")
    check(world, chance, "episode")
    check(world, chance)


def test_scores_are_those_of_a_search_for_all(world: World) -> None:
    chance = Random(4)
    put(world, chance, "e", "episode", 10)
    query, scope = KeywordQuery(words=("the",)), Scope(without_sources=("episode",))
    found = world.asked.keyword_candidates(query, scope, limit=1000)
    every = world.asked.keyword_candidates(query, EVERYTHING, limit=1000)
    kept = {key for key, row in world.rows.items() if row.source != "episode"}
    assert found == [hit for hit in every if hit.chunk_id in kept]


def test_the_sources_of_all_chunks(world: World) -> None:
    assert world.storage.sources() == ["turn"]
    put(world, Random(1), "e", "episode", 2)
    put(world, Random(2), "a", "file", 2)
    assert world.storage.sources() == ["episode", "file", "turn"]
    for owner, source in (("e", "episode"), ("a", "file"), ("t0", "turn")):
        world.remove(owner, source=source)
    assert world.storage.sources() == []
