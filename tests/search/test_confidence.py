"""Marking of weak answers: by words, meaning, and names present or missing."""

from math import log

import pytest

from contracts import Scope
from search import NO_QUERY_VECTOR, HybridSearch, QueryVectorInfo, SearchOptions, analyse
from search.ranking.confidence import FEWEST_NEIGHBOURS, MOST_WORDS, WEAK_BELOW, Confidence, Judge
from search.retrieval import Candidates, Retriever, make_plan, run_inline
from tests.search.conftest import BruteIndex

PUMP = "The pump in the cellar hums when the water rises above the mark."
TRAIN = "The train to Lisbon leaves at nine from the third platform."
CODE = "def get_user_by_id(key): return table[key]"


@pytest.fixture
def filled(index: BruteIndex) -> BruteIndex:
    for text in (PUMP, TRAIN, CODE):
        index.add(text)
    for number in range(60):
        index.add(f"Line {number} of a list about something else.")
    return index


def judged(index: BruteIndex, query: str, *, mode: str = "keyword") -> Confidence:
    """The confidence in the first hit of a keyword search."""
    options = SearchOptions(mode=mode)  # type: ignore[arg-type]
    plan = make_plan(analyse(query), options, NO_QUERY_VECTOR, [])
    found = Retriever(index, run_inline).retrieve(plan)
    best = HybridSearch(index).search(query, options).hits[0].row
    return Judge(index, plan, found).of(best)


@pytest.mark.parametrize(
    "query, weak",
    [
        ("pump", False),
        ("why does the pump in the cellar hum?", False),
        ("When does the train to Lisbon leave?", False),
        ("trains of the Roman emperors carried marble platform columns", True),
        ("third opinion on tax evasion in Norway", True),
        ("get_user_by_id", False),
        ("where on earth do they ever define get_user_by_id for Martians", False),
        ("getUserById", False),
        ("get_user_by_name", True),
        ("where is get_user_by_name defined?", True),
        ("pum*", False),
        ('"third platform"', False),
        ("xqzzt blorf grimpf wrexl water", True),
    ],
)
def test_an_answer_is_weak_or_not(filled: BruteIndex, query: str, weak: bool) -> None:
    ranking = HybridSearch(filled).search(query, SearchOptions(mode="keyword"))
    assert ranking.hits
    assert ranking.weak is weak
    told = [line for line in ranking.warnings if line.startswith("nothing here seems to answer")]
    assert len(told) == weak


def test_nothing_at_all_is_weak_without_a_word_about_it(filled: BruteIndex) -> None:
    for query in ("zebra", "?!"):
        ranking = HybridSearch(filled).search(query, SearchOptions(mode="keyword"))
        assert (ranking.hits, ranking.weak) == ([], True)
        assert not any("seems" in warning for warning in ranking.warnings)


def test_the_share_is_that_of_weighted_words(filled: BruteIndex) -> None:
    found = judged(filled, "pump cellar line zebra")
    total = len(filled.rows)
    weights = {
        word: log(1 + total / (n + 0.5)) for word, n in (("once", 1), ("line", 60), ("-", 0))
    }
    held = 2 * weights["once"]
    assert (found.held, found.asked, found.nearness) == (2, 4, 0)
    assert found.share == pytest.approx(held / (held + weights["line"] + weights["-"]))
    assert found.evidence == found.share


def test_of_a_long_question_the_first_words_count(filled: BruteIndex) -> None:
    found = judged(filled, "pump " + " ".join(f"nonsense{number}" for number in range(100)))
    assert found.asked == MOST_WORDS


def test_pairs_of_clusters_are_words(new_index) -> None:
    index = new_index()
    index.add("东京塔建于一九五八年，高三百三十三米。")
    index.add("这本书由两家公司合作出版。")
    search = HybridSearch(index).search
    options = SearchOptions(mode="keyword")
    assert not search("东京塔有多高？", options).weak
    assert search("最高的山峰在哪个国家以及公司", options).weak


def test_an_identifier_that_stands_nowhere_is_named(filled: BruteIndex) -> None:
    found = judged(filled, "where is get_user_by_name defined?")
    assert found.missing == ("get_user_by_name",)
    assert found.share == 0, "the parts of a name that stands nowhere are no words of the answer"
    assert found.reason == ("nothing here seems to answer this: get_user_by_name is not indexed")


@pytest.mark.parametrize(
    "asked, scope",
    [
        ("ERR_USER_INDEX", Scope(sources=("file",))),
        ("ERR_USER_INDEX -ERR_USER_INDEX", Scope()),
        ("ERR_USER_INDEX -hole", Scope()),
    ],
)
def test_a_name_that_is_only_where_nothing_may_answer_is_missing(
    filled: BruteIndex, asked: str, scope: Scope
) -> None:
    filled.add("ERR_USER_INDEX is a hole.", source="text")
    filled.add("CREATE INDEX of_user; an err of the user index", source="file")
    search = HybridSearch(filled).search
    ranking = search(asked, SearchOptions(mode="keyword", scope=scope))
    assert {hit.confidence for hit in ranking.hits} == {"weak"}
    assert "ERR_USER_INDEX is not within these limits" in ranking.warnings[-1]
    found = search("ERR_USER_INDEX", SearchOptions(mode="keyword"))
    assert (found.hits[0].confidence, found.weak) == ("strong", False)


@pytest.mark.parametrize(
    "asked, missing",
    [
        ("CVE-2024-1235", True),
        ("what does CVE-2024-1235 do", True),
        ("v2.1.1", True),
        ("ERR_1002", True),
        ("ER_1001", False),
        ("CVR-2024-1234", False),
    ],
)
def test_a_name_with_another_number_is_no_answer(
    filled: BruteIndex, asked: str, missing: bool
) -> None:
    filled.add("CVE-2024-1234 is a hole in v2.1.0 that ends with ERR_1001.")
    ranking = HybridSearch(filled).search(asked, SearchOptions(mode="keyword"))
    assert "CVE-2024-1234" in ranking.hits[0].row.text
    assert "looked for instead" in ranking.warnings[0]
    told = [line for line in ranking.warnings if "is not indexed" in line]
    assert (ranking.weak, len(told)) == (missing, missing)


@pytest.mark.parametrize(
    "asked, missing",
    [
        ("ITEM-005*", False),
        ("item-005*", False),
        ("ITEM-006*", True),
        ("ITEM-005", True),
        ("9ce8454", False),
        ("9CE8454", False),
        ("9ce8455", True),
    ],
)
def test_a_name_asked_for_as_a_beginning(filled: BruteIndex, asked: str, missing: bool) -> None:
    for number in range(500, 510):
        filled.add(f"ITEM-{number:05} is an entry of the stock.")
    filled.add("The commit 9ce84540f3a1b2c4d5e6f708192a3b4c5d6e7f80 ends the strife.")
    ranking = HybridSearch(filled).search(asked, SearchOptions(mode="keyword"))
    told = [line for line in ranking.warnings if "nothing here seems" in line]
    assert (ranking.weak or not ranking.hits) is missing
    assert bool(told) is (missing and bool(ranking.hits))
    if not missing:
        assert {hit.confidence for hit in ranking.hits} <= {"strong", "fair"}


def test_words_beside_a_missing_identifier_count(filled: BruteIndex) -> None:
    assert not judged(filled, "pump cellar hums water rises mark get_user_by_name").is_weak


@pytest.mark.parametrize(
    "trust, reason",
    [
        (Confidence(0.1, held=1, asked=5), "holds 1 of 5 words"),
        (Confidence(0.0, asked=1), "holds none of 1 word"),
        (
            Confidence(0.4, -0.3, held=2, asked=4),
            "holds 2 of 4 words and is far from it in meaning",
        ),
        (Confidence(0.3, -0.3, held=1, asked=4), "holds 1 of 4 words"),
        (Confidence(0.0), "does not have what was asked for"),
    ],
)
def test_reasons(trust: Confidence, reason: str) -> None:
    assert trust.is_weak
    assert trust.reason == f"nothing here seems to answer this: the best match {reason}"


def nearness(filled: BruteIndex, found: Candidates, *, unrelated: float | None) -> float:
    meaning = QueryVectorInfo((1.0,), unrelated=unrelated)
    plan = make_plan(analyse("zebra"), SearchOptions(), meaning, [])
    return Judge(filled, plan, found).of(filled.rows[1]).nearness


def test_meaning_counts_from_what_is_unrelated(filled: BruteIndex) -> None:
    assert nearness(filled, Candidates(cosine={1: 0.7}), unrelated=0.5) == pytest.approx(0.2)
    assert nearness(filled, Candidates(cosine={1: 0.1}), unrelated=0.5) == pytest.approx(-0.4)
    assert nearness(filled, Candidates(cosine={2: 0.7}), unrelated=0.5) == 0


def test_what_is_unrelated_is_told_from_the_neighbours(filled: BruteIndex) -> None:
    vector = {1: 0.9} | dict.fromkeys(range(2, FEWEST_NEIGHBOURS + 1), 0.5)
    found = Candidates(vector=vector, cosine=vector)
    assert nearness(filled, found, unrelated=None) == pytest.approx(0.9 - (0.5 + 0.3 * 0.5))
    del vector[2]
    assert nearness(filled, found, unrelated=None) == 0, "too few to tell"


def test_a_paraphrase_is_not_weak(new_index) -> None:
    index = new_index()
    index.add("automobile repair", vector=(1.0, 0.1))
    for _ in range(3):
        index.add("something else", vector=(0.0, 1.0))
    search = HybridSearch(index).search
    for vector, weak in (((1.0, 0.2), False), ((-1.0, 0.05), True)):
        options = SearchOptions(min_score=0.0)
        norm = sum(x * x for x in vector) ** 0.5
        meaning = QueryVectorInfo(tuple(x / norm for x in vector), unrelated=0.5)
        ranking = search("car", options, meaning)
        assert (ranking.mode_used, ranking.weak) == ("hybrid", weak)


def test_word_beginnings_that_only_meaning_answered(new_index) -> None:
    index = new_index()
    index.add("automobile repair", vector=(1.0, 0.0))
    for mode, share in (("hybrid", 0.0), ("vector", 1.0)):
        options = SearchOptions(mode=mode)
        plan = make_plan(analyse("zeb*"), options, QueryVectorInfo((1.0, 0.0), unrelated=0.5), [])
        found = Retriever(index, run_inline).retrieve(plan)
        trust = Judge(index, plan, found).of(index.rows[1])
        assert trust == Confidence(share, nearness=pytest.approx(0.5))


def test_a_scope_does_not_change_what_words_weigh(filled: BruteIndex) -> None:
    options = SearchOptions(mode="keyword", scope=Scope(sources=("file",)))
    assert not HybridSearch(filled).search("pump", options).weak
    assert 0 < WEAK_BELOW < 1


# The words for every hit


def words(index: BruteIndex, query: str, vector: tuple[float, ...] = ()) -> list[str]:
    info = QueryVectorInfo(vector, unrelated=0.5) if vector else NO_QUERY_VECTOR
    options = SearchOptions(min_score=0.0, mode="hybrid" if vector else "keyword")
    return [hit.confidence for hit in HybridSearch(index).search(query, options, info).hits]


@pytest.fixture
def cities(index: BruteIndex) -> BruteIndex:
    """An answer, a near text, and others, by their meaning."""
    for text, vector in (
        ("The train to Lisbon leaves at nine.", (1.0, 0.0)),
        ("The train to Porto is late.", (0.6, 0.8)),
        ("A letter is not capitalized here; the capital letter is first.", (0.1, 1.0)),
        ("Bread needs flour.", (-0.3, 1.0)),
    ):
        index.add(text, vector=vector)
    for number in range(60):
        index.add(f"Line {number} about something else.", vector=(-0.5, 1.0 + number / 100))
    return index


def test_the_answer_is_strong_and_what_is_far_from_it_weak(cities: BruteIndex) -> None:
    found = words(cities, "when does the train to Lisbon leave", (1.0, 0.05))
    assert found[0] == "strong"
    assert "strong" not in found[1:]
    assert found[-1] == "weak"


def test_of_two_that_lead_equally_neither_is_strong(index: BruteIndex) -> None:
    for name in ("ours", "theirs"):
        index.add(f"The train to Lisbon: {name}", vector=(1.0, 0.0))
    for number in range(60):
        index.add(f"Line {number} about something else.", vector=(-0.5, 1.0 + number / 100))
    assert words(index, "train to Lisbon and back", (0.6, 0.8))[:2] == ["fair", "fair"]


def test_a_question_whose_main_word_occurs_nowhere_is_weak(cities: BruteIndex) -> None:
    search = HybridSearch(cities).search
    options = SearchOptions(min_score=0.0)
    far = QueryVectorInfo((-0.9, -0.2), unrelated=0.5)
    ranking = search("capital of Mongolia", options, far)
    assert ranking.weak
    assert {hit.confidence for hit in ranking.hits} == {"weak"}
    assert "Mongolia" in ranking.warnings[-1] or "holds" in ranking.warnings[-1]
    near = QueryVectorInfo((0.1, 1.0), unrelated=0.5)
    assert not search("capital of Mongolia", options, near).weak
    little = QueryVectorInfo((0.1, 1.0), unrelated=0.94)  # as near as "capital" alone would be
    ranking = search("capital of Mongolia", options, little)
    assert ranking.weak
    assert "'Mongolia' occurs nowhere" in ranking.warnings[-1]
    assert not search("capitalized letter of Mongolia", options, little).weak


@pytest.mark.parametrize(
    "query, strong", [("Lisbon.leave_now", False), ("get_user_by_id", True), ("get_user_no", False)]
)
def test_a_name_that_a_hit_holds_makes_it_strong(
    filled: BruteIndex, query: str, strong: bool
) -> None:
    assert (words(filled, query)[:1] == ["strong"]) == strong


def test_a_hit_with_the_name_but_far_below_the_best_is_fair(filled: BruteIndex) -> None:
    options = SearchOptions(mode="keyword")
    ranking = HybridSearch(filled).ranked("get_user_by_id", options)
    assert ranking.confidence_input is not None
    judge = Judge(filled, *ranking.confidence_input)
    assert [judge.word(filled.rows[3], lead) for lead in (0.4, -0.05, -0.5)] == [
        "strong",
        "strong",
        "fair",
    ]


def test_hits_that_nothing_can_save_are_weak_without_a_look_at_their_words(
    cities: BruteIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[int] = []
    held = BruteIndex.words_in
    monkeypatch.setattr(
        BruteIndex,
        "words_in",
        lambda self, chunk_ids, words: looked_at.extend(chunk_ids) or held(self, chunk_ids, words),
    )
    found = words(cities, "when does the train to Lisbon leave", (1.0, 0.05))
    assert len(found) > 2
    assert len(set(looked_at)) < len(found)


def test_the_words_of_all_hits_are_looked_for_together(
    cities: BruteIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[list[int]] = []
    held = BruteIndex.words_in
    monkeypatch.setattr(
        BruteIndex,
        "words_in",
        lambda self, chunk_ids, words: looked_at.append(chunk_ids) or held(self, chunk_ids, words),
    )
    found = words(cities, "train")
    assert len(found) == 2
    assert list(map(len, looked_at)) == [2]


def test_without_a_hit_there_is_no_word(index: BruteIndex) -> None:
    assert words(index, "pump") == []
