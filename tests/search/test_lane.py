"""Identifiers of the query have ranks on top, amid look-alikes and other words."""

import random

import pytest

from search import HybridSearch, SearchOptions
from search.lane import COMMON_COUNT, RESERVED

NAMES = """
user_id_1 user_id_10 user_id_11 getUserById getUserByIds get_user_by_name HybridSearch
HybridSearcher os.path.join os.path.joined src/app/main.py src/app/main.pyc v2.1.0 v2.1.01 ABC-123
ABC-1234 E1234 E12345 3f2a9bc 3f2a9bd user@example.com user@example.org --dry-run --dry-runs
123e4567-e89b-12d3-a456-426614174000 123e4567-e89b-12d3-a456-426614174001 MAX_RESULTS
MAX_RESULTS_ALL memory.search.limit memory.search.limits ERR_CONN ERR_CONN_RESET
"""


def unit(chance):
    return [chance.gauss(0, 1) for _ in range(4)]


@pytest.mark.parametrize("name", NAMES.split())
@pytest.mark.parametrize(
    "query", ["{}", "where is {} used?", "why does {} fail when the server starts slowly"]
)
@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_the_identifier_itself_is_first(index, name, query, mode):
    chance = random.Random(name)
    for other in NAMES.split():
        for _ in range(3):
            index.add(
                f"why the server starts slowly when it is used, fails and {other}x",
                vector=unit(chance),
            )
    wanted = index.add(f"this sentence mentions {name} somewhere in passing", vector=unit(chance))
    for other in NAMES.split():
        if other != name:
            index.add(f"{other} {other} {other}", vector=unit(chance))
    options = SearchOptions(mode=mode, explain=True)
    hits = HybridSearch(index).search(query.format(name), options, query_vector=unit(chance)).hits
    assert hits[0].row.chunk_id == wanted
    assert hits[0].explanation.lifted
    assert hits[0].explanation.identifier == name
    assert hits[0].explanation.identifier_match == "exact"
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert hits[0].score <= 1


def test_exact_stands_before_caseless_and_both_before_other_spellings(index):
    index.add("get_user_by_id get_user_by_id get_user_by_id")
    caseless = index.add("getuserbyid")
    exact = index.add("here stands getUserById in a sentence of many words about something else")
    hits = HybridSearch(index).search("getUserById", SearchOptions(explain=True)).hits
    assert [hit.row.chunk_id for hit in hits[:2]] == [exact, caseless]
    assert [hit.explanation.lifted for hit in hits] == [True, True, False]


@pytest.mark.parametrize(
    "query,text",
    [
        ("getUserById", "def get_user_by_id(): ..."),
        ("get_user_by_id", "function getUserById() {}"),
        ("user_id", "the column user_id_10"),
        ("3f2a9bc", "commit 3f2a9bc0d4e5f60718293a4b5c6d7e8f90123456"),
    ],
)
def test_other_spellings_and_parts_where_the_name_itself_stands_nowhere(index, query, text):
    for _ in range(5):
        index.add("user id by get commit column")
    wanted = index.add(text)
    first = HybridSearch(index).search(query, SearchOptions(explain=True)).hits[0]
    assert first.row.chunk_id == wanted
    assert first.explanation.identifier_match == "part"


def test_a_file_is_found_by_its_name(index):
    for number in range(5):
        index.add(f"the main module, {number}", path=f"/src/other{number}.py")
    wanted = index.add("nothing in the text", path="/src/app/main.py")
    for query in ("main.py", "src/app/main.py", "what does main.py do at start"):
        assert HybridSearch(index).search(query, SearchOptions()).hits[0].row.chunk_id == wanted


def test_a_title_counts_as_text(index):
    index.add("loads and loads of other load_all_x text")
    wanted = index.add("says nothing", title="API › load_all")
    first = HybridSearch(index).search("load_all", SearchOptions(explain=True)).hits[0]
    assert (first.row.chunk_id, first.explanation.identifier_match) == (wanted, "exact")


def test_the_text_that_has_the_name_is_before_the_rest_of_its_section(index):
    rest = [index.add(f"pool pool {n}", title="open_pool", owner="a") for n in range(5)]
    named = index.add("def open_pool(): ... opens it for anyone who asks", title="open_pool")
    by_path = index.add("nothing of it", path="/src/open_pool", title="other")
    options = SearchOptions(all_chunks=True, mode="keyword")
    hits = HybridSearch(index).search("open_pool pool", options).hits
    assert {hit.row.chunk_id for hit in hits[:2]} == {named, by_path}
    assert hits[2].row.chunk_id in rest


def test_at_most_three_ranks_are_reserved(index):
    for number in range(6):
        index.add(f"foo_bar {number}", owner=f"owner-{number // 2}")
    for number in range(6):
        index.add(f"birch amber {number}")
    search = HybridSearch(index)
    hits = search.search("foo_bar birch amber", SearchOptions(explain=True)).hits
    assert [hit.explanation.lifted for hit in hits[: RESERVED + 1]] == [True] * 3 + [False]
    assert len({hit.row.owner_id for hit in hits}) == len(hits)
    every = search.search("foo_bar birch amber", SearchOptions(explain=True, all_chunks=True)).hits
    assert [hit.explanation.lifted for hit in every] == [True] * 3 + [False] * 7


def test_a_chunk_with_two_of_the_identifiers_is_before_those_with_one(index):
    index.add("foo_bar foo_bar")
    index.add("baz_qux baz_qux")
    both = index.add("a long sentence with foo_bar in it and also baz_qux towards the end")
    assert HybridSearch(index).search("foo_bar baz_qux", SearchOptions()).hits[0].row.chunk_id == (
        both
    )


@pytest.mark.parametrize("query", ["foo_bar baz_qux", "baz_qux foo_bar"])
def test_a_caseless_match_does_not_hide_an_exact_one_of_another_name(index, query):
    chunk = index.add("FOO_BAR and baz_qux")
    (hit,) = HybridSearch(index).search(query, SearchOptions(explain=True)).hits
    assert (hit.row.chunk_id, hit.explanation.identifier) == (chunk, "baz_qux")


def test_nothing_is_reserved_for_a_name_that_stands_everywhere(index):
    for number in range(COMMON_COUNT + 1):
        index.add(f"foo_bar {number}")
    hits = HybridSearch(index).search("foo_bar 7", SearchOptions(explain=True)).hits
    assert not any(hit.explanation.lifted for hit in hits)
    assert hits[0].row.text == "foo_bar 7"


def test_words_that_are_names_too_reserve_only_when_they_stand_nearly_alone(index):
    index.add("p53")
    index.add("tumour suppressor genes protect cells from damage")
    search, options = HybridSearch(index), SearchOptions(explain=True)
    assert search.search("what is p53", options).hits[0].explanation.lifted
    amid = search.search("does p53 protect cells from tumour damage", options).hits
    assert not any(hit.explanation.lifted for hit in amid)


def test_what_is_left_out_is_left_out_of_the_reserved_ranks_too(index):
    index.add("foo_bar old")
    kept = index.add("foo_bar new")
    hits = HybridSearch(index).search("foo_bar -old", SearchOptions()).hits
    assert [hit.row.chunk_id for hit in hits] == [kept]


def test_vector_mode_reserves_nothing(index):
    index.add("foo_bar", vector=[1, 1])
    index.add("other", vector=[1, 0])
    options = SearchOptions(mode="vector", explain=True)
    hits = HybridSearch(index).search("foo_bar", options, query_vector=(1, 0)).hits
    assert [hit.row.chunk_id for hit in hits] == [2, 1]
    assert hits[0].explanation.fusion == "none"
