"""Chunking of source code and plain text."""

import itertools
import re

import pytest

from contracts import ConfigError
from ingest import ChunkSettings, LoadedText, Piece, chunk, fingerprint
from ingest.chunking.code import by_look


def cut(
    text: str,
    language: str | None,
    size: int = 1000,
    overlap: int = 0,
    *,
    kind: str = "code",
    keep: bool = True,
) -> list[Piece]:
    loaded = LoadedText(text, kind, "utf-8", language)
    return chunk(loaded, ChunkSettings(size, overlap, preserve_structure=keep))


_PYTHON = '''"""Module
def not_this():
"""
import os

# About the function.
@decorated(
    1,
)
@again
def top(a, b):
    """Doc.

def neither():
    """
    def inner():
        return 1
    return inner

class Thing(Base):
    """A thing."""
    size = 3

    def method(self):
        text = \'\'\'
unindented
\'\'\'
        return text

    # About the other.
    @property
    async def other(self):
        return 2

    class Inner:
        def deep(self): ...

    def last(self): ...
LIMIT = 3
if LIMIT:
    def guarded(): ...
'''


def test_python_is_cut_by_the_look_of_its_definitions_with_what_stands_above_them():
    sections = by_look(_PYTHON, "python")
    firsts = {
        section.headings: _PYTHON[section.start : section.end].split("\n", 1)[0].strip()
        for section in reversed(sections)
    }
    assert firsts == {
        (): '"""Module',
        ("top",): "# About the function.",
        ("Thing",): "class Thing(Base):",
        ("Thing", "method"): "def method(self):",
        ("Thing", "other"): "# About the other.",
        ("Thing", "Inner"): "class Inner:",
        ("Thing", "Inner", "deep"): "def deep(self): ...",
        ("Thing", "last"): "def last(self): ...",
        ("guarded",): "def guarded(): ...",
    }


def test_small_definitions_are_joined_under_their_common_path():
    methods = "".join(f"    def m{n}(self):\n        return {n}\n\n" for n in range(4))
    pieces = cut(f"class A:\n    x = 1\n\n{methods}", "python")
    assert [piece.headings for piece in pieces] == [("A",)]
    functions = "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(4))
    assert [piece.headings for piece in cut(functions, "python")] == [()]


def test_definitions_of_some_size_stand_alone_and_do_not_overlap():
    body = "".join(f"    value_{n} = compute({n})\n" for n in range(12))
    pieces = cut("".join(f"def f{n}():\n{body}\n" for n in range(4)), "python", overlap=200)
    assert [piece.headings for piece in pieces] == [(f"f{n}",) for n in range(4)]
    assert all(one.end_char < two.start_char for one, two in itertools.pairwise(pieces))


def test_long_function_is_cut_between_lines_and_overlaps_by_lines():
    lines = [f"    value_{n} = compute({n})" for n in range(60)]
    pieces = cut("def f():\n" + "\n".join(lines), "python", size=300, overlap=80)
    assert [piece.headings for piece in pieces] == [("f",)] + [("def f()",)] * (len(pieces) - 1)
    for one, two in itertools.pairwise(pieces):
        assert one.text.endswith(")")
        assert two.text.startswith("    value_")
        assert 0 < one.end_char - two.start_char <= 80


def test_unclosed_string_hides_no_definition():
    sections = by_look("x = '''\n\ndef f():\n    return 1\n", "python")
    assert ("f",) in [section.headings for section in sections]


@pytest.mark.parametrize(
    "language, text, names",
    [
        pytest.param(
            "go",
            "package main\n\n// Server serves.\ntype Server struct {\n\taddr string\n}\n\n"
            "func (s *Server) Run() error {\n\treturn nil\n}\n\nfunc main() {\n}\n",
            [(), ("Server",), ("Run",), ("main",)],
            id="go",
        ),
        pytest.param(
            "javascript",
            "import x from 'y';\n\nexport default class Foo extends Bar {\n  a() {}\n}\n"
            "export const add = (a, b) => {\n  return a + b;\n};\n\nasync function go() {\n}\n",
            [(), ("Foo",), ("add",), ("go",)],
            id="javascript",
        ),
        pytest.param(
            "rust",
            "use a::b;\n\n#[derive(Debug)]\npub(crate) struct X;\n\nimpl<T> Foo for X {\n"
            "    fn x() {}\n}\n\npub fn foo<T>(x: T) -> u8 {\n    1\n}\n",
            [(), ("X",), ("Foo",), ("foo",)],
            id="rust",
        ),
        pytest.param(
            "c",
            "#include <x.h>\n\nstatic int\nfoo(int a, char *b)\n{\n    return 1;\n}\n\n"
            "struct point *make(void)\n{\n}\n\nif (x) {\n}\n",
            [(), ("foo",), ("make",), ()],
            id="c",
        ),
        pytest.param(
            "cpp",
            "void Cls::method(int x) const {\n}\n\nclass Cls final {\n};\n",
            [("Cls::method",), ("Cls",)],
            id="cpp",
        ),
        pytest.param(
            "java",
            "import a.b;\n\n/** Doc. */\npublic final class Main {\n  void x() {}\n}\n",
            [(), ("Main",)],
            id="java",
        ),
        pytest.param(
            "sql",
            "CREATE TABLE users (\n  id int\n);\n\ncreate or replace view v as x;\n\nSELECT 1;\n",
            [("users",), ("v",), ()],
            id="sql",
        ),
        pytest.param(
            "ruby",
            "require 'x'\n\nmodule Tool\n  class A\n  end\nend\n\ndef helper(x)\nend\n",
            [(), ("Tool",), ("helper",)],
            id="ruby",
        ),
        pytest.param(
            "shell",
            "set -e\n\nfunction one() {\n  x\n}\n\ntwo() {\n  y\n}\n\nmain\n",
            [(), ("one",), ("two",), ()],
            id="shell",
        ),
        pytest.param("yaml", "a: 1\n\nclass: x\n\nb: 2\n", [()], id="data-has-no-definitions"),
        pytest.param(None, "x\n\ny\n\nz\n", [()], id="neighbours-without-a-name"),
    ],
)
def test_the_look_of_definitions_in_other_languages(language, text, names):
    assert [section.headings for section in by_look(text, language)] == names


def test_nested_methods_are_kept_whole_where_they_fit():
    method = "  void method{n}() {{\n    first({n});\n\n    second({n});\n  }}\n"
    text = "class A {\n" + "\n".join(method.format(n=n) for n in range(20)) + "}\n"
    pieces = cut(text, "java", size=200)
    assert {piece.headings[0] for piece in pieces} == {"A"}
    assert all(piece.text.startswith(("class A", "  void method")) for piece in pieces)


def test_data_is_cut_before_its_least_indented_lines():
    items = ",\n".join(f'  {{\n    "name": "n{n}",\n    "value": {n}\n  }}' for n in range(40))
    pieces = cut("[\n" + items + "\n]\n", "json", size=200, kind="data")
    assert all(piece.text.startswith(("[", "  {")) for piece in pieces)


def test_rows_are_kept_whole_and_overlap_by_rows():
    rows = [f"{n},A sentence. Another one. And more,{n}" for n in range(50)]
    pieces = cut("\n".join(rows), "csv", size=300, overlap=60, kind="text")
    assert all(line in rows for piece in pieces for line in piece.text.split("\n"))
    assert all(two.start_char < one.end_char for one, two in itertools.pairwise(pieces))


def test_prose_is_cut_between_paragraphs():
    paragraphs = [f"Paragraph {n}. " + "It goes on and on. " * 8 for n in range(20)]
    pieces = cut("\n\n".join(paragraphs), None, size=500, kind="text")
    assert all(piece.text.startswith("Paragraph") for piece in pieces)
    assert max(len(piece.text) for piece in pieces) > 300


def test_prose_without_sentences_is_cut_between_lines_then_words():
    lines = [f"line {n} without an end" for n in range(60)]
    for piece in cut("\n".join(lines), None, size=300, overlap=50, kind="text"):
        assert set(piece.text.split("\n")) <= set(lines)
    words = [f"word{n}" for n in range(500)]
    pieces = cut(" ".join(words), None, size=300, overlap=50, kind="text")
    assert all(word in words for piece in pieces for word in piece.text.split())
    assert all(two.start_char < one.end_char for one, two in itertools.pairwise(pieces))


def test_letters_are_not_torn_from_their_marks():
    family = "👩\u200d👩\u200d👧"
    pieces = cut(family * 100, None, size=23, overlap=7, kind="text")
    assert all(piece.text.startswith("👩") and piece.text.endswith("👧") for piece in pieces)
    pieces = cut("e\u0301" * 100, None, size=15, overlap=5, kind="text")
    assert all(piece.text[0] == "e" and piece.text[-1] == "\u0301" for piece in pieces)
    pieces = cut("👍🏽" * 100, None, size=15, overlap=5, kind="text")
    assert all(piece.text[0] == "👍" and piece.text[-1] == "🏽" for piece in pieces)


def test_without_structure_windows_are_of_words_only():
    text = "# A\n\nSome words. " * 100
    pieces = cut(text, None, size=100, overlap=20, kind="markdown", keep=False)
    assert {piece.headings for piece in pieces} == {()}
    assert {word for piece in pieces for word in piece.text.split()} == {"#", "A", "Some", "words."}
    assert all(len(piece.text) > 40 for piece in pieces)


def test_wide_indentation_is_dropped_with_the_line_break_before_it():
    pieces = cut("word\n" + " " * 60 + "deep", None, size=20, kind="text")
    assert [piece.text for piece in pieces] == ["word", "deep"]
    assert (pieces[1].start_line, pieces[1].start_char) == (2, 65)


def test_only_line_feeds_count_lines():
    text = "one\rstill one\x0b\x0c\u2028 one\r\ntwo\n\nfour"
    (piece,) = cut(text, None, kind="text")
    assert (piece.start_line, piece.end_line) == (1, 4)


@pytest.mark.parametrize(
    "size, overlap, match",
    [
        (0, 0, "chunk_size_chars is 0"),
        (100, -1, "chunk_overlap_chars is -1"),
        (100, 100, "less than chunk_size_chars, 100"),
    ],
)
def test_settings_out_of_range_are_refused(size, overlap, match):
    with pytest.raises(ConfigError, match=match):
        ChunkSettings(size, overlap)


def test_fingerprint_tells_settings_apart():
    prints = {
        fingerprint(limits)
        for limits in (
            ChunkSettings(),
            ChunkSettings(900),
            ChunkSettings(1000, 100),
            ChunkSettings(preserve_structure=False),
        )
    }
    assert len(prints) == 4
    assert all(re.fullmatch("[0-9a-f]{8}", each) for each in prints)
    assert fingerprint(ChunkSettings(1000, 200)) == fingerprint(ChunkSettings())
