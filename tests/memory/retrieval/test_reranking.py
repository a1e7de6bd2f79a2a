"""Reranking never fails a search, never takes longer than it may, and never runs twice at once."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from contracts import Scope, UnavailableError
from memory.config.settings import RerankConfig, SearchConfig
from memory.files.ingestion import ingest_text
from memory.operations.status import read_status
from memory.retrieval.query_cache import QueryCache
from memory.retrieval.reranking import BATCH, Reranking, configured, reranking_of
from memory.retrieval.searching import default_options, search
from memory.retrieval.server_caches import cache_answers, start_server_caches
from memory.values.results import SearchResponse
from memory.values.status_reports import RerankerStatus
from memory.workspace import Workspace
from providers.rerankers.fake import FakeReranker
from search import SearchOptions
from tests.memory.databases import opened
from tests.waiting import wait_until

TEXTS = [
    "pump pump pump pump in the cellar",
    "the pump hums when the water rises, said the keeper of the pump",
    "a pump and marmalade",
    "water rises here where no pump ever hums in the dark and wide land",
]
QUERY = "pump hums water rises"
LONG = 60_000
FAR = 30.0


@pytest.fixture
def fake() -> Iterator[FakeReranker]:
    reranker = FakeReranker()
    yield reranker
    reranker.may_load.set()
    reranker.may_score.set()


@pytest.fixture
def memory(tmp_path: Path, fake: FakeReranker) -> Iterator[Workspace]:
    rerank = RerankConfig(enabled=True, provider="fake", deadline_ms=LONG)
    with opened(tmp_path, backend="memory", search=SearchConfig(rerank=rerank)) as workspace:
        for text in TEXTS:
            ingest_text(workspace, text)
        use(workspace, fake)
        yield workspace


def use(workspace: Workspace, reranker: FakeReranker, *, retry_s: float = 60.0) -> None:
    workspace.put(Reranking(lambda: reranker, name="fake", retry_s=retry_s))


def ask(workspace: Workspace, **changes: object) -> SearchResponse:
    options = {"mode": "keyword", "rerank": True, "rerank_deadline_ms": LONG, **changes}
    return search(workspace, QUERY, SearchOptions(**options))  # type: ignore[arg-type]


def order(response: SearchResponse) -> list[str]:
    return [hit.text for hit in response.results]


def own_order(workspace: Workspace, **changes: object) -> list[str]:
    return order(ask(workspace, rerank=False, **changes))


def test_the_order_is_the_rerankers(memory: Workspace, fake: FakeReranker) -> None:
    fake.scores = [0.1, 0.9, 0.3, 0.5]
    before = own_order(memory)
    response = ask(memory, explain=True)
    assert order(response) == [before[1], before[3], before[2], before[0]]
    assert [hit.score for hit in response.results] == [0.9, 0.5, 0.3, 0.1]
    assert [hit.explanation["rerank"] for hit in response.results if hit.explanation] == [
        *(0.9, 0.5, 0.3, 0.1)
    ]
    assert response.warnings == []
    assert response.total_results == 4


@pytest.mark.parametrize("accelerated", [False, True], ids=["command", "server"])
def test_what_is_judged_is_what_is_shown(
    memory: Workspace, fake: FakeReranker, accelerated: bool
) -> None:
    """The hit that the reranker puts on top, and not the one that was there before."""
    poor = "a pump and marmalade for everyone"
    ingest_text(memory, poor)
    query = "pump hums where water rises in the dark wide land"
    options = SearchOptions(mode="keyword", rerank=True, rerank_deadline_ms=LONG)
    if accelerated:
        reranking_of(memory).start()
        wait_until(lambda: read_status(memory).reranker.state == "ready")
        start_server_caches(memory)
    plain = search(memory, query, replace(options, rerank=False))
    assert (plain.weak, plain.warnings) == (False, [])
    fake.scores = [float(hit.text == poor) for hit in plain.results]
    reranked = search(memory, query, options)
    assert reranked.results[0].text == poor
    assert reranked.weak
    assert reranked.warnings == [
        "nothing here seems to answer this: the best match holds 1 of 7 words"
    ]
    fake.scores = [float(hit.text == poor) for hit in plain.results]
    again = search(memory, query, options)
    assert (again.cached, again.weak, again.warnings) == (accelerated, True, reranked.warnings)


def test_configuration_and_options_decide(memory: Workspace, fake: FakeReranker) -> None:
    options = default_options(memory.config.search)
    assert (options.rerank, options.rerank_candidates, options.rerank_deadline_ms) == (
        *(True, 30, LONG),
    )
    assert not default_options(SearchConfig()).rerank
    search(memory, QUERY)
    assert fake.pairs_scored == 4
    ask(memory, rerank=False)
    assert fake.pairs_scored == 4


def test_only_the_best_are_read_and_the_answer_is_cut(
    memory: Workspace, fake: FakeReranker
) -> None:
    before = own_order(memory)
    fake.scores = [0.2, 0.6]
    response = ask(memory, rerank_candidates=2, max_results=3)
    assert order(response) == [before[1], before[0], before[2]]
    assert response.results[2].score <= 0.2
    fake.scores = [0.1, 0.1, 0.1, 0.8]
    assert order(ask(memory, max_results=1)) == [before[3]]
    assert len(ask(memory, max_results=1, rerank_candidates=1).results) == 1


def test_nothing_is_remembered_of_hits_below_the_end(memory: Workspace, fake: FakeReranker) -> None:
    """The reranker reads more hits than an answer has, with the neighbours of each."""
    for number in range(5):
        beside = " ".join(f"and {number} by {word}" for word in range(200))
        ingest_text(memory, f"{beside}\n\n{QUERY} {number}\n\n{beside}", tags=["long"])
    wishes = {"max_results": 1, "neighbours": 2, "scope": Scope(tags=("long",))}
    sizes = []
    for rerank in (False, True):
        answers = QueryCache(memory.storage)
        cache_answers(memory).answers = answers
        response = ask(memory, rerank=rerank, **wishes)
        assert response.results[0].before or response.results[0].after
        sizes.append(answers.status().size_bytes)
    assert sizes[1] < 1.2 * sizes[0]


def test_an_identifier_keeps_its_rank(memory: Workspace, fake: FakeReranker) -> None:
    ingest_text(memory, "def start_pump(level): ...")
    response = search(
        memory, "start_pump", SearchOptions(mode="keyword", rerank=True, explain=True)
    )
    assert response.results[0].text.startswith("def start_pump")
    assert response.results[0].explanation
    assert response.results[0].explanation["rerank"] is None
    scores = [hit.score for hit in response.results]
    assert scores == sorted(scores, reverse=True)


def test_nothing_found_asks_nobody(memory: Workspace, fake: FakeReranker) -> None:
    assert search(memory, "zebra", SearchOptions(mode="keyword", rerank=True)).results == []
    assert search(memory, "?!", SearchOptions(rerank=True)).results == []
    assert fake.loads == 0


def test_past_the_deadline_the_own_order_and_how_far_it_came(
    memory: Workspace, fake: FakeReranker
) -> None:
    for number in range(BATCH):
        ingest_text(memory, f"pump {number}")
    before = own_order(memory)
    fake.may_score.clear()
    response = ask(memory, rerank_deadline_ms=10)
    assert order(response) == before
    (warning,) = response.warnings
    assert warning == (
        "not reranked, the order is the search's own: 0 of 8 hits were read within 10 ms; "
        "raise memory.search.rerank.deadline_ms or lower memory.search.rerank.candidates"
    )
    busy = ask(memory, rerank_deadline_ms=10)
    assert order(busy) == before
    assert "busy with other queries for all of 10 ms; send fewer at once" in busy.warnings[0]
    assert sum(thread.name == "reranker" for thread in threading.enumerate()) == 1
    fake.may_score.set()
    assert ask(memory).warnings == []
    assert fake.pairs_scored == BATCH + 8, "the abandoned question ended after its first batch"


def test_many_at_once_are_served_one_after_the_other(memory: Workspace, fake: FakeReranker) -> None:
    reranking = reranking_of(memory)
    outcomes: list[list[float] | None] = []

    def one(number: int) -> None:
        texts = [f"w{number}", "x", f"w{number} w0"]
        done = reranking.scores(f"w{number}", texts, deadline_ms=LONG, wait_for_model=True)
        outcomes.append(done.scores)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(1, 17)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [[1, 0, 1]] * 16
    assert fake.loads == 1


@pytest.mark.parametrize(
    "scores",
    [[float("nan")] * 4, [0.5, float("inf"), 0.5, 0.5], [0.5, 1.5, 0, 0], [-0.1, 0, 0, 0], [0.5]],
    ids=["nan", "infinite", "too large", "negative", "too few"],
)
def test_garbage_is_not_an_order(
    memory: Workspace, fake: FakeReranker, scores: list[float]
) -> None:
    before = own_order(memory)
    fake.scores = list(scores)
    response = ask(memory)
    assert order(response) == before
    assert "the model fake computed no usable numbers" in response.warnings[0]
    fake.scores = []
    assert ask(memory).warnings == []


def test_a_failing_computation_is_a_warning(memory: Workspace, fake: FakeReranker) -> None:
    before = own_order(memory)
    ask(memory)
    fake.fail_times = 1
    response = ask(memory)
    assert order(response) == before
    assert response.warnings == [
        "not reranked, the order is the search's own: the fake reranker was told to fail "
        "(set its fail_times to 0)"
    ]
    assert ask(memory).warnings == []


def test_a_model_that_does_not_load_is_tried_again_later(
    memory: Workspace, fake: FakeReranker
) -> None:
    before = own_order(memory)
    fake.fail_times = 1
    for _ in range(2):
        response = ask(memory)
        assert order(response) == before
        assert "told to fail" in response.warnings[0]
    status = read_status(memory).reranker
    assert (status.state, status.model) == ("failed", "fake")
    assert "told to fail" in str(status.reason)
    use(memory, fake, retry_s=0.0)
    fake.fail_times = 1
    assert "told to fail" in ask(memory).warnings[0]
    assert ask(memory).warnings == []
    assert read_status(memory).reranker == RerankerStatus("ready", "fake", None)


def test_a_server_does_not_wait_for_the_model(memory: Workspace, fake: FakeReranker) -> None:
    before = own_order(memory)
    fake.may_load.clear()
    start_server_caches(memory)
    assert read_status(memory).reranker == RerankerStatus("loading", "fake", None)
    response = ask(memory)
    assert order(response) == before
    assert response.warnings == [
        "not reranked, the order is the search's own: the model fake is still being loaded; "
        "ask again in some seconds"
    ]
    fake.may_load.set()
    wait_until(lambda: read_status(memory).reranker.state == "ready")
    assert ask(memory).warnings == []
    assert fake.loads == 1


def test_a_server_loads_at_first_use_what_is_not_enabled(
    tmp_path: Path, fake: FakeReranker
) -> None:
    with opened(tmp_path, backend="memory") as memory:
        assert read_status(memory).reranker.state == "off"
        use(memory, fake)
        ingest_text(memory, TEXTS[0])
        start_server_caches(memory)
        assert read_status(memory).reranker.state == "idle"
        fake.may_load.clear()
        assert "still being loaded" in ask(memory).warnings[0]


def test_an_enabled_reranker_is_idle_until_it_is_asked(tmp_path: Path) -> None:
    rerank = RerankConfig(enabled=True, provider="fake", model="named")
    with opened(tmp_path, backend="memory", search=SearchConfig(rerank=rerank)) as memory:
        assert read_status(memory).reranker == RerankerStatus("idle", "named", None)
        ingest_text(memory, TEXTS[0])
        assert search(memory, "pump").warnings == []
        assert read_status(memory).reranker == RerankerStatus("ready", "named", None)
        assert reranking_of(memory) is reranking_of(memory)


def test_the_time_of_a_command_begins_when_the_model_is_there(
    memory: Workspace, fake: FakeReranker
) -> None:
    fake.may_load.clear()
    found: list[SearchResponse] = []
    asker = threading.Thread(target=lambda: found.append(ask(memory)))
    asker.start()
    wait_until(lambda: read_status(memory).reranker.state == "loading")
    fake.may_load.set()
    asker.join(FAR)
    assert found[0].warnings == []


class Broken(FakeReranker):
    """Has a defect of its own, which is not an error that the user could fix."""

    def load(self) -> None:
        super().load()
        if self.model_name == "load":
            raise ZeroDivisionError

    def score(self, query: str, texts: object) -> list[float]:
        raise ZeroDivisionError


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize(
    "where, reason",
    [("load", "the model load could not be loaded"), ("score", "the reranker stopped")],
)
def test_a_defect_ends_the_thread_and_not_the_search(
    memory: Workspace, where: str, reason: str
) -> None:
    before = own_order(memory)
    memory.put(Reranking(lambda: Broken(where), name=where, retry_s=0.0))
    for _ in range(2):
        response = ask(memory)
        assert order(response) == before
        assert reason in response.warnings[0]
        status = read_status(memory).reranker
        assert (status.state, status.reason and reason in status.reason) == ("failed", True)
        wait_until(lambda: not any(t.name == "reranker" for t in threading.enumerate()))


def test_closing_ends_the_thread(memory: Workspace) -> None:
    ask(memory)
    reranking_of(memory).close()
    wait_until(lambda: not any(t.name == "reranker" for t in threading.enumerate()))


def test_a_missing_library_is_a_warning(tmp_path: Path) -> None:
    def create() -> FakeReranker:
        raise UnavailableError("reranking needs the library x", hint="pip install x")

    with opened(tmp_path, backend="memory") as memory:
        ingest_text(memory, TEXTS[1])
        memory.put(Reranking(create, name="m"))
        assert ask(memory).warnings == [
            "not reranked, the order is the search's own: reranking needs the library x "
            "(pip install x)"
        ]


def test_a_configuration_makes_its_reranker() -> None:
    settings = RerankConfig(provider="fake", model="m")
    reranking = configured(settings)
    assert reranking.status() == RerankerStatus(
        "idle", "m", "it is loaded when a search asks for it"
    )
    outcome = reranking.scores("a b", ["a", "b a"], deadline_ms=LONG, wait_for_model=True)
    assert (outcome.scores, outcome.warning) == ([0.5, 1], None)
    reranking.close()
