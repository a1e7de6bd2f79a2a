"""Numbers of the chunks of a database that hold a word."""

from collections.abc import Iterable
from math import log

from memory.storage import Storage


class WordCounts:
    """The number of chunks that hold each word, each asked for once.

    A run over many episodes meets most words again; counting them takes most of its time.
    """

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._counts: dict[str, int] = {}
        self.chunks = storage.count_chunks()

    def of(self, words: Iterable[str]) -> dict[str, int]:
        """Return the number for each of these words."""
        wanted = list(words)
        new = [word for word in wanted if word not in self._counts]
        if new:
            self._counts |= self._storage.document_frequencies(new)
        return {word: self._counts.get(word, 0) for word in wanted}

    def rarity(self, words: Iterable[str]) -> dict[str, float]:
        """Return the rarity of each of these words: the logarithm of all chunks for each with
        it.
        """
        counts = self.of(words)
        return {word: log(2 + self.chunks / (1 + number)) for word, number in counts.items()}
