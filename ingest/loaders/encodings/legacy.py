"""Detect a legacy encoding by the letters that it gives a text.

Precision comes first: a wrong guess fills the index with words nobody can search for, so an
encoding is only taken if nearly every letter is one of a language, in the right proportions, and no
other encoding gives as good a text. General detectors rank guesses instead: on some sentences of 23
languages, charset-normalizer took a Swedish text for Polish and a Japanese one for Korean.
"""

import re
import unicodedata
from collections import Counter
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest.loaders.encodings.languages import ALPHABETS, SCRIPTS, SIGNS, Script

_SAMPLE_BYTES: Final = 16_384
_SHIFTED: Final = (b"\x1b$B", b"\x1b$@", b"\x1b(J")
_LEAST_LETTERS: Final = 24
_LEAST_DIACRITICS: Final = 8
_MOST_ODD_SHARE: Final = 0.02
_MOST_BESIDE_LATIN: Final = 0.2
_LEAST_OF_ALPHABET: Final = 0.97
_BETTER_THAN_WESTERN: Final = 0.02
_LEAST_KINDS: Final = 3
_ODD_COSTS: Final = 4.0
_MOST_CASE_COSTS: Final = 0.6
_LEAST_WORTH: Final = 0.8
_CLEAR: Final = 0.1
"""The margin by which the best reading must beat one in another script."""

_INNER_CAPITAL: Final = re.compile(r"(?<=[^\W\d_])[^\x00-\x7f]")
_INNER_SIGN: Final = re.compile(r"(?<=[^\W\d_])[«»‹›“”„‘‚–—…•№§©¿¡](?=[^\W\d_])")
_BESIDE_LATIN: Final = re.compile(r"[A-Za-z](?=[^\x00-\x7f])|[^\x00-\x7f](?=[A-Za-z])")


class _Sample(NamedTuple):
    """The non-ASCII characters of a sample, decoded by one encoding."""

    text: str
    letters: Counter[str]
    n_letters: int
    n_odd: int

    def has(self, least: int) -> bool:
        """Return whether it has this many letters, and hardly a sign unusual in texts."""
        return self.n_letters >= least and self.odd_share <= _MOST_ODD_SHARE

    @property
    def odd_share(self) -> float:
        return self.n_odd / max(1, self.n_letters + self.n_odd)

    def share(self, letters: frozenset[str]) -> float:
        return sum(self.letters[letter] for letter in letters) / max(1, self.n_letters)


class _Reading(NamedTuple):
    """One possible decoding of the bytes."""

    worth: float
    encoding: str
    script: Script


def decode_legacy(data: bytes) -> tuple[str, str] | None:
    """The text of bytes that are not UTF-8, and its encoding; None if it cannot be detected."""
    sample = _foreign_lines(data)
    encoding = _of_script(sample) or _of_alphabet(sample)
    return None if encoding is None else (decoded(data, encoding), encoding)


def decode_shifted(data: bytes) -> tuple[str, str] | None:
    """Old Japanese mail, which switches between seven-bit sets by escape sequences."""
    if any(shift in data for shift in _SHIFTED):
        try:
            return data.decode("iso2022_jp_ext"), "iso2022_jp_ext"
        except UnicodeDecodeError:
            return None
    return None


def decoded(data: bytes, encoding: str) -> str:
    """The text; damaged bytes become U+FFFD, combining marks are joined with their letters."""
    text = data.decode(encoding, "replace")
    return unicodedata.normalize("NFC", text) if encoding == "cp1258" else text


def _foreign_lines(data: bytes) -> bytes:
    """The first lines with non-ASCII characters, which may come late in source code."""
    taken: list[bytes] = []
    left = _SAMPLE_BYTES
    for line in data.split(b"\n"):
        if not line.isascii():
            taken.append(line[:left])
            left -= len(line) + 1
            if left <= 0:
                break
    return b"\n".join(taken)


def _of_script(sample: bytes) -> str | None:
    """The encoding that gives a text in a non-Latin script."""
    readings = [
        _Reading(_worth(read, script), encoding, script)
        for script in SCRIPTS
        for encoding in script.encodings
        if (read := _read(sample, encoding)).has(_LEAST_LETTERS)
        and read.share(script.common) >= script.least
        and not _mixes_scripts(read)
    ]
    if not readings:
        return None
    best = max(readings, key=lambda reading: reading.worth)
    others = (reading.worth for reading in readings if reading.script is not best.script)
    limit = max(_LEAST_WORTH, max(others, default=0.0) + _CLEAR)
    return best.encoding if best.worth >= limit else None


def _worth(read: _Sample, script: Script) -> float:
    """The likeness of a reading to its script; higher is better, good ones have about 1.2."""
    capitals = sum(found[0].isupper() for found in _INNER_CAPITAL.finditer(read.text))
    case_costs = min(_MOST_CASE_COSTS, capitals / max(1, read.n_letters))
    share = read.share(script.common) / script.least
    return share - _ODD_COSTS * read.odd_share - case_costs


def _of_alphabet(sample: bytes) -> str | None:
    """The encoding that gives a text of a language in Latin script; None for Windows-1252, and if
    it cannot be detected.
    """
    western = _read(sample, "cp1252")
    best_share, best = _LEAST_OF_ALPHABET, None
    if western.odd_share <= _MOST_ODD_SHARE:
        shares = (western.share(alphabet.letters) for alphabet in ALPHABETS if alphabet.is_western)
        best_share = max(best_share, max(shares) + _BETTER_THAN_WESTERN)
    reads: dict[str, _Sample] = {}
    for alphabet in ALPHABETS:
        for encoding in alphabet.encodings:
            read = reads.setdefault(encoding, _read(sample, encoding))
            share = read.share(alphabet.letters)
            kinds = sum(letter in read.letters for letter in alphabet.letters)
            if share >= best_share and kinds >= _LEAST_KINDS and read.has(_LEAST_DIACRITICS):
                best_share, best = share + 1e-9, encoding
    return best


def _mixes_scripts(read: _Sample) -> bool:
    beside = len(_BESIDE_LATIN.findall(read.text))
    return beside > read.n_letters * _MOST_BESIDE_LATIN


def _read(sample: bytes, encoding: str) -> _Sample:
    text = sample.decode(encoding, "replace")
    foreign = Counter(text.lower().translate(_NO_ASCII))
    letters: Counter[str] = Counter()
    n_odd = 0
    for sign, count in foreign.items():
        if sign.isalpha() or unicodedata.category(sign)[0] == "M":
            letters[sign] = count
        elif sign not in SIGNS:
            n_odd += count
    n_odd += len(_INNER_SIGN.findall(text))
    return _Sample(text, letters, letters.total(), n_odd)


_NO_ASCII: Final = dict.fromkeys(range(128))
