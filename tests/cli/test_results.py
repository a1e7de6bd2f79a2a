"""The results of `mem search`: what a terminal has room for, and other forms."""

import csv
import io
import re
from pathlib import Path

import click
import pytest

from tests.cli.shell import Mem, at_a_terminal


@pytest.fixture
def badgers(mem: Mem, folder: Path) -> Mem:
    """Seven files with ten lines each, one of them about badgers in burrow N."""
    for number in range(7):
        lines = [f"{number} line {line} of hay" for line in range(10)]
        lines[6] = f"a badger sleeps in burrow {number}"
        (folder / "docs" / f"b{number}.txt").write_text("\n".join(lines) + "\n")
    mem("sync", "docs")
    return mem


def on_screen(
    *arguments: str, rows: int, monkeypatch: pytest.MonkeyPatch, columns: int = 80
) -> list[str]:
    size = (rows, columns)
    out = at_a_terminal(*arguments, monkeypatch=monkeypatch, stream="stdout", size=size)
    plain = re.sub("\x1b]8;;[^\x1b]*\x1b\\\\", "", out.replace("\r\n", "\n"))
    return click.unstyle(plain).splitlines()


def test_a_terminal_gets_five_results_and_as_many_lines_as_fit(
    badgers: Mem, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    query = ("search", "badger", "--mode", "keyword", "--fold", "none")
    tall = on_screen(*query, rows=60, monkeypatch=monkeypatch)
    assert sum(line.startswith((" 1. ", " 5. ", " 6. ")) for line in tall) == 2
    assert len(tall) == 5 * (1 + 8) + 4
    assert "badger" in tall[5]  # in the middle of its lines
    for rows in (40, 30, 20, 17):
        lines = on_screen(*query, rows=rows, monkeypatch=monkeypatch)
        assert rows - 3 - 5 < len(lines) <= rows - 3
        assert sum("badger" in line for line in lines) == 5
    capsys.readouterr()
    low = on_screen(*query, rows=8, monkeypatch=monkeypatch)
    assert len(low) == 5
    assert low[1] == "    a badger sleeps in burrow 0"
    assert "; 3 more: -k 5" in capsys.readouterr().err
    assert len(on_screen(*query, rows=2, monkeypatch=monkeypatch)) == 2
    assert len(on_screen(*query, "-k", "7", rows=8, monkeypatch=monkeypatch)) == 7 * 4 + 6
    assert len(badgers(*query).out.splitlines()) == 7 * 4 + 6


def test_lines_that_a_narrow_terminal_breaks_count(
    mem: Mem, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        name = f"a very long name of a text about badgers {number}.txt"
        (folder / "docs" / name).write_text(f"a badger sleeps in burrow {number}\n" * 9)
    mem("sync", "docs")
    query = ("search", "badger", "--mode", "keyword", "--fold", "none")
    for rows in (40, 20, 12):
        lines = on_screen(*query, rows=rows, columns=40, monkeypatch=monkeypatch)
        taken = sum(1 + (len(line) - 1) // 40 for line in lines if line) + lines.count("")
        assert rows - 8 < taken <= rows - 3


def test_a_pipe_gets_lines_as_they_are(mem: Mem, folder: Path) -> None:
    long = "hay " * 40 + "needle " + "straw " * 40
    (folder / "docs" / "long.md").write_text(f"# Title\n\n{long.strip()}\n")
    mem("sync", "docs")
    (_, _, line) = mem("search", "needle", "--mode", "keyword").out.splitlines()
    assert " hay needle straw " in line
    assert len(line) > 200
    whole = mem("search", "needle", "--mode", "keyword", "--full").out.splitlines()
    assert whole[-1] == f"    {long.strip()}"


def test_results_as_files(badgers: Mem) -> None:
    answer = badgers("search", "badger burrow", "--files", "--all-chunks", "--fold", "none")
    assert sorted(answer.out.splitlines()) == [f"docs/b{number}.txt" for number in range(7)]
    badgers("ingest", "--text", "A badger text.")
    text = badgers("search", "badger text", "--files", "--source", "text").out
    assert text.startswith("text ")
    nothing = badgers("search", "badger", "--files", "--path", "nowhere")
    assert (nothing.code, nothing.out) == (0, "")


def test_results_as_csv_that_no_spreadsheet_runs(mem: Mem, folder: Path) -> None:
    (folder / "docs" / "f.txt").write_text('=HYPERLINK("http://x","badger"), "quoted"\n')
    (folder / "docs" / "g.md").write_text("# +1 badger\n\nplain badger\n")
    mem("sync", "docs")
    out = mem("search", "badger", "--csv", "--mode", "keyword").out
    rows = {Path(row["path"]).name: row for row in csv.DictReader(io.StringIO(out))}
    assert rows["f.txt"]["text"].startswith("'=HYPERLINK")
    assert rows["g.md"]["heading"] == "'+1 badger"
    assert (rows["g.md"]["start_line"], rows["g.md"]["citation"]) == ("1", "docs/g.md:1-3")
    assert {row["confidence"] for row in rows.values()} <= {"strong", "fair", "weak"}
    header = mem("search", "badger", "--csv", "--path", "nowhere").out
    assert header.startswith("rank,score,confidence,citation,")
    assert header.count("\n") == 1


def test_results_as_markdown(mem: Mem, folder: Path) -> None:
    (folder / "docs" / "a [b] #c.md").write_text("# On *badgers*\n\nA badger\n")
    mem("sync", "docs")
    assert mem("search", "badger", "--md").out == (
        "1. [docs/a \\[b\\] \\#c.md:1-3](docs/a%20%5Bb%5D%20%23c.md#L1) (strong) On badgers\n\n"
        "   > # On *badgers*\n   >\n   > A badger\n"
    )


def test_only_a_line_break_ends_a_line(mem: Mem, folder: Path) -> None:
    (folder / "docs" / "rfc.txt").write_text("of one\n\fpage two\u2028here\nMUST-05 is sent\n")
    mem("sync", "docs")
    out = mem("search", "MUST-05", "--context", "0", "-k", "1").out
    assert out.splitlines()[1:] == ["    MUST-05 is sent"]


def test_lines_of_the_file_around_the_best_line(badgers: Mem) -> None:
    out = badgers("search", "burrow", "3", "badger", "--context", "1", "-k", "1").out
    assert out.splitlines()[1:] == [
        "    3 line 5 of hay",
        "    a badger sleeps in burrow 3",
        "    3 line 7 of hay",
    ]
    assert len(badgers("search", "burrow 3", "--context", "99", "-k", "1").out.splitlines()) == 11
    refused = badgers("search", "burrow", "--context", "1", "--json")
    assert refused.code == 2
    assert "--json cannot be combined with" in refused.err


def test_a_citation_at_a_terminal_is_a_link(
    mem: Mem, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "docs" / "ü #1\x1b.md").write_text("# A\n\n" + "hay\n" * 400 + "\n# B\n\na badger\n")
    mem("sync", "docs")
    monkeypatch.setenv("TERM", "xterm")
    asked = {"monkeypatch": monkeypatch, "stream": "stdout"}
    out = at_a_terminal("search", "badger", "--mode", "keyword", **asked)
    address = f"file://{folder}/docs/%C3%BC%20%231%1B.md#404"
    assert f"\x1b]8;;{address}\x1b\\" in out
    assert "docs/ü #1\\x1b.md:404-406" in out
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b]8;;" not in at_a_terminal("search", "badger", **asked)
    assert "\x1b" not in mem("search", "badger").out


def test_a_link_names_the_line_of_the_file(
    mem: Mem, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "<p>hay</p>\n" * 40 + "<p>a badger</p>\n"
    (folder / "docs" / "zoo.html").write_text(f"<html><body>\n{text}</body></html>\n")
    mem("sync", "docs")
    monkeypatch.setenv("TERM", "xterm")
    asked = {"monkeypatch": monkeypatch, "stream": "stdout"}
    out = at_a_terminal("search", "badger", "--mode", "keyword", **asked)
    named = re.search(r"zoo\.html#(\d+)\x1b", out)
    assert named
    assert f"source lines {named[1]}-" in out


def test_the_nearest_sentence_is_shown_where_no_word_matches(mem: Mem, folder: Path) -> None:
    hay = [f"The {word} was painted green last year." for word in ("gate", "shed", "door", "fence")]
    lines = [*hay, *hay, "Our automobile needs fresh petrol soon.", *hay]
    (folder / "docs" / "house.txt").write_text("\n".join(lines) + "\n")
    mem("sync", "docs")
    asked = ("search", "fuel for the car", "--mode", "vector", "--min-score", "0", "-k", "9")
    blocks = mem(*asked).out.split("\n\n")
    (house,) = (block for block in blocks if "house.txt" in block)
    assert house.splitlines()[2] == "    Our automobile needs fresh petrol soon."
