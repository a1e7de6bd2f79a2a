"""The keyword leg of every backend against BM25 worked out by hand, hostile queries included."""

from contextlib import suppress
from random import Random

import pytest

from contracts import KeywordFields, KeywordQuery
from memory.storage import Storage
from memory.storage.sqlite import SqliteStorage
from tests.memory.storage.oracle import ALL, EAST, EVERYTHING, World, new_chunk

TEXTS = (
    KeywordFields("The cats were running through the café", "Animals > Cats"),
    KeywordFields("A cat runs; a dog ran. Cat!", "Animals > Dogs", "the café was closed"),
    KeywordFields("getUserById returns a user", "API", identifiers="get user by id getuserbyid"),
    KeywordFields("state of the art state machine", "Machines"),
    KeywordFields("the machine state", "Machines", "state machine"),
    KeywordFields("ก็ ภาษาไทย हिन्दी काम 東京 京都", "言語"),
    KeywordFields("foo_bar foo-bar foobar C3PO x86_64", identifiers="foo bar"),
    KeywordFields("😀 !!! ...", "\u0301 \0 ?"),
    KeywordFields("", ""),
    KeywordFields("cat " * 50, "café CAFÉ cafe\u0301"),
)
KEYWORD_QUERIES = {
    "one word": KeywordQuery(words=("cat",)),
    "stems": KeywordQuery(words=("runs", "CATS")),
    "accents": KeywordQuery(words=("Café",)),
    "a word twice": KeywordQuery(words=("cat", "cat", "dog")),
    "word in two columns": KeywordQuery(words=("machine", "user")),
    "a word of two tokens": KeywordQuery(words=("foo-bar", "machine")),
    "unknown": KeywordQuery(words=("zebra",)),
    "stems of other languages": KeywordQuery(words=("zebra",), stems=("cat", "machine")),
    "prefix": KeywordQuery(prefixes=("get", "ca")),
    "prefix of two tokens": KeywordQuery(prefixes=("foo b",)),
    "prefix of one character": KeywordQuery(prefixes=("東", "c")),
    "phrase": KeywordQuery(phrases=(("state", "machine"),)),
    "phrase across columns": KeywordQuery(phrases=(("cafe", "animals"),)),
    "phrase and words": KeywordQuery(words=("art",), phrases=(("machine", "state"),)),
    "required": KeywordQuery(required=(("machine",), ("state", "of"))),
    "required and words": KeywordQuery(words=("art", "cat"), required=(("state",),)),
    "required and unknown words": KeywordQuery(words=("zebra",), required=(("state",),)),
    "excluded": KeywordQuery(words=("cat", "state"), excluded=(("dog",), ("art", "state"))),
    "required and excluded": KeywordQuery(required=(("machine",),), excluded=(("art",),)),
    "all of it": KeywordQuery(
        words=("cat", "machine"),
        prefixes=("ca", "s"),
        phrases=(("the", "cats"), ("state",)),
        required=(("the",),),
        excluded=(("art",), ("zebra", "x")),
    ),
    "excluded only": KeywordQuery(excluded=(("cat",),)),
    "nothing": KeywordQuery(),
    "Thai and Hindi": KeywordQuery(words=("ภาษาไทย", "काम", "ก็")),
    "no word in it": KeywordQuery(words=("😀",)),
    "no word in a phrase": KeywordQuery(phrases=(("!!!",), ())),
    "no word required": KeywordQuery(words=("cat",), required=(("...",), ())),
    "no word required alone": KeywordQuery(required=(("😀",),)),
    "no word but one required": KeywordQuery(words=("😀",), required=(("cat",),)),
    "no word excluded": KeywordQuery(words=("cat",), excluded=(("!!!",), ())),
    "no word in a prefix": KeywordQuery(prefixes=("!", "")),
    "a lone accent": KeywordQuery(words=("\u0301",), prefixes=("\u0301",)),
    "a lone accent required": KeywordQuery(words=("cat",), required=(("\u0301",),)),
    "NUL": KeywordQuery(words=("\0", "ca\0fé"), phrases=(("cat\0", "runs"),)),
    "half a surrogate pair": KeywordQuery(words=("cat\ud800", "\udfff"), prefixes=("d\udc80",)),
    "quotes": KeywordQuery(words=('"cat"', '"', '""'), phrases=(('the "', '"cats'),)),
    "operators": KeywordQuery(words=("AND", "OR", "NOT", "NEAR(cat)", "text:cat", "cat*", "^the")),
    "brackets": KeywordQuery(words=("(", ")", "{a b}", "-cat", "+"), required=(("cat", ")"),)),
}


@pytest.fixture
def texts(world: World) -> World:
    chunks = [
        new_chunk(entry.text, n=number)._replace(fields=entry) for number, entry in enumerate(TEXTS)
    ]
    world.put("f1", chunks)
    return world


@pytest.mark.parametrize("query", KEYWORD_QUERIES.values(), ids=KEYWORD_QUERIES)
def test_keyword_scores_are_those_of_bm25(texts: World, query: KeywordQuery) -> None:
    texts.check_keyword(query)


def test_most_keyword_queries_of_the_table_find_something(texts: World) -> None:
    found = {name for name, query in KEYWORD_QUERIES.items() if texts.bm25(query)}
    assert KEYWORD_QUERIES.keys() - found == {
        *("unknown", "phrase across columns", "required and unknown words", "excluded only"),
        *("nothing", "no word in it", "no word in a phrase", "no word required alone"),
        *("no word in a prefix", "a lone accent"),
    }


@pytest.mark.parametrize(
    "word, holding",
    [
        pytest.param("CATS", {1, 2, 10}, id="a stem"),
        pytest.param("cafe", {1, 2, 10}, id="an accent, in the second and third column"),
        pytest.param("by", {3}, id="an identifier's part"),
        pytest.param("foo-bar", {7}, id="two tokens"),
        pytest.param("zebra", set(), id="nowhere"),
        pytest.param("😀", set(), id="no token"),
        pytest.param('a"b', set(), id="a quote"),
        pytest.param("\ud800", set(), id="half a surrogate pair"),
    ],
)
def test_a_word_is_counted_and_found_in_chunks(texts: World, word: str, holding: set[int]) -> None:
    storage, ids = texts.storage, sorted(texts.rows)
    assert storage.words_in(ids, ["zebra", word]) == {
        chunk_id: frozenset([word] if number in holding else [])
        for number, chunk_id in enumerate(ids, start=1)
    }
    assert storage.words_in([], [word]) == {}
    for most in (1, 2, 100):
        counted = storage.document_frequencies([word], most=most)
        assert counted == {word: min(most, len(holding))}


MANY = [f"w{number}" for number in range(3000)]
LONG_QUERIES = {
    "words": KeywordQuery(words=(*MANY, "cat")),
    "prefixes": KeywordQuery(prefixes=(*MANY, "cat")),
    "phrases": KeywordQuery(words=("cat",), phrases=tuple((word, "x") for word in MANY)),
    "one phrase": KeywordQuery(words=("cat",), phrases=(tuple(MANY),)),
    "required": KeywordQuery(required=(("cat",),) * 1000),
    "excluded": KeywordQuery(words=("cat",), excluded=tuple((word,) for word in MANY)),
    "one word": KeywordQuery(words=("cat", "x" * 1_000_000)),
}
SLOW_QUERIES = {"words", "prefixes", "phrases", "excluded"}


@pytest.mark.parametrize(
    "query",
    [
        pytest.param(query, id=name, marks=[pytest.mark.slow] if name in SLOW_QUERIES else [])
        for name, query in LONG_QUERIES.items()
    ],
)
def test_no_query_is_too_long(world: World, query: KeywordQuery) -> None:
    world.put_texts("f1", "cat", "dog", "w7 cow", "horse")
    world.check_keyword(query)


def test_scores_stay_true_after_many_replacements(world: World) -> None:
    random = Random(5)
    words = ("alpha", "beta", "gamma", "delta", "epsilon", "running", "runs")
    for step in range(60):
        texts = [" ".join(random.choices(words, k=random.randint(1, 9))) for _ in range(4)]
        world.put_texts(f"f{step % 7}", *dict.fromkeys(texts))
        if step % 9 == 8:
            world.remove(f"f{random.randrange(7)}")
    world.check_rows()
    world.check_keyword(KeywordQuery(words=("alpha", "run"), prefixes=("ep",)))
    world.check_keyword(KeywordQuery(phrases=(("alpha", "beta"),), excluded=(("gamma",),)))
    check_index(world.storage)


def check_index(storage: Storage) -> None:
    """The keyword index agrees with itself and holds exactly the rows of the chunks table."""
    if isinstance(storage, SqliteStorage):
        with storage.database.transaction() as tx:
            tx.run("INSERT INTO chunks_fts (chunks_fts) VALUES ('integrity-check')")
        entries = "SELECT rowid FROM chunks_fts"
    else:
        sql = "SELECT entries, words FROM keyword_totals"
        storage.purge()
        counted = """SELECT (SELECT count(*) FROM keyword_entries), (
            SELECT coalesce(sum(cardinality(places) + coalesce(cardinality(more_places), 0)), 0)
            FROM posting_blocks)"""
        assert storage.database.read(sql) == storage.database.read(counted)
        entries = "SELECT chunk_id FROM keyword_entries"
    left_over = storage.database.read(
        f"SELECT * FROM ({entries} EXCEPT SELECT id FROM chunks) AS stray UNION ALL "
        f"SELECT * FROM (SELECT id FROM chunks EXCEPT {entries}) AS missing"
    )
    assert left_over == []


def test_equal_scores_are_cut_by_rising_id(world: World) -> None:
    ids = [world.put_texts(f"f{number}", f"alpha n{number}")[0] for number in range(30)]
    world.add_space()
    world.put_vectors(dict.fromkeys(reversed(ids), EAST))
    query = KeywordQuery(words=("alpha",))
    for limit in (1, 7, 29):
        words = world.storage.keyword_candidates(query, EVERYTHING, limit=limit)
        assert [hit.chunk_id for hit in words] == ids[:limit]
        near = world.storage.vector_candidates(EAST, EVERYTHING, limit=limit)
        assert [hit.chunk_id for hit in near] == ids[:limit]


def test_keywords_are_rewritten_in_place(texts: World) -> None:
    key = min(texts.rows)
    before = texts.storage.sequence()
    texts.rewrite(
        {key: KeywordFields("zebra", neighbours="stripes"), 10**9: KeywordFields("ghost")}
    )
    assert texts.storage.sequence() > before
    assert texts.check_keyword(KeywordQuery(words=("zebra", "ghost"))).keys() == {key}
    texts.check_keyword(KeywordQuery(words=("café", "stripe")))
    check_index(texts.storage)


def test_document_frequencies_count_the_rarest_token(texts: World) -> None:
    expected = {
        **{"cats": 3, "RUNNING": 2, "café": 3, "state machine": 2, "cats \u0301": 3, "zebra": 0},
        **{"": 0, "😀": 0, "\u0301": 0, "\ud800": 0, "a\0b": 0},
    }
    assert texts.storage.document_frequencies(expected) == expected
    assert texts.storage.document_frequencies(iter(())) == {}


def test_document_frequencies_see_the_open_transaction(world: World) -> None:
    storage = world.storage
    with suppress(KeyError), storage.database.transaction() as tx:
        storage.replace_chunks(tx, "file", "f", generation="g", chunks=[new_chunk("alpha")])
        assert storage.document_frequencies(["alpha"]) == {"alpha": 1}
        assert storage.count_chunks() == 1
        raise KeyError
    assert storage.document_frequencies(["alpha"]) == {"alpha": 0}


def test_chunks_are_counted_with_those_of_the_open_transaction(world: World) -> None:
    world.put_texts("f", "alpha", "beta")
    with world.storage.database.transaction() as tx:
        world.storage.replace_chunks(tx, "text", "t", generation="g", chunks=[new_chunk("gamma")])
        assert world.storage.count_chunks() == 3
        world.storage.remove_owner(tx, "file", "f")
        assert world.storage.count_chunks() == 1


def test_ranking_at_a_limit_equals_the_start_of_the_whole(texts: World) -> None:
    query = KEYWORD_QUERIES["all of it"]
    whole = texts.storage.keyword_candidates(query, EVERYTHING, limit=ALL)
    assert texts.storage.keyword_candidates(query, EVERYTHING, limit=2) == whole[:2]


def test_compacting_leaves_one_segment_and_the_same_answers(world: World) -> None:
    for number in range(40):
        world.put_texts(f"f{number}", f"amber birch n{number}")
    query = KeywordQuery(words=("amber", "n7"))
    before = world.storage.keyword_candidates(query, EVERYTHING, limit=ALL)
    is_sqlite = isinstance(world.storage, SqliteStorage)
    assert not is_sqlite or segments(world.storage) > 1
    world.storage.compact()
    assert not is_sqlite or segments(world.storage) == 1
    assert not is_sqlite or world.storage.database.read("PRAGMA freelist_count") == [(0,)]
    assert world.storage.keyword_candidates(query, EVERYTHING, limit=ALL) == before
    check_index(world.storage)
    world.storage.compact()


def segments(storage: Storage) -> int:
    """How many segments the keyword index is made of."""
    sql = "SELECT count(DISTINCT segid) FROM chunks_fts_idx"
    return int(storage.database.read(sql)[0][0])
