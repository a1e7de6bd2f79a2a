"""`mem status --stats` in terminals of any width and encoding."""

import io
import sys

import pytest

from cli.operations.status import bar, growth_lines
from cli.output import width
from memory.values.status_reports import DayGrowth
from tests.cli.shell import Mem

GROWTH = [
    DayGrowth("2026-11-20", 1_000, 800_000),
    DayGrowth("2026-11-19", 1, 12),
    DayGrowth("2026-11-02", 50_000, 41_000_000),
]


@pytest.mark.parametrize("columns", [200, 80, 50, 20])
def test_days_stand_in_order_in_any_width(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = growth_lines(GROWTH)
    assert [line[:10] for line in lines] == ["2026-11-02", "2026-11-19", "2026-11-20"]
    assert lines[0].endswith("41.0 M characters")
    assert max(map(width, lines)) <= max(columns, 52)


def test_a_bar_is_never_nothing_and_never_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (bar(1.0, 8), bar(0.5, 8), bar(0.0, 8)) == ("████████", "████", "▏")
    assert bar(5.5 / 8, 8) == "█████▌"
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert (bar(1.0, 8), bar(0.0, 8)) == ("########", "#")


def test_status_tells_what_came_when(synced: Mem) -> None:
    assert growth_lines([]) == []
    assert "characters" in synced("status", "--stats").out
    assert "characters" not in synced("status").out
    found = synced("status", "--stats", "--json").json["statistics"]
    assert found["latencies"] == [], "a server tells how long its searches took"
    assert sum(day["chunks"] for day in found["growth"]) > 0
