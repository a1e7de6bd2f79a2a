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


@pytest.mark.timeout(1800)  # 500 s with three others on each core
def test_a_quick_run_gives_sound_figures(tmp_path: Path) -> None:
    """One test, since each process that runs a part of them would make the run again."""
    target = tmp_path / "results" / "quick.json"
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--quick", "--work", tmp_path, "--json", target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    document = json.loads(target.read_text(encoding="utf-8"))
    assert {figure["benchmark"] for figure in document["figures"]} == set(BENCHMARKS)
    check_figures(document)
    check_shares_and_errors(document)
    check_where_it_was_made(document)
    check_table(done.stdout, document)
    check_that_it_can_be_shown_again(done.stdout, target)


def check_figures(document: dict[str, Any]) -> None:
    for figure in document["figures"]:
        assert math.isfinite(figure["value"]), figure
        assert figure["value"] > 0 or figure["unit"] in MAY_BE_ZERO, figure
        assert all(math.isfinite(one) and one >= 0 for one in figure["raw"]), figure
        assert figure["met"] in ((None,) if figure["goal"] is None else (True, False)), figure


def check_shares_and_errors(document: dict[str, Any]) -> None:
    by_unit: dict[str, list[float]] = {}
    for figure in document["figures"]:
        by_unit.setdefault(figure["unit"], []).append(figure["value"])
    assert all(0 <= value <= 1 for value in by_unit["share"])
    assert set(by_unit["errors"]) == {0}
    assert len(by_unit["errors"]) == 9, "of clients at once 4, of what reindexing must not do 5"


def check_where_it_was_made(document: dict[str, Any]) -> None:
    assert document["quick"] is True
    assert document["sizes"] == [2000]
    assert {"date", "commit", "seconds"} <= set(document)
    assert set(document["machine"]) >= {"cpu", "cores", "memory_bytes", "python", "sqlite"}


def check_table(printed: str, document: dict[str, Any]) -> None:
    lines = printed.splitlines()
    assert len(lines) == len(document["figures"]) + 1
    for line, figure in zip(lines[1:], document["figures"], strict=True):
        assert line.startswith(figure["what"])


def check_that_it_can_be_shown_again(printed: str, earlier: Path) -> None:
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
