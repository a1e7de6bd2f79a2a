"""The questions about source code, and the copies that they are asked of."""

import ast
from pathlib import Path

import pytest

from benchmarks.code.__main__ import is_test, rank, row
from benchmarks.code.material import definitions, without_docstrings
from benchmarks.code.questions import named, paraphrased, places
from memory.values.results import SearchResult

SOURCE = '''"""About the module."""

def send(x):
    """Send it.

    At once."""
    return "no docstring"


class Session:
    "One line."

    limit = "kept"

    def request(self): "só"

    if True:
        async def later(self):
            """Only this."""
'''


def hit(path: Path, first: int, last: int) -> SearchResult:
    return SearchResult(
        chunk_id="1",
        source="file",
        citation="",
        text="",
        heading="",
        score=1.0,
        file_id="1",
        file_path=str(path),
        start_char=0,
        end_char=0,
        start_line=first,
        end_line=last,
        occurred_at="",
        metadata={},
    )


@pytest.fixture
def found(tmp_path: Path) -> Path:
    root = tmp_path / "a" / "b"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "mod.py").write_text(SOURCE, encoding="utf-8")
    (root / "pkg" / "broken.py").write_text("def (", encoding="utf-8")
    return root


def test_docstrings_are_replaced_and_the_rest_stays() -> None:
    bare = without_docstrings(SOURCE.encode()).decode()
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(bare)) if isinstance(node, kinds)]
    assert [ast.get_docstring(node) for node in nodes] == [None] * 5
    assert '"no docstring"' in bare
    assert 'limit = "kept"' in bare
    assert "Send it" not in bare
    assert "só" not in bare
    assert without_docstrings(b"def (") == b"def ("


def test_definitions_know_their_names_and_lines(found: Path) -> None:
    assert [(item.name, item.local_name, item.kind) for item in definitions(found)] == [
        ("pkg.mod.send", "send", "def"),
        ("pkg.mod.Session", "Session", "class"),
        ("pkg.mod.Session.request", "Session.request", "def"),
        ("pkg.mod.Session.later", "Session.later", "def"),
    ]
    first = definitions(found)[0]
    assert (first.first_line, first.last_line) == (3, 7)


def test_a_question_by_name_is_answered_by_every_definition_of_it(found: Path) -> None:
    (found / "pkg" / "other.py").write_text("class Session:\n  def request(self): ...\n")
    questions = named(definitions(found), number=6)
    assert len({question.text for question in questions}) == len(questions) >= 1
    for question in questions:
        names = {item.local_name for item in question.answers}
        assert len(names) == 1
        assert names.pop() in question.text.replace(" import ", ".")
    both = [item for item in definitions(found) if item.local_name == "Session"]
    assert len(both) == 2


def test_the_rank_is_that_of_the_first_hit_where_a_definition_begins(found: Path) -> None:
    send = definitions(found)[0]
    hits = [hit(send.path, 6, 20), hit(found / "x.py", 1, 9), hit(send.path, 1, 5)]
    assert rank(hits, [send], whole=False) == 3
    assert rank(hits, [send], whole=True) == 1
    assert rank(hits[:2], [send], whole=False) == 0
    assert row("x", [1, 0, 3, 10]) == ("x", "4", "0.250", "0.500", "0.750")
    assert not is_test(hits[0])
    assert is_test(hit(Path("/a/tests/x.py"), 1, 1))


def test_the_written_questions_have_answers() -> None:
    with pytest.raises(ValueError, match="nothing defines any of"):
        paraphrased([])
    assert len(places()) == len(set(places())) >= 39
