"""Values as text and as JSON."""

import io
import json
import os
import pty
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cli.output import ago, counted, print_json, shown, shown_path, size, table, width
from memory.values.reports import FileProblem


@pytest.mark.parametrize(
    "text, safe",
    [
        ("plain, Größe, 数据, \N{FAMILY}", None),
        ("e\u0301 \u200d stays", None),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("two\nlines\ttab\r", "two\\nlines\\ttab\\r"),
        ("turn\u202eed", "turn\\u202eed"),
        ("broken\udcff", "broken\\udcff"),
        ("\x9b31m\x7f", "\\x9b31m\\x7f"),
        ("a\u2028b", "a\\u2028b"),
        ("hi\U000e0041", "hi\\U000e0041"),
    ],
)
def test_nothing_printed_commands_the_terminal(text: str, safe: str | None) -> None:
    assert shown(text) == (text if safe is None else safe)


@pytest.mark.parametrize(
    "path, printed",
    [("/a/b/c.md", "b/c.md"), ("/a", "/a"), ("/ab/c", "/ab/c"), ("/a/x\ny", "x\\ny")],
)
def test_paths_below_the_working_directory_are_short(path: str, printed: str) -> None:
    assert shown_path(path, Path("/a")) == printed


@pytest.mark.parametrize(
    "text, columns",
    [("", 0), ("abc", 3), ("数据", 4), ("e\u0301", 1), ("ﾊﾝ", 2), ("Ａ", 2), ("é", 1)],
)
def test_width(text: str, columns: int) -> None:
    assert width(text) == columns


def test_a_table_is_aligned_whatever_the_script() -> None:
    rows = [("数据", "1", "x"), ("abcdef", "1,000", ""), ("e\u0301", "20", "yz")]
    assert table(rows, right=frozenset({1})) == [
        "数据        1  x",
        "abcdef  1,000",
        "e\u0301          20  yz",
    ]
    assert table([]) == []


@pytest.mark.parametrize(
    "n_bytes, text",
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 kB"),
        (1_572_864, "1.5 MB"),
        (5 * 2**40, "5.0 TB"),
        (5 * 2**50, "5120.0 TB"),
    ],
)
def test_sizes(n_bytes: int, text: str) -> None:
    assert size(n_bytes) == text


@pytest.mark.parametrize(
    "then, text",
    [
        ("2026-03-04T12:29:50.500Z", "9 s ago"),
        ("2026-03-04T12:00:00.000Z", "30 min ago"),
        ("2026-03-03T13:00:00.000Z", "23 h ago"),
        ("2026-03-03T12:00:00.000Z", "1 day ago"),
        ("2025-03-04T12:30:00.000Z", "365 days ago"),
        ("2026-03-04T13:00:00.000Z", "0 s ago"),
    ],
)
def test_how_long_ago(then: str, text: str) -> None:
    assert ago(then, now=datetime(2026, 3, 4, 12, 30, tzinfo=UTC)) == text


def test_the_present_is_now() -> None:
    assert ago(datetime.now(UTC).isoformat()).endswith(" s ago")


def test_counts() -> None:
    assert counted(1, "file") == "1 file"
    assert counted(2000, "file") == "2,000 files"


@pytest.mark.parametrize("encoding, text", [("utf-8", "ö"), ("UTF8", "ö"), ("latin-1", "\\u00f6")])
def test_json_fits_the_encoding(encoding: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", out)
    print_json([FileProblem("ö", "failed", "x"), FileProblem("y", "skipped", "z")])
    out.flush()
    written = out.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]  # a BytesIO
    assert written.startswith(f'[{{"path": "{text}", ')
    assert json.loads(written)[1] == {"path": "y", "state": "skipped", "reason": "z"}


def test_json_commands_no_terminal_and_ends_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    text = "a\x9b31m\x7f \u202eb\u2066 \u2028\x85 \udcff ö"
    print_json({"text": text})
    written = capsys.readouterr().out
    assert len(written.splitlines()) == 1
    assert shown(written.strip()) == written.strip()
    assert "ö" in written
    assert json.loads(written) == {"text": text}


def test_json_is_spread_out_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        print_json({"a": 1})
    assert os.read(ours, 100).splitlines() == [b"{", b'  "a": 1', b"}"]
    os.close(ours)
