"""Lower weights of files that have not the form of the answer a question asks for.

The form of a question tells something that its words do not. One whose first word begins a heading
that is a question, too ("Why ...?"), asks for such an entry of a list of questions; "where is X
done" asks for source code, not for prose about it; and one with the name of a folder ("how does
requests ...") for a file in there. A rule applies only where one of the first texts has the form.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, TypeAlias

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from contracts.values import ChunkRow
from search.analysis.query import QueryAnalysis

FormRule: TypeAlias = Literal["no_question", "no_code", "other_folder"]

WEIGHTS: dict[FormRule, float] = {"no_question": 0.92, "no_code": 0.85, "other_folder": 0.93}
"""Chosen on 172 questions, confirmed on 74 others (docs/benchmarks.md#forty-questions)."""

_CODE = (
    *(".c", ".cc", ".cpp", ".cs", ".cxx", ".dart", ".ex", ".go", ".h", ".hpp", ".hs", ".java"),
    *(".jl", ".js", ".jsx", ".kt", ".lua", ".m", ".mjs", ".php", ".pl", ".py", ".r", ".rb", ".rs"),
    *(".scala", ".sh", ".sql", ".swift", ".ts", ".tsx", ".vue", ".zig"),
)
_FIRST_WORD = deferred(r"[^\W\d_]+")
_FOLDER_WORD = deferred(r"[^\W\d_]{3,}")
_WHERE = deferred(
    r"where (?:is|are|was|were|gets?) .*\b(?:[a-z]{2,}ed|built|caught|chosen|done|drawn|found|held"
    r"|hidden|made|read|run|sent|set|shown|split|thrown|written)\b"
)
_OF_A_PERSON = deferred(r"\b(?:i|me|my|our|we)\b")


class FormRules:
    """The rules that apply to one question, and what they leave of a score."""

    def __init__(self, analysis: QueryAnalysis, first: Iterable[ChunkRow]) -> None:
        """`first` are the best texts before these rules."""
        self._asked = _asked(analysis)
        has = [_form(row, self._asked) for row in first]
        self._rules = tuple(rule for rule, *held in zip(WEIGHTS, *has, strict=True) if any(held))

    def broken(self, row: ChunkRow) -> list[FormRule]:
        """The rules by which a text weighs less; only files do."""
        if not self._rules or row.path is None:
            return []
        held = dict(zip(WEIGHTS, _form(row, self._asked), strict=True))
        return [rule for rule in self._rules if not held[rule]]

    def __call__(self, row: ChunkRow) -> float:
        """The weight of a text, in (0, 1]."""
        weight = 1.0
        for rule in self.broken(row):
            weight *= WEIGHTS[rule]
        return weight


class _Asked(NamedTuple):
    """The first word of a question, whether it asks for code, and its words in lower case."""

    first_word: str
    for_code: bool
    words: frozenset[str]


def _asked(analysis: QueryAnalysis) -> _Asked:
    text = analysis.plain.lower()
    for_code = _WHERE.match(text) is not None and _OF_A_PERSON.search(text) is None
    return _Asked(_first_word(text), for_code, frozenset(map(str.lower, analysis.words)))


def _form(row: ChunkRow, asked: _Asked) -> tuple[bool, bool, bool]:
    """Return whether a text keeps each of the rules, in their order."""
    path = row.path or ""
    title = row.heading.rpartition(" > ")[2]
    return (
        title.endswith("?") and _first_word(title.lower()) == asked.first_word,
        asked.for_code and path.lower().endswith(_CODE),
        any(map(asked.words.issuperset, _folders(path.rpartition("/")[0]))),
    )


def _first_word(text: str) -> str:
    found = _FIRST_WORD.match(text)
    return found[0] if found else ""


@lru_cache(1024)
def _folders(path: str) -> tuple[frozenset[str], ...]:
    """The words in the name of each folder of a path; `requests-2.32.3` is one word."""
    names = (frozenset(_FOLDER_WORD.findall(part)) for part in path.lower().split("/"))
    return tuple(filter(None, names))
