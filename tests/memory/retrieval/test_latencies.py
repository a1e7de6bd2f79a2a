"""Latencies are counted exactly, told to within a bucket, and added up over processes."""

import random
import threading
from itertools import pairwise
from pathlib import Path

import pytest

from memory.files.ingestion import ingest_text
from memory.operations.statistics import read_statistics
from memory.operations.status import read_status
from memory.retrieval.acceleration import acceleration_of, cache_answers
from memory.retrieval.searching import search
from memory.storage import utc_now
from memory.storage.latencies import (
    BOUNDS_MS,
    EMPTY,
    WRITTEN_EVERY,
    Histogram,
    LatencyBook,
    read_latencies,
)
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened


def test_bounds_rise_by_a_quarter() -> None:
    ratios = [high / low for low, high in pairwise(BOUNDS_MS)]
    assert 1.2 <= min(ratios) <= max(ratios) <= 1.3


@pytest.mark.parametrize("share", [0.01, 0.5, 0.95, 0.99, 1.0])
def test_percentiles_are_near_those_of_the_durations(memory: Workspace, share: float) -> None:
    draws = random.Random(7)
    durations = sorted(draws.lognormvariate(1.5, 1.0) for _ in range(2_000))  # milliseconds
    book = LatencyBook(memory.storage.database)
    for duration in durations:
        book.note([("search", duration / 1000)])
    histogram = book.here()["search"]
    true = durations[max(0, round(share * len(durations)) - 1)]
    assert histogram.number == 2_000
    assert histogram.percentile_ms(share) == pytest.approx(true, rel=0.27)
    assert histogram.mean_ms == pytest.approx(sum(durations) / 2_000)


def test_what_is_out_of_all_bounds_counts_too(memory: Workspace) -> None:
    book = LatencyBook(memory.storage.database)
    book.note([("search", 0.0), ("search", 1e-9), ("search", 900.0)])
    histogram = book.here()["search"]
    assert histogram.number == 3
    assert histogram.percentile_ms(1.0) == BOUNDS_MS[-1]
    assert 0 < histogram.percentile_ms(0.1) <= BOUNDS_MS[0]
    assert (EMPTY.mean_ms, EMPTY.percentile_ms(0.5), EMPTY.number) == (0.0, 0.0, 0)


def test_counts_are_written_now_and_then_and_add_up(memory: Workspace) -> None:
    database = memory.storage.database
    books = [LatencyBook(database), LatencyBook(database)]
    for book in books:
        for _ in range(WRITTEN_EVERY + 10):
            book.note([("search", 0.005), ("vector", 0.001)])
    assert read_latencies(database)["search"].number == 2 * WRITTEN_EVERY
    assert books[0].ever()["search"].number == 2 * WRITTEN_EVERY + 10
    for book in books:
        book.flush()
        book.flush()
    written = read_latencies(database)
    assert written["search"].number == written["vector"].number == 2 * (WRITTEN_EVERY + 10)
    assert written["search"].seconds == pytest.approx(2 * (WRITTEN_EVERY + 10) * 0.005)
    assert books[0].ever() == written


def test_threads_lose_no_count(memory: Workspace) -> None:
    book = LatencyBook(memory.storage.database)

    def note() -> None:
        for _ in range(1_000):
            book.note([("keyword", 0.002)])

    threads = [threading.Thread(target=note) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    book.flush()
    assert read_latencies(memory.storage.database)["keyword"].number == 6_000


def test_a_busy_database_is_not_waited_for(memory: Workspace, tmp_path: Path) -> None:
    book = LatencyBook(memory.storage.database)
    book.note([("search", 0.005)])
    with opened(tmp_path) as other, other.storage.database.transaction():
        book.flush()
    assert read_latencies(memory.storage.database) == {}
    book.flush()
    assert read_latencies(memory.storage.database)["search"].number == 1


def test_what_a_newer_program_counts_is_passed_over(memory: Workspace) -> None:
    with memory.storage.database.transaction() as tx:
        sql = "INSERT INTO latencies VALUES (:leg, :bucket, 1, 1.0)"
        tx.run_many(sql, [{"leg": "dream", "bucket": 0}, {"leg": "search", "bucket": 9_999}])
    assert read_latencies(memory.storage.database) == {}


def test_each_leg_of_a_search_is_counted(memory: Workspace) -> None:
    ingest_text(memory, "The ferry crosses the river at noon.")
    search(memory, "ferry")
    assert acceleration_of(memory) is None  # a process that answers once counts nothing
    latencies = cache_answers(memory).latencies
    search(memory, "ferry")
    search(memory, "ferry")
    search(memory, "river", SearchOptions(mode="keyword"))
    search(memory, "")
    numbers = {leg: histogram.number for leg, histogram in latencies.here().items()}
    assert numbers == {
        "embedding": 1,
        "vector": 1,
        "keyword": 2,
        "identifier": 2,
        "search": 3,
        "cached": 1,
    }
    here = latencies.here()
    parts = sum(here[leg].seconds for leg in ("embedding", "keyword", "identifier", "vector"))
    assert 0 < parts <= here["search"].seconds


def test_counting_leaves_answers_up_to_date(memory: Workspace) -> None:
    ingest_text(memory, "The ferry crosses the river at noon.")
    latencies = cache_answers(memory).latencies
    search(memory, "ferry")
    latencies.flush()
    assert search(memory, "ferry").cached


def test_a_closed_process_has_written_down_what_it_counted(tmp_path: Path) -> None:
    with opened(tmp_path) as workspace:
        cache_answers(workspace)
        ingest_text(workspace, "The ferry crosses the river at noon.")
        search(workspace, "ferry")
    with opened(tmp_path) as later:
        found = read_statistics(later)
        assert [(item.leg, item.number) for item in found.latencies if item.leg == "search"] == [
            ("search", 1)
        ]
        assert [(day.day, day.chunks, day.chars) for day in found.growth] == [
            (utc_now()[:10], 1, 36)
        ]
        assert read_status(later).statistics is None
        assert read_status(later, statistics=True).statistics == found


def test_a_histogram_can_be_empty_between() -> None:
    counts = [0] * (len(BOUNDS_MS) + 1)
    counts[10], counts[40] = 1, 1
    histogram = Histogram(tuple(counts), 0.1)
    assert histogram.percentile_ms(0.5) == BOUNDS_MS[10]
    assert histogram.percentile_ms(0.51) > BOUNDS_MS[39]
