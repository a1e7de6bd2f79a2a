from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contracts import InputError, Scope
from memory.storage import utc_text
from memory.values.scope_parsing import narrowed, read_time

NOW = datetime(2026, 3, 31, 12, 0, 41, 250_000, tzinfo=UTC)


@pytest.mark.parametrize(
    "text, first, last",
    [
        pytest.param("2026", "2026-01-01T00:00:00.000Z", "2026-12-31T23:59:59.999Z", id="year"),
        pytest.param("2024-02", "2024-02-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z", id="month"),
        pytest.param("2026-12", "2026-12-01T00:00:00.000Z", "2026-12-31T23:59:59.999Z", id="last"),
        pytest.param("2026-3-4", "2026-03-04T00:00:00.000Z", "2026-03-04T23:59:59.999Z", id="day"),
        pytest.param(
            "20260304", "2026-03-04T00:00:00.000Z", "2026-03-04T23:59:59.999Z", id="short"
        ),
        pytest.param(
            "9999-12-31", "9999-12-31T00:00:00.000Z", "9999-12-31T23:59:59.999Z", id="the last day"
        ),
        pytest.param(
            " 2026-03-04T12:30 ", "2026-03-04T12:30:00.000Z", "2026-03-04T12:30:00.000Z", id="UTC"
        ),
        pytest.param(
            "2026-03-04T00:30:00+02:00",
            "2026-03-03T22:30:00.000Z",
            "2026-03-03T22:30:00.000Z",
            id="a zone moves it into the day before",
        ),
        pytest.param("7d", "2026-03-24T12:00:00.000Z", "2026-03-24T12:00:59.999Z", id="days"),
        pytest.param("90 MIN", "2026-03-31T10:30:00.000Z", "2026-03-31T10:30:59.999Z", id="min"),
    ],
)
def test_times(text: str, first: str, last: str) -> None:
    assert utc_text(read_time(text, now=NOW)) == first
    assert utc_text(read_time(text, end=True, now=NOW)) == last


def test_an_age_counts_from_the_present() -> None:
    before = datetime.now(UTC)
    begin, end = (read_time("2h", end=end) + timedelta(hours=2) for end in (False, True))
    assert before - timedelta(minutes=1) < begin <= datetime.now(UTC)
    assert before - timedelta(milliseconds=1) < end


@pytest.mark.parametrize(
    "text",
    [
        *("", "yesterday", "2026-02-30", "2026-13", "0", "0001-01-01T00:00:00+23:00"),
        *("٢٠٢٦-03-04", "9999999999y", "-3d"),
    ],
)
def test_what_is_no_time_is_refused(text: str) -> None:
    for end in (False, True):
        with pytest.raises(InputError, match="is not a time"):
            read_time(text, end=end)


def test_sources_and_what_narrows_them(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    scope = narrowed(
        ["file", ".md"],
        ["docs", "setup.py"],
        since="2026-03",
        until="2026-03",
        tags=["red"],
        cwd=tmp_path,
    )
    assert scope == Scope(
        sources=("file",),
        globs=("*.md",),
        within=(str(tmp_path / "docs"), str(tmp_path / "setup.py")),
        since="2026-03-01T00:00:00.000Z",
        until="2026-03-31T23:59:59.999Z",
        tags=("red",),
    )
    assert narrowed(cwd=tmp_path) == Scope()


def test_times_end_after_they_begin(tmp_path: Path) -> None:
    assert narrowed(since="2026-03-04", until="2026-03", cwd=tmp_path).since is not None
    with pytest.raises(InputError, match=r"since 1d is after until 2026-03 \(exchange the two"):
        narrowed(since="1d", until="2026-03", cwd=tmp_path)


def test_a_path_is_the_real_one(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert narrowed((), ["link"], cwd=tmp_path).paths == (str((tmp_path / "real").resolve()),)


def test_a_path_needs_the_source_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the sources are turn"):
        narrowed(["turn"], ["docs"], cwd=tmp_path)


def test_patterns_are_paths_too_unless_a_file_has_that_name(tmp_path: Path) -> None:
    scope = narrowed(["file"], ["*.md", "docs"], cwd=tmp_path)
    assert scope == Scope(sources=("file",), paths=(str(tmp_path / "docs"),), globs=("*.md",))
    (tmp_path / "[draft].md").touch()
    assert narrowed((), ["[draft].md"], cwd=tmp_path) == Scope(paths=(f"{tmp_path}/[draft].md",))


def test_two_patterns_that_must_both_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a pattern"):
        narrowed([".md"], ["docs/*"], cwd=tmp_path)


@pytest.mark.parametrize("path", ["~nobody-of-that-name/x"])
def test_an_unusable_path_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(InputError, match="cannot be used"):
        narrowed((), [path], cwd=tmp_path)
