"""The benchmarks run to their end and write down what they found; nothing is said about speed."""

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import BENCHMARKS, arguments
from benchmarks.harness.processes import ROOT

pytestmark = pytest.mark.slow
MAY_BE_ZERO = ("errors", "wrong", "share")


@pytest.fixture(scope="module")
def quick_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    """The output of a quick run, and the JSON it wrote."""
    folder = tmp_path_factory.mktemp("bench")
    target = folder / "results" / "quick.json"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--quick", "--work", folder, "--json", target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads(target.read_text(encoding="utf-8"))


def test_every_benchmark_gives_figures(quick_run: tuple[str, dict[str, Any]]) -> None:
    _, document = quick_run
    assert {figure["benchmark"] for figure in document["figures"]} == set(BENCHMARKS)


def test_figures_are_numbers_with_units(quick_run: tuple[str, dict[str, Any]]) -> None:
    _, document = quick_run
    for figure in document["figures"]:
        assert math.isfinite(figure["value"]), figure
        assert figure["value"] > 0 or figure["unit"] in MAY_BE_ZERO, figure
        assert all(math.isfinite(one) and one >= 0 for one in figure["raw"]), figure
        assert figure["met"] in ((None,) if figure["goal"] is None else (True, False)), figure


def test_shares_are_shares_and_nothing_failed(quick_run: tuple[str, dict[str, Any]]) -> None:
    _, document = quick_run
    by_unit: dict[str, list[float]] = {}
    for figure in document["figures"]:
        by_unit.setdefault(figure["unit"], []).append(figure["value"])
    assert all(0 <= value <= 1 for value in by_unit["share"])
    assert set(by_unit["errors"]) == {0}
    assert len(by_unit["errors"]) == 9, "of clients at once 4, of what reindexing must not do 5"


def test_the_run_says_where_it_was_made(quick_run: tuple[str, dict[str, Any]]) -> None:
    _, document = quick_run
    assert document["quick"] is True
    assert document["sizes"] == [2000]
    assert {"date", "commit", "seconds"} <= set(document)
    assert set(document["machine"]) >= {"cpu", "cores", "memory_bytes", "python", "sqlite"}


def test_every_figure_is_a_line_of_the_table(quick_run: tuple[str, dict[str, Any]]) -> None:
    printed, document = quick_run
    lines = printed.splitlines()
    assert len(lines) == len(document["figures"]) + 1
    for line, figure in zip(lines[1:], document["figures"], strict=True):
        assert line.startswith(figure["what"])


def test_an_earlier_run_is_shown_again(
    quick_run: tuple[str, dict[str, Any]], tmp_path: Path
) -> None:
    printed, document = quick_run
    earlier = tmp_path / "earlier.json"
    earlier.write_text(json.dumps(document), encoding="utf-8")
    again = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--from", earlier],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert again.stdout == printed


def test_a_name_that_is_no_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        arguments(["--only", "speed"])
    assert "cold-search" in capsys.readouterr().err


def test_sizes_are_numbers_parted_by_commas() -> None:
    assert arguments(["--sizes", "500,1000"]).sizes == (500, 1000)
