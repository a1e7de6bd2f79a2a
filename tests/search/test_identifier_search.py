"""Identifiers of the query have ranks on top, amid look-alikes and other words."""

import random

import pytest

from contracts import Scope
from search import HybridSearch, QueryVectorInfo, SearchOptions
from search.identifiers.identifier_search import CHECKED, COMMON_COUNT, LONGEST_SLIPPED, RESERVED

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
    hits = (
        HybridSearch(index).search(query.format(name), options, QueryVectorInfo(unit(chance))).hits
    )
    assert hits[0].row.chunk_id == wanted
    assert hits[0].explanation.lifted
    assert hits[0].explanation.identifier == name
    assert hits[0].explanation.identifier_match == "exact"
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert hits[0].score <= 1


def test_exact_stands_before_caseless_and_both_before_other_spellings(index):
    index.add("get_user_by_id get_user_by_id get_user_by_id")
    caseless = index.add("GetUserById")
    exact = index.add("here stands getUserById in a sentence of many words about something else")
    hits = HybridSearch(index).search("getUserById", SearchOptions(explain=True)).hits
    assert [hit.row.chunk_id for hit in hits[:2]] == [exact, caseless]
    assert [hit.explanation.lifted for hit in hits] == [True, True, False]


@pytest.mark.parametrize(
    "query,text,match",
    [
        ("getUserById", "def get_user_by_id(): ...", "spelling"),
        ("get_user_by_id", "function getUserById() {}", "spelling"),
        ("get-user-by-id", "GET_USER_BY_ID = 1", "spelling"),
        ("user-id", "userId", "spelling"),
        ("USER_ID", "userId", "spelling"),
        ("user_id", "the column user_id_10", "part"),
        ("3f2a9bc", "commit 3f2a9bc0d4e5f60718293a4b5c6d7e8f90123456", "part"),
    ],
)
def test_other_spellings_and_parts_where_the_name_itself_stands_nowhere(index, query, text, match):
    for _ in range(5):
        index.add("user id by get commit column")
    wanted = index.add(text)
    first = HybridSearch(index).search(query, SearchOptions(explain=True)).hits[0]
    assert first.row.chunk_id == wanted
    assert first.explanation.identifier_match == match


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
    lifted, rest = hits[:RESERVED], hits[RESERVED:]
    assert len({hit.row.owner_id for hit in lifted}) == RESERVED
    # The second chunk of each stands out from all others, which have no name.
    assert [hit.row.owner_id for hit in rest[:3]] == [hit.row.owner_id for hit in lifted]
    assert len({hit.row.owner_id for hit in rest[3:]} - {hit.row.owner_id for hit in lifted}) == 4
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
    hits = HybridSearch(index).search("foo_bar", options, QueryVectorInfo((1, 0))).hits
    assert [hit.row.chunk_id for hit in hits] == [2, 1]
    assert hits[0].explanation.fusion == "none"


@pytest.mark.parametrize(
    "typo", ["parse_confg", "parse_cconfig", "parsd_config", "prase_config", "parseConfg"]
)
@pytest.mark.parametrize("query", ["{}", "where does {} read its defaults from"])
def test_a_name_with_a_typo_finds_the_name_that_was_meant(index, typo, query):
    for number in range(5):
        index.add(f"where the defaults are read from, {number}")
    index.add("parse_con and parse_configs and config_parse")
    wanted = index.add("calls parse_config(path)")
    answer = HybridSearch(index).search(query.format(typo), SearchOptions(explain=True))
    assert answer.hits[0].row.chunk_id == wanted
    explanation = answer.hits[0].explanation
    assert (explanation.identifier, explanation.identifier_match) == ("parse_config", "similar")
    assert f"nothing has {typo!r}; 'parse_config' was looked for instead" in answer.warnings


def test_each_name_that_may_be_meant_has_its_turn(index):
    for name in ("load_item", "load_items", "loadXitem"):
        for number in range(4):
            index.add(f"{name} {number}")
    answer = HybridSearch(index).search("loadYitem", SearchOptions(explain=True))
    names = {hit.explanation.identifier for hit in answer.hits if hit.explanation.lifted}
    assert names == {"load_item", "loadXitem"}
    assert "'load_item'" in answer.warnings[0]
    assert "'loadXitem' were looked for instead" in answer.warnings[0]


@pytest.mark.parametrize("query", ["a_b", "parse_config", "E12"])
def test_nothing_is_looked_for_instead_of_short_names_and_of_those_that_stand_there(index, query):
    index.add("a_c and E13 and parse_confg")
    index.add("the parse_config itself")
    assert not HybridSearch(index).search(query, SearchOptions()).warnings


def test_another_number_is_shown_for_want_of_anything_else(index):
    other = index.add("ERR-1042 is raised")
    alone = HybridSearch(index).search("ERR-1041", SearchOptions())
    assert [hit.row.chunk_id for hit in alone.hits] == [other]
    assert alone.weak
    assert alone.warnings[0] == "nothing has 'ERR-1041'; 'ERR-1042' was looked for instead"


@pytest.mark.parametrize("name", ["ERR-1041", "ERR-142", "ERR-10422", "ERR-1024"])
def test_another_number_stands_above_nothing_that_holds_the_other_words(index, name):
    index.add("ERR-1042 is raised")
    embedded = index.add("when the pump is dry")
    answer = HybridSearch(index).search(f"{name} when the pump is dry", SearchOptions())
    assert answer.hits[0].row.chunk_id == embedded
    assert not any(hit.lifted for hit in answer.hits)
    assert not any("looked for instead" in warning for warning in answer.warnings)
    lifted = HybridSearch(index).search("ERX-1042 when the pump is dry", SearchOptions()).hits[0]
    assert (lifted.row.text, lifted.lifted) == ("ERR-1042 is raised", True)


def test_a_name_outside_the_scope_is_not_looked_for_instead(index):
    index.add("parse_config", path="/out/a.py")
    inside = index.add("parse_confit", path="/in/b.py")
    answer = HybridSearch(index).search(
        "parse_confix", SearchOptions(scope=Scope(paths=("/in",)), explain=True)
    )
    assert [hit.row.chunk_id for hit in answer.hits] == [inside]
    instead = "has 'parse_confix'; 'parse_confit' was looked for instead"
    assert answer.warnings == (f"nothing within these limits {instead}",)


@pytest.mark.parametrize("limit", ["-marmalade", '"in the cellar"'])
def test_a_name_that_stands_where_it_may_not_is_not_said_to_stand_nowhere(index, limit):
    index.add("parse_confix and marmalade")
    inside = index.add("parse_config in the cellar")
    answer = HybridSearch(index).search(f"parse_confix {limit}", SearchOptions())
    assert answer.hits[0].row.chunk_id == inside
    instead = "has 'parse_confix'; 'parse_config' was looked for instead"
    assert f"nothing within these limits {instead}" in answer.warnings


@pytest.mark.parametrize(
    "letters, is_found", [(LONGEST_SLIPPED, True), (LONGEST_SLIPPED + 1, False)]
)
def test_no_slip_is_looked_for_in_what_nobody_types(index, letters, is_found):
    name = "K2" + "abcdefgh" * letters
    index.add(f"the token {name[: letters - 1]}z is here")
    answer = HybridSearch(index).search(f"{name[: letters - 1]}y", SearchOptions())
    assert bool(answer.hits) == is_found


def test_a_similar_name_in_the_text_is_before_the_rest_of_its_section(index):
    for number in range(4):
        index.add(f"more of it {number}", title="parse_config", owner="a")
    named = index.add("a long text about other things and parse_config", owner="b")
    first = HybridSearch(index).search("parse_confg", SearchOptions()).hits[0]
    assert first.row.chunk_id == named


def test_look_alikes_do_not_crowd_out_the_exact_name(index):
    for number in range(CHECKED + 5):
        index.add(f"full_name full_name {number}")
    wanted = index.add("a far longer text in which, among other things, FULL_NAME is set")
    first = HybridSearch(index).search("FULL_NAME", SearchOptions()).hits[0]
    assert first.row.chunk_id == wanted


@pytest.mark.parametrize(
    "definition",
    ["def open_pool(size): ...", "class open_pool:", "fn open_pool()", "open_pool = Pool()"],
)
def test_a_name_alone_finds_its_definition_first(index, definition):
    for number in range(30):
        index.add(f"open_pool and again open_pool, {number}")
    wanted = index.add(f"{definition}\n and very many other words that come after it")
    hits = HybridSearch(index).search("open_pool", SearchOptions(explain=True)).hits
    assert hits[0].row.chunk_id == wanted
    assert hits[0].explanation.lifted
