"""Chunking of reStructuredText, LaTeX, Org and AsciiDoc."""

import pytest

from ingest import ChunkSettings, LoadedText, Piece, chunk, load_bytes


def cut(text: str, name: str, size: int = 120) -> list[Piece]:
    loaded = load_bytes(text.encode(), name)
    assert isinstance(loaded, LoadedText)
    return chunk(loaded, ChunkSettings(size, 0))


def outline(pieces: list[Piece]) -> list[tuple[str, str]]:
    """The first line below the heading of each piece, and its path."""
    return [
        (piece.text[piece.body_offset :].split("\n", 1)[0].strip(), " > ".join(piece.headings))
        for piece in pieces
    ]


FILL = "word " * 14

_RST = f"""\
=========
The Title
=========

Intro {FILL}

:mod:`json` --- *Encoder*
-------------------------

First {FILL}

Below
~~~~~

Deep {FILL}

A paragraph that is none
because more stands below it.

Next
----

Last {FILL}
"""


def test_rst_titles_rank_as_they_appear():
    paths = [path for _, path in outline(cut(_RST, "a.rst"))]
    assert list(dict.fromkeys(paths)) == [
        "The Title",
        "The Title > json --- Encoder",
        "The Title > json --- Encoder > Below",
        "The Title > Next",
    ]
    assert outline(cut(_RST, "a.rst", size=400))[1][0] == f"First {FILL}".strip()
    assert {piece.headings for piece in cut(_RST.replace("\n", "\r\n"), "a.rst")} == {
        piece.headings for piece in cut(_RST, "a.rst")
    }


def test_rst_directives_and_literal_blocks_stay_whole():
    code = ".. code-block:: python\n   :caption: x\n\n   first = 1\n\n   Title\n   -----\n"
    code += "\n   last = 2\n"
    literal = "So::\n\n  one\n\n  two\n"
    text = f"Top\n===\n\n{FILL}\n\n{code}\n{FILL}\n\n{literal}\n{FILL}\n"
    pieces = [piece.text for piece in cut(text, "a.rst", size=110)]
    assert {piece.headings for piece in cut(text, "a.rst", size=110)} == {("Top",)}
    assert any(code.strip() in piece for piece in pieces)
    assert any(literal.strip() in piece for piece in pieces)


def test_prose_inside_a_long_directive_is_cut_between_paragraphs():
    body = "".join(f"   Sentence {n} of it. {FILL.strip()}\n\n" for n in range(6))
    pieces = cut(f".. function:: f(x)\n\n{body}", "a.rst", size=200)
    assert all(piece.text.lstrip().startswith(("..", "Sentence")) for piece in pieces)


def test_rst_rulers_and_tables_are_no_titles():
    text = f"One\n\n----\n\nTwo\n\n====  ====\nA     B\n====  ====\n1     2\n====  ====\n\n{FILL}\n"
    assert {piece.headings for piece in cut(text, "a.rst")} == {()}


_LATEX = rf"""
\documentclass{{article}}
\title{{On \emph{{Words}} \& Signs}}
\begin{{document}}
% \section{{Not this}}
\section[Short]{{First~one: \texttt{{x}}}}
{FILL}

\begin{{table}}
a & b \\

c & d \\
\end{{table}}

\subsection*{{Below}} \label{{sec:b}}
{FILL}
\begin{{verbatim}}
\section{{No section}}
\end{{verbatim}}
\section{{Last}}
{FILL}
\end{{document}}
"""


def test_latex_sections_below_the_title():
    pieces = cut(_LATEX, "a.tex")
    assert {" > ".join(piece.headings) for piece in pieces} == {
        "On Words & Signs",
        "On Words & Signs > First one: x",
        "On Words & Signs > First one: x > Below",
        "On Words & Signs > Last",
    }
    table = _LATEX[_LATEX.index("\\begin{table}") : _LATEX.index("\\end{table}") + 11]
    assert any(table in piece.text for piece in pieces)
    assert "".join(piece.text for piece in pieces).count("\\section{No section}") == 1


@pytest.mark.parametrize("text", ["\\section{open", "\\end{a}", "\\begin{a} x", "\\section{}"])
def test_broken_latex_is_cut(text):
    assert [piece.text for piece in cut(text, "a.tex")] == [text]


@pytest.mark.parametrize("unit", ["\\section{", "\\begin{verbatim}"])
def test_a_comment_is_looked_for_in_the_line_alone_and_not_too_far(unit):
    far = f"{FILL}\n% {'x ' * 600}\\section{{Far}}\n{FILL}\n% \\section{{Near}}\n{FILL}"
    assert {path for _, path in outline(cut(far, "a.tex"))} == {"", "Far"}
    text = unit * 50_000
    assert "".join(piece.text for piece in cut(text, "a.tex")) == text


def test_org():
    text = (
        f"#+TITLE: x\n{FILL}\n"
        f"* TODO [#A] First [[http://x][link]] :tag:\n{FILL}\n"
        f"** Below\n{FILL}\n#+begin_src python\n* no heading\n#+end_src\n"
        f"* Last\n{FILL}\n*bold* text\n"
    )
    paths = [path for _, path in outline(cut(text, "a.org"))]
    assert list(dict.fromkeys(paths)) == [
        "x",
        "x > First link",
        "x > First link > Below",
        "x > Last",
    ]


def test_asciidoc():
    text = (
        f"= Title\n\n{FILL}\n\n== `First`\n\n{FILL}\n\n----\n== no section\n----\n\n"
        f"=== Below\n\n{FILL}\n\n====\nexample\n\n== Last\n\n{FILL}\n"
    )
    assert [path for _, path in outline(cut(text, "a.adoc"))] == [
        "Title",
        "Title > First",
        "Title > First > Below",
        "Title > Last",
    ]


_REFERENCE = """\
Encoder
=======

.. module:: tools.json
   :synopsis: Reading and writing.

.. function:: dump(obj, fp, *,
                   indent=None)
              dumps(obj)

   Writes it.

.. class:: Encoder(indent=None)

   .. attribute:: indent

   .. method:: Encoder.encode(o)

.. exception:: json.DecodeError

.. py:data:: LIMIT: int = 3

.. setting:: FILES-ENCODING

.. envvar:: TOOLS_HOME

.. c:function:: PyObject* Tools_New(size_t len)

.. note:: function(s) of this kind are not names

.. currentmodule:: other

.. method:: late()
"""


@pytest.mark.parametrize("name", ["a.rst", "json.txt"])
def test_rst_directives_name_what_they_document(name):
    pieces = cut(_REFERENCE, name, size=400)
    assert [defined for piece in pieces for defined in piece.defines] == [
        *("tools.json", "tools.json.dump", "tools.json.dumps", "tools.json.Encoder"),
        *("tools.json.Encoder.indent", "tools.json.Encoder.encode", "tools.json.DecodeError"),
        *("tools.json.LIMIT", "ENCODING", "TOOLS_HOME", "Tools_New", "other.late"),
    ]
    assert {piece.headings for piece in pieces} == {("Encoder",)}
    for piece in pieces:
        assert all(defined.rpartition(".")[2] in piece.text for defined in piece.defines)


@pytest.mark.parametrize(
    "text, kind",
    [
        ("Title\n=====\n\nPlain: a :: b, and `code`.\n", "text"),
        (".. a bow and an arrow\n", "text"),
        ("see ::`x`, 12:30:`x`\n", "text"),
        ("Title\n=====\n\n.. note:: beware\n", "rst"),
        (".. _target:\n", "rst"),
        ("See :class:`Session`.\n", "rst"),
    ],
)
def test_a_text_with_marks_of_rst_is_rst(text, kind):
    loaded = load_bytes(text.encode(), "a.txt")
    assert isinstance(loaded, LoadedText)
    assert loaded.kind == kind
