"""A small embedding model for tests, ours and users': no weights, no numpy, deterministic.

A text is the sum of its words, and a word the sum of signed coordinates that a hash picks for its
stem and for the stem's character trigrams (hashing trick, Weinberger et al. 2009). So equal words,
and words of one family, make texts similar; nothing else does.
"""

import re
import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from math import hypot, sqrt
from typing import Final

from contracts import ConfigError, UnavailableError
from providers.base import EmbeddingProvider, Kind, ModelCard
from providers.settings import ProviderSettings

DIMENSIONS: Final = 64
"""The dimensions of a model whose name gives no other number."""

_NUMBERED: Final = re.compile(r"-(\d{1,4})$")
_WORD: Final = re.compile(r"[^\W_]{1,64}")
_SUFFIXES: Final = ("ing", "ed", "es", "s", "e")
_SHORTEST_STEM: Final = 3
_LONGEST_WEIGHED: Final = 8  # a word weighs its length: short ones are mostly grammar
_COORDINATES: Final = 4  # per feature: a single one would make every 64th pair of words equal


class FakeProvider(EmbeddingProvider):
    """A deterministic provider that counts its calls and fails on demand.

    Vectors depend on `model`: two names are two spaces. A name that ends in a number, as `fake-96`,
    gives the dimensions unless they are set; otherwise 64. Any thread may use it.

    calls           how often `embed` was called, failed calls included
    texts_embedded  how many texts it turned into rows
    fail_times      this many further calls of `embed` raise UnavailableError; may be set again
    """

    def __init__(
        self,
        model: str = "fake",
        *,
        dimensions: int | None = None,
        batch_size: int = 32,
        fail_times: int = 0,
    ) -> None:
        if dimensions is None:
            numbered = _NUMBERED.search(model)
            dimensions = int(numbered[1]) if numbered else DIMENSIONS
        if dimensions < 1:
            raise ConfigError(
                f"the fake embedding model cannot have {dimensions} dimensions",
                hint="set its option dimensions to 1 or more",
            )
        self._card = ModelCard(
            provider="fake",
            model=model,
            revision="1",
            dimensions=dimensions,
            batch_size=batch_size,
        )
        self._lock = threading.Lock()
        self.calls = 0
        self.texts_embedded = 0
        self.fail_times = fail_times

    @classmethod
    def from_settings(cls, settings: ProviderSettings) -> "FakeProvider":
        """Takes `model`, `batch_size` and the options `dimensions` and `fail_times`."""
        settings.refuse_unknown_options("fake", ("dimensions", "fail_times"))
        return cls(
            settings.model or "fake",
            dimensions=settings.options.get("dimensions"),
            batch_size=settings.batch_size or 32,
            fail_times=settings.options.get("fail_times", 0),
        )

    @property
    def card(self) -> ModelCard:
        return self._card

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[list[float]]:
        """Unit rows, equal for both kinds; a text without a letter or digit gives zeros."""
        with self._lock:
            self.calls += 1
            if self.fail_times > 0:
                self.fail_times -= 1
                raise UnavailableError(
                    "the fake embedding provider was told to fail",
                    hint="set its fail_times to 0",
                )
            self.texts_embedded += len(texts)
        return [self._row(text) for text in texts]

    def _row(self, text: str) -> list[float]:
        row = [0.0] * self._card.dimensions
        for word in _WORD.findall(text.casefold()):
            for index, weight in _word_coordinates(self._card.model, len(row), word):
                row[index] += weight
        norm = hypot(*row)
        return [value / norm for value in row] if norm else row


@lru_cache(maxsize=65_536)
def _word_coordinates(model: str, dimensions: int, word: str) -> tuple[tuple[int, float], ...]:
    """The (index, signed weight) pairs a word adds to a text's row."""
    stem = _stem(word)
    marked = f"<{stem}>"
    trigrams = [marked[i : i + 3] for i in range(len(marked) - 2)]
    weight = float(min(len(word), _LONGEST_WEIGHED))
    trigram_weight = weight / sqrt(len(trigrams))  # together as long a vector as the stem's
    features = [(f"stem {stem}", weight), *((f"gram {gram}", trigram_weight) for gram in trigrams)]
    return tuple(
        (number % dimensions, weight if number >> 31 else -weight)
        for feature, weight in features
        for number in _hashes(f"{model}\0{feature}")
    )


def _stem(word: str) -> str:
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            return word.removesuffix(suffix)
    return word


def _hashes(feature: str) -> Iterator[int]:
    """Independent 32-bit numbers; the top bit serves as a sign."""
    digest = blake2b(feature.encode(), digest_size=4 * _COORDINATES).digest()
    return (int.from_bytes(digest[i : i + 4]) for i in range(0, len(digest), 4))
