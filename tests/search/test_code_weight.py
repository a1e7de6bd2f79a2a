"""The weight of the vectors among code: when it replaces the weight for documents."""

import pytest

from search import HybridSearch, QueryVectorInfo, SearchOptions, analyse

FUNCTION = "def is_readable(path):\n    mode = os.stat(path)[0]\n    return bool(mode & 4)\n"
PROSE = "A file is readable if its mode says so (see chmod); most files are.\n"


def weights(index, *, vector=(1, 0), query="is a file readable", code_weight=0.75, **changes):
    """The weights of the vectors that the hits were ranked with, and the first hit."""
    options = SearchOptions(explain=True, min_score=0, fold="none", **changes)
    info = QueryVectorInfo(
        vector, 0.4, latin_only=True, unrelated=0.5, turn_weight=0.2, code_weight=code_weight
    )
    hits = HybridSearch(index).search(query, options, info).hits
    return {hit.row.source: hit.explanation.vector_weight for hit in hits}, hits[0].row.chunk_id


@pytest.fixture
def code(index):
    """Functions; the first is near in meaning, the second has more of the words."""
    index.add(FUNCTION, vector=[1, 0])
    index.add(f"{FUNCTION}# file is readable, a readable file", vector=[1, 1])
    for _ in range(6):
        index.add("def other(value):\n    return {value: [1]}\n", vector=[0, 1])
    return index


def test_meaning_counts_more_among_code(code):
    assert weights(code, code_weight=None) == ({"file": 0.4}, 2)
    assert weights(code) == ({"file": 0.75}, 1)


def test_not_among_prose(index):
    for _ in range(8):
        index.add(PROSE, vector=[1, 0])
    assert weights(index)[0] == {"file": 0.4}


def test_code_behind_the_first_texts_does_not_count(index):
    for _ in range(20):
        index.add("def other(value):\n    return {value: [1]}\n", vector=[0, 1])
    for _ in range(5):
        index.add(PROSE, vector=[1, 0])
    assert weights(index)[0] == {"file": 0.4}


def test_only_if_a_text_is_nearer_than_an_unrelated_one(code):
    near, far = (0.6, -0.8), (0.4, -0.917)
    assert weights(code, vector=near)[0] == {"file": 0.75}
    assert weights(code, vector=far)[0] == {"file": 0.4}


@pytest.mark.parametrize(
    "changes,expected",
    [
        ({"vector_weight": 0.3}, 0.3),
        ({"fusion": "rrf"}, 0.4),
        ({"mode": "keyword"}, 0),
        ({"mode": "vector"}, 1),
        ({"query": 'is a file "readable"'}, 0.4),
    ],
    ids=["given", "rrf", "keyword", "vector", "phrase"],
)
def test_not_in_other_searches(code, changes, expected):
    assert weights(code, **changes)[0] == {"file": expected}


def test_letters_that_the_model_cannot_read(code):
    query = "is a file readable 可读"
    share = analyse(query).latin_share
    assert weights(code, query=query)[0]["file"] == pytest.approx(0.75 * share)


def test_turns_beside_code_keep_their_weight(code):
    code.add("is a file readable", vector=[1, 0], source="turn")
    assert weights(code)[0] == {"file": 0.75, "turn": 0.2}


def test_no_row_is_read_twice(code):
    weights(code, max_results=2)
    assert len(code.rows_read) == len(set(code.rows_read))
