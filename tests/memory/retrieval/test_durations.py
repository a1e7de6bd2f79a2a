"""Durations are counted exactly, told to within a bucket, by the process that has searched."""

import random
import threading
from itertools import pairwise
from pathlib import Path

import pytest

from memory.files.ingestion import ingest_text
from memory.operations.status import read_status
from memory.retrieval.searching import search
from memory.retrieval.server_caches import cache_answers, server_caches_of
from memory.storage import utc_now
from memory.storage.durations import BOUNDS_MS, EMPTY, Durations, Histogram
from memory.values.status_reports import DayGrowth
from memory.workspace import Workspace
from search import SearchOptions
from tests.memory.databases import opened


def test_bounds_rise_by_a_quarter() -> None:
    ratios = [high / low for low, high in pairwise(BOUNDS_MS)]
    assert 1.2 <= min(ratios) <= max(ratios) <= 1.3


@pytest.mark.parametrize("share", [0.01, 0.5, 0.95, 0.99, 1.0])
def test_percentiles_are_near_those_of_the_durations(share: float) -> None:
    draws = random.Random(7)
    durations = sorted(draws.lognormvariate(1.5, 1.0) for _ in range(2_000))  # milliseconds
    counted = Durations()
    for duration in durations:
        counted.note([("search", duration / 1000)])
    histogram = counted.read()["search"]
    true = durations[max(0, round(share * len(durations)) - 1)]
    assert histogram.number == 2_000
    assert histogram.percentile_ms(share) == pytest.approx(true, rel=0.27)
    assert histogram.mean_ms == pytest.approx(sum(durations) / 2_000)


def test_what_is_out_of_all_bounds_counts_too() -> None:
    counted = Durations()
    counted.note([("search", 0.0), ("search", 1e-9), ("search", 900.0)])
    histogram = counted.read()["search"]
    assert histogram.number == 3
    assert histogram.percentile_ms(1.0) == BOUNDS_MS[-1]
    assert 0 < histogram.percentile_ms(0.1) <= BOUNDS_MS[0]
    assert (EMPTY.mean_ms, EMPTY.percentile_ms(0.5), EMPTY.number) == (0.0, 0.0, 0)


def test_a_histogram_can_be_empty_between() -> None:
    histogram = Histogram({10: 1, 40: 1}, 0.1)
    assert histogram.percentile_ms(0.5) == BOUNDS_MS[10]
    assert histogram.percentile_ms(0.51) > BOUNDS_MS[39]


def test_threads_lose_no_count() -> None:
    counted = Durations()

    def note() -> None:
        for _ in range(1_000):
            counted.note([("keyword", 0.002)])

    threads = [threading.Thread(target=note) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counted.read()["keyword"].number == 6_000


def test_each_leg_of_a_search_is_counted(memory: Workspace) -> None:
    ingest_text(memory, "The ferry crosses the river at noon.")
    search(memory, "ferry")
    assert server_caches_of(memory) is None  # a process that answers once counts nothing
    durations = cache_answers(memory).durations
    search(memory, "ferry")
    search(memory, "ferry")
    search(memory, "river", SearchOptions(mode="keyword"))
    search(memory, "")
    here = durations.read()
    assert {leg: histogram.number for leg, histogram in here.items()} == {
        "embedding": 1,
        "vector": 1,
        "keyword": 2,
        "identifier": 2,
        "search": 3,
        "cached": 1,
    }
    parts = sum(here[leg].seconds for leg in ("embedding", "keyword", "identifier", "vector"))
    assert 0 < parts <= here["search"].seconds


def test_a_process_tells_its_own_searches_and_all_growth(tmp_path: Path) -> None:
    growth = [DayGrowth(utc_now()[:10], 1, 36)]
    with opened(tmp_path) as workspace:
        cache_answers(workspace)
        ingest_text(workspace, "The ferry crosses the river at noon.")
        search(workspace, "ferry")
        assert read_status(workspace).statistics is None
        found = read_status(workspace, statistics=True).statistics
        assert found is not None
        assert [item.number for item in found.latencies if item.leg == "search"] == [1]
        assert found.growth == growth
        assert workspace.storage.database.read("SELECT * FROM latencies") == []
    with opened(tmp_path) as later:
        found = read_status(later, statistics=True).statistics
        assert found is not None
        assert (found.latencies, found.growth) == ([], growth)
