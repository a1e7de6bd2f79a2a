"""The order after reranking, and what the scores then mean."""

from contracts import ChunkRow
from search import Explanation, HybridSearch, RankedHit, SearchOptions
from search.ranking.rerank import passage, reranked, to_rerank


def hit(key: int, score: float, *, lifted: bool = False, decay: float = 1.0) -> RankedHit:
    row = ChunkRow(key, f"u{key}", "file", f"o{key}", f"text {key}", "", "2026", "2026")
    return RankedHit(row, score, Explanation("convex"), lifted=lifted, decay=decay)


def shown(hits: list[RankedHit]) -> list[tuple[int, float]]:
    return [(item.row.chunk_id, round(item.score, 3)) for item in hits]


def test_scores_give_the_order_and_equal_ones_keep_theirs() -> None:
    hits = [hit(1, 0.9), hit(2, 0.8), hit(3, 0.7), hit(4, 0.6)]
    done = reranked(hits, {1: 0.2, 2: 0.9, 3: 0.2, 4: 0.95})
    assert shown(done) == [(4, 0.95), (2, 0.9), (1, 0.2), (3, 0.2)]
    whys = [item.explanation.rerank for item in done if item.explanation]
    assert whys == [0.95, 0.9, 0.2, 0.2]


def test_reserved_ranks_stay_on_top_and_the_rest_below() -> None:
    hits = [hit(1, 0.9, lifted=True), hit(2, 0.9), hit(3, 0.7), hit(4, 0.6), hit(5, 0.01)]
    assert [item.row.chunk_id for item in to_rerank(hits, most=3)] == [2, 3]
    done = reranked(hits, {2: 0.1, 3: 0.3})
    assert shown(done) == [(1, 0.3), (3, 0.3), (2, 0.1), (4, 0.1), (5, 0.01)]


def test_age_still_counts() -> None:
    hits = [hit(1, 0.9, decay=0.5), hit(2, 0.3)]
    assert shown(reranked(hits, {1: 0.8, 2: 0.6})) == [(2, 0.6), (1, 0.4)]


def test_without_scores_nothing_moves() -> None:
    hits = [hit(1, 0.9, lifted=True), hit(2, 0.8)]
    assert reranked(hits, {}) == hits
    plain = RankedHit(hits[1].row, 0.5)
    assert reranked([plain], {2: 0.1})[0].explanation is None


def test_a_passage_has_its_headings_once() -> None:
    row = hit(1, 1).row._replace(text="# Setup\n\nRun it.", heading="Setup", body_offset=9)
    assert passage(row) == "Setup\n\nRun it."
    assert passage(hit(2, 1).row) == "text 2"


def test_a_search_to_be_reranked_holds_more_of_the_same(index) -> None:
    for number in range(40):
        words = " ".join(f"w{number}x{other}" for other in range(number))
        index.add(f"pump {words}", source="turn", occurred_at="2020-01-01T00:00:00Z")
    search = HybridSearch(index).search
    plain = search("pump", SearchOptions(mode="keyword", max_results=40)).hits
    deep = search("pump", SearchOptions(mode="keyword", max_results=3, rerank=True)).hits
    assert [item.row for item in deep] == [item.row for item in plain[:30]]
    assert deep[0].decay < 0.31
    wide = SearchOptions(mode="keyword", max_results=35, rerank=True, rerank_candidates=2)
    assert len(search("pump", wide).hits) == 35
