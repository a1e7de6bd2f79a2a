"""`mem status --stats` in terminals of any width and encoding."""

import io
import sys
from pathlib import Path

import pytest

from cli.operations.statistics import bar, statistics_lines
from cli.output import width
from memory.config.loading import load_config
from memory.retrieval.acceleration import cache_answers
from memory.retrieval.searching import search
from memory.values.status_reports import DayGrowth, LegLatency, Statistics
from memory.workspace import Workspace
from tests.cli.shell import Mem

FOUND = Statistics(
    latencies=[
        LegLatency("keyword", 12_345, 0.5, 0.4, 1.25, 110.4),
        LegLatency("search", 12_400, 3.21, 2.9, 8.0, 1234.0),
    ],
    growth=[
        DayGrowth("2026-11-20", 1_000, 800_000),
        DayGrowth("2026-11-19", 1, 12),
        DayGrowth("2026-11-02", 50_000, 41_000_000),
    ],
)


@pytest.mark.parametrize("columns", [200, 80, 50, 20])
def test_days_stand_in_order_in_any_width(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = statistics_lines(FOUND)
    assert [line[:10] for line in lines[3:]] == ["2026-11-02", "2026-11-19", "2026-11-20"]
    assert lines[3].endswith("41.0 M characters")
    assert max(map(width, lines[3:])) <= max(columns, 52)
    assert "12,345" in lines[1]
    assert "1,234" in lines[2]


def test_a_bar_is_never_nothing_and_never_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (bar(1.0, 8), bar(0.5, 8), bar(0.0, 8)) == ("████████", "████", "▏")
    assert bar(5.5 / 8, 8) == "█████▌"
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert (bar(1.0, 8), bar(0.0, 8)) == ("########", "#")


def test_nothing_to_tell_is_said() -> None:
    assert statistics_lines(Statistics([], [])) == [
        "no latencies yet: servers measure them (mem serve)"
    ]


def test_status_tells_what_servers_have_measured(synced: Mem, folder: Path) -> None:
    assert "servers measure them" in synced("status", "--stats").out
    database = Path(synced("status", "--json").json["database"])
    with Workspace(load_config(database=database)) as workspace:
        cache_answers(workspace)
        search(workspace, "installer")
    shown = synced("status", "--stats").out
    assert "a whole search" in shown
    assert "characters" in shown
    assert "a whole search" not in synced("status").out
    found = synced("status", "--stats", "--json").json["statistics"]
    assert {item["leg"] for item in found["latencies"]} >= {"keyword", "vector", "search"}
