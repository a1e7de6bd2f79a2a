"""The measurement of the upgrade has all its figures; nothing is said about speed."""

from pathlib import Path

import pytest

from benchmarks.upgrade import main


@pytest.mark.slow
def test_every_figure_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    main(["--files", "40", "--turns", "1", "--asked", "2", "--work", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line.split("  ")[0] for line in lines] == [
        "mem sync, 40 new files",
        "first answer of a server",
        "queries without it, p95",
        "queries during it, p95",
        "ratio of the two",
        "until minilm answers, on a processor",
    ]
