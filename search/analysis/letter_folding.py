"""Fold letters that can be typed in more than one way into one form.

The tokenizer of the keyword index lowers case and strips accents that Unicode decomposes from Latin
letters. The rest is done here, for index and query alike: ß and ss, ø and o, ł and l, the dots of
Turkish i; Greek accents and ё; vowel points of Hebrew and Arabic, and the letters that Arabic and
Persian keyboards write differently. An emoji becomes a word, which the tokenizer would drop.
"""

import re
import unicodedata
from functools import cache

from contracts.named_tuple import NamedTuple

_LETTERS = {
    **{"ß": "ss", "ẞ": "SS", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i"},
    **{"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th"},
    **{"ħ": "h", "Ħ": "H", "ŋ": "n", "Ŋ": "N", "ŧ": "t", "Ŧ": "T", "ĸ": "k", "ə": "e", "Ə": "E"},
    **{"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"},
    **{"ё": "е", "Ё": "е"},
    # Alef with hamza or madda, alef maksura, ta marbuta; Persian yeh, keheh and heh.
    **{"أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ة": "ه"},
    **{"ی": "ي", "ک": "ك", "ۀ": "ه", "ھ": "ه", "ہ": "ه"},
}
# Hebrew points, Arabic vowel signs, and the stroke that only widens a word.
_SILENT = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
)
_SKIN = "\U0001f3fb-\U0001f3ff"
_EMOJI = "\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
_GREEK = (*range(0x0370, 0x0400), *range(0x1F00, 0x2000))
_PRIVATE_PLANE = 0xF0000
"""The tokenizer treats private-use characters as letters; an emoji maps to the one with its number.
"""


class _Patterns(NamedTuple):
    varied: re.Pattern[str]
    silent: re.Pattern[str]
    emoji: re.Pattern[str]
    table: dict[int, str]


@cache
def _patterns() -> _Patterns:
    """The patterns, compiled for the first text that is not ASCII: English never needs them."""
    greek = {chr(code): unicodedata.normalize("NFD", chr(code))[0] for code in _GREEK}
    letters = _LETTERS | {char: bare for char, bare in greek.items() if bare != char}
    return _Patterns(
        varied=re.compile(f"[{''.join(map(re.escape, letters))}{_SILENT}{_SKIN}{_EMOJI}]"),
        silent=re.compile(f"[{_SILENT}{_SKIN}]+"),
        emoji=re.compile(f"[{_EMOJI}]"),
        table=str.maketrans(letters),
    )


def fold_letters(text: str) -> str:
    """The text with one spelling of each letter; `text` itself if nothing changes."""
    if text.isascii() or not _patterns().varied.search(text):
        return text
    bare = _patterns().silent.sub("", text) or text  # a mark alone stays itself
    return _patterns().emoji.sub(_as_word, bare.translate(_patterns().table))


def is_emoji(char: str) -> bool:
    """Return whether `fold_letters` turns this character into a word."""
    return not char.isascii() and _patterns().emoji.fullmatch(char) is not None


def _as_word(match: re.Match[str]) -> str:
    return f" {chr(_PRIVATE_PLANE | ord(match[0]) & 0xFFFF)} "
