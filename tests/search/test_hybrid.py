"""HybridSearch against the same rules written out naively, over an index that does it slowly."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from contracts import Scope
from search import HybridSearch, QueryVectorInfo, SearchOptions, TimeDecay, analyse
from search.ranking.decay import age_days, time_weight
from search.ranking.hit_selection import MARGIN

NOW = datetime(2026, 6, 1, tzinfo=UTC)
WORDS = ["amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "inlet", "jetty"]


def random_index(index, seed, *, chunks=60):
    """Chunks of random words and directions; some without a vector, several to an owner."""
    chance = random.Random(seed)
    for number in range(chunks):
        when = NOW - timedelta(days=chance.randrange(200))
        index.add(
            " ".join(chance.choices(WORDS, k=chance.randint(3, 12))),
            title=chance.choice(WORDS),
            owner=f"owner-{number // 3}",
            source=chance.choice(["file", "turn"]),
            occurred_at=when.isoformat(),
            vector=None if chance.random() < 0.1 else [chance.gauss(0, 1) for _ in range(4)],
        )
    return index


def owner_of(index, chunk_id):
    return index.rows[chunk_id].source, index.rows[chunk_id].owner_id


def naive(index, query, vector, options, weight, turn_weight):
    """The order and the scores by the book: no laziness, no batches."""
    weights = {"file": weight, "turn": turn_weight}
    keyword = {}
    limit = max(100, 10 * options.max_results)
    if options.mode != "vector":
        found = index.keyword_candidates(analyse(query).keyword, options.scope, limit=limit)
        keyword = {item.chunk_id: item.score for item in found}
    near = {}
    if options.mode != "keyword":
        found = index.vector_candidates(vector, options.scope, limit=limit)
        near = {item.chunk_id: item.score for item in found}
    union = keyword.keys() | near.keys()
    cosine = index.cosines(vector, sorted(union)) if near else {}
    scores = {}
    for chunk_id in union:
        if options.mode == "vector":
            score = max(0.0, near[chunk_id])
        else:
            words = keyword.get(chunk_id, 0) / max(keyword.values(), default=1)
            low, high = min(cosine.values(), default=0), max(cosine.values(), default=1)
            meaning = (cosine[chunk_id] - low) / (high - low) if chunk_id in cosine else words
            share = weights[index.rows[chunk_id].source] if cosine else 0
            score = (1 - share) * words + share * meaning
        row = index.rows[chunk_id]
        if row.source == "turn" and options.decay.enabled:
            score *= time_weight(age_days(row.occurred_at, NOW))
        if chunk_id in keyword or near.get(chunk_id, -1) >= options.min_score:
            scores[chunk_id] = score
    answer = selected(index, scores, all_chunks=options.all_chunks)
    return answer[: options.max_results]


def selected(index, scores, *, all_chunks):
    """One chunk an owner, and a second that stands out from the next owner's first."""
    answer, seconds, decided = [], {}, set()
    for chunk_id in sorted(scores, key=lambda key: (-scores[key], key)):
        owner = chunk_id if all_chunks else owner_of(index, chunk_id)
        if any(owner == owner_of(index, key) for key, _ in answer):
            seconds.setdefault(owner, chunk_id)
            continue
        least = scores[chunk_id] + MARGIN
        waiting = [key for key in seconds.values() if key not in decided]
        answer += [(key, scores[key]) for key in waiting if scores[key] >= least]
        decided.update(waiting)
        answer.append((chunk_id, scores[chunk_id]))
    return answer


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"mode": "keyword"},
        {"mode": "vector"},
        {"mode": "vector", "min_score": 0.0},
        {"all_chunks": True},
        {"max_results": 1},
        {"max_results": 1000, "all_chunks": True, "min_score": 0.0},
        {"min_score": 1.0},
        {"decay": TimeDecay(enabled=False)},
        {"scope": Scope(sources=("turn",))},
        {"vector_weight": 3, "keyword_weight": 1},
    ],
    ids=lambda changes: ",".join(changes) or "defaults",
)
@pytest.mark.parametrize("turn_weight", [None, 0.6])
def test_the_answer_is_the_naive_one(index, seed, changes, turn_weight):
    random_index(index, seed)
    options = SearchOptions(now=NOW, **changes)
    chance = random.Random(-seed)
    vector = (0.5, -0.5, 0.5, 0.5)
    for _ in range(5):
        query = " ".join(chance.choices(WORDS, k=chance.randint(1, 4)))
        info = QueryVectorInfo(vector, 0.35, turn_weight=turn_weight)
        ranking = HybridSearch(index).search(query, options, info)
        given = options.given_weight
        weights = (given, given) if given is not None else (0.35, turn_weight or 0.35)
        expected = naive(index, query, vector, options, *weights)
        assert [hit.row.chunk_id for hit in ranking.hits] == [key for key, _ in expected]
        assert [hit.score for hit in ranking.hits] == pytest.approx([s for _, s in expected])
        assert all(0 <= hit.score <= 1 for hit in ranking.hits)
        assert ranking.mode_used == options.mode
        assert ranking.warnings == ()


def test_turns_have_their_own_weight_in_a_convex_combination(index):
    said = index.add("amber", vector=[1, 0], source="turn")
    written = index.add("amber", vector=[1, 0])
    index.add("birch", vector=[0, 1])

    def weights(**changes):
        options = SearchOptions(explain=True, **changes)
        info = QueryVectorInfo((1, 0), 0.4, latin_only=True, turn_weight=0.2)
        hits = HybridSearch(index).search("amber 中国", options, info).hits
        return {hit.row.chunk_id: hit.explanation.vector_weight for hit in hits}

    share = analyse("amber 中国").latin_share
    assert weights() == pytest.approx({said: 0.2 * share, written: 0.4 * share})
    assert weights(vector_weight=0.7) == {said: 0.7, written: 0.7}
    assert weights(fusion="rrf") == pytest.approx({said: 0.4 * share, written: 0.4 * share})
    assert weights(mode="keyword") == {said: 0, written: 0}


def test_only_as_many_rows_are_read_as_the_order_needs(index):
    random_index(index, 1, chunks=90)
    options = SearchOptions(max_results=2, decay=TimeDecay(enabled=False))
    HybridSearch(index).search("amber birch", options, QueryVectorInfo((1, 0, 0, 0)))
    assert len(index.rows_read) == len(set(index.rows_read))
    assert len(index.rows_read) <= 8


def test_equal_scores_are_ordered_by_chunk(index):
    for _ in range(30):
        index.add("amber birch")
    hits = HybridSearch(index).search("amber", SearchOptions(max_results=12, fold="none")).hits
    assert [hit.row.chunk_id for hit in hits] == list(range(1, 13))
    assert {hit.score for hit in hits} == {1.0}


def test_a_hit_explains_itself(index):
    both = index.add("amber birch", vector=[1, 0], source="turn", occurred_at="2026-05-02")
    near = index.add("dune", vector=[1, 1])
    word = index.add("amber", title="elsewhere", vector=[0, 1])
    for filler in ["cedar", "ember", "fjord", "grove"]:
        index.add(filler, vector=[-1, 0])
    options = SearchOptions(explain=True, now=NOW)
    ranking = HybridSearch(index).search("amber birch", options, QueryVectorInfo((1, 0), 0.4))
    why = {hit.row.chunk_id: hit.explanation for hit in ranking.hits}
    first = why[both].as_dict()
    assert first["fusion"] == "convex"
    assert (first["keyword_rank"], first["vector_rank"]) == (1, 1)
    assert (first["keyword_part"], first["vector_part"]) == (1, 1)
    assert (first["keyword_weight"], first["vector_weight"]) == pytest.approx((0.6, 0.4))
    assert first["cosine"] == pytest.approx(1)
    assert first["fused"] == pytest.approx(1)
    assert first["decay"] == pytest.approx(0.65)
    assert (first["identifier"], first["identifier_match"], first["lifted"]) == (None, None, False)
    assert why[near].keyword is None
    assert why[near].keyword_rank is None
    assert why[near].vector_part == pytest.approx((0.5**0.5 + 1) / 2)
    assert why[word].vector_part == pytest.approx(0.5)
    assert why[word].decay == 1
    for hit in ranking.hits:
        told = hit.explanation
        fused = told.keyword_weight * told.keyword_part + told.vector_weight * told.vector_part
        assert hit.score == pytest.approx(fused * told.decay)


@pytest.mark.parametrize("source", ["file", "turn"])
@pytest.mark.parametrize("others", [[1, 0], None], ids=["among vectors", "before any"])
def test_what_has_no_vector_is_explained_by_its_words_alone(index, source, others):
    index.add("amber birch", source=source)
    index.add("dune", vector=others)
    options = SearchOptions(explain=True, now=NOW, decay=TimeDecay(enabled=False))
    info = QueryVectorInfo((1, 0), 0.4, turn_weight=0.2)
    first = HybridSearch(index).search("amber", options, info).hits[0]
    told = first.explanation
    assert (first.score, told.cosine) == (1, None)
    assert (told.keyword_part, told.keyword_weight) == (1, 1)
    assert (told.vector_part, told.vector_weight) == (0, 0)


def test_nothing_is_explained_unless_asked(index):
    index.add("amber")
    (hit,) = HybridSearch(index).search("amber", SearchOptions()).hits
    assert hit.explanation is None


def test_rrf_is_selectable(index):
    index.add("amber birch", vector=[0, 1])
    index.add("amber cedar", vector=[1, 0])
    index.add("birch cedar dune")
    options = SearchOptions(fusion="rrf", explain=True, min_score=0)
    ranking = HybridSearch(index).search("amber cedar", options, QueryVectorInfo((1, 0)))
    first = ranking.hits[0]
    assert (first.row.chunk_id, first.score) == (2, pytest.approx(1))
    assert first.explanation.fusion == "rrf"


def test_a_perfect_keyword_hit_is_never_lost_to_the_threshold(index):
    found = index.add("amber", vector=[-1, 0])
    index.add("cedar", vector=[0.2, 1])
    index.add("dune", vector=[0.2, 1])
    options = SearchOptions(min_score=0.9)
    hits = HybridSearch(index).search("amber", options, QueryVectorInfo((1, 0))).hits
    assert [hit.row.chunk_id for hit in hits] == [found]


@pytest.mark.parametrize("mode", ["hybrid", "vector"])
def test_without_a_vector_the_words_answer(index, mode):
    index.add("amber")
    options = SearchOptions(mode=mode)
    ranking = HybridSearch(index).search("amber", options)
    assert ranking.mode_used == "keyword"
    assert [hit.score for hit in ranking.hits] == [1]
    assert ranking.warnings == ()
    ranking = HybridSearch(index).search("amber", options, QueryVectorInfo((0.0, 0.0)))
    assert ranking.mode_used == "keyword"
    assert "knows no word of the query" in ranking.warnings[0]


def test_the_weight_of_an_english_model_goes_by_the_share_of_latin_letters(index):
    index.add("amber 中国", vector=[1, 0])
    index.add("cedar", vector=[0, 1])
    options = SearchOptions(explain=True)

    def weight_of(query, **settings):
        ranking = HybridSearch(index).search(
            query, options, QueryVectorInfo((1, 0), 0.4, **settings)
        )
        told = [text for text in ranking.warnings if "occurs nowhere" not in text]
        assert bool(told) == (ranking.mode_used == "keyword")
        return ranking.mode_used, ranking.hits[0].explanation.vector_weight

    assert weight_of("ab 中国", latin_only=True) == ("hybrid", pytest.approx(0.2))
    assert weight_of("ab 中国") == ("hybrid", pytest.approx(0.4))
    assert weight_of("中国", latin_only=True) == ("keyword", 0)


def test_given_weights_are_used_for_every_script(index):
    index.add("中国", vector=[1, 0])
    options = SearchOptions(vector_weight=0.7, keyword_weight=0.3, explain=True)
    ranking = HybridSearch(index).search("中国", options, QueryVectorInfo((1, 0), latin_only=True))
    assert ranking.hits[0].explanation.vector_weight == pytest.approx(0.7)


@pytest.mark.parametrize("query", ["", "?!", "→", "\0", '""'])
@pytest.mark.parametrize("mode", ["hybrid", "keyword", "vector"])
def test_a_query_without_words_has_no_answer_and_says_so(index, query, mode):
    index.add("amber", vector=[1, 0])
    ranking = HybridSearch(index).search(query, SearchOptions(mode=mode), QueryVectorInfo((1, 0)))
    assert ranking.hits == []
    assert ranking.warnings == ("the query has no searchable word",)


def test_an_empty_index_has_no_answer(index):
    assert HybridSearch(index).search("amber foo_bar", SearchOptions()).hits == []


def test_warnings_of_the_query_are_passed_on(index):
    index.add("rm")
    ranking = HybridSearch(index).search("rm -rf", SearchOptions())
    assert "leaves out results with 'rf'" in ranking.warnings[0]
    assert ranking.analysis.excluded == ("rf",)


@pytest.mark.parametrize("mode", ["hybrid", "vector", "keyword"])
def test_what_binds_binds_every_leg(index, mode):
    here = index.add("amber birch cedar", vector=[1, 0.1])
    index.add("birch amber cedar", vector=[1, 0])
    index.add("dune", vector=[1, 0])
    banned = index.add("amber birch ember", vector=[1, 0])
    near = index.add("fjord", vector=[1, 0.2])

    def found(query):
        options = SearchOptions(mode=mode)
        hits = HybridSearch(index).search(query, options, QueryVectorInfo((1, 0))).hits
        return {hit.row.chunk_id for hit in hits}

    assert found('"amber birch"') == {here, banned}
    assert found('"amber birch" -ember') == {here}
    assert banned not in found("amber -ember")
    assert here in found("amber -ember")
    if mode != "keyword":
        assert near in found("amber -ember")


@pytest.mark.parametrize("mode", ["hybrid", "vector", "keyword"])
def test_phrases_that_stand_nowhere_are_plain_words_and_a_warning_says_so(index, mode):
    holding = index.add("birch amber", vector=[1, 0])
    index.add("birch ember", vector=[1, 0])
    search = HybridSearch(index).search
    ranking = search('"amber birch" -ember', SearchOptions(mode=mode), QueryVectorInfo((1, 0)))
    assert [hit.row.chunk_id for hit in ranking.hits] == [holding]
    assert "they were read as plain words" in ranking.warnings[0]


def test_a_phrase_of_stop_words_that_stands_nowhere_finds_nothing(index):
    index.add("birch amber")
    ranking = HybridSearch(index).search('"to be or not"', SearchOptions())
    assert ranking.hits == []
    assert len(ranking.warnings) == 1


def test_common_words_are_looked_up_too(index):
    for number in range(1000):
        index.add("amber birch cedar"[: 5 + 6 * (number % 7 == 0)] + f" w{number}")
    options = SearchOptions(max_results=1000)
    hits = HybridSearch(index).search("amber birch w7 w8", options).hits
    assert len(hits) == 1000  # "amber" is in all of them
    assert {hits[0].row.chunk_id, hits[1].row.chunk_id} == {8, 9}


def test_a_chunk_that_vanishes_meanwhile_is_left_out(index):
    class Forgetful(type(index)):
        def chunk_rows(self, chunk_ids):
            rows = super().chunk_rows(chunk_ids)
            return {key: row for key, row in rows.items() if key != 1}

    forgetful = Forgetful()
    for _ in range(3):
        forgetful.add("amber foo_bar")
    hits = HybridSearch(forgetful).search("amber foo_bar", SearchOptions(fold="none")).hits
    assert [hit.row.chunk_id for hit in hits] == [2, 3]


def test_other_work_is_done_while_the_vectors_are_read(index):
    index.add("amber birch", vector=[1.0, 0.0, 0.0, 0.0])
    done = []

    def parallel_read(reading):
        done.append("started")

        def result():
            done.append("waited for")
            return reading()

        return result

    search = HybridSearch(
        index,
        parallel_read=parallel_read,
        meanwhile=lambda: done.append("other work"),
    )
    found = search.search("amber", SearchOptions(), QueryVectorInfo([1.0, 0.0, 0.0, 0.0]))
    assert [hit.row.chunk_id for hit in found.hits] == [1]
    assert done == ["started", "other work", "waited for"]
