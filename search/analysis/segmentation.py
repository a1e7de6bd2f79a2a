"""Segment text of every script into words that the keyword index can find.

The index splits text where a character is neither letter, digit nor mark. Three things need care
before that, for index and query alike:

- Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese runs have no spaces, or spaces that do not
  separate words: they become overlapping pairs of grapheme clusters, and the last cluster alone, so
  that any two neighbouring clusters are a word and a single one is the beginning of a word.
- Words of other scripts outside Latin lose their endings, as `stemming.py` says.
- Invisible characters inside words and the wide and narrow forms of letters are normalised, and
  letters with several spellings are folded.

Pure ASCII text, most of what is indexed, passes unchanged; `inflection.py` adds what other
languages of Latin script need.
"""

import re
import unicodedata
from functools import cache
from itertools import pairwise

from contracts.named_tuple import NamedTuple
from search.analysis.inflection import stems
from search.analysis.letter_folding import fold_letters

CUT_LETTERS = 6
"""Length to which words are cut that no algorithm stems."""

# Letters and marks, but not digits and punctuation, of the scripts written without spaces.
_MARKS = (
    "\u0300-\u036f\u0e31\u0e33-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb3-\u0ebc\u0ec8-\u0ece"
    "\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074"
    "\u1082-\u108d\u108f\u109a-\u109d\u17b4-\u17d3\u17dd\u302a-\u302f\u3099\u309a"
    "\ua9e5\uaa7b-\uaa7d"
)
_BASES = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecf\u0edc-\u0edf"
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\u1780-\u17d3\u17d7\u17dc\u17dd"
    "\u1100-\u11ff\u3005-\u3007\u302a-\u302f\u3031-\u3035\u303b\u303c\u3041-\u3096"
    "\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\ua9e0-\ua9ef"
    "\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a-\uaa7f\uac00-\ud7a3\ud7b0-\ud7fb\uf900-\ufaff"
    "\U00016fe0-\U00018dff\U0001aff0-\U0001b2ff\U00020000-\U0003fffd"
)
# Soft hyphen, joiners, direction marks, byte order mark, variation selectors.
_HIDDEN = (
    "\u00ad\u034f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e01ef"
)
# Full-width Latin and half-width Katakana and Hangul.
_WIDE = "\uff01-\uffdc"
_SURROGATES = "\ud800-\udfff"
_FIRST_CUT, _LAST_CUT = 0x0370, 0x0DFF
"""Greek to Sinhala: all alphabets with case endings, up to Thai, where unspaced scripts begin."""


class _Patterns(NamedTuple):
    """Compiled for the first text that is not ASCII: English searches need not pay."""

    special: re.Pattern[str]
    uneven: re.Pattern[str]
    hidden: re.Pattern[str]
    broken: re.Pattern[str]
    run: re.Pattern[str]
    cluster: re.Pattern[str]
    long_word: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    from search.analysis.stemming import snowball_words

    kept = "".join(
        chr(code)
        for code in range(_FIRST_CUT, _LAST_CUT + 1)
        if unicodedata.category(chr(code))[0] in "LM" and not snowball_words().fullmatch(chr(code))
    )
    return _Patterns(
        special=re.compile(f"[{chr(_FIRST_CUT)}-{chr(_LAST_CUT)}{_BASES}]"),
        uneven=re.compile(f"[{_HIDDEN}{_WIDE}{_SURROGATES}]+"),
        hidden=re.compile(f"[{_HIDDEN}]+"),
        broken=re.compile(f"[{_SURROGATES}]+"),
        run=re.compile(f"[{_BASES}][{_BASES}{_MARKS}]*"),
        cluster=re.compile(f".[{_MARKS}]*", re.DOTALL),
        long_word=re.compile(f"[{kept}]{{{CUT_LETTERS + 1},}}"),
    )


def index_words(text: str) -> str:
    """The text prepared for the keyword index, as the module docstring describes."""
    if text.isascii():
        return text
    text = even_out(text)
    if not _patterns().special.search(text):
        return fold_letters(text)
    return _patterns().run.sub(_index_pairs, _without_endings(text))


def index_stems(text: str) -> str:
    """The stems of a text in another language of Latin script."""
    return " ".join(stems(fold_letters(even_out(text))))


def even_out(text: str) -> str:
    """The text in NFC, without invisible characters and lone surrogates, full and half width
    normalised.
    """
    if text.isascii():
        return text
    if _patterns().uneven.search(text):
        text = _patterns().uneven.sub(_evened, text)
    return unicodedata.normalize("NFC", text)


def query_words(word: str) -> tuple[list[str], list[str]]:
    """Words and prefixes that find `word`, one word of a normalised query, in the index.

    A run of clusters becomes its pairs, a single cluster a prefix (it may begin any pair).
    """
    if word.isascii():
        return [word], []
    words: list[str] = []
    prefixes: list[str] = []
    for piece in pieces(word):
        clusters = clusters_of(piece)
        if not clusters:
            words.append(piece)
        elif len(clusters) == 1:
            prefixes.append(piece)
        else:
            words.extend(_pairs(clusters))
    return words, prefixes


def phrase_words(word: str, *, last: bool) -> list[str]:
    """The index's words for `word` inside a phrase, in its order.

    A run that is not the phrase's last word is followed by its last cluster alone, as in the index.
    A single cluster at the end of a phrase cannot be matched and is left out, unless `last` is
    False.
    """
    if word.isascii():
        return [word]
    found: list[str] = []
    parts = pieces(word)
    for number, piece in enumerate(parts, start=1):
        clusters = clusters_of(piece)
        if not clusters:
            found.append(piece)
            continue
        found.extend(_pairs(clusters))
        if not (last and number == len(parts)):
            found.append(clusters[-1])
    return found


def pieces(word: str) -> list[str]:
    """`word` folded and cut at the borders of its runs, other words cut to length."""
    return _patterns().run.sub(_spaced, _without_endings(word)).split()


def clusters_of(piece: str) -> list[str]:
    """The grapheme clusters of a run of a script without spaces; none for other text."""
    return _patterns().cluster.findall(piece) if _patterns().run.fullmatch(piece) else []


def _pairs(clusters: list[str]) -> list[str]:
    return [first + second for first, second in pairwise(clusters)]


def _index_pairs(match: re.Match[str]) -> str:
    clusters = _patterns().cluster.findall(match[0])
    return f" {' '.join([*_pairs(clusters), clusters[-1]])} "


def _spaced(match: re.Match[str]) -> str:
    return f" {match[0]} "


def _without_endings(text: str) -> str:
    """The text folded, its words stemmed or cut; the stemmers expect unfolded letters."""
    from search.analysis.stemming import snowball_words, stem

    return _patterns().long_word.sub(_cut, fold_letters(snowball_words().sub(stem, text)))


def _cut(match: re.Match[str]) -> str:
    return match[0][:CUT_LETTERS]


def _evened(match: re.Match[str]) -> str:
    visible = _patterns().hidden.sub("", match[0])
    return unicodedata.normalize("NFKC", _patterns().broken.sub(" ", visible))
