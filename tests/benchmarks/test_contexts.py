"""Contexts are measured beside every kind of what is known; nothing is said about speed."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.contexts import main


@pytest.fixture(autouse=True)
def usual_collections() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.mark.slow
def test_every_kind_and_step_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = ["--database", str(tmp_path / "talk.db"), "--turns", "80", "--facts", "20"]
    main([*database, "--questions", "3"])
    chunks, *lines = capsys.readouterr().out.splitlines()
    assert all(kind in chunks for kind in ("episode", "memory", "triple", "100 turn"))
    assert [line.partition(":")[0] for line in lines] == [
        "new questions",
        "the same again, the least of three",
        *(
            f"{step}, by the clock"
            for step in ("recent", "search", "memories", "ranking", "filling", "total")
        ),
    ]
