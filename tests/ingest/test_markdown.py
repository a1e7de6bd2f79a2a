"""Chunking of Markdown: by its headings, and around unsplit blocks."""

import itertools

import pytest

from ingest import ChunkSettings, LoadedText, Piece, chunk

_FILL = "Some words that fill the section until it stands alone. " * 6


def cut(text: str, size: int = 1000, overlap: int = 0) -> list[Piece]:
    return chunk(LoadedText(text, "markdown", "utf-8"), ChunkSettings(size, overlap))


def paths(text: str) -> list[tuple[str, ...]]:
    """The heading path of each section, every `§` standing for a text of some length."""
    return [piece.headings for piece in cut(text.replace("§", _FILL))]


@pytest.mark.parametrize(
    "text, expected",
    [
        pytest.param(
            "# A\n§\n## B\n§\n### C\n§\n## D\n§\n# E\n§",
            [("A",), ("A", "B"), ("A", "B", "C"), ("A", "D"), ("E",)],
            id="nesting",
        ),
        pytest.param(
            "### A\n§\n# B\n§\n### C\n§\n## D\n§",
            [("A",), ("B",), ("B", "C"), ("B", "D")],
            id="levels-left-out",
        ),
        pytest.param("A\n=\n§\n\nB\n---\n§", [("A",), ("A", "B")], id="setext"),
        pytest.param("# A\n## B\n### C\n§", [("A", "B", "C")], id="heading-below-heading"),
        pytest.param("# A\r\n§\r\n\r\nB\r\n---\r\n§", [("A",), ("A", "B")], id="crlf"),
        pytest.param(
            "   # A #\n§\n## B ##  \n§\n## C#\n§",
            [("A",), ("A", "B"), ("A", "C#")],
            id="closing-hashes",
        ),
        pytest.param("#A\n    # B\n\\# C\n####### D\n§", [()], id="no-headings"),
        pytest.param("# \n§", [()], id="no-title"),
        pytest.param("§\n# A\n§", [("A",), ("A",)], id="text-before-the-title"),
        pytest.param("§\n## A\n§", [(), ("A",)], id="text-before-a-section"),
        pytest.param("# A\n§\n```sh\n# no\n```\n## B\n§", [("A",), ("A", "B")], id="fence"),
        pytest.param(
            "# A\n§\n````\n```\n# no\n````\n## B\n§", [("A",), ("A", "B")], id="longer-fence"
        ),
        pytest.param(
            "# A\n§\n~~~\n```\n# no\n~~~\n## B\n§", [("A",), ("A", "B")], id="other-fence"
        ),
        pytest.param(
            "# A\n§\n```\n# no\n``` x\n# no\n```\n## B\n§",
            [("A",), ("A", "B")],
            id="closing-fence-says-nothing",
        ),
        pytest.param(
            "# A\n§\n- x\n\n    ```\n# no\n    ```\n## B\n§",
            [("A",), ("A", "B")],
            id="fence-in-a-list",
        ),
        pytest.param(
            "# A\n§\n\n    ```\n\n## B\n§", [("A",), ("A", "B")], id="fence-as-indented-code"
        ),
        pytest.param(
            "# A\n§\n```a`b```\n## B\n§", [("A",), ("A", "B")], id="code-span-is-no-fence"
        ),
        pytest.param("# A\n§\n```\n## B\n§", [("A",)], id="unclosed-fence"),
        pytest.param(
            "# A\n§\n\none\ntwo\n---\n## B\n§", [("A",), ("A", "B")], id="ruler-below-text"
        ),
        pytest.param("# A\n§\n\n---\n\n## B\n§", [("A",), ("A", "B")], id="ruler"),
        pytest.param(
            "# A\n§\n\n- x\n---\n> y\n---\n\n| z\n---\n## B\n§",
            [("A",), ("A", "B")],
            id="ruler-below-a-block",
        ),
        pytest.param("---\n§", [()], id="ruler-first"),
        pytest.param(
            "# A\n---\n§\n```\nx\n```\nB\n---\n§", [("A",), ("A", "B")], id="setext-after-blocks"
        ),
        pytest.param("# A\n§\n```\nx\n---\n```\n---\n§", [("A",)], id="ruler-after-a-fence"),
        pytest.param(
            "---\ntitle: T\n---\n## A\n§\n## B\n§", [("T", "A"), ("T", "B")], id="front-title"
        ),
        pytest.param("---\ntitle: 'T: x'\n...\n§", [("T: x",)], id="front-title-only"),
        pytest.param("---\ntitle: T\n---\n# A\n§", [("A",)], id="title-over-front-title"),
        pytest.param(
            "---\ntitle:\n# no\ntags: [a]\n---\n## A\n§", [("A",)], id="front-without-title"
        ),
        pytest.param("---\n# A\n§\n\n---\n## B\n§", [("A",), ("A", "B")], id="ruler-is-no-front"),
        pytest.param("---\r\ntitle: T\r\n---\r\n## A\r\n§", [("T", "A")], id="front-crlf"),
        pytest.param("---\n## A\n§", [("A",)], id="unclosed-front"),
        pytest.param("# " + "x" * 500 + "\n§", [()], id="line-too-long-for-a-title"),
        pytest.param("x" * 600 + "\n===\n§", [()], id="line-too-long-for-setext"),
    ],
)
def test_heading_paths(text, expected):
    assert paths(text) == expected


@pytest.mark.parametrize(
    "line, title",
    [
        ("Plain words", "Plain words"),
        ("*em* and **strong** and ***both***", "em and strong and both"),
        ("_em_ and __init__ and snake_case_name", "em and init and snake_case_name"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("The `--flag` option", "The --flag option"),
        ("[link](http://x.y 'tip') and [ref][1]", "link and ref"),
        ("![logo](a.png) Name", "logo Name"),
        ("[![badge](b.svg)](http://x) Name", "badge Name"),
        ('<a name="x"></a>Title', "Title"),
        ("Title {#anchor .cls}", "Title"),
        ("~~old~~ new", "old new"),
        ("R&amp;D &lt;3", "R&D <3"),
        (r"1\. \*not em\*", "1. *not em*"),
        ("List[int] and a < b", "List[int] and a < b"),
    ],
)
def test_titles_lose_their_markup(line, title):
    assert cut(f"# {line}\n\ntext")[0].headings == (title,)


def test_body_starts_behind_the_headings_the_path_has():
    (piece,) = cut("\n# A\n\n## B\n\n\n    code\n")
    assert (piece.start_char, piece.headings) == (1, ("A", "B"))
    assert piece.text[piece.body_offset :] == "    code"


def test_piece_of_nothing_but_a_heading_is_its_own_body():
    (piece,) = cut("# Only\n")
    assert (piece.headings, piece.body_offset, piece.text) == (("Only",), 0, "# Only")


def test_small_siblings_are_joined_below_their_parent():
    (piece,) = cut("# A\n\n## B\n\nfirst\n\n## C\n\nsecond\n")
    assert piece.headings == ("A",)
    assert piece.text[piece.body_offset :] == "## B\n\nfirst\n\n## C\n\nsecond"
    assert (piece.start_line, piece.end_line) == (1, 9)


def test_small_sections_of_different_parents_stay_apart():
    text = "# A\n\none\n\n## A1\n\ntwo\n\n# B\n\nthree\n\n## B1\n\nfour\n"
    assert [piece.headings for piece in cut(text)] == [("A",), ("B",)]


def test_small_front_matter_joins_what_it_belongs_to():
    (piece,) = cut("---\ntags: [a]\n---\n# A\n\ntext\n")
    assert piece.headings == ("A",)
    assert piece.body_offset == 0
    assert piece.text.startswith("---\ntags")


def test_long_section_keeps_its_path_and_overlaps_by_sentences():
    sentences = [f"This is sentence number {n} of the text." for n in range(60)]
    pieces = cut("# A\n\n" + " ".join(sentences), size=400, overlap=100)
    assert len(pieces) > 5
    assert {piece.headings for piece in pieces} == {("A",)}
    assert [piece.body_offset > 0 for piece in pieces] == [True] + [False] * (len(pieces) - 1)
    for one, two in itertools.pairwise(pieces):
        assert two.text.startswith("This is")
        assert one.text.endswith(".")
        assert 0 < one.end_char - two.start_char <= 100


def test_sentences_end_in_other_scripts_but_not_in_abbreviations():
    pieces = cut("漢字仮名交じり文。" * 30, size=50)
    assert all(piece.text.endswith("。") for piece in pieces)
    pieces = cut("It was seen by e.g. this one and that one. " * 20, size=100)
    assert all(piece.text.endswith("that one.") for piece in pieces)


@pytest.mark.parametrize("words", range(1, 60, 3))
def test_fence_that_fits_is_never_torn(words):
    fence = "```python\n" + "\n\n".join(f"# step {n}\nrun({n})" for n in range(20)) + "\n```"
    assert len(fence) < 500
    text = "# A\n\n" + "Before it. " * words + f"\n\n{fence}\n\n" + "After it. " * 60
    assert any(fence in piece.text for piece in cut(text, size=500, overlap=100))


def test_fence_that_does_not_fit_is_cut_between_lines():
    lines = [f"    call_number({n})" for n in range(100)]
    pieces = cut("# A\n\n```\n" + "\n".join(lines) + "\n```\n\nEnd.", size=300, overlap=60)
    for piece in pieces[1:]:
        assert set(piece.text.split("\n")) <= {*lines, "```", "", "End."}


@pytest.mark.parametrize("words", range(1, 40, 3))
def test_list_item_moves_as_a_whole_when_it_fits(words):
    begin, rest = "- item {n} begins", "\n\n  " + "and goes on " * 10
    items = [(begin.format(n=n) + rest * 2).strip() for n in range(9)]
    pieces = cut("Intro. " * words + "\n\n" + "\n".join(items), size=330)
    assert all(any(item in piece.text for piece in pieces) for item in items)


def test_list_item_longer_than_a_piece_is_cut_at_its_paragraphs():
    paragraph = "  " + "and goes on " * 15
    pieces = cut("- item begins\n\n" + f"\n\n{paragraph}".join([""] * 8), size=500)
    assert all(piece.text.endswith("goes on") for piece in pieces)


def test_table_is_cut_between_rows():
    rows = [f"| row {n} | It is. A cell with sentences. See. |" for n in range(40)]
    pieces = cut("\n".join(["| a | b |", "|---|---|", *rows]), size=300, overlap=50)
    assert all(line.startswith("|") for piece in pieces for line in piece.text.split("\n"))
    assert all(line.endswith("|") for piece in pieces for line in piece.text.split("\n"))


def test_heading_stays_with_the_first_words_below_it():
    for size in range(15, 60):
        first = cut("# A title\n\n" + "word " * 30, size=size)[0]
        assert "word" in first.text
        assert first.text[first.body_offset :].startswith("word")


def test_last_two_pieces_are_even():
    pieces = cut("One two three four five. " * 44, size=1000)
    assert [len(piece.text) > 300 for piece in pieces] == [True, True]
