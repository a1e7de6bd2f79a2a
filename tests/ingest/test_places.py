"""Names of places in a text, and finding a place by its name."""

import pytest

from ingest import ChunkSettings, LoadedText, Place, chunk, layout_of, reloaded
from ingest.loaders import places_of
from ingest.loaders.places import label_between, span_of

PAGES = [Place(0, "page 1"), Place(10, "page 2"), Place(20, "page 4")]
SHEETS = [Place(5, "sheet Costs"), Place(9, "sheet Costs to date"), Place(12, "sheet Prices")]


@pytest.mark.parametrize(
    "places, start, end, label",
    [
        (PAGES, 0, 10, "page 1"),
        (PAGES, 9, 11, "pages 1-2"),
        (PAGES, 12, 99, "pages 2-4"),
        (PAGES, 20, 21, "page 4"),
        (PAGES, 20, 20, "page 4"),
        (SHEETS, 0, 6, None),
        (SHEETS, 5, 9, "sheet Costs"),
        (SHEETS, 6, 20, "sheet Costs to sheet Prices"),
        ([Place(0, "slide 1"), Place(4, "notes")], 0, 9, "slide 1 to notes"),
        ([Place(0, "cell 1"), Place(4, "cell 1")], 0, 9, "cell 1"),
    ],
)
def test_a_part_is_named_by_where_it_begins_and_ends(places, start, end, label):
    assert label_between(places, start, end) == label


@pytest.mark.parametrize(
    "places, label, span",
    [
        (PAGES, "page 1", (0, 10)),
        (PAGES, "page 4", (20, 30)),
        (PAGES, "pages 1-2", (0, 20)),
        (PAGES, "pages 2-4", (10, 30)),
        (PAGES, "page 3", None),
        (PAGES, "pages 1-3", None),
        (PAGES, "pages", None),
        (SHEETS, "sheet Costs to date", (9, 12)),
        (SHEETS, "sheet Costs to sheet Prices", (5, 30)),
        (SHEETS, "sheet Costs to date to sheet Prices", (9, 30)),
        ([], "page 1", None),
    ],
)
def test_a_name_finds_its_part(places, label, span):
    assert span_of(places, label, 30) == span


def test_chunks_know_what_they_are_of():
    text = "\n\n".join(f"{word} " * 30 for word in ("one", "two", "three", "four"))
    starts = [0, text.index("two"), text.index("three")]
    places = tuple(Place(at, f"page {number}") for number, at in enumerate(starts, start=1))
    loaded = LoadedText(text, "markdown", "utf-8", places=places)
    pieces = chunk(loaded, ChunkSettings(200, 0))
    assert [piece.place for piece in pieces] == ["page 1", "page 2", "page 3", "page 3"]
    whole = chunk(loaded, ChunkSettings(2000, 0))
    assert [piece.place for piece in whole] == ["page 1", "page 2", "page 3"]


def labelled(
    unit: str, parts: list[str], size_chars: int, overlap_chars: int = 0
) -> list[tuple[str | None, str]]:
    """The places and texts of the pieces of parts that are each a `unit`."""
    text = "\n\n".join(parts)
    places = tuple(
        Place(text.index(part), f"{unit} {number}") for number, part in enumerate(parts, start=1)
    )
    loaded = LoadedText(text, "markdown", "utf-8", places=places)
    settings = ChunkSettings(size_chars, overlap_chars)
    return [(piece.place, piece.text) for piece in chunk(loaded, settings)]


@pytest.mark.parametrize("unit", ["page", "slide", "message", "mail.eml, page"])
def test_a_small_page_is_a_piece(unit):
    parts = ["# Title\n\nfirst", "second", "# Other\n\n## Deeper\n\nthird", "fourth"]
    assert labelled(unit, parts, 1000) == [
        (f"{unit} {number}", part) for number, part in enumerate(parts, start=1)
    ]


def test_cells_are_joined():
    assert labelled("cell", ["first", "second"], 1000) == [("cells 1-2", "first\n\nsecond")]


def test_a_title_page_goes_with_the_text_below():
    pieces = labelled("page", ["# Part one", "## Chapter one\n\nIt rained."], 1000)
    assert pieces == [("pages 1-2", "# Part one\n\n## Chapter one\n\nIt rained.")]


def test_full_pages_are_cut_like_one_text():
    lines = [f"Line {number:03d} of a text that runs on." for number in range(40)]
    pages = ["\n".join(lines[:17]), "\n".join(lines[17:34]), "\n".join(lines[34:])]
    places = [place for place, _ in labelled("page", pages, 400, 80)]
    assert places == ["page 1", "page 1", "pages 1-2", "page 2", "page 3"]
    apart = [place for place, _ in labelled("slide", pages, 400, 80)]
    assert apart == ["slide 1", "slide 1", "slide 2", "slide 2", "slide 3"]


@pytest.mark.parametrize(
    "loaded, name",
    [
        (LoadedText("x", "markdown", "utf-8", places=(Place(0, "Seite 1 “ü”"),)), "a.pdf"),
        (LoadedText("x", "table", "utf-8", "tsv"), "a.pdf"),
        (LoadedText("x", "markdown", "utf-8"), "a.txt"),
    ],
)
def test_a_text_is_loaded_again_from_its_layout(loaded, name):
    layout = layout_of(loaded, name)
    assert reloaded("x", name, layout) == loaded
    assert tuple(places_of(layout)) == loaded.places


def test_what_the_name_tells_needs_no_layout():
    assert layout_of(LoadedText("x", "code", "utf-8", "python"), "a.py") == ""
    assert layout_of(LoadedText("x", "markdown", "utf-8"), "a.pdf") == ""
    assert places_of("") == []
