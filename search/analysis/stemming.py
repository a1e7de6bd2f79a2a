"""Word endings outside Latin script: the table says which letters get which treatment.

Arabic and Russian words are stemmed by Snowball's algorithms (https://snowballstem.org), words of
every other alphabet from Greek to Sinhala are cut to six letters. Measured with BM25 alone, nDCG@10
cut and stemmed: Arabic .898 and .933, Russian .944 and .952; Greek .948 and .949, too little to
gain. Index and query see words, not languages: a Persian or Ukrainian word in the same letters is
treated alike on both sides.
"""

import re
import threading
from functools import cache
from typing import Any, Final

SNOWBALL: Final = {
    "arabic": "\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed",
    "russian": "\u0400-\u04ff",
}
"""The letters and marks of the words that an algorithm stems, as ranges of a character class."""

_PERSIAN: Final = str.maketrans("یک", "يك")
_CONJUNCTION: Final = re.compile("^[وف](?=ال)")
"""Arabic "and" and "so", which Snowball leaves before the article."""
_TA_MARBUTA: Final = re.compile("(?<=....)ه$")
"""The ending ta marbuta, as many type it; Snowball knows its own letter only."""

_stemmers = threading.local()
"""The stemmers of each thread, by algorithm: one may not be shared."""


@cache
def snowball_words() -> re.Pattern[str]:
    """A word in the letters of one algorithm, in the group of its name."""
    words = "|".join(f"(?P<{name}>[{letters}]++)" for name, letters in SNOWBALL.items())
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)")


def stem(match: re.Match[str]) -> str:
    """Return the stem of a word that `snowball_words` matched, in lower case.

    Arabic letters must not be folded yet: the algorithm reads them to tell an ending.
    """
    word = match[0].lower()
    if match.lastgroup != "arabic":
        return _stemmed("russian", word)
    word = _CONJUNCTION.sub("", word.translate(_PERSIAN))
    return _TA_MARBUTA.sub("", _stemmed("arabic", word))


def _stemmed(algorithm: str, word: str) -> str:
    stemmer: Any = getattr(_stemmers, algorithm, None)
    if stemmer is None:
        from Stemmer import Stemmer

        stemmer = Stemmer(algorithm)
        setattr(_stemmers, algorithm, stemmer)
    return str(stemmer.stemWord(word))
