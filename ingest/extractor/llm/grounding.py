"""Where a sentence's words stand in what was said.

A memory that nobody's words support is an invention, so names and numbers have to be there as they
are, most other words in some form of theirs, and at least one in the turn itself.
"""

import re
from datetime import datetime
from typing import Final, NamedTuple

from ingest.extractor.values import Utterance
from ingest.temporal import resolve

_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019.][^\W_]+)*")
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_SENTENCE: Final = re.compile(
    r"[^.!?\n\u3002\uff01\uff1f]+(?:[.!?\u3002\uff01\uff1f]+(?=\s|$)|\n|[.!?\u3002\uff01\uff1f]|$)"
)
_SHARE: Final = 0.6
"""Of a sentence's ordinary words that have to be in what was said; tense and synonyms are the rest.
"""

_LEAST_START: Final = 4
_LONGEST_START: Final = 40
"""Letters of a word by which it is known from its beginning."""

_ENDINGS: Final = ("ings", "ing", "ies", "ied", "ers", "ed", "es", "er", "s", "e", "y")
_COUNT: Final = "one two three four five six seven eight nine ten eleven twelve"
_NUMBERS: Final = {word: str(number) for number, word in enumerate(_COUNT.split(), 1)}

_FRAME: Final = """
a an the this that these those of in at on to for with and or by from as about into than is are was
were be been being am has have had having does do did done will would can could may not no never
longer anymore more any some all very really also now currently often usually always sometimes still
just own other user users their they them his her he she it its named called name likes like liked
loves love enjoys enjoy prefers prefer hates hate dislikes dislike wants want wanted plans plan
planned planning intends works work working worked lives live living lived owns got gets get goes go
going uses use using used speaks speak studies study studying born old years year considers
interested fan favorite favourite feels thinks believes who which what when where there since until
ago
"""
FRAME: Final = frozenset(_FRAME.split())
"""Words of the sentences that memories are made of; they need not be the turn's."""


class Span(NamedTuple):
    """The words of the turn that support a memory, without those around them."""

    start: int
    end: int


class Word(NamedTuple):
    """A word of a text: as written, and where."""

    text: str
    start: int
    end: int


class Source(NamedTuple):
    """What was said, ready to be asked for words.

    text     what the turn states; places in it are places in the turn
    stems    of its words
    starts   the beginnings of its stems
    exact    its words in lower case, and the dates that it names
    before   stems and exact words of what was said before
    subject  whom memories are about
    """

    text: str
    stems: frozenset[str]
    starts: frozenset[str]
    exact: frozenset[str]
    before: frozenset[str]
    subject: str

    @classmethod
    def of(cls, stated: str, before: str, utterance: Utterance) -> "Source":
        """The words of `stated`, which is all of the turn or a part, and of what was before it."""
        words = [word.text for word in words_of(stated)]
        earlier = [word.text for word in words_of(before)]
        stems = frozenset(map(stem, words))
        return cls(
            stated,
            stems,
            frozenset(start for each in stems for start in _starts(each)),
            frozenset(map(_plain, words)) | _dates(stated, utterance.said_at),
            frozenset(map(stem, earlier)) | frozenset(map(_plain, earlier)),
            utterance.speaker or "User",
        )

    def holds(self, word: str) -> bool:
        """Whether the turn has the word in some form."""
        if _UNSPACED.search(word):
            return _share_of_pairs(word, self.text) >= _SHARE
        if _plain(word) in self.exact or stem(word) in self.stems:
            return True
        return stem(word)[:-1] in self.starts  # of `wohnt`, which stands as `wohne`

    def holds_exactly(self, word: str) -> bool:
        """Whether the turn, or what was said before it, has the word as it is."""
        if _UNSPACED.search(word):
            return self.holds(word)
        plain = _plain(word)
        return plain in self.exact or plain in self.before

    def knows(self, word: str) -> bool:
        """Whether the turn, or what was said before it, has the word in some form."""
        return self.holds(word) or stem(word) in self.before


def words_of(text: str) -> list[Word]:
    """The words in order; `User's` is one, as is `3.5`."""
    return [Word(found[0], found.start(), found.end()) for found in _WORD.finditer(text)]


def content_words(sentence: str, subject: str) -> list[str]:
    """The words of a memory that somebody must have said."""
    about = {_plain(word.text) for word in words_of(subject)}
    found = (word.text for word in words_of(sentence))
    return [word for word in found if _plain(word) not in FRAME | about]


def is_name(word: str) -> bool:
    """Whether a word must be there as it is: a name in capitals, or with a digit in it."""
    return any(mark.isdigit() for mark in word) or word != word.lower()


def is_grounded(words: list[str], source: Source, *, whole: bool) -> bool:
    """Whether what was said supports these words; `whole`: every one of them."""
    if not any(map(source.holds, words)):
        return False
    if not all(source.holds_exactly(word) for word in words if is_name(word)):
        return False
    ordinary = [word for word in words if not is_name(word)]
    known = sum(map(source.knows, ordinary))
    return known >= len(ordinary) * (1 if whole else _SHARE)


def evidence(words: list[str], text: str) -> Span:
    """The sentence that holds most of the words, the first of several."""
    wanted = {stem(word) for word in words}

    def shared(sentence: "re.Match[str]") -> int:
        return len(wanted & {stem(word.text) for word in words_of(sentence[0])})

    best = max(_SENTENCE.finditer(text), key=shared, default=None)
    if best is None:
        return Span(0, len(text))
    blanks = len(best[0]) - len(best[0].lstrip())
    return Span(best.start() + blanks, best.start() + len(best[0].rstrip()))


def stem(word: str) -> str:
    """What the forms of a word have in common, roughly: `moved`, `moves` and `moving` are one."""
    plain = _plain(word)
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= 3:
            return plain.removesuffix(ending)
    return plain


def _starts(stem: str) -> list[str]:
    """The beginnings of a stem by which a form of the word is known, the whole one too."""
    return [stem[:end] for end in range(_LEAST_START, min(len(stem), _LONGEST_START) + 1)]


def _plain(word: str) -> str:
    """In lower case, a number in digits, nobody's possession."""
    plain = word.casefold().replace("\u2019", "'").removesuffix("'s").removesuffix("'")
    return _NUMBERS.get(plain, plain)


def _dates(text: str, said_at: datetime) -> frozenset[str]:
    """The dates that a text names as words: of 3 May 2024 `2024-05-03` is three of them."""
    found = set()
    for moment in resolve(text, said_at):
        for day in {moment.begin, moment.until or moment.begin}:
            named = f"{day:%Y %m %d %B %b %A} {day.day} {day.month}"
            found |= {part.casefold() for part in named.split()}
    return frozenset(found)


def _share_of_pairs(word: str, text: str) -> float:
    """Of the pairs of neighbouring signs, in scripts that put no blanks between words."""
    pairs = {word[place : place + 2] for place in range(max(1, len(word) - 1))}
    return sum(pair in text for pair in pairs) / len(pairs)
