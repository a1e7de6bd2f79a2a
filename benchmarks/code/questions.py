"""The questions: names of definitions in the forms in which people write them, what functions do,
and where something is.

What functions do is in `paraphrases.tsv`: written by hand after reading the docstrings, in other
words than theirs, which the indexed copy lacks; with the definitions that answer. `where.tsv` asks
for places in the packages that have tests.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.code.material import Defined

NAMES = 300
"""Questions for definitions by name."""

_FOLDER = Path(__file__).parent


class CodeQuestion(NamedTuple):
    """A question and the definitions that answer it."""

    text: str
    answers: tuple[Defined, ...]


def named(found: Sequence[Defined], *, number: int = NAMES, seed: int = 20) -> list[CodeQuestion]:
    """Questions for definitions, an equal number of every form, chosen at random.

    A definition of the same name elsewhere is an answer, too, as the question does not tell them
    apart.
    """
    chosen = [item for item in found if _is_public(item)]
    random.Random(seed).shuffle(chosen)
    forms: list[Callable[[Defined], str | None]] = [
        lambda item: item.local_name if "." in item.local_name else None,
        lambda item: f"class {item.local_name}" if item.kind == "class" else None,
        lambda item: ".".join(item.name.split(".")[-2 - item.local_name.count(".") :]),
        lambda item: f"how does {item.local_name} work" if "." in item.local_name else None,
        lambda item: f"def {item.local_name}" if _is_function(item) else None,
        lambda item: f"where is {item.local_name} defined" if _is_function(item) else None,
        lambda item: f"{item.local_name}()" if _is_function(item) else None,
        lambda item: _import_of(item) if item.kind == "class" else None,
    ]
    questions: dict[str, CodeQuestion] = {}
    place = 0
    for item in chosen:
        if len(questions) == number:
            break
        text = forms[place % len(forms)](item)
        if text is None or text in questions:
            continue
        asked = _asked(text)
        answers = [other for other in found if f".{other.name}".endswith(f".{asked}")]
        questions[text] = CodeQuestion(text, tuple(answers))
        place += 1
    return list(questions.values())


def _is_public(item: Defined) -> bool:
    parts = item.local_name.split(".")
    is_test = any(part.lower().startswith("test") for part in item.path.parts[-3:])
    return not is_test and not any(part.startswith("_") for part in parts)


def _is_function(item: Defined) -> bool:
    return item.kind == "def" and "." not in item.local_name


def _import_of(item: Defined) -> str:
    module, _, name = item.name.rpartition(".")
    return f"from {'.'.join(module.split('.')[-2:])} import {name}"


def _asked(text: str) -> str:
    """The dotted name in a question of one of the forms."""
    words = [word.strip("()") for word in text.split()]
    if words[0] == "from":
        return f"{words[1]}.{words[3]}"
    small = ("class", "def", "how", "does", "work", "where", "is", "defined")
    return next((word for word in words if word not in small), words[-1])


def paraphrased(found: Sequence[Defined]) -> list[CodeQuestion]:
    """The questions for what functions do. Raises ValueError for an answer that is not there."""
    by_ending: dict[str, list[Defined]] = {}
    for item in found:
        parts = item.name.split(".")
        for start in range(len(parts)):
            by_ending.setdefault(".".join(parts[start:]), []).append(item)
    return [
        CodeQuestion(text, tuple(_answers(names.split("|"), by_ending, text)))
        for text, names in _rows("paraphrases.tsv")
    ]


def _answers(
    names: Sequence[str], by_ending: Mapping[str, list[Defined]], text: str
) -> Iterator[Defined]:
    """The definitions of these names; at least one must be there."""
    found = [item for name in names for item in by_ending.get(name, ())]
    if not found:
        raise ValueError(f"{text!r}: nothing defines any of {', '.join(names)}")
    yield from found


def places() -> list[str]:
    """The questions for where something is."""
    return [text for text, *_ in _rows("where.tsv")]


def _rows(name: str) -> list[list[str]]:
    lines = (_FOLDER / name).read_text(encoding="utf-8").splitlines()[1:]
    return [line.split("\t") for line in lines if line.strip()]
