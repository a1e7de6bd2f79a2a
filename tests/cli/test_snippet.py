"""The lines that a hit is shown with, and the words marked in them."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.output import width
from cli.searching.snippet import LINES, Highlighter, Snippet, wrapped
from search import analyse


def marked(query: str, text: str) -> str:
    return Highlighter(analyse(query)).marked(text, lambda word: f"[{word}]")


@pytest.mark.parametrize(
    "query, text, expected",
    [
        pytest.param("install", "Installing the installer", "[Installing] the [installer]", id="s"),
        pytest.param("installation", "They installed it", "They [installed] it", id="ending cut"),
        pytest.param("queries", "one query", "one [query]", id="ies"),
        pytest.param("configure", "configuration", "[configuration]", id="ation"),
        pytest.param("test", "testament", "testament", id="another word"),
        pytest.param("cat", "cats concatenate", "[cats] concatenate", id="not inside a word"),
        pytest.param("the cat", "the cat", "the [cat]", id="stop words stay plain"),
        pytest.param("get_user", "call get_user now", "call [get]_[user] now", id="snake"),
        pytest.param("getUserById", "GETUSERBYID(1)", "[GETUSERBYID](1)", id="caseless"),
        pytest.param("inst*", "instance, install", "[instance], [install]", id="prefix"),
        pytest.param("cafe", "Café cafe\u0301", "[Café] [cafe\u0301]", id="accents"),
        pytest.param("数据库", "数据库连接和数据", "[数据库]连接和[数据]", id="pairs"),
        pytest.param("水", "山水画", "山[水]画", id="one character"),
        pytest.param("книга", "много книгами", "много книгами", id="six letters differ"),
        pytest.param("сообщение", "сообщения тут", "[сообщения] тут", id="six letters agree"),
        pytest.param("cat -dog", "cat and dog", "[cat] and dog", id="left out"),
        pytest.param("zebra", "\x1b[1mzebra\nx", "\\x1b[1mzebra\\nx", id="glued to an escape"),
        pytest.param("", "nothing asked", "nothing asked", id="empty"),
    ],
)
def test_words_of_the_query_are_marked(query: str, text: str, expected: str) -> None:
    assert marked(query, text) == expected


@pytest.mark.parametrize(
    "query, text, expected",
    [
        pytest.param("Häusern", "Haus, Häuser, HÄUSER", "Haus, [Häuser], [HÄUSER]", id="plural"),
        pytest.param("haeuser", "die Häuser", "die [Häuser]", id="digraph"),
        pytest.param("strassen", "Straße", "[Straße]", id="letters"),
        pytest.param("lodz", "w Łodzi, Łódź", "w Łodzi, [Łódź]", id="too short for a stem"),
        pytest.param("the settings", "die Settingliste", "die Settingliste", id="English query"),
    ],
)
def test_forms_of_other_languages_are_marked(query: str, text: str, expected: str) -> None:
    highlighter = Highlighter(analyse(query), inflected=True)
    assert highlighter.marked(text, lambda word: f"[{word}]") == expected


def lines(
    query: str, text: str, *, heading: str = "", columns: int | None = 80, most: int = LINES
) -> list[str]:
    highlighter = Highlighter(analyse(query))
    return Snippet(text, heading, highlighter=highlighter, columns=columns).lines(most)


TEXT = "\n".join(
    ["# Guide", "", "alpha line", "beta line", "", "gamma line", "delta line", "cat and dog", "end"]
)


@pytest.mark.parametrize(
    "query, expected",
    [
        pytest.param("zebra", ["alpha line", "beta line", "gamma line"], id="no word: the first"),
        pytest.param("beta", ["alpha line", "beta line", "gamma line"], id="in the middle"),
        pytest.param("cat", ["delta line", "cat and dog", "end"], id="further down"),
        pytest.param("alpha cat dog", ["delta line", "cat and dog", "end"], id="most words"),
        pytest.param("alpha", ["alpha line", "beta line", "gamma line"], id="at the top"),
        pytest.param("end", ["delta line", "cat and dog", "end"], id="at the end"),
    ],
)
def test_the_lines_with_most_of_the_query_are_shown(query: str, expected: list[str]) -> None:
    assert lines(query, TEXT, heading="Guide") == expected


def test_headings_that_are_shown_already_are_left_out() -> None:
    text = "# Manual\n\n## Pump\n\nIt hums."
    assert lines("pump", text, heading="Manual > Pump") == ["It hums."]
    assert lines("pump", text, heading="Other") == ["# Manual", "## Pump", "It hums."]
    assert lines("pump", "# Pump", heading="Pump") == ["# Pump"]
    assert lines("get", "## `GET /x_y`\n\n*It* gets.", heading="GET /x_y") == ["*It* gets."]
    assert lines("pump", "  \n ") == []


def test_code_keeps_its_shape() -> None:
    code = "    def f():\n\treturn {\n            1: 2\n    }"
    assert lines("return", code) == ["def f():", "return {", "        1: 2"]
    assert lines("x", "      x = 1  # long", columns=14) == ["x = 1  #", "long"]


def test_a_long_line_is_shown_where_the_words_are() -> None:
    text = "filler " * 500 + "the needle is here " + "filler " * 500
    shown = lines("needle", text, columns=40)
    assert len(shown) == LINES
    assert any("needle" in line for line in shown)
    assert all(width(line) <= 40 for line in shown)


def test_wide_characters_take_two_columns() -> None:
    assert wrapped("数据库连接失败", 6) == ["数据库", "连接失", "败"]
    assert wrapped("ab数据", 5) == ["ab数", "据"]
    assert wrapped("数", 1) == ["数"]


@pytest.mark.parametrize(
    "line, rows",
    [
        ("", []),
        ("   ", []),
        ("one two three", ["one two", "three"]),
        ("one two3 four", ["one two3", "four"]),
        ("abcdefghijkl", ["abcdefgh", "ijkl"]),
        ("  indented text", ["  indent", "  ed", "  text"]),
        ("      " + "x" * 9, ["    xxxx", "    xxxx", "    x"]),
    ],
    ids=str,
)
def test_rows_are_parted_at_spaces(line: str, rows: list[str]) -> None:
    assert wrapped(line, 8) == rows


@given(st.text(), st.integers(2, 30))
def test_no_text_is_lost_or_too_wide(text: str, columns: int) -> None:
    line = "".join(text.split("\n"))
    rows = wrapped(line, columns)
    assert "".join("".join(rows).split()) == "".join(line.split())
    assert all(width(row) <= columns for row in rows)


@given(st.text(), st.text())
def test_marking_changes_nothing_else(query: str, text: str) -> None:
    highlighter = Highlighter(analyse(query))
    spans = highlighter.spans(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before[1] < after[0] for before, after in pairwise(spans))
    plain = Highlighter(analyse("")).marked(text, str)
    assert highlighter.marked(text, str) == plain


TABLE = "Text above.\n\n| Name | Age |\n|---|---:|\n| Ana | 3 |\n| Bo | 4 |\n| Cy | 5 |\n\nEnd."


def test_a_row_of_a_table_is_shown_with_its_header() -> None:
    assert lines("cy", TABLE, most=2) == ["| Name | Age |", "| Cy | 5 |"]
    assert lines("cy", TABLE) == ["| Name | Age |", "| Bo | 4 |", "| Cy | 5 |"]
    assert lines("ana", TABLE) == ["| Name | Age |", "|---|---:|", "| Ana | 3 |"]
    assert lines("cy", TABLE, most=1) == ["| Cy | 5 |"]
    assert lines("cy", TABLE.replace("---", "x"), most=1) == ["| Cy | 5 |"]
    assert lines("bo", TABLE.replace("|---|---:|\n", ""), most=1) == ["| Bo | 4 |"]


def test_without_a_terminal_lines_are_whole() -> None:
    text = f"{'filler ' * 14}the needle\n{'filler ' * 9}\nlast"
    first, second, last = text.split("\n")
    assert lines("needle", text, columns=None, most=4) == [first, second.strip(), last]


def test_the_nearest_sentence_is_in_the_middle() -> None:
    told: list[Sequence[str]] = []

    def nearest(sentences: Sequence[str]) -> int:
        told.append(sentences)
        return 3

    text = "One. Two is here!\n\n  Three 3.5\nFour. Five.\nSix\nSeven"
    for query in ("zebra", "six"):
        highlighter = Highlighter(analyse(query))
        shown = Snippet(text, "", highlighter=highlighter, columns=80, nearest=nearest).lines(3)
        assert shown[1] == ("Four. Five." if query == "zebra" else "Six")
    assert told == [["One.", "Two is here!", "Three 3.5", "Four.", "Five.", "Six", "Seven"]]
