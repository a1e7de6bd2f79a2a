"""Analysis of a user's query, without I/O; it never fails.

Three forms are operators, everything else is plain words: `"quoted phrase"` must match exactly (if
no chunk has all phrases, the search reads them as plain words), `word*` is the beginning of a word,
`-word` and `-"a phrase"` exclude chunks with them. A dash counts only before a word of two or more
characters that begins with a letter, so that negative numbers, one-letter flags and `--long-flags`
stay text, and only if something to look for remains.
"""

import re
import unicodedata
from collections.abc import Iterable
from itertools import islice

from contracts.lazy_regex import deferred
from contracts.named_tuple import NamedTuple
from contracts.values import KeywordQuery
from search.analysis.inflection import may_be_inflected, query_stems
from search.analysis.letter_folding import is_emoji
from search.analysis.segmentation import even_out, phrase_words, query_words
from search.analysis.stopwords import STOP_WORDS
from search.identifiers.detection import identifiers_in, is_compound, is_hash
from search.identifiers.variants import identifier_field

MAX_CHARS = 16_384
"""Characters of a query that are read; the rest is ignored."""

MAX_WORDS = 256
"""Words of a query that are looked up; the rest is ignored."""

MAX_BINDING = 16
"""Phrases, prefixes and excluded words that are looked up, of each; the rest is ignored."""

MAX_PHRASE_WORDS = 64
"""Words of a phrase that are compared; the rest is ignored."""

MAX_IDENTIFIERS = 8

_ITEM = deferred(
    r"(?P<minus>(?<!\S)-(?=\S))?"
    r"(?:(?<![A-Za-z0-9])[\"“„](?P<phrase>[^\"“”„]+)[\"“”](?![A-Za-z0-9])"
    r"|(?P<word>[^\s\"“”„]+))"
)
_ASCII_WORD = deferred(r"[A-Za-z0-9]+")
_CONTRACTION = deferred(r"\b[a-z]+n['’]t\b|(?<=[a-z])['’](?:s|d|m|re|ve|ll)\b", re.IGNORECASE)
_PREFIX = deferred(r"[^*]*\w\*")
_EXCLUDED = deferred(r"[^\W\d_].*\w", re.DOTALL)
_FLAG = deferred(r"[A-Za-z]{2,3}")
_LATIN_END = "\u0250"


class QueryAnalysis(NamedTuple):
    """An analysed query.

    text         NFC, one line, without control and invisible characters, at most MAX_CHARS
    plain        the same without excluded words and operators; it is embedded
    words        the significant words, each once, as written; without stop words unless there is
                 nothing else (for highlighting)
    prefixes, phrases, excluded  as written, without their operators
    identifiers  identifier-like tokens, at most MAX_IDENTIFIERS
    latin_share  share of Latin letters (below U+0250) among the letters of `plain`, 1 without any
    keyword      the same for the keyword index
    warnings     messages for the user, each without a full stop
    """

    text: str
    plain: str
    words: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    latin_share: float = 1.0
    keyword: KeywordQuery = KeywordQuery()
    warnings: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return whether there is anything to look for."""
        return bool(self.keyword)


def analyse(query: str) -> QueryAnalysis:
    """Analyse a query. Never raises for any string, including lone surrogates."""
    text, warnings = _cleaned(query)
    items = _read(text)
    if not (items.words or items.prefixes or items.phrases):
        items = _Items()
        items.words, items.plain = split_words(text), [text]
    warnings.extend(
        f'-{word} leaves out results with {word!r}; write "-{word}" in quotes to search for it'
        for word in items.excluded
        if _FLAG.fullmatch(word)
    )
    plain = " ".join(items.plain)
    identifiers = (plain,) if is_compound(plain) else identifiers_in(plain)[:MAX_IDENTIFIERS]
    words = _unique(items.content or ([] if items.prefixes or items.phrases else items.words))
    full = _keyword_query(items, words, identifiers)
    keyword = _cut(full)
    if keyword != full:
        warnings.append(
            f"only the first {MAX_WORDS} words of the query were looked up, and the first "
            f"{MAX_BINDING} each of quoted phrases, word beginnings and excluded words"
        )
    return QueryAnalysis(
        text=text,
        plain=plain,
        words=tuple(words),
        prefixes=tuple(_unique(items.prefixes)),
        phrases=tuple(_unique(items.phrases)),
        excluded=tuple(_unique(items.excluded)),
        identifiers=identifiers,
        latin_share=_latin_share(plain),
        keyword=keyword._replace(stems=_stems(words) if may_be_inflected(plain) else ()),
        warnings=tuple(warnings),
    )


def split_words(text: str) -> list[str]:
    """Runs of letters, numbers, marks, private characters and emoji: the same word borders as the
    index.
    """
    if text.isascii():
        return _ASCII_WORD.findall(text)
    return "".join(char if _in_word(char) else " " for char in text).split()


def phrase_of(text: str) -> tuple[str, ...]:
    """The words of the keyword index, in order, that `text` consists of."""
    words = split_words(text)
    found: list[str] = []
    for number, word in enumerate(words, start=1):
        found.extend(phrase_words(word, last=number == len(words)))
    return tuple(found)


class _Items:
    """The parts read so far: all words, significant words, operators, and the plain text."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.content: list[str] = []
        self.prefixes: list[str] = []
        self.phrases: list[str] = []
        self.excluded: list[str] = []
        self.plain: list[str] = []


def _cleaned(query: str) -> tuple[str, list[str]]:
    """One line of NFC without control and invisible characters; a cut adds a warning."""
    raw = query[: 4 * MAX_CHARS]
    if not raw.isprintable():
        raw = "".join(" " if unicodedata.category(char) == "Cc" else char for char in raw)
    text = " ".join(even_out(raw).split())
    if len(query) <= 4 * MAX_CHARS and len(text) <= MAX_CHARS:
        return text, []
    return text[:MAX_CHARS].rstrip(), [
        f"only the first {MAX_CHARS} characters of the query were read"
    ]


def _read(text: str) -> _Items:
    items = _Items()
    shouting = not any(char.islower() for char in text)
    for match in _ITEM.finditer(text):
        minus, phrase, word = match["minus"], match["phrase"], match["word"]
        if phrase is not None:
            _read_phrase(items, phrase.strip(), excluded=bool(minus))
        elif minus and _EXCLUDED.fullmatch(word):
            items.excluded.append(word)
        else:
            _read_word(items, (minus or "") + word, shouting=shouting)
    return items


def _read_phrase(items: _Items, phrase: str, *, excluded: bool) -> None:
    if excluded and split_words(phrase):
        items.excluded.append(phrase)
        return
    words = split_words(phrase)
    items.plain.append(phrase)
    items.words.extend(words)
    items.content.extend(word for word in words if word.lower() not in STOP_WORDS)
    if phrase_of(phrase):
        items.phrases.append(phrase)


def _read_word(items: _Items, word: str, *, shouting: bool) -> None:
    if _PREFIX.fullmatch(word):
        *before, beginning = split_words(word)
        items.plain.append(word[:-1])
        if len(beginning) > 1 or not beginning.isascii():
            items.prefixes.append(beginning)
            items.content.extend(before)
            items.words.extend(before)
            return
    else:
        items.plain.append(word)
    items.words.extend(split_words(word))
    items.content.extend(
        part for part in split_words(_uncontracted(word)) if not _is_stop(part, shouting=shouting)
    )


def _uncontracted(word: str) -> str:
    """The word without a contraction: `don't` becomes empty, `it's` becomes `it`."""
    return _CONTRACTION.sub("", word) if "'" in word or "’" in word else word


def _is_stop(word: str, *, shouting: bool) -> bool:
    """Return whether it is a stop word; IT, US and WHO are not, unless all is in capitals."""
    if not shouting and word in ("IT", "US", "WHO"):
        return False
    return word.lower() in STOP_WORDS


def _keyword_query(items: _Items, content: list[str], identifiers: tuple[str, ...]) -> KeywordQuery:
    words: list[str] = []
    prefixes: list[str] = []
    for word in content:
        found, beginnings = query_words(word)
        words.extend(found)
        prefixes.extend(beginnings)
    for beginning in items.prefixes:
        found, beginnings = query_words(beginning)
        words.extend(found if beginnings else found[:-1])
        prefixes.extend(beginnings or found[-1:])
    for identifier in identifiers:
        spelled = identifier_field(identifier).split()
        words.extend(word for word in spelled if len(word) > 1 and word not in STOP_WORDS)
        if is_hash(identifier):
            prefixes.append(identifier)
    required = tuple(dict.fromkeys(filter(None, map(phrase_of, items.phrases))))
    return KeywordQuery(
        words=tuple(_unique(words)),
        prefixes=tuple(_unique(prefixes)),
        phrases=required if words or prefixes else (),  # a phrase alone can answer
        required=required,
        excluded=tuple(dict.fromkeys(filter(None, map(phrase_of, items.excluded)))),
    )


def _stems(words: Iterable[str]) -> tuple[str, ...]:
    """The stems that find inflected forms, in other languages, of the words looked up."""
    found = _unique(stem for word in islice(words, MAX_WORDS) for stem in query_stems(word))
    return tuple(found[:MAX_WORDS])


def _cut(query: KeywordQuery) -> KeywordQuery:
    """The query cut to the limits that bound the time of any query."""
    phrases, required, excluded = (
        tuple(phrase[:MAX_PHRASE_WORDS] for phrase in part[:MAX_BINDING])
        for part in (query.phrases, query.required, query.excluded)
    )
    return KeywordQuery(
        words=query.words[:MAX_WORDS],
        prefixes=query.prefixes[:MAX_BINDING],
        phrases=phrases,
        required=required,
        excluded=excluded,
    )


def _unique(words: Iterable[str]) -> list[str]:
    """Each word once, ignoring case, the first as written."""
    seen: dict[str, str] = {}
    for word in words:
        seen.setdefault(word.lower(), word)
    return list(seen.values())


def _in_word(char: str) -> bool:
    if char < "\u0080":
        return char.isalnum()
    category = unicodedata.category(char)
    return category[0] in "LN" or category in ("Mn", "Mc", "Co") or is_emoji(char)


def _latin_share(text: str) -> float:
    letters = [] if text.isascii() else [char for char in text if char.isalpha()]
    if not letters:
        return 1.0
    return sum(1 for char in letters if char < _LATIN_END) / len(letters)
