"""Figures are compared with their goals and shown so that both can be read."""

import json
from pathlib import Path

import pytest

from benchmarks.harness.report import (
    as_json,
    figures_of,
    line,
    markdown,
    marks,
    put_between_marks,
    table,
)
from benchmarks.harness.values import Figure, Goal, percentile

BEGIN, END = marks("figures")
FAST = Figure("a", "fast thing", 12.345, "ms", Goal(20), "p95 | 13 ms", (12.0, 12.345, 13.0))
SLOW = Figure("a", "  rate", 1999.6, "chunks/s", Goal(2500, at_least=True))
BARE = Figure("b", "share found", 0.98765, "share")
MACHINE = {
    "cpu": "A CPU",
    "cores": 2,
    "memory_bytes": 2**33,
    "python": "3.11.1",
    "sqlite": "3.46",
    "load_average": [1.25, 1, 1],
}


@pytest.mark.parametrize(
    "goal, value, met",
    [
        (Goal(10), 10, True),
        (Goal(10), 10.1, False),
        (Goal(10, at_least=True), 10, True),
        (Goal(10, at_least=True), 9.9, False),
    ],
    ids=["at most: equal", "at most: above", "at least: equal", "at least: below"],
)
def test_a_goal_is_met_on_its_own_side(goal: Goal, value: float, met: bool) -> None:
    assert goal.is_met(value) is met


@pytest.mark.parametrize(
    "share, expected", [(0.5, 5), (0.95, 10), (0.99, 10), (0.1, 1), (0.11, 2), (0, 1)]
)
def test_percentiles_are_values_that_were_measured(share: float, expected: float) -> None:
    assert percentile((10, 9, 8, 7, 6, 5, 4, 3, 2, 1), share) == expected


def test_the_table_has_goals_and_verdicts() -> None:
    heading, *rows = table([FAST, SLOW, BARE]).splitlines()
    words = [" ".join(row.split()) for row in rows]
    assert " ".join(heading.split()) == "what measured goal beside it"
    assert words[0] == "fast thing 12.3 ms <= 20 met p95 | 13 ms"
    assert words[1] == "rate 2,000 chunks/s >= 2,500 missed"
    assert words[2] == "share found 0.988"
    assert rows[0].index("12.3 ms") + len("12.3 ms") == rows[2].index("0.988") + len("0.988")


def test_one_line_says_whether_the_goal_is_met() -> None:
    assert line(FAST) == "fast thing: 12.3 ms (goal <= 20: met)"
    assert line(BARE) == "share found: 0.988"


def test_figures_survive_being_written() -> None:
    figures = [FAST, SLOW, BARE]
    written = json.loads(json.dumps({"figures": [as_json(figure) for figure in figures]}))
    assert [one["met"] for one in written["figures"]] == [True, False, None]
    assert figures_of(written) == figures


def document(*figures: Figure) -> dict[str, object]:
    shown = [as_json(figure) for figure in figures]
    return {"date": "2026-03-04T10:00:00", "commit": "abc", "machine": MACHINE, "figures": shown}


def test_markdown_is_a_table_with_its_machine() -> None:
    lines = markdown(document(FAST)).splitlines()
    assert lines[0] == (
        "Measured on 2026-03-04 at commit abc: A CPU, 2 cores, 8 GiB, Python 3.11.1, SQLite 3.46; "
        "1.2 other processes wanted a core when it began."
    )
    assert lines[-1] == "| fast thing | 12.3 ms | <= 20 | met | p95 / 13 ms |"
    assert {row.count("|") for row in lines[2:]} == {6}


def test_only_what_is_between_the_marks_changes(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    put_between_marks(page, "new")
    put_between_marks(page, "newer")
    assert page.read_text(encoding="utf-8") == f"before\n{BEGIN}\nnewer\n{END}\nafter\n"


def test_a_page_without_marks_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"{BEGIN} and no end", encoding="utf-8")
    with pytest.raises(ValueError, match="no marks for figures"):
        put_between_marks(page, "new")
    assert page.read_text(encoding="utf-8") == f"{BEGIN} and no end"
