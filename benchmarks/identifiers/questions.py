"""The questions: real and generated names, alone, in sentences, respelled, and mistyped."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Literal, TypeAlias, get_args

from benchmarks.identifiers.documents import Document, real_documents
from benchmarks.identifiers.logs import made_documents, make_names
from benchmarks.identifiers.truth import documents_with, holds
from benchmarks.identifiers.typos import mistyped

Form: TypeAlias = Literal["alone", "in a sentence", "in another case style", "with a typo"]

FORMS: tuple[Form, ...] = get_args(Form)

_SEED = 20_240_229
_MOST_DOCUMENTS = 25
"""A name in more documents than this is treated like a word, and not asked for."""

_REAL = {
    "function_name": r"(?<![\w.-])[a-z]+(?:_[a-z0-9]+)+(?![\w.-])",
    "_private_name": r"(?<![\w.-])__?[a-z]+(?:_[a-z0-9]+)+(?:__)?(?![\w.-])",
    "functionName": r"(?<![\w.-])[a-z]+(?:[A-Z][a-z0-9]+)+(?![\w.-])",
    "ClassName": r"(?<![\w.-])(?:[A-Z][a-z0-9]+){2,}(?![\w.-])",
    "ACRONYMName": r"(?<![\w.-])[A-Z]{2,}(?:[A-Z][a-z]+)+(?<![A-Z]s)(?![\w.-])",
    "CONSTANT_NAME": r"(?<![\w.-])[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+(?![\w.-])",
    "dotted name": r"(?<![\w.-])[a-z]{2,}(?:\.[a-z_]{2,}){1,3}\.[A-Za-z_]{3,}(?![\w.-])",
    "ticket": r"(?<![\w-])(?:bpo|gh)-[0-9]{4,6}(?![\w-])",
    "version": r"(?<![\w.+-])[0-9]+\.[0-9]+\.[0-9]+(?![\w+-]|\.\w)",
    "e-mail address": r"(?<![\w.+-])[\w.+-]+@\w[\w-]*(?:\.[\w-]+)*\.[a-z]{2,}(?![\w-]|\.\w)",
}
"""The pattern of each kind of name in real text."""

SENTENCES = (
    "where is {} used",
    "Why does {} fail when the connection was closed?",
    "what has changed in {} and who wrote it",
    "how do I get rid of `{}` in the log?",
    "{} stopped working after the last update",
    "Can somebody explain (briefly) what {}, which I do not know, is for?",
    'is "{}" still needed by anything',
    "I came upon {}.",
    "show me the part with '{}'",
    "what does the text around {}: say",
    "tell me more about {}'s meaning",
    "在 {} 里会发生什么",
    "wo wird {} eigentlich gesetzt?",
    "please read <{}> again; is it right?",
)
"""The sentences in which a name is asked for, in turn."""

_STYLES: dict[str, Callable[[list[str]], str]] = {
    "functionName": lambda parts: parts[0] + "".join(map(str.capitalize, parts[1:])),
    "function_name": "_".join,
    "key-of-settings": "-".join,
    "CONSTANT_NAME": lambda parts: "_".join(parts).upper(),
    "ClassName": lambda parts: "".join(map(str.capitalize, parts)),
}
_HUMP = re.compile(r"[A-Z]?[a-z]+")


@dataclass(frozen=True, slots=True)
class Question:
    """A query, the names that answer it, and the paths of all documents that hold one of them."""

    kind: str
    form: Form
    query: str
    names: tuple[str, ...]
    documents: tuple[str, ...]

    def is_answered_by(self, text: str) -> bool:
        """Return whether a text holds one of the names whole."""
        return any(holds(text, self.kind, name) for name in self.names)


@dataclass(frozen=True, slots=True)
class TestSet:
    """The documents, and the questions about them."""

    __test__ = False

    documents: list[Document]
    questions: list[Question]


def make_test_set(*, of_a_kind: int, one_of: int = 1) -> TestSet:
    """`of_a_kind` names of every kind, or as many as there are, from one of every N documents."""
    random = Random(_SEED)
    made = make_names(random, of_a_kind=of_a_kind)
    documents = real_documents(one_of=one_of) + made_documents(random, made)
    names = [*_real_names(random, documents, of_a_kind=of_a_kind)]
    names += [(item.kind, item.name) for item in made]
    writer = _Writer(random, documents)
    return TestSet(documents, [item for kind, name in names for item in writer.about(kind, name)])


def _real_names(
    random: Random, documents: Sequence[Document], *, of_a_kind: int
) -> Iterator[tuple[str, str]]:
    text = "\n".join(item.text for item in documents if not item.path.startswith("made/"))
    for kind, pattern in _REAL.items():
        names = sorted(set(re.findall(pattern, text)))
        random.shuffle(names)
        found = 0
        for name in names:
            if found == of_a_kind:
                break
            if 0 < len(documents_with(documents, kind, name)) <= _MOST_DOCUMENTS:
                found += 1
                yield kind, name


class _Writer:
    """Writes the questions about names; no two names share a sentence next to each other."""

    def __init__(self, random: Random, documents: Sequence[Document]) -> None:
        self._random = random
        self._documents = documents
        self._numbers = count()
        self._known: dict[tuple[str, str], list[str]] = {}
        self._text = "\n".join(item.text for item in documents)
        self._letters = re.sub(
            r"[\W_]+", " ", re.sub(r"(?<=\w)[\W_]+(?=\w)", "", self._text)
        ).lower()

    def about(self, kind: str, name: str) -> Iterator[Question]:
        number = next(self._numbers)
        yield self._question(kind, "alone", name, (name,))
        for step in (0, len(SENTENCES) // 2):
            sentence = SENTENCES[(number + step) % len(SENTENCES)]
            yield self._question(kind, "in a sentence", sentence.format(name), (name,))
        spellings = self._spellings(kind, name)
        for spelling in spellings:
            if not holds(self._text, kind, spelling):
                yield self._question(kind, "in another case style", spelling, (name, *spellings))
                break
        typo = mistyped(self._random, name, self._stands)
        if typo:
            yield self._question(kind, "with a typo", typo, (name,))

    def _spellings(self, kind: str, name: str) -> tuple[str, ...]:
        if kind not in _STYLES:
            return ()
        parts = [part.lower() for part in _HUMP.findall(name if "_" not in name else name.lower())]
        if len(parts) < 2 or _STYLES[kind](parts) != name:
            return ()
        others = [style(parts) for style_of, style in _STYLES.items() if style_of != kind]
        self._random.shuffle(others)
        return tuple(others)

    def _stands(self, name: str) -> bool:
        """Return whether it occurs anywhere, in part, in any case and with any signs in between."""
        return re.sub(r"[\W_]+", "", name).lower() in self._letters

    def _question(self, kind: str, form: Form, query: str, names: tuple[str, ...]) -> Question:
        where = {path for name in names for path in self._where(kind, name)}
        return Question(kind, form, query, names, tuple(sorted(where)))

    def _where(self, kind: str, name: str) -> Sequence[str]:
        if (kind, name) not in self._known:
            self._known[kind, name] = documents_with(self._documents, kind, name)
        return self._known[kind, name]
