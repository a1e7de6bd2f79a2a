"""PDF files, from their bytes to text with pages and headings."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from ingest import LoadedText, LoadLimits, Place, SkippedFile, chunk, load_bytes
from ingest.loaders.pdf.page_text import Hyphens, clean_page
from tests.ingest.pdfs import Bookmark, pdf

FIELDS = [
    ["1. Sowing", "Peas want cold soil."],
    ["They climb.", "1.1 A rather long title about", "beans and maize", "Beans want warm soil."],
    [],
    ["Harvest", "begins in July."],
]
OUTLINE = [
    Bookmark("Sowing", 1),
    Bookmark("A rather long title about beans  and maize", 2, 1),
    Bookmark("HARVEST", 4),
]


def loaded(data: bytes) -> LoadedText:
    found = load_bytes(data, "a.pdf")
    assert isinstance(found, LoadedText), found
    return found


def refused(data: bytes, **limits: int) -> tuple[str, str]:
    found = load_bytes(data, "a.pdf", limits=LoadLimits(**limits))
    assert isinstance(found, SkippedFile), found
    return found.reason, found.detail


def test_pages_are_places():
    found = loaded(pdf(FIELDS))
    assert found.text == (
        "1. Sowing\nPeas want cold soil.\n\n"
        "They climb.\n1.1 A rather long title about\nbeans and maize\nBeans want warm soil.\n\n"
        "Harvest\nbegins in July."
    )
    starts = [found.text.index(word) for word in ("1. Sowing", "They", "Harvest")]
    labels = ["page 1", "page 2", "page 4"]
    assert found.places == tuple(map(Place, starts, labels))
    assert (found.kind, found.encoding, found.language) == ("markdown", "utf-8", None)


def test_bookmarks_make_headings_of_the_lines_that_they_lead_to():
    found = loaded(pdf(FIELDS, bookmarks=OUTLINE))
    assert found.text == (
        "# 1. Sowing\n\nPeas want cold soil.\n\n"
        "They climb.\n\n## 1.1 A rather long title about beans and maize\n\n"
        "Beans want warm soil.\n\n"
        "# Harvest\n\nbegins in July."
    )
    pieces = {piece.place: piece.headings for piece in chunk(found)}
    assert pieces["page 4"] == ("Harvest",)


@pytest.mark.parametrize(
    "bookmark, text",
    [
        pytest.param(
            Bookmark("Other words", 1, line=2),
            "Water\nFire\n\n# Other words\n\nWater\nEarth",
            id="by-height",
        ),
        pytest.param(
            Bookmark("Other words", 1), "# Other words\n\nWater\nFire\nWater\nEarth", id="unknown"
        ),
        pytest.param(
            Bookmark("Water", 1, line=2), "Water\nFire\n\n# Water\n\nEarth", id="twice-by-height"
        ),
        pytest.param(Bookmark("Water", 1), "# Water\n\nFire\nWater\nEarth", id="twice"),
        pytest.param(Bookmark("***", 1), "# ***\n\nWater\nFire\nWater\nEarth", id="no-letters"),
        pytest.param(Bookmark(" ", 1), "Water\nFire\nWater\nEarth", id="no-title"),
        pytest.param(Bookmark("ire", 1), "# ire\n\nWater\nFire\nWater\nEarth", id="part-of-a-line"),
    ],
)
def test_a_bookmark_without_a_line_of_its_own_keeps_its_height(bookmark, text):
    assert loaded(pdf([["Water", "Fire", "Water", "Earth"]], bookmarks=[bookmark])).text == text


def test_the_title_is_the_heading_above_all_pages():
    found = loaded(pdf([["THE FIELDS", "of Anna"], *FIELDS], title=" The  Fields"))
    assert found.text.startswith("# THE FIELDS\n\nof Anna\n\n1. Sowing\nPeas")
    assert {piece.headings for piece in chunk(found)} == {("THE FIELDS",)}
    assert [piece.place for piece in chunk(found)] == ["page 1", "page 2", "page 3", "page 5"]
    outline = [Bookmark("Sowing", 2), Bookmark("Harvest", 5)]
    found = loaded(pdf([["THE FIELDS"], *FIELDS], bookmarks=outline, title="The Fields"))
    assert found.text.startswith("# THE FIELDS\n\n## 1. Sowing\n\nPeas")
    assert chunk(found)[-1].headings == ("THE FIELDS", "Harvest")


@pytest.mark.parametrize("title", ["fields.docx", "Sow", "", "climb"])
def test_a_title_that_is_not_on_the_first_page_is_none(title):
    assert loaded(pdf(FIELDS, title=title)).text == loaded(pdf(FIELDS)).text


def test_a_bookmark_that_is_the_title_is_one_heading():
    outline = [Bookmark("The Fields", 1), Bookmark("Sowing", 2, 1)]
    pages = [["The Fields"], *FIELDS]
    with_title = loaded(pdf(pages, bookmarks=outline, title="The fields"))
    assert with_title.text == loaded(pdf(pages, bookmarks=outline)).text


def test_two_bookmarks_of_one_title_find_both_lines():
    outline = [Bookmark("Water", 1), Bookmark("Water", 1, 1), Bookmark("Water", 1, 1)]
    found = loaded(pdf([["Water", "Fire", "Water", "Earth"]], bookmarks=outline))
    assert found.text == "# Water\n\nFire\n\n## Water\n\n## Water\n\nEarth"


def test_words_broken_at_line_ends_are_whole():
    page = ["The check-", "sum of the well-", "known file is wrong."]
    found = loaded(pdf([page, ["A well-known sum."]]))
    assert found.text == "The checksum of the well-known file is wrong.\n\nA well-known sum."


@pytest.mark.parametrize(
    "broken, others, whole",
    [
        ("check\x02sum", "", "checksum"),
        ("big\x02endian", "a big-endian word", "big-endian"),
        ("re\x02use", "Reuse it", "reuse"),
        ("Jean\x02Paul", "", "Jean-Paul"),
        ("4\x02bit", "", "4-bit"),
        ("utf\x028", "", "utf-8"),
        ("a\x02 b \x02", "", "a- b -"),
    ],
)
def test_the_text_decides_whether_a_hyphen_stays(broken, others, whole):
    assert Hyphens([broken, others]).resolved(broken) == whole


def test_a_page_is_cleaned():
    assert (
        clean_page("a\x10b \r\n e\ufb03cient\ufffely\uffff\t\r\nx\rz")
        == "a b\n efficient\x02ly\nx z"
    )


def test_lines_that_look_like_markup_are_none():
    page = ["# make install", "~~~", "---", "Title", "====", "plain"]
    found = loaded(pdf([page]))
    assert found.text == "\\# make install\n\\~~~\n\\---\nTitle\n\\====\nplain"
    assert {piece.headings for piece in chunk(found)} == {()}


@pytest.mark.parametrize(
    "data, reason, detail",
    [
        (pdf([["secret"]], password="open sesame"), "encrypted", "wants a password"),
        (pdf([[], []]), "empty", "no text in its 2 pages; it may be scanned"),
        (pdf([[]]), "empty", "no text in its one page; it may be scanned"),
        (b"%PDF-1.7 and no more", "broken", "no readable PDF"),
        (b"", "broken", "no readable PDF"),
        (b"plain words", "broken", "no readable PDF"),
    ],
)
def test_what_cannot_be_read_has_a_reason(data, reason, detail):
    assert refused(data) == (reason, detail)


def test_an_empty_password_opens():
    assert loaded(pdf([["not so secret"]], password="")).text == "not so secret"


def test_a_text_over_the_limit_is_not_read_to_its_end():
    data = pdf([["x" * 80]] * 50)
    assert refused(data, text_bytes=1000) == ("over-limit", "more than 1000 characters of text")


def test_a_damaged_page_does_not_lose_the_others():
    data = pdf([["first words"], ["second words"], ["third words"]])
    # The second page is gone; offsets stay.
    start = data.index(b"6 0 obj")
    damaged = data[:start] + data[start:].replace(b"/Type /Page ", b"/Type /Pane ", 1)
    kids = damaged.replace(b"6 0 R 8 0 R]", b"9 0 R 8 0 R]")
    found = loaded(kids)
    assert "first words" in found.text
    assert "third words" in found.text


def test_a_file_whose_pages_are_all_damaged_is_broken():
    data = pdf([["words"], ["more"]]).replace(b"[4 0 R 6 0 R]", b"[3 0 R 3 0 R]")
    assert refused(data) == ("broken", "a PDF without a readable page")


def test_damaged_files_never_raise():
    data = pdf(FIELDS, bookmarks=OUTLINE, title="Fields")
    chance = random.Random(7)
    outcomes = set()
    for _ in range(150):
        cut = bytearray(data[: chance.randrange(len(data))] if chance.random() < 0.3 else data)
        for _ in range(chance.randrange(12)):
            if cut:
                cut[chance.randrange(len(cut))] = chance.randrange(256)
        found = load_bytes(bytes(cut), "a.pdf")
        outcomes.add("text" if isinstance(found, LoadedText) else found.reason)
    assert {"text", "broken"} <= outcomes <= {"text", "broken", "empty", "encrypted"}


def test_several_threads_may_read_at_once():
    files = [pdf([[f"file {number} page {page}"] for page in range(20)]) for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        texts = [found.text for found in pool.map(loaded, files)]
    for number, text in enumerate(texts):
        assert text.startswith(f"file {number} page 0\n\n")
        assert text.endswith(f"file {number} page 19")
