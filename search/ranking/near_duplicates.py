"""Fold near-identical chunks into one hit, so that ten copies of a text do not fill the answer.

Chunks are folded only if they agree in what the query asks for: its words are the same in both, in
the path as in the text, and so is the identifier for which they were found.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from itertools import chain

from contracts.lazy_regex import deferred
from contracts.values import ChunkRow
from search.analysis.query import QueryAnalysis
from search.identifiers.identifier_search import Match
from search.ranking.repetition import Fingerprint, Fingerprinter, beginnings

LONG = 9
"""Letters of the words compared first: a sample that copies share."""

SHARED = 1 / 3
"""The share of common long words that justifies a closer look."""

_PATH_WORD = deferred(r"[^\W_]+")


class DuplicateFinder:
    """The hits of an answer, best first, and a check whether a further chunk repeats one.

    A chunk whose heading no hit has, as most do, costs nothing, and one with different long words
    no more than splitting its text.
    """

    def __init__(self, analysis: QueryAnalysis, matches: Mapping[int, Match]) -> None:
        asked = (*analysis.words, *analysis.prefixes)
        self._asked = beginnings(asked)
        self._fingerprinter = Fingerprinter(self._asked)
        self._matches = matches
        self._kept: dict[tuple[str, str], _KeptTexts] = {}
        self._compared: dict[int, _Text] = {}

    def original(self, row: ChunkRow) -> int | None:
        """The id of the first hit that this chunk repeats, if there is one."""
        text = self._text(row)
        of_place = self._kept.get(text.place)
        for kept in of_place.candidates(text) if of_place else ():
            if kept.is_like(text) and self._stands_for(kept.row, row):
                return kept.row.chunk_id
        return None

    def keep(self, row: ChunkRow) -> None:
        """Add a hit."""
        text = self._text(row)
        self._kept.setdefault(text.place, _KeptTexts()).add(text)

    def _text(self, row: ChunkRow) -> "_Text":
        """A chunk's text, analysed once: most chunks are compared and then kept."""
        text = self._compared.get(row.chunk_id)
        if text is None:
            text = self._compared[row.chunk_id] = _Text(row, self._fingerprinter)
        return text

    def _stands_for(self, kept: ChunkRow, row: ChunkRow) -> bool:
        """Return whether the query asks for nothing in `row` that is not in `kept` as well."""
        match, other = self._matches.get(row.chunk_id), self._matches.get(kept.chunk_id)
        if match is not None and (other is None or other.identifier != match.identifier):
            return False
        return self._asked_in(row.path) <= self._asked_in(kept.path)

    def _asked_in(self, path: str | None) -> set[str]:
        words = _PATH_WORD.findall((path or "").lower())
        return {word for word in self._asked if any(name.startswith(word) for name in words)}


class _KeptTexts:
    """The kept texts of one place, and which of them hold a word of their samples."""

    def __init__(self) -> None:
        self._texts: list[_Text] = []
        self._sampled = 0
        self._holding: dict[str, list[int]] = {}

    def add(self, text: "_Text") -> None:
        """Add a text, whose sample is made when another one is compared with it."""
        self._texts.append(text)

    def candidates(self, text: "_Text") -> list["_Text"]:
        """The texts that share enough of the sample, in their order."""
        for number in range(self._sampled, len(self._texts)):
            for word in self._texts[number].sample:
                self._holding.setdefault(word, []).append(number)
        self._sampled = len(self._texts)
        holding = map(self._holding.get, text.sample)
        counts = Counter(chain.from_iterable(filter(None, holding)))
        return [
            self._texts[number]
            for number, count in sorted(counts.items())
            if count >= SHARED * min(len(text.sample), len(self._texts[number].sample))
        ]


class _Text:
    """A chunk's text with its comparison keys, each made when needed."""

    def __init__(self, row: ChunkRow, fingerprinter: Fingerprinter) -> None:
        self.row = row
        self.body = row.text[row.body_offset :]
        self._fingerprinter = fingerprinter

    @property
    def place(self) -> tuple[str, str]:
        """The part that must be equal: the same words below two headings are two places."""
        return self.row.source, self.row.heading

    @cached_property
    def sample(self) -> set[str]:
        """The long words of the text, or all if none is long."""
        words = self.body.split()
        return {word for word in words if len(word) >= LONG} or set(words)

    @cached_property
    def fingerprint(self) -> Fingerprint:
        return self._fingerprinter(self.body)

    def is_like(self, other: "_Text") -> bool:
        return self.body == other.body or self.fingerprint.resembles(other.fingerprint)
