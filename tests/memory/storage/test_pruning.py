"""Chunks that are not scored: the answer has to be the one that scoring all of them gives."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import compress, product
from random import Random

import apsw
import pytest

from contracts import KeywordQuery, Scope
from memory.storage.sqlite import SqliteStorage
from memory.storage.sqlite.keywords.fts import keyword_sql, match_expression, totals
from memory.storage.sqlite.keywords.keyword_search import FEWEST_PRUNED, keyword_candidates
from memory.storage.sqlite.keywords.score_bounds import (
    FEWEST_HELD,
    MOST_WORDS,
    Term,
    likely_score,
    pruned_rows,
    reaching,
    terms_of,
)
from memory.storage.values import Row

WORDS = tuple(f"w{number}" for number in range(300))
LIMIT = 100
INSERT_SQL = """
INSERT INTO chunks_fts (rowid, text, title, neighbours, identifiers) VALUES (?, ?, ?, ?, ?)
"""


CHUNK_SQL = """
INSERT INTO chunks (id, uid, source, owner_id, generation, ordinal, text, heading, body_offset,
    hash, gap, occurred_at, recorded_at) VALUES (?1, ?1, ?2, ?1, '', 0, '', '', 0, x'', '', '', '')
"""


@pytest.fixture(scope="module")
def connection() -> Iterator[apsw.Connection]:
    """Chunks of all lengths with words as unevenly spread as a language's, some of them deleted."""
    storage = SqliteStorage.in_memory()
    with storage.database.connection() as connection:
        gone = ((number * 21,) for number in range(500))
        with connection:
            connection.executemany(INSERT_SQL, map(entry, range(FEWEST_PRUNED + 500)))
            rows = ((number, source_of(number)) for number in range(FEWEST_PRUNED + 500))
            connection.executemany(CHUNK_SQL, rows)
            connection.executemany("DELETE FROM chunks_fts WHERE rowid = ?", gone)
        yield connection
    storage.close()


def source_of(number: int) -> str:
    return "episode" if number % 5 < 2 else "turn"


def entry(number: int) -> tuple[int, str, str, str, str]:
    random = Random(number)
    weights = [1 / (place + 1) for place in range(len(WORDS))]

    def some(most: int) -> str:
        return " ".join(random.choices(WORDS, weights, k=random.randrange(most)))

    often = f" {random.choice(WORDS)}" * random.choice((0, 0, 0, 40))
    return number, some(60) + often, some(6) + often, some(20), some(4)


def every_row(connection: apsw.Connection, words: tuple[str, ...], limit: int) -> list[Row]:
    sql, _ = keyword_sql(Scope(), None)
    rows: list[Row] = connection.execute(sql, {"match": any_of(words), "limit": limit}).fetchall()
    return rows


def pruned(
    connection: apsw.Connection,
    words: tuple[str, ...],
    *,
    limit: int = LIMIT,
    fewest_held: int = FEWEST_HELD,
) -> list[Row] | None:
    match = any_of(words)
    return pruned_rows(
        connection, words, match=match, scope=Scope(), limit=limit, fewest_held=fewest_held
    )


def any_of(words: tuple[str, ...]) -> str:
    return match_expression(KeywordQuery(words=words), bool)


def random_words(seed: int) -> tuple[str, ...]:
    random = Random(seed)
    return tuple(
        random.sample(WORDS[: random.choice((12, 60, 300))], random.randint(2, MOST_WORDS))
    )


@pytest.mark.parametrize("limit", [1, LIMIT, 1000])
@pytest.mark.parametrize("seed", range(12))
def test_the_best_are_found_with_the_scores_of_all(
    connection: apsw.Connection, seed: int, limit: int
) -> None:
    words = random_words(seed)
    rows = pruned(connection, words, limit=limit, fewest_held=0)
    assert rows in (None, every_row(connection, words, limit))


WORDS_OF_ALL_KINDS = {
    "frequent alone": ("w0", "w1", "w2", "w3"),
    "in more than half of the chunks": ("w0", "w1", "w250"),
    "a word in two forms": ("w5", "w5s", "W5", "w90"),
    "a word twice": ("w5", "w5", "w6", "w90", "w90"),
    "unknown words": ("w7", "w8", "zebra", "giraffe"),
    "two tokens": ("w3-w4", "w9", "w0 w1"),
    "two tokens that stand nowhere together": ("w298-w299", "w0", "w1"),
    "no word at all": ("w2", "w3", "..."),
    "as many as are thought about": WORDS[20 : 20 + MOST_WORDS],
}


@pytest.mark.parametrize("words", WORDS_OF_ALL_KINDS.values(), ids=WORDS_OF_ALL_KINDS)
def test_any_words_are_scored_as_they_always_were(
    connection: apsw.Connection, words: tuple[str, ...]
) -> None:
    query = KeywordQuery(words=words)
    found = keyword_candidates(connection, query, Scope(), generation=None, limit=LIMIT)
    match = match_expression(query, lambda text: text != "...")
    sql, _ = keyword_sql(Scope(), None)
    rows: list[Row] = connection.execute(sql, {"match": match, "limit": LIMIT}).fetchall()
    assert {(item.chunk_id, item.score) for item in found} == set(rows)
    assert len(found) == LIMIT


def test_few_chunks_of_many_are_scored(connection: apsw.Connection) -> None:
    chunks, _ = totals(connection)
    terms = terms_of(connection, ["w10", "w20", "w30"], chunks)
    least = likely_score(terms, chunks=chunks, limit=LIMIT)
    sql = "SELECT count(*) FROM chunks_fts WHERE chunks_fts MATCH ?"
    scored = connection.execute(sql, (reaching(terms, least),)).get
    assert LIMIT <= scored < connection.execute(sql, (any_of(("w10", "w20", "w30")),)).get / 3


@pytest.mark.parametrize("seed", range(6))
def test_the_best_without_a_source_are_found(connection: apsw.Connection, seed: int) -> None:
    """However many of the best are of it."""
    words = random_words(seed)
    query, scope = KeywordQuery(words=words), Scope(without_sources=("episode",))
    found = keyword_candidates(connection, query, scope, generation=None, limit=LIMIT)
    every = dict(every_row(connection, words, 100_000))
    turns = [key for key in every if source_of(key) == "turn"]
    best = sorted(turns, key=lambda key: (-every[key], key))[:LIMIT]
    assert [item.score for item in found] == [every[key] for key in best]
    assert {item.chunk_id for item in found} <= {*turns}


QUERIES = {
    "of words": (KeywordQuery(words=("w10", "w20", "w30")), Scope(), True),
    "with stems": (KeywordQuery(words=("w10", "w20"), stems=("w30",)), Scope(), True),
    "in a scope": (KeywordQuery(words=("w10", "w20", "w30")), Scope(sources=("file",)), False),
    "without a source": (
        KeywordQuery(words=("w10", "w20", "w30")),
        Scope(without_sources=("episode",)),
        True,
    ),
    "with a phrase": (KeywordQuery(words=("w10", "w20"), phrases=(("w1", "w2"),)), Scope(), False),
    "with a prefix": (KeywordQuery(words=("w10", "w20"), prefixes=("w3",)), Scope(), False),
    "without a word": (KeywordQuery(words=("w10",), excluded=(("w1",),)), Scope(), False),
    "of too many words": (KeywordQuery(words=WORDS[: MOST_WORDS + 1]), Scope(), False),
    "of rare words": (KeywordQuery(words=("w298", "w299")), Scope(), False),
    "of one word": (KeywordQuery(words=("w5", "zebra")), Scope(), False),
}


@pytest.mark.parametrize("query, scope, expected", QUERIES.values(), ids=QUERIES)
def test_what_is_chosen_from_is_a_query_of_words_that_many_hold(
    connection: apsw.Connection, query: KeywordQuery, scope: Scope, expected: bool
) -> None:
    with noted(connection) as statements:
        keyword_candidates(connection, query, scope, generation=None, limit=LIMIT)
    assert any(":reaching" in sql for sql in statements) == expected


@contextmanager
def noted(connection: apsw.Connection) -> Iterator[list[str]]:
    """What is executed meanwhile."""
    statements: list[str] = []

    def note(_cursor: apsw.Cursor, sql: str, _bindings: object) -> bool:
        statements.append(sql)
        return True

    connection.exec_trace = note
    yield statements
    connection.exec_trace = None


@contextmanager
def besides(connection: apsw.Connection, texts: Iterable[str]) -> Iterator[None]:
    """More chunks, for a while."""
    rows = ((10**6 + number, text, "", "", "") for number, text in enumerate(texts))
    with connection:
        connection.executemany(INSERT_SQL, rows)
    yield
    with connection:
        connection.execute("DELETE FROM chunks_fts WHERE rowid >= ?", (10**6,)).fetchall()


def test_scores_lower_than_expected_are_looked_for_again(connection: apsw.Connection) -> None:
    """In texts far longer than all others, words count little."""
    random = Random(3)
    words = ("odd", "even", "third")
    texts = (
        " ".join(compress(words, random.choices((0, 1), k=3))) + " else" * random.randint(400, 500)
        for _ in range(2_000)
    )
    with besides(connection, texts):
        with noted(connection) as statements:
            found = pruned(connection, words, fewest_held=0)
        assert found == every_row(connection, words, LIMIT)
    assert sum(":reaching" in sql for sql in statements) == 2


def test_words_in_nearly_half_of_the_chunks_are_no_error(connection: apsw.Connection) -> None:
    """Their bounds are smaller than the steps in which a score is guessed."""
    random = Random(4)
    words = ("odd", "even")
    texts = (
        " ".join(["else", *compress(words, random.choices((0, 1), k=2))]) for _ in range(20_000)
    )
    with besides(connection, texts):
        found = pruned(connection, words)
        assert found in (None, every_row(connection, words, LIMIT))


def test_words_that_never_stand_together_are_all_scored(connection: apsw.Connection) -> None:
    """Chance would have had some hundred chunks with two of them."""
    words = ("odd", "even", "third")
    texts = (words[number % 3] for number in range(4_500))
    with besides(connection, texts):
        assert pruned(connection, words) is None
        query = KeywordQuery(words=words)
        found = keyword_candidates(connection, query, Scope(), generation=None, limit=LIMIT)
        assert [(item.chunk_id, item.score) for item in found] == every_row(
            connection, words, LIMIT
        )


def test_an_expression_holds_for_every_chunk_that_reaches_so_much() -> None:
    random = Random(7)
    for _ in range(200):
        bounds = sorted(
            (random.uniform(0.1, 20) for _ in range(random.randint(1, 7))), reverse=True
        )
        terms = [Term(f'"w{number}"', bound, 0.1) for number, bound in enumerate(bounds)]
        least = random.uniform(0.05, sum(bounds))
        assert not reaching(terms, 1.01 * sum(bounds))
        expression = reaching(terms, least)
        for held in product((False, True), repeat=len(terms)):
            if sum(compress(bounds, held)) >= least:
                assert meets(expression, {term.expression for term in compress(terms, held)})


def meets(expression: str, held: set[str]) -> bool:
    """FTS5's AND and OR, which bind as Python's do."""
    for word in sorted({part.strip("()") for part in expression.split()} - {"AND", "OR"}):
        expression = expression.replace(word, str(word in held))
    return bool(eval(expression.lower().replace("true", "True").replace("false", "False")))
