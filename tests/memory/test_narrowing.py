from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from contracts import InputError, Scope
from memory.narrowing import below, read_time
from memory.storage import SqliteStorage, utc_text
from search import parse_sources

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)


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
        pytest.param("7d", "2026-03-24T12:00:00.000Z", "2026-03-24T12:00:00.000Z", id="days"),
        pytest.param("90 MIN", "2026-03-31T10:30:00.000Z", "2026-03-31T10:30:00.000Z", id="min"),
    ],
)
def test_times(text: str, first: str, last: str) -> None:
    assert utc_text(read_time(text, now=NOW)) == first
    assert utc_text(read_time(text, end=True, now=NOW)) == last


def test_an_age_counts_from_the_present() -> None:
    before = datetime.now(UTC)
    assert before <= read_time("2h") + timedelta(hours=2) <= datetime.now(UTC)


@pytest.mark.parametrize(
    "text",
    [
        *("", "yesterday", "2026-02-30", "2026-13", "0", "0001-01-01T00:00:00+23:00"),
        *("٢٠٢٦-03-04", "9999999999y", "-3d"),
    ],
)
def test_what_is_no_time_is_refused(text: str) -> None:
    for end in (False, True):
        with pytest.raises(InputError, match="is no time"):
            read_time(text, end=end)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("docs/a.md", "docs/a.txt", "docs/deep/setup.py", "setup.py", "docs-old/a.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path


@pytest.mark.parametrize(
    "sources, path, found",
    [
        pytest.param([], "docs", ["docs/a.md", "docs/a.txt", "docs/deep/setup.py"], id="path"),
        pytest.param(["file"], "docs/a.md", ["docs/a.md"], id="one file"),
        pytest.param([".md"], "docs", ["docs/a.md"], id="type below a folder, not its namesake"),
        pytest.param(["a.*"], "docs", ["docs/a.md", "docs/a.txt"], id="name pattern, at the top"),
        pytest.param(["setup.py"], "docs", ["docs/deep/setup.py"], id="name, deep"),
        pytest.param(["./docs", ".py"], ".", ["docs", "setup.py"], id="folder and type, all"),
        pytest.param(["./docs/deep", "./docs-old"], "docs", ["docs/deep/setup.py"], id="nested"),
        pytest.param(["./docs"], "docs/deep", ["docs/deep/setup.py"], id="inner path"),
        pytest.param(["docs/d*.py"], "docs", ["docs/deep/setup.py"], id="rooted pattern"),
        pytest.param(["*.md"], "docs/a.md", ["docs/a.md"], id="type and file"),
    ],
)
def test_both_must_hold(tree: Path, sources: list[str], path: str, found: list[str]) -> None:
    """Compared with plain path arithmetic over the files of the tree."""
    scope = below(parse_sources(sources, cwd=tree), path, cwd=tree)
    wanted = sorted(
        str(file)
        for file in tree.rglob("*")
        if file.is_file() and any(str(file).startswith(str(tree / name)) for name in found)
    )
    if sources == ["./docs", ".py"]:
        wanted = [file for file in wanted if "docs-old" not in file]
    assert _matching(tree, scope) == wanted


def _matching(tree: Path, scope: Scope) -> list[str]:
    """The files that SQLite finds in a scope, by the same rules as the storage."""
    storage = SqliteStorage.in_memory()
    try:
        return sorted(
            str(file)
            for file in tree.rglob("*")
            if file.is_file()
            and (
                any(file.is_relative_to(path) for path in scope.paths)
                or any(
                    storage.database.read(
                        "SELECT :path GLOB :glob", {"path": str(file), "glob": glob}
                    )[0][0]
                    for glob in scope.globs
                )
            )
        )
    finally:
        storage.close()


def test_a_path_needs_the_source_file(tree: Path) -> None:
    with pytest.raises(InputError, match="the sources are turn"):
        below(Scope(sources=("turn",)), "docs", cwd=tree)


def test_nothing_in_common_is_said(tree: Path) -> None:
    with pytest.raises(InputError, match="nothing lies both"):
        below(parse_sources(["./docs"], cwd=tree), "docs-old", cwd=tree)


def test_a_pattern_that_cannot_be_cut_is_said(tree: Path) -> None:
    with pytest.raises(InputError, match="cannot be cut"):
        below(parse_sources(["*/deep/*.py"], cwd=tree), "docs", cwd=tree)


@pytest.mark.parametrize("path", ["a\0b", "~nobody-of-that-name/x"])
def test_an_unusable_path_is_refused(tree: Path, path: str) -> None:
    with pytest.raises(InputError, match="cannot be used"):
        below(Scope(), path, cwd=tree)
