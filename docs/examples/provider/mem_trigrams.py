"""An embedding provider without a model: words are near when they share letters."""

from collections.abc import Sequence
from math import hypot
from zlib import crc32

from providers import EmbeddingProvider, Kind, ModelCard, ProviderSettings


class TrigramProvider(EmbeddingProvider):
    """Counts the groups of three letters of a text, each in the dimension that a hash gives it."""

    card = ModelCard(provider="trigrams", model="crc32", revision="1", dimensions=512)

    def __init__(self, settings: ProviderSettings) -> None:
        settings.refuse_unknown_options("trigrams", ())

    def embed(self, texts: Sequence[str], *, kind: Kind) -> list[list[float]]:
        return [_row(text.casefold(), self.dimensions) for text in texts]


def _row(text: str, dimensions: int) -> list[float]:
    row = [0.0] * dimensions
    for word in "".join(mark if mark.isalnum() else " " for mark in text).split():
        for start in range(len(word)):
            row[crc32(f" {word} "[start : start + 3].encode()) % dimensions] += 1
    norm = hypot(*row)
    return [value / norm for value in row] if norm else row
