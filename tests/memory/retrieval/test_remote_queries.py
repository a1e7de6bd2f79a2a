"""Questions to a model on another machine: kept, counted, and not asked while it is down."""

import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from contracts import UnavailableError
from memory.files.ingestion import ingest_text
from memory.index.embedding.active_model import embedder_of
from memory.operations.status import read_status
from memory.retrieval.remote_queries import (
    FIRST_PAUSE_S,
    LONGEST_PAUSE_S,
    Outage,
    RemoteQueries,
    decoded_query,
    encoded_query,
)
from memory.retrieval.searching import search
from memory.storage.counters import QUERIES_KNOWN, WRITTEN_EVERY, Counters, add_count, read_counts
from memory.storage.sqlite import SqliteStorage
from memory.storage.sqlite.database import SqliteDatabase
from memory.storage.vectors import normalised
from memory.values.status_reports import HitCount, QueriesWithoutVectors
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import FAKE, opened, use
from tests.memory.remote import RemoteFake

LONG_AGO = "2020-01-01T00:00:00.000Z"


class Time:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def remote(memory: Workspace) -> RemoteFake:
    """The model of a database with one text, as if elsewhere."""
    ingest_text(memory, "Marmalade needs bitter oranges.")
    provider = RemoteFake()
    use(memory, provider)
    return provider


def queries(memory: Workspace) -> HitCount:
    return read_status(memory).embedding_cache.queries


def test_the_same_question_is_asked_once(memory: Workspace, remote: RemoteFake) -> None:
    first = search(memory, "oranges")
    again = search(memory, "oranges", SearchOptions(max_results=3))
    assert remote.asked == ["oranges"]
    assert [hit.score for hit in again.results] == [hit.score for hit in first.results]
    search(memory, "other fruit")
    assert remote.asked == ["oranges", "other fruit"]
    assert queries(memory) == HitCount(1, 2, 0.333)
    assert not read_status(memory).warnings


def test_also_by_another_process(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        ingest_text(memory, "Marmalade needs bitter oranges.")
        use(memory, first := RemoteFake())
        answer = search(memory, "oranges")
    with opened(tmp_path) as memory:
        use(memory, second := RemoteFake())
        again = search(memory, "oranges")
        second.down = True
        assert search(memory, "oranges").mode_used == "hybrid"  # nobody needs to be asked
    assert (first.asked, second.asked) == (["oranges"], [])
    assert again.results == answer.results
    with opened(tmp_path) as memory:
        assert queries(memory) == HitCount(2, 1, 0.667)


def test_a_model_of_this_machine_keeps_no_questions(memory: Workspace) -> None:
    ingest_text(memory, "Marmalade needs bitter oranges.")
    search(memory, "oranges")
    assert memory.storage.cache.size().entries == 0
    assert queries(memory) == HitCount(0, 0, 0.0)


def test_a_question_and_a_document_of_the_same_words_are_two(
    memory: Workspace, remote: RemoteFake
) -> None:
    search(memory, "Marmalade needs bitter oranges.")
    assert len(remote.asked) == 1
    assert memory.storage.cache.size().entries == 1


def test_a_use_is_noted_when_the_last_was_long_ago(memory: Workspace, remote: RemoteFake) -> None:
    search(memory, "oranges")
    database = memory.storage.database
    with database.transaction() as tx:
        tx.run("UPDATE embedding_cache SET used_at = :at", {"at": LONG_AGO})
    search(memory, "oranges")
    ((kind, used_at),) = database.read("SELECT kind, used_at FROM embedding_cache")
    assert kind == "query"
    assert used_at > LONG_AGO
    memory.counters.flush()
    cache = database.read("SELECT * FROM embedding_cache ORDER BY id")
    search(memory, "oranges")
    assert database.read("SELECT * FROM embedding_cache ORDER BY id") == cache
    assert remote.asked == ["oranges"]


def test_without_a_cache_every_question_is_asked(tmp_path: Path) -> None:
    with opened(tmp_path, embeddings=replace(FAKE, cache_embeddings=False)) as memory:
        ingest_text(memory, "Marmalade needs bitter oranges.")
        use(memory, provider := RemoteFake())
        for _ in range(2):
            assert search(memory, "oranges").mode_used == "hybrid"
        assert provider.asked == ["oranges", "oranges"]
        assert memory.storage.cache.size().entries == 0


def test_a_search_does_not_wait_for_a_writer(memory: Workspace, remote: RemoteFake) -> None:
    """What could not be kept is asked again, and what could not be counted is counted later."""
    begun, done = threading.Event(), threading.Event()

    def write() -> None:
        with memory.storage.database.transaction():
            begun.set()
            assert done.wait(60)

    writer = threading.Thread(target=write)
    writer.start()
    assert begun.wait(60)
    try:
        assert search(memory, "oranges").mode_used == "hybrid"
        memory.counters.flush()
        assert memory.storage.cache.size().entries == 0
    finally:
        done.set()
        writer.join()
    search(memory, "oranges")
    search(memory, "oranges")
    assert remote.asked == ["oranges", "oranges"]
    assert queries(memory) == HitCount(1, 2, 0.333)


def read_only(path: Path) -> SqliteStorage:
    return SqliteStorage(SqliteDatabase(str(path), immutable=True))


@pytest.mark.sqlite_only(reason="makes the file read-only")
def test_a_database_that_may_only_be_read(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        ingest_text(memory, "Marmalade needs bitter oranges.")
        embedder, space = embedder_of(memory), memory.storage.active_space()
        assert space is not None
    before = (tmp_path / "memory.db").read_bytes()
    with closing(read_only(tmp_path / "memory.db")) as storage:
        asked = RemoteQueries(storage, Counters(storage.database))
        assert asked.vector(embedder, space, "oranges", cache_bytes=1 << 20) is not None
        Counters(storage.database).flush()
    assert (tmp_path / "memory.db").read_bytes() == before


def test_a_provider_that_is_down_is_left_alone_for_a_while(
    memory: Workspace, remote: RemoteFake
) -> None:
    time = Time()
    memory.put(RemoteQueries(memory.storage, memory.counters, now_s=time))
    assert read_status(memory).queries_without_vectors == QueriesWithoutVectors(0, None, None, None)
    remote.down = True
    answers = [search(memory, f"oranges {number}") for number in range(3)]
    assert remote.asked == ["oranges 0"]
    assert {answer.mode_used for answer in answers} == {"keyword"}
    assert all(answer.results for answer in answers)
    reason = "embeddings.example:443 did not answer"
    hint = "(try again, or go for a walk)"
    prefix = "answered by words alone, without the embedding model: "
    assert answers[0].warnings[0] == f"{prefix}{reason} {hint}"
    assert answers[2].warnings[0] == f"{prefix}{reason}; it is not asked again for 5 s {hint}"
    status = read_status(memory).queries_without_vectors
    assert (status.number, status.asked_again_in_s) == (3, FIRST_PAUSE_S)
    assert status.last_reason == f"{reason}; it is not asked again for 5 s"

    time.now_s += FIRST_PAUSE_S
    assert search(memory, "oranges 3").mode_used == "keyword"
    assert remote.asked == ["oranges 0", "oranges 3"]
    assert read_status(memory).queries_without_vectors.asked_again_in_s == 2 * FIRST_PAUSE_S
    remote.down = False
    assert search(memory, "oranges 4").mode_used == "keyword"
    time.now_s += 2 * FIRST_PAUSE_S
    assert search(memory, "oranges 5").mode_used == "hybrid"
    assert search(memory, "oranges 6").mode_used == "hybrid"
    status = read_status(memory).queries_without_vectors
    assert (status.number, status.asked_again_in_s) == (5, None)


def failing() -> UnavailableError:
    return UnavailableError("no answer", hint="wait")


def test_an_outage_lasts_longer_each_time_and_is_one_for_all_who_met_it() -> None:
    time = Time()
    outage = Outage(now_s=time)
    pauses = []
    for _ in range(6):
        outage.check()
        for _thread in range(3):
            outage.begin(failing())
        left_s = outage.left_s()
        assert left_s is not None
        pauses.append(left_s)
        time.now_s += left_s
    assert pauses == [5.0, 10.0, 20.0, 40.0, LONGEST_PAUSE_S, LONGEST_PAUSE_S]
    outage.check()  # the one that tries
    with pytest.raises(UnavailableError, match="no answer; it is not asked again for 60 s"):
        outage.check()
    outage.end()
    outage.check()
    assert outage.left_s() is None


def test_failures_of_any_model_are_counted_over_all_processes(tmp_path: Path) -> None:
    for number in (1, 2):
        with opened(tmp_path) as memory:
            ingest_text(memory, "Marmalade needs bitter oranges.")
            use(memory, provider := RemoteFake())
            provider.down = True
            search(memory, "oranges")
            search(memory, "oranges", SearchOptions(mode="keyword"))  # wants no vector
        with opened(tmp_path) as memory:
            failed = read_status(memory).queries_without_vectors
            assert failed.number == number
            assert failed.last_reason == "embeddings.example:443 did not answer"
            assert failed.last_at is not None


def test_counts_are_written_now_and_then(memory: Workspace) -> None:
    database = memory.storage.database
    for _ in range(WRITTEN_EVERY - 1):
        memory.counters.note(QUERIES_KNOWN)
    assert read_counts(database) == {}
    assert memory.counters.read()[QUERIES_KNOWN].number == WRITTEN_EVERY - 1
    memory.counters.note(QUERIES_KNOWN)
    assert read_counts(database)[QUERIES_KNOWN].number == WRITTEN_EVERY
    with database.transaction() as tx:
        add_count(tx, QUERIES_KNOWN, 1, reason="somebody else")
    memory.counters.note(QUERIES_KNOWN)
    tally = memory.counters.read()[QUERIES_KNOWN]
    assert (tally.number, tally.reason) == (WRITTEN_EVERY + 2, None)


def test_a_kept_query_is_the_vector_that_was_asked() -> None:
    vector = normalised([0.1, -0.7, 1e-9, 3.3])
    assert vector is not None
    assert decoded_query(encoded_query(vector)) == vector
