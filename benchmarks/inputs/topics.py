"""Read real sentences and real functions from Python's own standard library, by module.

The library is on every machine that runs the benchmarks, and is written by hundreds of people about
hundreds of subjects, so its words have a natural distribution: a few everywhere, most in few
places.
"""

import ast
import os
import re
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from textwrap import dedent
from typing import TypeAlias

Definition: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

_LEFT_OUT = {"site-packages", "test", "tests", "idle_test", "encodings", "__pycache__"}
_SENTENCE_CHARS = range(40, 320)
_FEWEST_WORDS = 6
_FUNCTION_LINES = range(4, 30)
_FEWEST_SENTENCES = 30
_BOUNDARY = re.compile(r"(?<=[.!?])\s+(?=[A-Z`'\"])")
_COMMENT = re.compile(r"(?:^[ \t]*#(?!!|:|-{3}|={3}).*\n)+", re.MULTILINE)
_MARKER = re.compile(r"^[ \t]*#+ ?", re.MULTILINE)
_DECORATION = re.compile(r"\*\*|:\w+:|[-=~*_+#]{4,}")


@dataclass(frozen=True, slots=True)
class Topic:
    """The text of a module: sentences of its docstrings and comments, and its functions' source."""

    name: str
    sentences: tuple[str, ...]
    functions: tuple[str, ...]


@lru_cache(maxsize=1)
def read_topics() -> tuple[Topic, ...]:
    """Every module with enough text, in the order of their names; the same at every call."""
    library = Path(sysconfig.get_path("stdlib"))
    topics: list[Topic] = []
    for path in sorted(_modules(library)):
        name = ".".join(path.relative_to(library).with_suffix("").parts)
        topics.extend(_topics_of(path, name))
    return tuple(topic for topic in topics if len(topic.sentences) >= _FEWEST_SENTENCES)


def _modules(library: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(library):
        folders[:] = [name for name in folders if name not in _LEFT_OUT]
        yield from (Path(folder, name) for name in files if name.endswith(".py"))


def _topics_of(path: Path, name: str) -> Iterator[Topic]:
    source = path.read_text(encoding="utf-8", errors="replace")
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return  # some modules of the library are broken on purpose
    if name == "pydoc_data.topics":
        yield from _language_reference(tree)
        return
    definitions = list(_definitions(tree))
    comments = [_MARKER.sub("", hit[0]) for hit in _COMMENT.finditer(source)]
    docstrings = [ast.get_docstring(node) or "" for node in (tree, *definitions)]
    sentences = dict.fromkeys(
        sentence for text in (*docstrings, *comments) for sentence in _sentences(text)
    )
    yield Topic(name, tuple(sentences), tuple(_functions(definitions, source)))


def _language_reference(tree: ast.Module) -> Iterator[Topic]:
    """The texts that `help()` shows about the language, a topic each."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Dict):
            for name, text in ast.literal_eval(statement.value).items():
                yield Topic(f"reference.{name}", tuple(dict.fromkeys(_sentences(text))), ())


def _definitions(node: ast.Module | Definition) -> Iterator[Definition]:
    """The classes and functions of a module, those inside classes and functions too."""
    for inner in node.body:
        if isinstance(inner, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield inner
            yield from _definitions(inner)


def _sentences(text: str) -> Iterator[str]:
    """The sentences of running text; indented blocks, tables and examples are skipped."""
    for paragraph in re.split(r"\n\s*\n", text):
        lines = paragraph.strip("\n").splitlines()
        if not lines or any(line.startswith((" ", "\t", ">>>", "|", "+-")) for line in lines[:1]):
            continue
        joined = " ".join(" ".join(lines).split())
        for sentence in _BOUNDARY.split(joined):
            is_long_enough = len(sentence.split()) >= _FEWEST_WORDS
            if is_long_enough and len(sentence) in _SENTENCE_CHARS and not _is_odd(sentence):
                yield sentence


def _is_odd(sentence: str) -> bool:
    """Return whether it is ornament, or commented-out code."""
    letters = sum(map(str.isalpha, sentence)) + sentence.count(" ")
    return _DECORATION.search(sentence) is not None or letters < 0.85 * len(sentence)


def _functions(definitions: Iterable[Definition], source: str) -> Iterator[str]:
    lines = source.splitlines()
    for node in definitions:
        if not isinstance(node, ast.ClassDef) and node.end_lineno:
            body = lines[node.lineno - 1 : node.end_lineno]
            if len(body) in _FUNCTION_LINES:
                yield dedent("\n".join(body))
