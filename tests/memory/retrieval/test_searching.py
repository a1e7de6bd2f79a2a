"""Searching a real database: modes, scopes, warnings, figures that add up."""

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import InputError, Scope
from memory.config.settings import EmbeddingsConfig, SearchConfig, TimeDecayConfig
from memory.files.ingestion import ingest_text, sync_files
from memory.index.document_store import documents_of
from memory.index.embedding.active_model import embedder_of
from memory.operations.manage import get_file, list_records
from memory.retrieval.searching import default_options, search
from memory.values.results import Freshness, SearchResult
from memory.workspace import Workspace
from providers.base import ModelCard
from providers.fake import FakeProvider
from search import SearchOptions, TimeDecay, parse_sources
from search.ranking.hit_selection import MARGIN
from tests.memory.databases import PARAGRAPHS, UNDECODABLE, document, fake, opened, use, write
from tests.search.licences import ANSWER, QUESTION, TERMS, licence

MODES = ("keyword", "vector", "hybrid")
HOSTILE = [
    "",
    "\0",
    "pump\0marmalade",
    " \n\t",
    '"',
    '"""',
    "'; DROP TABLE chunks; --",
    "AND",
    "OR NOT AND",
    "NEAR(",
    "NEAR(a b, 3)",
    "*",
    "pump*",
    "-",
    "- -",
    "-pump",
    "--flag",
    "col:",
    "text:pump",
    "chunks_fts:pump",
    "^pump",
    "🙂🙃",
    "👩‍👩‍👧",
    "((((((",
    "{pump}",
    "pump + marmalade",
    "C:\\Windows\\System32",
    "../../../etc/passwd",
    "%s%s%n",
    "日本語の検索",
    "ﷺ",
    "\u202epmup",
    "a" * 100_000,
    "word " * 20_000,
    '"quoted phrase" ' * 5_000,
    "-x " * 5_000,
    "x" * 1_000_000,
    "e\u0301" * 1_000,
]


@pytest.fixture
def filled(memory: Workspace, docs: Path) -> Workspace:
    write(docs, {f"{n}.md": document(n) for n in range(5)})
    write(docs, {"code/pump.py": "def start_pump(level):\n    return level > 2\n"})
    write(docs, {"notes/long.txt": "\n\n".join(f"Page {n}: {'pump ' * 50}" for n in range(5))})
    sync_files(memory, [docs])
    return memory


@pytest.mark.parametrize("mode", MODES)
def test_each_mode_finds_the_paragraph(filled: Workspace, docs: Path, mode: str) -> None:
    options = SearchOptions(mode=mode, max_results=3, min_score=0)  # type: ignore[arg-type]
    answer = search(filled, PARAGRAPHS[1], options)
    assert answer.mode_used == mode
    best = answer.results[0]
    assert (best.source, best.heading) == ("file", "Manual > Section 1")
    assert best.file_path == str(docs / "1.md")
    assert PARAGRAPHS[1] in best.text
    assert (best.start_line, best.end_line) == (1, 5)
    assert best.start_char is not None
    assert document(1)[best.start_char : best.end_char] == best.text
    assert answer.total_results == len(answer.results) <= 3
    assert answer.query == PARAGRAPHS[1]
    assert answer.search_time_ms > 0
    assert answer.warnings == []
    scores = [hit.score for hit in answer.results]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_the_vector_score_is_the_cosine(filled: Workspace) -> None:
    query = "marmalade from bitter oranges"
    options = SearchOptions(mode="vector", max_results=50, all_chunks=True, explain=True)
    (wanted,) = FakeProvider().embed([query], kind="query")
    answer = search(filled, query, options)
    for hit in answer.results:
        body = hit.text.partition("\n\n## ")[2].partition("\n\n")[2] if hit.heading else hit.text
        (row,) = FakeProvider().embed(
            [f"{hit.heading}\n\n{body}" if hit.heading else body], kind="document"
        )
        cosine = sum(a * b for a, b in zip(row, wanted, strict=True))
        assert hit.score == pytest.approx(cosine, abs=2e-3)


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A few texts that many tests only read."""
    with opened(tmp_path_factory.mktemp("few"), backend="memory") as memory:
        for number, paragraph in enumerate(PARAGRAPHS):
            ingest_text(memory, paragraph, metadata={"title": f"Pump {number}"}, tags=["t"])
        yield memory


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: ascii(query)[:24])
def test_no_query_fails(few: Workspace, query: str, mode: str) -> None:
    options = SearchOptions(mode=mode, explain=True)  # type: ignore[arg-type]
    answer = search(few, query, options)
    assert answer.total_results == len(answer.results) <= len(PARAGRAPHS)
    assert answer.query == query
    scores = [hit.score for hit in answer.results]
    assert scores == sorted(scores, reverse=True)


@given(query=st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_no_query_of_any_characters_fails(few: Workspace, query: str) -> None:
    for mode in MODES:
        answer = search(few, query, SearchOptions(mode=mode))  # type: ignore[arg-type]
        assert answer.mode_used in MODES


@pytest.mark.parametrize("text", ["\0", "pump\0marmalade", "\ud800", "pump \udfff"], ids=ascii)
def test_what_is_no_unicode_text_is_refused(few: Workspace, text: str) -> None:
    if "\0" not in text:
        with pytest.raises(InputError, match="the query has"):
            search(few, text)
    for scope in (Scope(tags=(text,)), Scope(session_id=text), Scope(globs=(text,))):
        with pytest.raises(InputError, match="one of the"):
            search(few, "pump", SearchOptions(scope=scope))


@pytest.mark.parametrize("mode", MODES)
def test_an_empty_database(memory: Workspace, mode: str) -> None:
    answer = search(memory, "pump", SearchOptions(mode=mode))  # type: ignore[arg-type]
    assert (answer.results, answer.total_results, answer.warnings) == ([], 0, [])
    assert answer.mode_used == "keyword"
    assert answer.freshness == Freshness(None, 0, 0, 0)


def test_a_document_has_two_hits_at_most_unless_all_are_asked_for(
    filled: Workspace, docs: Path
) -> None:
    once = search(filled, "pump", SearchOptions(max_results=50))
    paths = [hit.file_path for hit in once.results]
    # The second one stands out: its score is above that of the next file by a tenth.
    for place, path in enumerate(paths):
        if path in paths[:place]:
            assert once.results[place].score >= once.results[place + 1].score + MARGIN
    assert paths.count(str(docs / "notes/long.txt")) == 2
    assert len(paths) == len(set(paths)) + 1
    every = search(filled, "pump", SearchOptions(max_results=50, all_chunks=True))
    long = [hit for hit in every.results if hit.file_path == str(docs / "notes/long.txt")]
    assert len(long) == 5
    best = next(hit for hit in once.results if hit.file_path == str(docs / "notes/long.txt"))
    assert best.chunk_id == long[0].chunk_id


@pytest.mark.parametrize("fusion", ["convex", "rrf"])
def test_the_figures_of_an_explanation_add_up(filled: Workspace, fusion: str) -> None:
    options = SearchOptions(
        explain=True,
        max_results=50,
        all_chunks=True,
        fusion=fusion,  # type: ignore[arg-type]
    )
    answer = search(filled, "the pump in the cellar hums", options)
    assert len(answer.results) > 5
    for hit in answer.results:
        figures = hit.explanation
        assert figures is not None
        assert figures["fusion"] == fusion
        assert figures["keyword_weight"] + figures["vector_weight"] == pytest.approx(1)
        if fusion == "convex":
            parts = (
                figures["keyword_weight"] * figures["keyword_part"]
                + figures["vector_weight"] * figures["vector_part"]
            )
        else:
            parts = (figures["keyword_part"] + figures["vector_part"]) / 2
        assert figures["fused"] == pytest.approx(parts)
        assert figures["decay"] == 1.0
        if not figures["lifted"]:
            assert hit.score == pytest.approx(figures["fused"] * figures["decay"], abs=1e-6)
    scores = [hit.score for hit in answer.results]
    assert scores == sorted(scores, reverse=True)


def test_explanations_only_when_asked_for(filled: Workspace) -> None:
    assert {hit.explanation for hit in search(filled, "pump").results} == {None}


def test_min_score_measures_only_what_the_vector_alone_found(filled: Workspace) -> None:
    def found(mode: str, min_score: float) -> set[str]:
        options = SearchOptions(
            mode=mode,  # type: ignore[arg-type]
            min_score=min_score,
            max_results=50,
            all_chunks=True,
        )
        return {hit.chunk_id for hit in search(filled, "marmalade", options).results}

    words = found("keyword", 1)
    assert len(words) == 1
    assert found("hybrid", 1) == words
    assert found("hybrid", 0) > words
    options = SearchOptions(mode="vector", min_score=0.2, max_results=50, all_chunks=True)
    answer = search(filled, "marmalade", options)
    assert all(hit.score >= 0.2 for hit in answer.results)
    assert {hit.chunk_id for hit in answer.results} < found("vector", 0)


def test_weights_of_the_options_and_the_configuration(tmp_path: Path, docs: Path) -> None:
    write(docs, {f"{n}.md": document(n) for n in range(5)})
    with opened(tmp_path, search=SearchConfig(vector_weight=0.25)) as memory:
        sync_files(memory, [docs])
        options = default_options(memory.config.search)
        assert (options.vector_weight, options.keyword_weight) == (0.25, None)
        hit = search(memory, "pump", SearchOptions(explain=True, vector_weight=0.25)).results[0]
        assert hit.explanation is not None
        assert hit.explanation["vector_weight"] == 0.25


def test_options_of_the_configuration(tmp_path: Path) -> None:
    config = SearchConfig(
        max_results=3,
        min_score=0.5,
        hybrid_enabled=False,
        keyword_weight=0.9,
        fusion="rrf",
        fold="mmr",
        mmr_lambda=0.25,
        time_decay=TimeDecayConfig(enabled=False, half_life_days=2.0, alpha=0.5, sources=("text",)),
    )
    assert default_options(config) == SearchOptions(
        mode="keyword",
        max_results=3,
        min_score=0.5,
        keyword_weight=0.9,
        fusion="rrf",
        fold="mmr",
        mmr_lambda=0.25,
        decay=TimeDecay(enabled=False, half_life_days=2.0, alpha=0.5, sources=("text",)),
    )
    with opened(tmp_path, search=config) as memory:
        for number in range(5):
            ingest_text(memory, f"a note about rivers {number}")
        answer = search(memory, "rivers")
        assert (answer.mode_used, answer.total_results) == ("keyword", 3)


@pytest.mark.parametrize("mode", ["vector", "hybrid"])
def test_a_provider_that_is_out_of_reach(filled: Workspace, mode: str) -> None:
    fake(filled).fail_times = 1
    answer = search(filled, "marmalade", SearchOptions(mode=mode))  # type: ignore[arg-type]
    assert answer.mode_used == "keyword"
    assert len(answer.results) == 1
    (warning,) = answer.warnings
    assert warning.startswith("answered by words alone, without the embedding model: the fake")
    assert search(filled, "marmalade").mode_used == "hybrid"


def test_a_keyword_search_asks_no_model(filled: Workspace) -> None:
    calls = fake(filled).calls
    search(filled, "marmalade", SearchOptions(mode="keyword"))
    assert fake(filled).calls == calls
    search(filled, "", SearchOptions(mode="vector"))
    assert fake(filled).calls == calls


def test_a_query_of_which_the_model_knows_nothing(filled: Workspace) -> None:
    use(filled, MuteProvider())
    answer = search(filled, "marmalade", SearchOptions(mode="vector"))
    assert answer.mode_used == "keyword"
    assert len(answer.results) == 1


class MuteProvider(FakeProvider):
    """Knows no word at all."""

    @property
    def card(self) -> ModelCard:
        return FakeProvider().card

    def embed(self, texts, *, kind):  # type: ignore[no-untyped-def]
        return [[0.0] * 64 for _ in texts]


@pytest.mark.parametrize(
    "sources, names",
    [
        pytest.param(["file"], {"0.md", "pump.py", "long.txt"}, id="source"),
        pytest.param(["text"], {None}, id="texts"),
        pytest.param([".py"], {"pump.py"}, id="type"),
        pytest.param(["*.txt", "py"], {"pump.py", "long.txt"}, id="glob and type"),
        pytest.param(["notes/"], {"long.txt"}, id="folder"),
        pytest.param(["./code/pump.py"], {"pump.py"}, id="file"),
        pytest.param(["turn"], set(), id="nothing yet"),
    ],
)
def test_sources(filled: Workspace, docs: Path, sources: list[str], names: set[str | None]) -> None:
    ingest_text(filled, "a pump in a text")
    scope = parse_sources(sources, cwd=docs)
    options = SearchOptions(mode="keyword", scope=scope, max_results=50)
    found = {
        hit.file_path and Path(hit.file_path).name
        for hit in search(filled, "pump", options).results
    }
    assert found == names


def test_times_narrow_a_search(memory: Workspace) -> None:
    for day in ("2026-01-01", "2026-01-02", "2026-01-03T12:00:00Z"):
        ingest_text(memory, f"rivers {day}", metadata={"timestamp": day})

    def found(since: str | None = None, until: str | None = None) -> list[str]:
        options = SearchOptions(mode="keyword", scope=Scope(since=since, until=until))
        return sorted(hit.text[7:17] for hit in search(memory, "rivers", options).results)

    middle = "2026-01-02T00:00:00.000Z"
    assert found(since=middle) == ["2026-01-02", "2026-01-03"]
    assert found(until=middle) == ["2026-01-01", "2026-01-02"]
    assert found(since=middle, until=middle) == ["2026-01-02"]
    assert found(since="2026-01-03T12:00:00.001Z") == []


def test_texts_fade_when_the_configuration_says_so(memory: Workspace) -> None:
    ingest_text(memory, "rivers of old", metadata={"timestamp": "2026-01-01"})
    ingest_text(memory, "rivers of today", metadata={"timestamp": "2026-01-31"})
    options = SearchOptions(
        mode="keyword",
        explain=True,
        decay=TimeDecay(half_life_days=30, alpha=0.2, sources=("text",)),
        now=datetime(2026, 1, 31, tzinfo=UTC),
    )
    new, old = search(memory, "rivers", options).results
    assert (new.text, old.text) == ("rivers of today", "rivers of old")
    assert old.explanation is not None
    assert old.explanation["decay"] == pytest.approx(0.2 + 0.8 * 0.5)
    assert old.score == pytest.approx(0.6 * old.explanation["fused"], abs=1e-6)


def test_freshness_counts_what_is_not_as_it_should_be(memory: Workspace, docs: Path) -> None:
    write(docs, {"a.md": document(0), "b.md": b"\0\1\2" * 99, "c.md": UNDECODABLE})
    before = time.time()
    sync_files(memory, [docs])
    fresh = search(memory, "pump").freshness
    assert (fresh.pending, fresh.failed, fresh.skipped) == (0, 1, 1)
    assert fresh.indexed_at is not None
    assert before - 1 <= datetime.fromisoformat(fresh.indexed_at).timestamp() <= time.time() + 1
    (known,) = [item for item in documents_of(memory).below([str(docs)]).values() if item.hash]
    with memory.storage.database.transaction() as tx:
        documents_of(memory).mark_pending(tx, [known])
    assert search(memory, "pump").freshness == Freshness(fresh.indexed_at, 1, 1, 1)


def test_citations_are_relative_to_the_working_directory(
    filled: Workspace, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cited() -> str:
        return search(filled, "marmalade", SearchOptions(mode="keyword")).results[0].citation

    monkeypatch.chdir(docs)
    assert cited() == "1.md:1-5"
    monkeypatch.chdir(docs.parent)
    assert cited() == "docs/1.md:1-5"
    monkeypatch.chdir(docs / "code")
    assert cited() == f"{docs}/1.md:1-5"


def test_each_model_gives_its_own_weight(tmp_path: Path) -> None:
    with opened(tmp_path, embeddings=EmbeddingsConfig(provider="static")) as memory:
        ingest_text(memory, "a note about rivers")
        ingest_text(memory, "a note about mountains")
        (hit, *_) = search(memory, "rivers", SearchOptions(explain=True)).results
        assert hit.explanation is not None
        assert hit.explanation["vector_weight"] == embedder_of(memory).card.fusion_weight
        # The built-in model reads Latin script only, so others are left to the words.
        answer = search(memory, "реки", SearchOptions(explain=True))
        assert answer.mode_used == "keyword"


def test_a_hit_leads_to_its_file(filled: Workspace) -> None:
    for hit in search(filled, "pump", SearchOptions(max_results=50)).results:
        assert hit.file_id is not None
        assert hit.start_line is not None
        assert hit.end_line is not None
        shown = get_file(filled, hit.file_id, lines=(hit.start_line, hit.end_line))
        assert hit.text.strip() in shown.text
    assert {record.id for record in list_records(filled).records} >= {
        hit.file_id for hit in search(filled, "pump").results
    }


@pytest.fixture
def licensed(memory: Workspace, docs: Path) -> Workspace:
    """Ten copies of a licence, and one note that answers."""
    write(docs, {f"vendor/p{n}/LICENCE.md": licence(n) for n in range(10)})
    write(docs, {"notes/answer.md": ANSWER})
    sync_files(memory, [docs])
    return memory


@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
def test_copies_of_a_licence_leave_room_for_the_answer(
    licensed: Workspace, docs: Path, mode: str
) -> None:
    def found(fold: str) -> list[SearchResult]:
        options = SearchOptions(mode=mode, max_results=5, fold=fold)  # type: ignore[arg-type]
        return search(licensed, QUESTION, options).results

    assert str(docs / "notes/answer.md") not in [hit.file_path for hit in found("none")]
    assert str(docs / "notes/answer.md") in [hit.file_path for hit in found("shingles")]
    hits = search(licensed, QUESTION, SearchOptions(max_results=5, all_chunks=True)).results
    assert len({hit.chunk_id for hit in hits}) == len(hits)
    places = [(hit.chunk_id, hit.citation) for hit in hits]
    places += [(copy.chunk_id, copy.citation) for hit in hits for copy in hit.duplicates]
    assert len(places) == len(set(places)) > 10


def test_folding_counts_what_is_shown(licensed: Workspace) -> None:
    answer = search(licensed, QUESTION, SearchOptions(mode="keyword"))
    assert answer.total_results == len(answer.results) < 10
    copies = [copy for hit in answer.results for copy in hit.duplicates]
    assert {copy.source for copy in copies} == {"file"}
    every = search(licensed, QUESTION, SearchOptions(mode="keyword", max_results=50, fold="none"))
    assert every.total_results == answer.total_results + len(copies)
    assert {copy.chunk_id for copy in copies} < {hit.chunk_id for hit in every.results}


def test_equal_texts_are_folded_like_files(memory: Workspace) -> None:
    one = ingest_text(memory, f"{TERMS}It is of 1999.").id
    other = ingest_text(memory, f"{TERMS.upper()}It is of 1999.").id
    again = ingest_text(memory, f" {TERMS}It is of 1999.\n").id
    options = SearchOptions(mode="keyword", max_results=5)
    hits = search(memory, "copies of this work", options).results
    assert {hit.file_id for hit in hits} <= {one, other, again}
    cited = [hit.citation for hit in hits] + [c.citation for hit in hits for c in hit.duplicates]
    assert sorted(cited) == sorted(f"text {key}" for key in (one, other, again))
    assert len(hits) == 2


def test_one_hit_for_a_text_too(memory: Workspace) -> None:
    ingest_text(memory, "\n\n".join(f"# Part {n}\n\npump {'word ' * 60}" for n in range(4)))
    assert search(memory, "pump", SearchOptions(mode="keyword")).total_results == 1
    options = SearchOptions(mode="keyword", all_chunks=True)
    assert search(memory, "pump", options).total_results >= 4


def test_overlapping_neighbours_are_not_alike(memory: Workspace, docs: Path) -> None:
    words = [f"{word}{n}" for n in range(60) for word in ("pump", "valve", "tank")]
    write(docs, {"long.txt": " ".join(words)})
    sync_files(memory, [docs])
    options = SearchOptions(mode="vector", min_score=0, max_results=50, all_chunks=True)
    hits = search(memory, "pump1 valve40", options).results
    spans = sorted((hit.start_char, hit.end_char) for hit in hits)
    assert len(spans) == memory.storage.count_chunks() > 3
    assert all(one[1] > other[0] for one, other in pairwise(spans))  # type: ignore[operator]


@pytest.mark.parametrize("mode", MODES)
def test_diverse_hits_have_falling_scores(filled: Workspace, mode: str) -> None:
    options = SearchOptions(mode=mode, fold="mmr", min_score=0)  # type: ignore[arg-type]
    answer = search(filled, "the pump in the cellar", replace(options, all_chunks=True))
    assert len(answer.results) >= 7
    scores = [hit.score for hit in answer.results]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    plain = search(filled, "the pump in the cellar", replace(options, fold="none", all_chunks=True))
    assert answer.results[0].chunk_id == plain.results[0].chunk_id
    assert [hit.chunk_id for hit in answer.results] != [hit.chunk_id for hit in plain.results]


def test_neighbours_come_when_asked_for(memory: Workspace, docs: Path) -> None:
    parts = [f"# Part {n}\n\npump{n} {'word ' * 50}" for n in range(6)]
    write(docs, {"a.md": "\n\n".join(parts), "b.md": "# Other\n\nvalve"})
    sync_files(memory, [docs])
    ingest_text(memory, "\n\n".join(f"# Text {n}\n\ntank{n} {'word ' * 50}" for n in range(3)))

    def found(query: str, neighbours: int) -> SearchResult:
        options = SearchOptions(mode="keyword", neighbours=neighbours)
        return search(memory, query, options).results[0]

    def beside(query: str, neighbours: int) -> tuple[list[str], list[str]]:
        hit = found(query, neighbours)
        return [n.text.split()[3] for n in hit.before], [n.text.split()[3] for n in hit.after]

    assert beside("pump2", 0) == ([], [])
    assert beside("pump2", 1) == (["pump1"], ["pump3"])
    assert beside("pump1", 2) == (["pump0"], ["pump2", "pump3"])
    assert beside("pump4", 10) == (["pump0", "pump1", "pump2", "pump3"], ["pump5"])
    assert beside("pump5", 1) == (["pump4"], [])
    assert beside("valve", 3) == ([], [])
    assert beside("tank1", 3) == (["tank0"], ["tank2"])
    hit = found("pump2", 1)
    text = (docs / "a.md").read_text()
    for neighbour in (*hit.before, *hit.after):
        assert text[neighbour.start_char : neighbour.end_char] == neighbour.text
        assert neighbour.citation.endswith(f"a.md:{neighbour.start_line}-{neighbour.end_line}")
    whole = search(memory, "pump1", SearchOptions(mode="keyword", all_chunks=True)).results
    assert hit.before[0].chunk_id == whole[0].chunk_id


def test_neighbours_of_every_hit_with_all_chunks_and_copies(memory: Workspace, docs: Path) -> None:
    parts = "\n\n".join(f"# Part {n}\n\npump {n} {'word ' * 30}" for n in range(4))
    write(docs, {"one/a.md": parts, "two/a.md": parts})
    sync_files(memory, [docs])
    options = SearchOptions(mode="keyword", all_chunks=True, neighbours=1)
    hits = search(memory, "pump", options).results
    assert len(hits) == 4
    assert all(len(hit.duplicates) == 1 for hit in hits)
    beside = sorted((len(hit.before), len(hit.after)) for hit in hits)
    assert beside == [(0, 1), (1, 0), (1, 1), (1, 1)]
    for hit in hits:
        places = {place.citation.rpartition(":")[0] for place in (*hit.before, *hit.after)}
        assert places == {hit.citation.rpartition(":")[0]}
