"""The English of docstrings, comments, messages and documents."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

import pytest

from tests.repository import ROOT, files_of_the_repository

NOT_YET = ("ingest/extractor/", "tests/ingest/extractor/")
"""Folders that are not held to these rules yet."""

EXEMPT = ("CHANGELOG.md", "docs/decisions/", "tests/test_english.py")
"""Records of the past, and the list of phrases itself."""

MANNERED = (
    r"anew",
    r"whoever",
    r"whosoever",
    r"mend(?:s|ed|ing)?",
    r"(?:how many )?it were",
    r"(?<!there )(?:is|are) (?-i:none)",
    r"can be no",
    r"what is to become of",
    r"what became of",
    r"(?:keeps?|holds?) no word of",
    r"let(?:s|ting)? go of",
    r"(?:is|was|are|be|still) at work",
    r"stands? (?:there|nowhere|on top|in it|together|among)",
    r"slips? of (?:the|a) typing hand",
    r"nobody is asked",
)
"""Phrases that have a plain word: again, the caller, fix, not a, remove, is running, is."""

AWKWARD = (
    r"stands? (?:alone|before|below|beside|outside|still|with)",
    r"as (?:it|they) stands?",
    r"what st(?:ands?|ood)",
    r"(?<!there )(?:is|are|was|were) no (?!longer|more|other|one\b)",
    r"(?:is|are|be) (?:found|watched|wanted) no more",
    r"holds? no longer",
    r"(?-i:Beside) (?:it|that|them|this)",
    r"beside (?:these|those)",
    r"but for",
    r"at hand",
)
"""More of them: is, is not a, is no longer found, in addition, except, available."""

PHRASE = re.compile(rf"\b(?:{'|'.join((*MANNERED, *AWKWARD))})\b", re.IGNORECASE)

OPENING = re.compile(r"(?:What|How|Whether|Where|Who|Whom|Whose|Why|Which)\b")
"""Openings of an indirect question; a docstring opens with a noun phrase or an imperative."""


def prose() -> Iterator[tuple[str, str]]:
    """Each checked text with its place: docstrings, comments, messages, lines of documents.

    Only modules with a phrase anywhere are taken apart.
    """
    for name in files_of_the_repository():
        if name.startswith((*NOT_YET, *EXEMPT)):
            continue
        if name.endswith((".md", "Makefile")):
            lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
            yield from ((f"{name}:{number}", line) for number, line in enumerate(lines, 1))
        elif name.endswith(".py") and PHRASE.search(" ".join((ROOT / name).read_text().split())):
            yield from prose_of(name)


def prose_of(name: str) -> Iterator[tuple[str, str]]:
    """Docstrings and comments of a module; messages too, except in tests, which quote others'."""
    for line, text in docstrings(name):
        yield f"{name}:{line}", text
    source = (ROOT / name).read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield f"{name}:{token.start[0]}", token.string
    if not name.startswith("tests/"):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield f"{name}:{node.lineno}", node.value


def docstrings(name: str) -> Iterator[tuple[int, str]]:
    """The line and text of every docstring, of constants too."""
    for node in ast.walk(ast.parse((ROOT / name).read_text(encoding="utf-8"))):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.lineno, value.value


def test_there_are_no_mannered_phrases() -> None:
    found = {
        f"{place}: {phrase[0]}"
        for place, text in prose()
        for phrase in PHRASE.finditer(" ".join(text.split()))
    }
    assert sorted(found) == []


def test_docstrings_open_with_a_noun_phrase_or_an_imperative() -> None:
    """Those of tests may be sentences, whose subject may be a clause."""
    found = [
        f"{name}:{line}: {text.strip().splitlines()[0]}"
        for name in files_of_the_repository()
        if name.endswith(".py") and not name.startswith((*NOT_YET, "tests/"))
        for line, text in docstrings(name)
        if OPENING.match(text.strip())
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        *("Whoever asks", "stored anew", "what stands there", "a pause is none", "mended"),
        *("is no setting", "as they stand", "Beside that, it is slow", "all but for one"),
    ],
)
def test_the_phrases_are_found(text: str) -> None:
    assert PHRASE.search(text)
