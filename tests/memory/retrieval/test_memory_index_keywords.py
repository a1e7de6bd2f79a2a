"""Words in memory rank as SQLite's FTS5 does, to the last bit, whatever happens meanwhile."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from contracts import KeywordFields, KeywordQuery, Scope
from memory.retrieval.memory_index import MemoryIndex
from memory.retrieval.memory_index.scopes import ScopeIds
from memory.storage.keyword_statistics import Term
from memory.storage.sqlite import SqliteStorage
from memory.values.status_reports import KeywordIndexStatus
from search.in_memory.keyword_index import BYTES_PER_CHUNK
from tests.memory.random_texts import change_something, some_chunks, some_query
from tests.memory.storage.oracle import EVERYTHING, World, new_chunk

OWNERS = [f"f{number}" for number in range(8)]


@pytest.fixture(params=["file", "memory"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """Two hundred chunks of eight owners, and all words in memory."""
    path = tmp_path / "memory.db"
    storage = (
        SqliteStorage.in_memory()
        if request.param == "memory"
        else SqliteStorage.open(path, create=True)
    )
    made = World(storage)
    for owner in OWNERS:
        made.put(owner, some_chunks(Random(owner), owner, 25))
    made.derived = built(storage)
    yield made
    made.derived.close()
    storage.close()


def built(storage: SqliteStorage, **settings: int) -> MemoryIndex:
    derived = MemoryIndex(storage, fewest=1, **settings)
    derived.start()
    derived.wait()
    return derived


def status(world: World) -> KeywordIndexStatus:
    assert world.derived is not None
    return world.derived.keywords.status()


def check(world: World, chance: Random, *, scope: Scope = EVERYTHING, times: int = 5) -> int:
    """Both answer alike as of one moment; how often memory did."""
    assert world.derived is not None
    from_memory = 0
    for _ in range(times):
        query, limit = some_query(chance), chance.choice((1, 10, 100, 1_000))
        with world.storage.database.snapshot():
            expected = world.storage.keyword_candidates(query, scope, limit=limit)
            assert world.derived.keyword_candidates(query, scope, limit=limit) == expected
            words = (*query.words, "the", "max-size", "...")[chance.randrange(3) :]
            for some in (words, words[:-2], words[:-1], query.words):
                counts = world.storage.document_frequencies(some, most=20)
                assert world.derived.document_frequencies(some, most=20) == counts
                chunk_ids = chance.sample(sorted(world.rows), 3)
                held = world.storage.words_in(chunk_ids, some)
                assert world.derived.words_in(chunk_ids, some) == held
            from_memory += status(world).kind == "memory"
        world.derived.wait()  # for what it may have thrown away
    assert status(world).kind == "memory"
    return from_memory


@pytest.mark.slow
def test_thousands_of_changes(world: World) -> None:
    chance = Random(1)
    asked = from_memory = 0
    for _ in range(150):
        change_something(world, chance, OWNERS)
        times = chance.choice((0, 1, 4))
        asked += times
        from_memory += check(world, chance, times=times)
    assert from_memory > 0.9 * asked
    assert status(world).chunks == len(world.rows)
    world.check_keyword(some_query(Random(1)))  # and by hand


def test_scopes_are_applied_before_ranking(world: World) -> None:
    chance = Random(2)
    for source in ("turn", "memory"):
        world.put("s", some_chunks(chance, "s", 40), source=source)
    world.add_file("f1", "/a/b.md")
    scopes = {
        "a source": Scope(sources=("turn",)),
        "sources": Scope(sources=("turn", "file")),
        "none": Scope(sources=("episode",)),
        "a folder": Scope(paths=("/a",)),
        "a time": Scope(since="2024-06-01T12:00:00.000Z"),
        "later": Scope(since="2025-06-01T12:00:00.000Z"),
    }
    for name, scope in scopes.items():
        check(world, chance, scope=scope)
        world.put("s", some_chunks(chance, "s", 3), source="turn")
        check(world, chance, scope=scope)
        query = KeywordQuery(words=("the",))
        found = world.asked.keyword_candidates(query, scope, limit=1_000)
        assert bool(found) == (name not in ("none", "later"))


def test_a_renamed_file_is_no_longer_below_its_old_folder(world: World) -> None:
    """A rename changes no chunk, and is logged as if it did."""
    world.add_file("f1", "/old/b.md")
    query, scope = KeywordQuery(words=("the",)), Scope(paths=("/old",))
    assert world.asked.keyword_candidates(query, scope, limit=5)
    with world.storage.database.transaction() as tx:
        tx.run("UPDATE files SET path = '/new/b.md'")
    assert world.asked.keyword_candidates(query, scope, limit=5) == []


@pytest.mark.parametrize(
    "scope",
    [Scope(paths=("/a",)), Scope(globs=("*.md",)), Scope(within=("/a",)), Scope(since="2024")],
    ids=["a folder", "a pattern", "within", "a time"],
)
def test_a_scope_is_read_once_until_something_changes(world: World, scope: Scope) -> None:
    world.add_file("f1", "/a/b.md")
    scopes = ScopeIds(world.storage)
    first = scopes.of(scope)
    assert first is not None
    assert scopes.of(scope) is first
    world.put("f1", some_chunks(Random(9), "f1", 3))
    assert scopes.of(scope) is not first


def test_a_pattern_of_no_file_is_not_looked_for_among_the_chunks(world: World) -> None:
    world.add_file("f1", "/a/b.md")
    world.put("f1", some_chunks(Random(9), "f1", 3))
    scopes, scope = ScopeIds(world.storage), Scope(globs=("*/os/path[./]*",))
    none = scopes.of(scope)
    assert none is not None
    assert len(none) == scopes.size_bytes() == 0
    world.add_file("f2", "/lib/os/path.py")
    world.put("f2", some_chunks(Random(9), "f2", 2))
    found = scopes.of(scope)
    assert found is not None
    assert len(found) == 2


def test_only_scopes_that_fit_are_kept(world: World) -> None:
    world.add_file("f1", "/a/b.md")
    world.put("f1", some_chunks(Random(9), "f1", 10))
    size = 10 + 2
    scopes = ScopeIds(world.storage, most_bytes=2 * size)
    asked = [Scope(paths=("/a",)), Scope(globs=("*.md",)), Scope(within=("/a",))]
    first, second, third = map(scopes.of, asked)
    assert first is not None
    assert first.size_bytes == size
    assert scopes.size_bytes() == 2 * size
    assert scopes.of(asked[2]) is third
    assert scopes.of(asked[1]) is second
    assert scopes.of(asked[0]) is not first
    none = ScopeIds(world.storage, most_bytes=size - 1)
    assert none.of(asked[0]) is not none.of(asked[0])
    assert none.size_bytes() == 0


def test_a_scope_made_of_lists_is_answered_from_memory(world: World) -> None:
    """Who writes Python by hand may well give lists."""
    scope = Scope(sources=["file"], tags=[])  # type: ignore[arg-type]
    check(world, Random(6), scope=scope)
    assert status(world).kind == "memory"


def test_more_scopes_than_are_kept(world: World) -> None:
    chance = Random(3)
    for second in range(12):
        check(world, chance, scope=Scope(since=f"2024-06-01T12:00:{second:02}.000Z"), times=1)


@pytest.mark.slow
def test_only_words_that_fit_are_kept(tmp_path: Path) -> None:
    world = World(SqliteStorage.in_memory())
    world.put("f", some_chunks(Random(4), "f", 300))
    world.derived = built(world.storage, most_bytes=10_000)
    chance = Random(40)
    for number in range(30):
        check(world, chance)
        words = status(world).size_bytes - BYTES_PER_CHUNK * len(world.rows)
        assert 0 < words <= 10_000
        world.put(f"{number}", some_chunks(chance, f"{number}", 3))
    world.derived.close()
    world.storage.close()


def test_phrases_are_left_to_sqlite(world: World) -> None:
    storage = world.storage
    words = KeywordQuery(words=("Cats", "!"), prefixes=("ru",), excluded=(("café",), ("…",)))
    terms = storage.keyword_statistics().terms(words)
    assert terms is not None
    assert terms.any_of == (Term("cat"), Term("ru", is_prefix=True))
    assert (terms.all_of, terms.none_of) == ((), (Term("cafe"),))
    for query in (
        KeywordQuery(words=("foo-bar",)),
        KeywordQuery(words=("the",), phrases=(("the", "cat"),)),
        KeywordQuery(required=(("the", "cat"),)),
        KeywordQuery(words=("the",), excluded=(("the", "cat"),)),
    ):
        assert storage.keyword_statistics().terms(query) is None
        world.check_keyword(query)


def test_a_stem_that_has_another_stem(world: World) -> None:
    """What is looked for in chunks that changed is the word, not what the index made of it."""
    query = KeywordQuery(words=("generalising", "generalise"))
    for text in ("generalising the universe", "x", "universities generalise"):
        world.put(text, [new_chunk(text, text)])
        world.check_keyword(query)
        world.check_keyword(KeywordQuery(words=("university",), prefixes=("universities",)))


@pytest.mark.parametrize("world", ["file"], indirect=True)  # in memory nobody writes meanwhile
def test_a_snapshot_that_the_index_is_ahead_of(world: World) -> None:
    """A query within an older snapshot neither sees what came later nor misses what has gone."""
    query = KeywordQuery(words=("the", "lighthouse"))

    def change() -> None:
        world.remove("f0")
        (new,) = world.put_texts("new", "a lighthouse")
        assert world.asked.keyword_candidates(query, EVERYTHING, limit=1)[0].chunk_id == new

    with ThreadPoolExecutor(1) as other, world.storage.database.snapshot():
        before = world.asked.keyword_candidates(query, EVERYTHING, limit=100)
        other.submit(change).result()
        assert world.asked.keyword_candidates(query, EVERYTHING, limit=100) == before
    check(world, Random(5))


def test_a_log_that_no_longer_reaches_back(world: World) -> None:
    """To a word that was not asked for since, or to the lengths of all chunks."""
    assert world.derived is not None
    chance = Random(6)
    rare = KeywordQuery(words=("naïve",))
    world.check_keyword(rare)
    for number in range(5):
        change_something(world, chance, OWNERS)
        check(world, chance)
        with world.storage.database.transaction() as tx:
            world.storage.trim_changes(tx, keep=number)
    world.check_keyword(rare)
    change_something(world, chance, OWNERS[:1])
    world.put("f1", some_chunks(chance, "f1", 5))
    with world.storage.database.transaction() as tx:
        world.storage.trim_changes(tx, keep=1)
    world.check_keyword(rare)
    world.derived.wait()
    check(world, chance)


@pytest.mark.parametrize("changes", [True, False], ids=["at the next change", "at the build"])
def test_lengths_that_do_not_add_up(world: World, changes: bool) -> None:
    """By hand, behind the back of FTS5: memory does not answer what it cannot know."""
    assert world.derived is not None
    with world.storage.database.transaction() as tx:
        tx.run("UPDATE chunks_fts_docsize SET sz = x'05000000' WHERE id = 3")
        tx.run("UPDATE chunks_fts_docsize SET sz = x'06000000' WHERE id = 4")
    if changes:
        world.rewrite({3: KeywordFields("the cat")})
    else:
        world.derived.keywords.start()
    query = KeywordQuery(words=("the",))
    for _ in range(2):
        expected = world.storage.keyword_candidates(query, EVERYTHING, limit=10)
        assert world.asked.keyword_candidates(query, EVERYTHING, limit=10) == expected
        world.derived.wait()
    reason = "the keyword index disagrees with its own totals"
    assert status(world) == KeywordIndexStatus("sqlite", len(world.rows), 0, reason)


@pytest.mark.slow
def test_most_chunks_replaced(world: World) -> None:
    """A table that is mostly of chunks that are gone is rebuilt."""
    assert world.derived is not None
    chance = Random(7)
    for _ in range(12):
        for owner in OWNERS:
            world.put(owner, some_chunks(chance, owner, 25))
        query = some_query(chance)
        expected = world.storage.keyword_candidates(query, EVERYTHING, limit=10)
        assert world.asked.keyword_candidates(query, EVERYTHING, limit=10) == expected
        world.derived.wait()
        check(world, chance, times=2)


def test_words_are_read_ahead(world: World) -> None:
    """Those in many chunks, without stop words; a quarter of the room is left to what is asked."""
    chance = Random(9)
    for most_bytes, is_full in ((100_000, False), (6_000, True)):
        derived = built(world.storage, most_bytes=most_bytes)
        found = derived.keywords.status()
        ahead = found.size_bytes - BYTES_PER_CHUNK * len(world.rows)
        assert 4_000 < ahead <= most_bytes
        assert found.words > 1
        assert (found.is_full, found.is_reading_ahead) == (is_full, False)
        world.derived = derived
        check(world, chance)
        change_something(world, chance, OWNERS)
        check(world, chance)
        derived.close()


@pytest.mark.slow
def test_reading_ahead_ends_with_the_index(tmp_path: Path) -> None:
    """However many words are still to be read, and whether it is closed or has to be rebuilt."""
    path = tmp_path / "memory.db"
    world = World(SqliteStorage.open(path, create=True))
    world.put("f", some_chunks(Random(4), "f", 300))
    for number in range(20):
        derived = MemoryIndex(world.storage, fewest=1)
        derived.start()
        if number % 2:
            world.put("f", some_chunks(Random(number), "f", 300))
            derived.keyword_candidates(KeywordQuery(words=("cat",)), EVERYTHING, limit=5)
            derived.wait()
            world.derived = derived
            check(world, Random(number), times=1)
            derived.wait()
            assert not derived.keywords.status().is_reading_ahead
        derived.close()
        assert derived.keywords.status().reason == "it has been closed"
    world.storage.close()


@pytest.mark.parametrize(
    "available, room",
    [(None, 256 << 20), (100 << 20, 32 << 20), (1 << 30, 256 << 20), (64 << 30, 1 << 30)],
    ids=["who knows", "little", "some", "much"],
)
def test_words_may_take_a_share_of_the_memory(
    world: World, available: int | None, room: int
) -> None:
    derived = MemoryIndex(world.storage, fewest=1, available=lambda: available)
    derived.start()
    derived.wait()
    assert derived.keywords.status().most_bytes == room
    derived.close()


def test_too_little_memory(world: World) -> None:
    derived = MemoryIndex(world.storage, fewest=1, available=lambda: 1 << 20)
    derived.start()
    derived.wait()
    reason = "it would take 32 MB of 1 MB available"
    assert derived.keywords.status() == KeywordIndexStatus("sqlite", 200, 0, reason)


@pytest.mark.slow
def test_many_ask_for_words_at_once(world: World) -> None:
    """Words are read by the first that asks, or by several, and nobody waits for another's."""
    assert world.derived is not None
    derived = built(world.storage, most_bytes=3_000)
    chance = Random(11)
    queries = [some_query(chance) for _ in range(200)]
    expected = [world.storage.keyword_candidates(query, EVERYTHING, limit=50) for query in queries]
    with ThreadPoolExecutor(4) as threads:
        found = threads.map(
            lambda query: derived.keyword_candidates(query, EVERYTHING, limit=50), queries
        )
        assert list(found) == expected
    assert derived.keywords.status().kind == "memory"
    derived.close()


def test_few_chunks_and_none() -> None:
    world = World(SqliteStorage.in_memory())
    world.derived = MemoryIndex(world.storage)
    world.check_keyword(KeywordQuery(words=("the",)))
    world.derived.wait()
    reason = "it is as quick for fewer than 5,000 chunks"
    assert status(world) == KeywordIndexStatus("sqlite", 0, 0, reason)
    world.derived.close()
    assert status(world).reason == "it has been closed"
    empty = built(world.storage)
    assert empty.keywords.status().kind == "sqlite"
    world.storage.close()


def test_another_generation_is_being_built(world: World) -> None:
    space = world.add_space()
    world.add_space(type(space)(0, "fake", "m", "r1", 8, "fake:m:r1", "g2", "{}", "filling"))
    world.divided = True
    chance = Random(8)
    world.put("f1", some_chunks(chance, "f1", 30), generation="g2")
    check(world, chance)
    world.check_keyword(some_query(chance))
