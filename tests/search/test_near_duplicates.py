"""Chunks that repeat a hit are folded into it, listed, and nothing else is left out."""

import random
from dataclasses import replace

import pytest

from search import HybridSearch, SearchOptions, analyse
from search.identifiers.identifier_search import RESERVED
from search.ranking.near_duplicates import DuplicateFinder
from search.ranking.repetition import Fingerprinter, beginnings
from tests.search.licences import ANSWER, QUESTION, TERMS, licence

KEYWORD = SearchOptions(mode="keyword")
WORDS = ["amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "inlet", "jetty"]


def answer(index, query, options=KEYWORD):
    """The hits as chunk ids, each with those folded into it."""
    hits = HybridSearch(index).search(query, options).hits
    return [(hit.row.chunk_id, [copy.chunk_id for copy in hit.duplicates]) for hit in hits]


def test_ten_copies_of_a_licence_do_not_fill_the_answer(index):
    for number in range(10):
        index.add(licence(number), path=f"/code/part-{number}/LICENCE")
    wanted = index.add(ANSWER, path="/code/doc/questions.md")
    options = replace(KEYWORD, max_results=5)
    unfolded = answer(index, QUESTION, replace(options, fold="none"))
    assert wanted not in dict(unfolded)
    (licences, copies), (found, none) = answer(index, QUESTION, options)
    assert found == wanted
    assert none == []
    assert {licences, *copies} == set(range(1, 11))


def test_copies_are_listed_in_the_order_of_their_scores(index):
    for faded in (3, 1, 2):
        index.add("amber birch", source="turn", occurred_at=f"2026-05-0{faded}")
    options = replace(KEYWORD, now=None)
    assert answer(index, "amber", options) == [(1, [3, 2])]


def test_the_walk_ends_at_the_first_hit_too_many(index):
    for text in ("amber amber", "amber amber", "amber birch", "amber birch", "amber cedar dune"):
        index.add(text)
    index.add("amber amber ember fjord grove heath")
    assert answer(index, "amber", replace(KEYWORD, max_results=1)) == [(1, [2])]
    assert answer(index, "amber", replace(KEYWORD, max_results=2)) == [(1, [2]), (3, [4])]


def test_the_answer_is_filled_as_long_as_there_are_other_texts(index):
    for number in range(40):
        index.add(f"amber {WORDS[number // 4]} and more of it")
    assert [len(copies) for _, copies in answer(index, "amber")] == [3] * 10
    assert len(answer(index, "amber", replace(KEYWORD, max_results=1000))) == 10


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"source": "text"}, id="another source"),
        pytest.param({"title": "Windows"}, id="another heading"),
        pytest.param({"body": TERMS + " of 12"}, id="a number more"),
    ],
)
def test_what_is_not_folded(index, changes):
    index.add(TERMS, title="Linux")
    index.add(**{"body": TERMS, "title": "Linux", **changes})
    assert len(answer(index, "notice")) == 2


def test_hits_for_different_identifiers_are_not_folded(index):
    first = index.add(TERMS, path="/src/read_all.py")
    second = index.add(TERMS, path="/src/write_all.py")
    third = index.add(TERMS, path="/src/other.py")
    hits = answer(index, "read_all.py write_all.py")
    assert sorted(key for key, _ in hits) == [first, second]
    ((found, copies),) = answer(index, "read_all.py")
    assert found == first
    assert sorted(copies) == [second, third]
    ((_, copies),) = answer(index, "notice")
    assert len(copies) == 2


def test_a_word_of_the_path_is_asked_for_as_well(index):
    first = index.add(TERMS, path="/live/terms.md")
    second = index.add(TERMS, path="/backup/terms.md")
    assert answer(index, "notice") == [(first, [second])]
    assert answer(index, "notice live") == [(first, [second])]
    assert answer(index, "notice backup") == [(second, [first])]


def test_a_word_of_the_file_name_is_asked_for_as_well(index):
    first = index.add(TERMS, path="/terms/live.md")
    second = index.add(TERMS, path="/terms/backup.md")
    assert answer(index, "notice") == [(first, [second])]
    assert sorted(answer(index, "notice terms live backup")) == [(first, []), (second, [])]


def test_copies_take_no_reserved_ranks(index):
    for number in range(6):
        index.add(f"set API_TOKEN in the shell {WORDS[number // 2]}")
    options = replace(KEYWORD, explain=True)
    hits = HybridSearch(index).search("API_TOKEN", options).hits
    assert [hit.explanation.lifted for hit in hits] == [True] * RESERVED
    assert [len(hit.duplicates) for hit in hits] == [1, 1, 1]
    for number in range(6):
        index.add(f"of API_TOKEN the shell knows {WORDS[number]} {WORDS[9 - number]}")
    hits = HybridSearch(index).search("API_TOKEN", options).hits
    assert [hit.explanation.lifted for hit in hits] == [True] * RESERVED + [False] * 6


def test_a_document_is_one_hit_or_one_copy(index):
    for owner in ("a", "b"):
        index.add(TERMS, owner=owner)
        index.add(f"a notice of {owner}", owner=owner)
    assert answer(index, "whole part notice") == [(1, [3])]
    every = answer(index, "whole part notice", replace(KEYWORD, all_chunks=True))
    assert sorted(every) == [(1, [3]), (2, []), (4, [])]


def test_equal_chunks_of_one_document_are_folded_too(index):
    for _ in range(3):
        index.add(TERMS, owner="a")
    assert answer(index, "notice", replace(KEYWORD, all_chunks=True)) == [(1, [2, 3])]


def test_chunks_that_share_an_overlap_are_not_alike(index):
    words = [f"{word}{number}" for word in WORDS for number in "abcdefghijklmnopqrst"]
    index.add(" ".join(words[:110]), owner="a")
    index.add(" ".join(words[90:]), owner="a")
    assert len(answer(index, words[100], replace(KEYWORD, all_chunks=True))) == 2


@pytest.mark.parametrize("seed", range(6))
def test_folding_is_the_naive_one(index, seed):
    """Every text against every hit before it, without samples."""
    chance = random.Random(seed)
    for number in range(60):
        words = TERMS.split() if chance.random() < 0.5 else chance.choices(WORDS, k=30)
        for _ in range(chance.randrange(4)):
            words[chance.randrange(len(words))] = chance.choice(["amber", "Birch", "7", "x_1"])
        index.add(" ".join(words), owner=f"o{number // 2}", source=chance.choice(["file", "text"]))
    query = "amber copies notice 7"
    options = replace(KEYWORD, max_results=1000, all_chunks=seed % 2 == 0)
    analysis = analyse(query)
    fingerprinter = Fingerprinter(beginnings(analysis.words))
    expected: list[tuple[int, list[int]]] = []
    for chunk_id, _ in answer(index, query, replace(options, fold="none")):
        row = index.rows[chunk_id]
        for kept, copies in expected:
            other = index.rows[kept]
            if row.source == other.source and fingerprinter(row.text).resembles(
                fingerprinter(other.text)
            ):
                copies.append(chunk_id)
                break
        else:
            expected.append((chunk_id, []))
    assert answer(index, query, options) == expected
    assert any(copies for _, copies in expected)


def test_unlike_texts_are_never_taken_apart(index):
    """Folding stays cheap: comparing the long words is enough."""

    class Never(Fingerprinter):
        def __call__(self, text):
            raise AssertionError("a closer look")

    rows = [index.rows[index.add(text)] for text in (TERMS, ANSWER, "amber", "birch", "")]
    copies = DuplicateFinder(analyse(QUESTION), {})
    copies._fingerprinter = Never(())
    for row in rows:
        assert copies.original(row) is None
        copies.keep(row)
    assert [copies.original(row) for row in rows] == [1, 2, 3, 4, None]


def test_no_more_rows_are_read_for_different_texts(index):
    for number in range(90):
        index.add(f"amber {WORDS[number % 10]} {WORDS[number // 10]} {number}")
    for fold in ("none", "shingles"):
        index.rows_read.clear()
        answer(index, "amber", replace(KEYWORD, max_results=2, fold=fold))
        assert len(index.rows_read) == 4
