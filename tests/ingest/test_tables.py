"""Rows of tables: never torn, and found by the names of their columns."""

import csv
import io
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest import ChunkSettings, LoadedText, Piece, chunk, load_bytes
from ingest.loaders import Place
from tests.examples import examples


def cut(text: str, language: str = "csv", size: int = 200, **more: object) -> list[Piece]:
    loaded = LoadedText(text, "table", "utf-8", language, **more)  # type: ignore[arg-type]
    return chunk(loaded, ChunkSettings(size_chars=size, overlap_chars=0))


def test_every_piece_is_below_the_header():
    rows = [f"bolt {number},{number * 3},steel" for number in range(60)]
    pieces = cut("Part,Price,Material\n" + "\n".join(rows))
    assert len(pieces) > 5
    assert {piece.headings for piece in pieces} == {("Part | Price | Material",)}
    assert pieces[0].text.startswith("Part,Price,Material\nbolt 0,0,steel")
    assert pieces[0].text[pieces[0].body_offset :].startswith("bolt 0")
    assert [line for piece in pieces for line in piece.text.split("\n")][1:] == rows
    assert pieces[1].start_line == pieces[0].end_line + 1


def test_quoted_cells_with_line_ends_stay_whole():
    rows = [[f"part {number}", f'first "line"\nand, second {number}'] for number in range(40)]
    out = io.StringIO()
    csv.writer(out).writerows([["Part", "Note"], *rows])
    pieces = cut(out.getvalue())
    read = [row for piece in pieces for row in csv.reader(io.StringIO(piece.text))]
    assert read == [["Part", "Note"], *rows]


@pytest.mark.parametrize(
    "text, header",
    [
        ("a,b\n1,2\n", "a | b"),
        ("a;b,c;d\n1;2,5;3\n", "a | b,c | d"),
        ("a\tb\n1\t2\n", "a | b"),
        ("a|b\n1|2\n", "a | b"),
        ("sep=;\na;b\n1;2\n", "a | b"),
        ('"x, y",z\n1,2\n', "x, y | z"),
        ("\ufeffa,b\r\n1,2\r\n", "a | b"),
        ("Report of March\n\nPart,Price,Unit\nbolt,3,kg\nnut,2,kg\n", "Part | Price | Unit"),
        ("1,2\n3,4\n", None),
        ("2024-03-01,x\n2024-03-02,y\n", None),
        ("a,a\n1,2\n", None),
        ("a,b\n", None),
        ("only one column\nand more\n", None),
        ("", None),
    ],
)
def test_header_is_found(text, header):
    loaded = load_bytes(text.encode(), "t.csv")
    path = () if header is None else (header,)
    pieces = chunk(loaded) if isinstance(loaded, LoadedText) else []
    assert {piece.headings for piece in pieces} <= {path}


def test_long_header_is_shortened_between_names():
    names = [f"column number {number}" for number in range(100)]
    pieces = cut(",".join(names) + "\n" + "1," * 99 + "2\n", size=5_000)
    assert pieces[0].headings[0].startswith("column number 0 | column number 1")
    assert len(pieces[0].headings[0]) <= 300
    assert pieces[0].headings[0].rpartition(" | ")[2] in names


def test_sheets_are_apart():
    text = "Part\tPrice\nbolt\t3\n\nCity\tPeople\nRome\t2800000"
    places = (Place(0, "sheet Prices"), Place(text.index("City"), "sheet Cities"))
    pieces = cut(text, "sheet", places=places)
    assert [piece.headings for piece in pieces] == [
        ("sheet Prices", "Part | Price"),
        ("sheet Cities", "City | People"),
    ]


def test_row_longer_than_a_piece_is_cut_alone():
    pieces = cut("a,b\nx,y\n" + "word " * 200 + ",z\nlast,row\n", size=200)
    assert pieces[0].text == "a,b\nx,y"
    assert pieces[-1].text == "last,row"
    assert all(len(piece.text) <= 200 for piece in pieces)


@given(st.data())
@settings(max_examples=examples(60), deadline=None)
def test_rows_as_the_csv_module_reads_them(data):
    cell = st.text(alphabet='ab ",;\n', max_size=12).map(str.strip)
    rows = data.draw(st.lists(st.lists(cell, min_size=2, max_size=4), min_size=1, max_size=30))
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    pieces = cut(out.getvalue(), size=400)
    assert [row for piece in pieces for row in csv.reader(io.StringIO(piece.text))] == rows


def test_stray_quotes_cost_no_time_and_lose_nothing():
    """Thousands of quotes that open and never close; a quadratic search would take minutes."""
    random.seed(7)
    text = "".join(random.choice(['"', '",', '\n"', "x", ',"', "\n\n"]) for _ in range(200_000))
    pieces = cut(text, size=1_000)
    assert "".join("".join(p.text for p in pieces).split()) == "".join(text.split())
