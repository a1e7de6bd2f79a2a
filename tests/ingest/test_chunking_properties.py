"""Properties of the pieces of every text, whatever its structure."""

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest import ChunkSettings, LoadedText, Piece, chunk, load_bytes
from tests.examples import examples

_WORDS = st.sampled_from(
    [
        "word",
        "Ein",
        "naïve",
        "a",
        "e.g.",
        "End.",
        "Why?",
        "漢字",
        "仮名。",
        "ไทย",
        "👩‍👩‍👧",
        "e\u0301",
        "x" * 40,
    ]
)
_LINES = st.one_of(
    st.lists(_WORDS, min_size=1, max_size=12).map(" ".join),
    st.lists(st.sampled_from(["漢", "字", "。", "，", "!", "？"]), min_size=1, max_size=60).map(
        "".join
    ),
    st.sampled_from(
        [
            "",
            "",
            "",
            "   ",
            "\t",
            "\u3000",
            "\x0c",
            "\x0b a \u2028 b",
            "old\rmac",
            "# One",
            "## Two ##",
            "### *Three* [x](y)",
            "#",
            "#no",
            "   # indented",
            "    # code",
            "Setext",
            "===",
            "---",
            "```",
            "```python",
            "````",
            "~~~",
            "    ```",
            "- item",
            "  continued",
            "  - nested",
            "1. first",
            "| a | b |",
            "|---|---|",
            "> quote",
            "title: front",
            "import os",
            "@decorated",
            "class Thing:",
            "    def method(self):",
            "    async def other(self):",
            "        '''doc",
            '"""',
            "def top():",
            "        return {",
            "}",
            "function go() {",
            "int main(void) {",
            "# comment",
            '{"key": [1, {"inner": 2},',
            "}]",
            "key: value",
            "  inner: |",
            "[table.name]",
            "\\section{One \\emph{two}}",
            "\\begin{table}",
            "\\end{table}",
            ".. note:: text",
            "literal::",
            "    indented",
            "* TODO Heading",
            "#+begin_src",
            "#+end_src",
            "== Section",
            "----",
            "00:00:01,000 --> 00:00:02,000",
            "    " * 30 + "deep",
        ]
    ),
)
_TEXTS = st.builds(
    lambda lines, ends, tail: "".join(
        line + ends[i % len(ends)] for i, line in enumerate(lines)
    ).removesuffix("" if tail else "\n"),
    st.lists(_LINES, max_size=60),
    st.sampled_from([["\n"], ["\r\n"], ["\n", "\r\n"], ["\n", "\n\n"]]),
    st.booleans(),
)
_LOADED = st.builds(
    lambda text, kind: LoadedText(text, kind[0], "utf-8", kind[1]),
    st.one_of(_TEXTS, st.text(max_size=400)),
    st.sampled_from(
        [
            ("markdown", None),
            ("text", None),
            ("text", "csv"),
            ("table", "csv"),
            ("table", "tsv"),
            ("table", "sheet"),
            ("code", "python"),
            ("code", "c"),
            ("code", "javascript"),
            ("data", "json"),
            ("data", "jsonl"),
            ("data", "toml"),
            ("data", "yaml"),
            ("subtitles", "subtitles"),
            ("rst", None),
            ("latex", None),
            ("org", None),
            ("asciidoc", None),
            ("code", None),
        ]
    ),
)
_SETTINGS = st.builds(
    lambda size, share, keep: ChunkSettings(size, int((size - 1) * share), preserve_structure=keep),
    st.one_of(st.integers(1, 8), st.integers(9, 400)),
    st.floats(0, 1),
    st.sampled_from([True, True, True, False]),
)


def hold_invariants(loaded: LoadedText, limits: ChunkSettings, pieces: list[Piece]) -> None:
    text = loaded.text
    covered = 0
    last_start = last_end = -1
    last_headings: tuple[str, ...] = ()
    for piece in pieces:
        assert piece.text == text[piece.start_char : piece.end_char]
        assert 0 < len(piece.text) <= limits.size_chars
        assert piece.start_line == 1 + text.count("\n", 0, piece.start_char)
        assert piece.end_line == 1 + text.count("\n", 0, piece.end_char)
        assert piece.text == piece.text.rstrip()
        assert piece.text.split("\n", 1)[0].strip(), "starts with a blank line"
        starts_line = piece.start_char == 0 or text[piece.start_char - 1] == "\n"
        assert starts_line or not piece.text[0].isspace()
        assert piece.start_char > last_start
        assert piece.end_char > last_end
        assert not text[covered : piece.start_char].strip(), "lost"
        shared = max(0, last_end - piece.start_char)
        assert shared <= limits.overlap_chars
        # The name of a definition is its signature from the second piece on.
        assert not shared or piece.headings[:-1] == last_headings[:-1]
        assert not shared or loaded.kind == "code" or piece.headings == last_headings
        assert 0 <= piece.body_offset < len(piece.text)
        titles = [line for line in piece.text[: piece.body_offset].split("\n") if _has_title(line)]
        assert len(titles) <= len(piece.headings)
        last_start, last_end, last_headings = piece.start_char, piece.end_char, piece.headings
        covered = piece.end_char
    assert not text[covered:].strip(), "lost"


def _has_title(line: str) -> bool:
    """Neither blank nor the rule below a setext title."""
    return bool(line.strip()) and not re.fullmatch(r" {0,3}(=+|-+)\s*", line)


@given(_LOADED, _SETTINGS)
@settings(max_examples=examples(500))
def test_nothing_is_lost_and_spans_are_true(loaded, limits):
    pieces = chunk(loaded, limits)
    hold_invariants(loaded, limits, pieces)
    assert chunk(loaded, limits) == pieces


@given(_TEXTS.filter(str.strip), st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]))
def test_encoding_does_not_matter(text, encoding):
    loaded = load_bytes(text.encode(encoding), "a.md")
    assert loaded.text == text
    assert chunk(loaded) == chunk(LoadedText(text, "markdown", "utf-8"))


@pytest.mark.parametrize("keep", [True, False], ids=["structure", "words"])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("lorem ipsum dolor sit amet. " * 180_000, id="sentences"),
        pytest.param("x" * 5_000_000, id="no-space"),
        pytest.param("漢字かな" * 1_250_000, id="cjk"),
        pytest.param("a" + "\u0301" * 5_000_000, id="marks"),
        pytest.param("# " + "title " * 800_000, id="heading"),
    ],
)
def test_one_line_of_five_megabytes(text, keep):
    pieces = chunk(LoadedText(text, "markdown", "utf-8"), ChunkSettings(preserve_structure=keep))
    assert all(len(piece.text) <= 1000 for piece in pieces)
    assert all(piece.start_line == piece.end_line == 1 for piece in pieces)
    assert all(piece.text == text[piece.start_char : piece.end_char] for piece in pieces)
    assert pieces[0].start_char == 0
    assert pieces[-1].end_char == len(text.rstrip())
    for one, two in itertools.pairwise(pieces):
        assert not text[one.end_char : two.start_char].strip()
    assert len(pieces) < len(text) / 600


@pytest.mark.parametrize(
    "line",
    [
        "\n",
        "# a\n",
        "```\n",
        "    ```x\n",
        "~~~~\n",
        "---\n",
        "a\n=\n\n",
        "- a\n",
        "    a\n",
        "|a|\n",
        "'''\n",
        "def f():\n",
        "@a\n",
        "# c\n",
        "}\n",
        "/* x\n\n",
        '"',
        "[",
        '{"a":',
        "a:\n",
        "[a]\n",
        "x::\n",
        "a\n---\n\n",
        "\\begin{a}",
        "\\section{",
        "----\n",
        "`",
        "*[_<",
        " ",
        "\t",
    ],
)
@pytest.mark.parametrize(
    "kind, language",
    [
        ("markdown", None),
        ("code", "python"),
        ("code", "c"),
        ("data", "json"),
        ("data", "toml"),
        ("data", "yaml"),
        ("rst", None),
        ("latex", None),
        ("asciidoc", None),
    ],
)
@pytest.mark.parametrize("size", [10_000, pytest.param(40_000, marks=pytest.mark.slow)])
def test_endless_repetitions_end(line, kind, language, size):
    text = line * (size // len(line)) + "end"
    assert chunk(LoadedText(text, kind, "utf-8", language))[-1].text.endswith("end")


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\r\n\u3000\n\x0c"])
@pytest.mark.parametrize("kind", ["markdown", "code", "text"])
def test_white_space_has_no_pieces(text, kind):
    assert chunk(LoadedText(text, kind, "utf-8")) == []
