"""The baselines of the search: BM25 over whole documents, and the model alone over them."""

import re
from collections.abc import Iterator, Sequence

from benchmarks.quality.beir import Judged
from benchmarks.quality.measures import AT

_SPACED = re.compile(r"\w+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]+")
"""Letters and marks of Thai, Lao, Burmese, Khmer, Japanese and Chinese, which are written without
spaces.
"""

_PARTS = re.compile(rf"{_UNSPACED.pattern}|[^\W]+?(?={_UNSPACED.pattern}|\W|$)")
_ENGLISH = "lower case, English stop words and stems (PyStemmer)"
_PAIRS = "pairs of characters in scripts without spaces, else lower-case words"


def is_unspaced(texts: Sequence[str]) -> bool:
    """Return whether most letters are of scripts without spaces between words."""
    letters = sum(sum(map(str.isalpha, text)) for text in texts)
    return sum(sum(map(len, _UNSPACED.findall(text))) for text in texts) > letters / 2


def pairs(text: str) -> list[str]:
    """Lower-case words, and of unspaced scripts every two neighbouring characters."""
    words: list[str] = []
    for part in _PARTS.findall(text.lower()):
        if len(part) > 1 and _UNSPACED.match(part):
            words += (part[at : at + 2] for at in range(len(part) - 1))
        else:
            words.append(part)
    return words


def tokeniser(judged: Judged) -> str:
    """The tokeniser of BM25 for this collection."""
    return _PAIRS if is_unspaced([one.text for one in judged.documents]) else _ENGLISH


def bm25_rankings(judged: Judged) -> Iterator[list[str]]:
    """The documents that bm25s (its defaults: Lucene's formula, k1 1.5, b .75) puts first."""
    import bm25s

    index = bm25s.BM25()
    index.index(_tokens([one.whole for one in judged.documents], judged), show_progress=False)
    asked = _tokens([question.text for question in judged.questions], judged)
    at = min(AT, len(judged.documents))
    found, scores = index.retrieve(asked, k=at, show_progress=False)
    for places, values in zip(found, scores, strict=True):
        yield [
            judged.documents[place].id
            for place, value in zip(places, values, strict=True)
            if value > 0
        ]


def _tokens(texts: Sequence[str], judged: Judged) -> "list[list[str]]":
    import bm25s
    import Stemmer

    if tokeniser(judged) == _PAIRS:
        return [pairs(text) for text in texts]
    stemmer = Stemmer.Stemmer("english")
    tokens: list[list[str]] = bm25s.tokenize(
        texts, stopwords="en", stemmer=stemmer, return_ids=False, show_progress=False
    )
    return tokens
