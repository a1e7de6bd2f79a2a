"""BERT's uncased WordPiece in plain Python, so that a query imports no library.

For any text of separated words the ids equal those of the Rust library `tokenizers` with
`BertNormalizer` and `BertPreTokenizer` over the same vocabulary. Before that, identifiers are split
into words: `parseHTTPHeader` and `parse_http_header` are three words. Names that the vocabulary
knows whole (`YouTube`, `PhD`) stay whole.

Words are separated where `str.split` splits; the separators U+000B, U+000C, U+001C to U+001F and
U+0085 are included, which the Rust library deletes instead, joining their neighbours.

Words repeat, so a word's ids are remembered; that makes this faster than calling Rust.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import Protocol

UNKNOWN = "[UNK]"
LONGEST_WORD = 100
"""A word with more characters is unknown without a lookup, as in BERT."""

_SHORT_WORD = 20  # for longer words, pieces could be too long to be entries
_REMEMBERED_WORDS = 50_000  # 12 MB, twice with the older generation
_REMEMBERED_LENGTH = 32

_PARTS = re.compile(r"[0-9a-z]+|[^0-9a-z ]")
_RUN = re.compile(r"[0-9A-Za-z]+")
# Before a capital after two letters, or after a letter and a number, or after an acronym of two
# letters or more: iPhone, 3D and mRNAs have no hump.
_HUMP = re.compile(
    r"(?<=[A-Za-z][a-z])(?=[A-Z])|(?<=[a-z][0-9])(?=[A-Z])|(?<=[a-z][0-9]{2})(?=[A-Z])"
    r"|(?<=[A-Z]{2})(?=[A-Z][a-z]{2})"
)
# The blocks that BertNormalizer calls Chinese, as the Rust library has them.
_IDEOGRAPHS = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)
_REMOVED = frozenset({"Cc", "Cf", "Co", "Cs"})


class Ids(Protocol):
    """The id of every entry of a vocabulary, with the interface of a dictionary."""

    def get(self, entry: str, /) -> int | None:
        """The id of an entry, None if there is none."""
        ...

    def __iter__(self) -> Iterator[str]: ...


class WordPiece:
    """Turns texts into token ids, greedily taking the longest entry of the vocabulary.

    `ids` has the id of every entry; continuations begin with `##`, and `[UNK]` is required
    (ValueError otherwise). The ids of up to twice `remembered` words are kept. Safe to call from
    several threads.
    """

    def __init__(self, ids: Ids, *, remembered: int = _REMEMBERED_WORDS) -> None:
        self._ids = ids
        unknown = ids.get(UNKNOWN)
        if unknown is None:
            raise ValueError(f"the vocabulary has no {UNKNOWN}")
        self._unknown = (unknown,)
        self._words = _WordCache(self, remembered)

    def divide(self, text: str) -> str:
        """The text with one space between words, and identifiers split into words."""
        return " ".join(self._divide_word(word) for word in text.split())

    def ids(self, text: str) -> list[int]:
        """The ids of one text, in order; nothing for a text of white space."""
        return list(self.iter_ids(text))

    def iter_ids(self, text: str) -> Iterator[int]:
        return chain.from_iterable(map(self._words.__getitem__, text.split()))

    def word_ids(self, word: str) -> tuple[int, ...]:
        """The ids of a text without white space, not remembered."""
        divided = self._divide_word(word)
        if divided.isascii() and divided.isprintable():
            parts: Iterable[str] = _PARTS.findall(divided.lower())
        else:
            parts = _split(_normalise(divided))
        return tuple(chain.from_iterable(map(self._pieces, parts)))

    def _divide_word(self, word: str) -> str:
        if "_" in word:
            word = " ".join(word.replace("_", " ").split())
        return word if word.islower() else _RUN.sub(self._divide_run, word)

    def _divide_run(self, match: re.Match[str]) -> str:
        run = match[0]
        return _HUMP.sub(" ", run) if self._ids.get(run.lower()) is None else run

    @cached_property
    def _longest_entry(self) -> int:
        return max(map(len, self._ids))

    def _pieces(self, part: str) -> tuple[int, ...]:
        ids = self._ids
        whole = ids.get(part)
        if whole is not None:
            return (whole,)
        if len(part) > LONGEST_WORD:
            return self._unknown
        found: list[int] = []
        reach = len(part) if len(part) <= _SHORT_WORD else self._longest_entry
        start, prefix = 0, ""
        while start < len(part):
            for end in range(min(len(part), start + reach), start, -1):
                piece = ids.get(prefix + part[start:end])
                if piece is not None:
                    break
            else:
                return self._unknown
            found.append(piece)
            start, prefix = end, "##"
        return tuple(found)


class _WordCache(dict[str, tuple[int, ...]]):
    """Ids by word as written in a text, filled by lookups.

    When full it becomes the older generation, from which words still in use are brought back; the
    others are dropped at the next change. So common words are never forgotten, however many rare
    ones pass.
    """

    def __init__(self, tokenizer: WordPiece, limit: int) -> None:
        super().__init__()
        self._tokenizer = tokenizer
        self._limit = limit
        self._older: dict[str, tuple[int, ...]] = {}

    def __missing__(self, word: str) -> tuple[int, ...]:
        ids = self._older.get(word) or self._tokenizer.word_ids(word)
        if len(word) <= _REMEMBERED_LENGTH:
            if len(self) >= self._limit:
                self._older = dict(self)
                self.clear()
            self[word] = ids
        return ids


def _normalise(text: str) -> str:
    """BertNormalizer: no control characters, separated ideographs, no accents, lower case."""
    kept = "".join(
        f" {char} " if _is_ideograph(char) else char
        for char in text
        if char != "\ufffd" and unicodedata.category(char) not in _REMOVED
    )
    plain = unicodedata.normalize("NFD", kept)
    # Letter by letter, since str.lower() turns a sigma at the end of a word into its final form.
    return "".join(char.lower() for char in plain if unicodedata.category(char) != "Mn")


def _split(text: str) -> Iterator[str]:
    """Split at white space, with every punctuation mark a separate word."""
    for word in text.split():
        start = 0
        for index, char in enumerate(word):
            if _is_punctuation(char):
                if start < index:
                    yield word[start:index]
                yield char
                start = index + 1
        if start < len(word):
            yield word[start:]


def _is_ideograph(char: str) -> bool:
    code = ord(char)
    return code >= _IDEOGRAPHS[0][0] and any(low <= code <= high for low, high in _IDEOGRAPHS)


def _is_punctuation(char: str) -> bool:
    if char.isascii():
        return not char.isalnum()
    return unicodedata.category(char).startswith("P")
