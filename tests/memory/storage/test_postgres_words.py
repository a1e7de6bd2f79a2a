"""Blocks of postings in PostgreSQL: merging, removal, large entries, and pruned searches."""

from collections.abc import Iterator
from contextlib import closing
from random import Random
from sys import maxsize

import pytest

from contracts import IncompatibleError, KeywordFields, KeywordQuery, Scope
from memory.storage.sqlite import SqliteStorage
from tests.memory.storage.oracle import EVERYTHING, GENERATION, World, new_chunk
from tests.postgres_server import PostgresServer, missing_packages, open_postgres

if not missing_packages():
    import psycopg

    from memory.storage.postgres import PostgresStorage, backend
    from memory.storage.postgres.keywords import pruned_search, scoped_entries
    from memory.storage.postgres.keywords.keyword_search import _best
    from memory.storage.postgres.keywords.pruned_search import best_by_words
    from memory.storage.postgres.writing import posting_blocks as blocks
    from memory.storage.postgres.writing.logged_statements import remove_entries
    from memory.storage.postgres.writing.transaction import own_transaction
else:  # pragma: no cover
    pytest.skip("needs " + ", ".join(missing_packages()), allow_module_level=True)

pytestmark = pytest.mark.slow


@pytest.fixture
def storage(postgres_server: PostgresServer) -> Iterator[PostgresStorage]:
    with closing(open_postgres(postgres_server)) as opened:
        assert isinstance(opened, PostgresStorage)
        yield opened


def sizes_of(storage: PostgresStorage, term: str) -> list[int]:
    """The sizes of a word's blocks, in their order."""
    sql = "SELECT size FROM posting_blocks WHERE term = :term ORDER BY first"
    return [row[0] for row in storage.database.read(sql, {"term": term})]


def test_small_transactions_leave_few_blocks_and_the_same_answers(
    storage: PostgresStorage,
) -> None:
    world = World(storage)
    for number in range(3 * blocks.FEW):
        world.put_texts(f"f{number}", f"amber birch n{number}", f"birch amber m{number}")
    assert len(sizes_of(storage, "amber")) < blocks.FEW
    assert sum(sizes_of(storage, "amber")) == 6 * blocks.FEW
    queries = (
        KeywordQuery(words=("amber", "n7")),
        KeywordQuery(phrases=(("amber", "birch"),)),
        KeywordQuery(words=("birch",), excluded=(("birch", "amber"),)),
    )
    for query in queries:
        world.check_keyword(query)
    storage.compact()
    assert sizes_of(storage, "amber") == [6 * blocks.FEW]
    for query in queries:
        world.check_keyword(query)


def test_many_large_transactions_merge_what_they_wrote(storage: PostgresStorage) -> None:
    numbers = iter(range(1_000_000))
    for _ in range(9):
        chunks = [new_chunk(f"amber n{next(numbers)} {'oak' * (k % 9 == 0)}") for k in range(512)]
        with storage.database.transaction() as tx:
            owner = str(next(numbers))
            storage.replace_chunks(tx, "file", owner, generation=GENERATION, chunks=chunks)
    assert sizes_of(storage, "oak") == [3 * 57, 2 * 57, 2 * 57, 57, 57]
    assert sum(sizes_of(storage, "oak")) == 9 * 57
    assert storage.document_frequencies(["amber", "oak"]) == {"amber": 9 * 512, "oak": 9 * 57}


def test_a_removed_word_is_not_counted_and_leaves_the_blocks_when_purged(
    storage: PostgresStorage,
) -> None:
    world = World(storage)
    for number in range(20):
        world.put_texts(f"f{number}", f"amber secret{number}")
    for number in range(0, 20, 2):
        world.remove(f"f{number}")
    key = min(world.rows)
    world.rewrite({key: KeywordFields("hidden amber")})
    assert storage.database.read("SELECT count(*) FROM removed_entries") == [(11,)]
    assert storage.document_frequencies(["amber", "secret2"]) == {"amber": 10, "secret2": 0}
    world.check_keyword(KeywordQuery(words=("amber", "hidden", "secret3")))
    world.check_keyword(KeywordQuery(prefixes=("secret",)))
    storage.purge()
    assert storage.database.read("SELECT count(*) FROM removed_entries") == [(0,)]
    assert sizes_of(storage, "secret2") == []
    assert sum(sizes_of(storage, "amber")) == 10
    terms = "SELECT count(*) FROM posting_blocks WHERE term LIKE 'secret%'"
    assert storage.database.read(terms) == [(9,)]
    world.check_keyword(KeywordQuery(words=("amber", "hidden", "secret3")))


def test_the_postings_of_many_removed_entries_go_at_once(storage: PostgresStorage) -> None:
    world = World(storage)
    keys = world.put_texts("f1", *(f"amber n{number}" for number in range(6)))
    with storage.database.transaction() as tx:
        connection = own_transaction(tx).connection
        remove_entries(connection, keys[:2], most=3)
        assert tx.run("SELECT count(*) FROM removed_entries") == [(2,)]
        remove_entries(connection, keys[2:4], most=3)
        remove_entries(connection, keys[4:5], most=3)
        assert tx.run("SELECT count(*) FROM removed_entries") == [(0,)]
    assert sizes_of(storage, "amber") == [1]


LONG = " ".join(f"w{number}" for number in range(1_500))


def test_an_entry_that_four_bytes_cannot_hold_is_found_as_any(storage: PostgresStorage) -> None:
    world = World(storage)
    world.put_texts("f1", LONG, "w7 " * 40 + "w9", "w7 w8 w9")
    for number in range(blocks.FEW):
        world.put_texts(f"g{number}", f"w7 w9 x{number}")
    sql = "SELECT count(*) FROM posting_blocks WHERE large IS NOT NULL"
    assert storage.database.read(sql)[0][0] >= 1_500
    for query in (
        KeywordQuery(words=("w7", "w8", "w1499")),
        KeywordQuery(phrases=(("w7", "w8"), ("w1498", "w1499"))),
        KeywordQuery(prefixes=("w149",)),
    ):
        assert world.check_keyword(query)
    (key,) = (key for key, row in world.rows.items() if row.chunk.text == LONG)
    held = storage.words_in([key], ["w1499", "w7 w8", "w8 w7"])
    assert held == {key: frozenset({"w1499", "w7 w8"})}
    world.remove("g3")
    storage.purge()
    world.check_keyword(KeywordQuery(words=("w7", "w8", "w1499")))


@pytest.mark.parametrize("start", [2**15 - 10, 2**16 - 10, 2**31 - 10], ids="at {}".format)
def test_numbers_of_entries_may_be_large(storage: PostgresStorage, start: int) -> None:
    sql = "SELECT setval(pg_get_serial_sequence('keyword_entries', 'entry_id'), :start)"
    storage.database.read(sql, {"start": start})
    world = World(storage)
    for number in range(24):
        world.put_texts(f"f{number}", f"amber birch n{number}", f"birch amber m{number % 3}")
    world.remove("f5")
    queries = (
        KeywordQuery(words=("amber", "m1", "n7")),
        KeywordQuery(phrases=(("amber", "birch"),)),
        KeywordQuery(prefixes=("n",)),
    )
    for query in queries:
        world.check_keyword(query)
    storage.compact()
    storage.purge()
    assert blocks_that_do_not_rise(storage) == []
    for query in queries:
        world.check_keyword(query)


def blocks_that_do_not_rise(storage: PostgresStorage) -> list[str]:
    rows = storage.database.read("SELECT term, postings FROM posting_blocks")
    return [term for term, postings in rows if postings != sorted(postings)]


def test_the_blocks_of_an_older_version_are_sorted(
    storage: PostgresStorage, postgres_server: PostgresServer
) -> None:
    world = World(storage)
    world.put_texts("f1", *(f"amber birch {'oak ' * (n % 4)} n{n}" for n in range(60)))
    schema = storage.database.schema
    with psycopg.connect(postgres_server.dsn, autocommit=True) as connection:
        connection.execute(f'SET search_path = "{schema}"')
        connection.execute("""
            UPDATE posting_blocks AS b SET (postings, places) = (
                SELECT array_agg(p ORDER BY p % 7), array_agg(place ORDER BY p % 7)
                FROM unnest(b.postings, b.places) AS one (p, place)
            ) WHERE cardinality(postings) > 0""")
        assert blocks_that_do_not_rise(storage)
        connection.execute("ALTER TABLE posting_blocks RENAME COLUMN more_places TO more")
        comment = f"COMMENT ON SCHEMA \"{schema}\" IS 'Symbiosis Memory, version 1'"
        connection.execute(comment)
    PostgresStorage.open(postgres_server.dsn, schema, create=False).close()
    assert blocks_that_do_not_rise(storage) == []
    world.check_keyword(KeywordQuery(words=("amber", "oak", "n7")))
    world.check_keyword(KeywordQuery(phrases=(("amber", "birch"), ("oak", "n3"))))


def test_a_process_of_another_version_writes_no_block(
    storage: PostgresStorage, postgres_server: PostgresServer
) -> None:
    """It may have the schema open since before a migration, and looks at no version again."""
    rename = "ALTER TABLE posting_blocks RENAME COLUMN {} TO {}"
    World(storage).put_texts("f1", "amber birch")
    with psycopg.connect(postgres_server.dsn, autocommit=True) as connection:
        connection.execute(f'SET search_path = "{storage.database.schema}"')
        connection.execute(rename.format("more_places", "moved"))
        try:
            with pytest.raises(IncompatibleError, match="newer version has changed the tables"):
                World(storage).put_texts("f2", "oak elm")
        finally:
            connection.execute(rename.format("moved", "more_places"))


@pytest.mark.parametrize("first", [11, 2**15 - 1, 2**16 - 2])
def test_a_phrase_goes_no_further_than_the_last_place(storage: PostgresStorage, first: int) -> None:
    """The word after the last place would be looked for in the entry behind."""
    sql = "SELECT setval(pg_get_serial_sequence('keyword_entries', 'entry_id'), :start)"
    storage.database.read(sql, {"start": first - 1})
    world = World(storage)
    long = f"{'f ' * (2**14 - 1)}rare tail"
    world.put_texts("f1", f"bee {long[2:]}", "bee bee", long, f"bee {'g ' * 1100}")
    world.put_texts("f2", *("bee bee x" for _ in range(60)))
    query = KeywordQuery(phrases=(("rare", "bee"),))
    assert storage.keyword_candidates(query, Scope(), limit=10) == []


PHRASES = {
    "a rare word first": (("pine", "amber"),),
    "a rare word last": (("amber", "pine"),),
    "a rare word within": (("amber", "pine", "birch"),),
    "frequent words": (("amber", "birch"),),
    "a word twice": (("amber", "amber"),),
    "an unknown word": (("amber", "unknown"),),
    "several": (("pine", "amber"), ("birch", "amber"), ("amber", "birch", "oak")),
}


@pytest.mark.parametrize("is_prefix", [False, True], ids=["whole", "beginning"])
@pytest.mark.parametrize("phrases", PHRASES.values(), ids=PHRASES)
def test_phrases_of_rare_and_frequent_words(
    storage: PostgresStorage, phrases: tuple[tuple[str, ...], ...], is_prefix: bool
) -> None:
    sql = "SELECT setval(pg_get_serial_sequence('keyword_entries', 'entry_id'), :start)"
    storage.database.read(sql, {"start": 2**16 - 300})
    random, world = Random(3), World(storage)
    words = ["amber"] * 12 + ["birch"] * 12 + ["oak", "oaks", "elm"]
    for number in range(20):
        texts = (" ".join(random.choices(words, k=random.randint(2, 30))) for _ in range(30))
        rare = ("birch pine amber pine birch", "amber amber pine") if number % 5 == 0 else ()
        world.put_texts(f"f{number}", *texts, *rare)
    world.remove("f7")
    if is_prefix:
        for *whole, last in phrases:
            world.check_keyword(KeywordQuery(prefixes=(f"{' '.join(whole)} {last[:2]}",)))
    else:
        world.check_keyword(KeywordQuery(phrases=phrases))
        names = {" ".join(phrase): phrase for phrase in phrases}
        keys = list(world.rows)
        held = storage.words_in(keys, names)
        assert storage.document_frequencies(names, most=1_000) == {
            name: sum(name in found for found in held.values()) for name in names
        }


# Pruned searches


def session_of(place: int) -> str | None:
    """A session of a twentieth of the chunks, one of half of them, or none."""
    return "few" if place == 7 else "many" if place % 2 else None


def filled(storage: PostgresStorage | SqliteStorage, chunks: int) -> None:
    """Many chunks whose words are as frequent as those of a language."""
    random = Random(7)
    words = [f"w{number}" for number in range(200)]
    weights = [1 / (number + 1) for number in range(200)]
    with storage.database.transaction() as tx:
        for number in range(chunks // 20):
            texts = (
                " ".join(random.choices(words, weights, k=random.randint(5, 40))) for _ in range(20)
            )
            source = "text" if number % 10 == 0 else "file"
            made = [
                new_chunk(text, f"f{number}", n=place, source=source, session_id=session_of(place))
                for place, text in enumerate(texts)
            ]
            storage.replace_chunks(tx, source, f"f{number}", generation="g", chunks=made)


PRUNED = {
    "rare and frequent": ("w150", "w90", "w3", "w0"),
    "one frequent": ("w0",),
    "frequent alone": ("w0", "w1", "w2"),
    "a word twice": ("w100", "w100", "w1"),
    "unknown": ("none", "w120", "w0"),
    "all unknown": ("none",),
    "many": tuple(f"w{number}" for number in range(0, 200, 9)),
}


@pytest.mark.parametrize("fewest_sampled", [0, 100_000], ids=["sampled", "reckoned"])
@pytest.mark.parametrize("is_halved", [False, True], ids=["whole", "halved"])
def test_a_pruned_search_finds_what_scoring_all_does(
    storage: PostgresStorage,
    monkeypatch: pytest.MonkeyPatch,
    is_halved: bool,
    fewest_sampled: int,
) -> None:
    """Halved: the entries of the second span are read on another connection."""
    monkeypatch.setattr(pruned_search, "FEWEST_HALVED", 1 if is_halved else maxsize)
    monkeypatch.setattr(backend, "FEWEST_READ_IN_PARALLEL", 0)
    sql = "SELECT setval(pg_get_serial_sequence('keyword_entries', 'entry_id'), :start)"
    storage.database.read(sql, {"start": 2**16 - 900})
    with closing(SqliteStorage.in_memory()) as sqlite:
        for one in (storage, sqlite):
            filled(one, 2_000)
        scopes = (EVERYTHING, Scope(without_sources=("text",)), Scope(without_sources=("none",)))
        for remove in (False, True):
            for one in (storage, sqlite):
                if remove:
                    with one.database.transaction() as tx:
                        for number in range(0, 100, 7):
                            one.remove_owner(tx, "file", f"f{number}")
            for words in PRUNED.values():
                query = KeywordQuery(words=words)
                for scope in scopes:
                    for limit in (1, 10, 100):
                        with storage.database.snapshot():
                            found = best_by_words(
                                storage,
                                words,
                                scope,
                                limit=limit,
                                fewest_sampled=fewest_sampled,
                            )
                        all_scored = _best(
                            storage.database, query, scope, generation=None, limit=limit
                        )
                        assert found == all_scored
                        expected = sqlite.keyword_candidates(query, scope, limit=limit)
                        assert [hit.score for hit in found] == pytest.approx(
                            [hit.score for hit in expected], rel=1e-12
                        )
                        assert [hit.chunk_id for hit in found] == [hit.chunk_id for hit in expected]


SCOPES = {
    "a source": Scope(sources=("text",)),
    "all": Scope(sources=("file", "text")),
    "a session": Scope(session_id="many", without_sources=("text",)),
    "all but a source": Scope(without_sources=("text",)),
    "few": Scope(session_id="few", sources=("text",)),
    "none": Scope(session_id="none"),
}


@pytest.mark.parametrize("is_few", [False, True], ids=["every entry found", "every entry in it"])
def test_a_pruned_search_keeps_to_its_scope(
    storage: PostgresStorage, monkeypatch: pytest.MonkeyPatch, is_few: bool
) -> None:
    """What is looked up: the scope of what the words find, or the words of what is in the scope."""
    monkeypatch.setattr(pruned_search, "SCORED_PER_READ", 1_000 if is_few else 0)
    monkeypatch.setattr(scoped_entries, "MOST_LEFT_OUT", 100)
    filled(storage, 2_000)
    with storage.database.transaction() as tx:
        storage.remove_owner(tx, "file", "f7")
    answered = set()
    for words in PRUNED.values():
        query = KeywordQuery(words=words)
        for name, scope in SCOPES.items():
            with storage.database.snapshot():
                found = best_by_words(storage, words, scope, limit=5)
            if found is not None:
                answered.add(name)
                expected = _best(storage.database, query, scope, generation=None, limit=5)
                assert found == expected
    assert answered >= (set(SCOPES) if is_few else set(SCOPES) - {"none", "few"})
    for query in REQUIRED.values():
        for scope in SCOPES.values():
            expected = _best(storage.database, query, scope, generation=None, limit=5)
            assert storage.keyword_candidates(query, scope, limit=5) == expected


REQUIRED = {
    "frequent": KeywordQuery(words=("w150", "w0", "w3"), required=(("w0",),)),
    "rare": KeywordQuery(words=("w0", "w150"), phrases=(("w150",),), required=(("w150",),)),
    "in a phrase": KeywordQuery(words=("w0",), phrases=(("w9",),), required=(("w9",),)),
    "not among the others": KeywordQuery(words=("w0", "w90"), required=(("w9",),)),
    "two": KeywordQuery(words=("w0", "w3", "w9"), required=(("w3",), ("w9",))),
    "unknown": KeywordQuery(words=("w0", "none"), required=(("none",),)),
    "no word": KeywordQuery(words=("w0", "-"), required=(("-",),)),
    "none, and a phrase": KeywordQuery(words=("w0", "w30"), phrases=(("w9",), ("w30",))),
}


@pytest.mark.parametrize("query", REQUIRED.values(), ids=REQUIRED)
def test_required_words(storage: PostgresStorage, query: KeywordQuery) -> None:
    with closing(SqliteStorage.in_memory()) as sqlite:
        for one in (storage, sqlite):
            filled(one, 600)
        for limit in (1, 10, 1_000):
            found = storage.keyword_candidates(query, EVERYTHING, limit=limit)
            assert found == _best(storage.database, query, EVERYTHING, generation=None, limit=limit)
            expected = sqlite.keyword_candidates(query, EVERYTHING, limit=limit)
            assert [hit.chunk_id for hit in found] == [hit.chunk_id for hit in expected]
