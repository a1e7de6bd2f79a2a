"""The built-in model as an embedding provider.

A text's vector is the sum of its tokens' rows, normalised. A few short texts are summed in plain
Python from the rows they need, so that one search imports no numpy; more are summed by numpy over
the whole table. Both give the same numbers to six decimals.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from operator import mul
from pathlib import Path
from typing import TYPE_CHECKING

from contracts import ConfigError
from providers.base import EmbeddingProvider, Kind, ModelCard, Rows
from providers.measurements import STATIC
from providers.settings import ProviderSettings
from providers.static_model.table import DIMENSIONS, TokenTable
from providers.static_model.wordpiece import WordPiece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL = "symbiosis-static-256"
"""The name of the built-in model."""

DATA = Path(__file__).parent / "data"

FEW_TEXTS = 4
FEW_CHARS = 4096
"""Up to this many texts and characters in total, numpy is not used."""

_BLOCK_TOKENS = 4096


class StaticProvider(EmbeddingProvider):
    """Embeds English text without any download; queries and documents alike.

    `folder` holds the model's files. They are read when first needed.
    """

    def __init__(self, folder: Path = DATA) -> None:
        self._folder = folder

    @classmethod
    def from_settings(cls, settings: ProviderSettings) -> "StaticProvider":
        """Takes `model`, which may name the built-in model, or a folder with another of its kind.

        It has no options and ignores all other settings.
        """
        settings.refuse_unknown_options("static", ())
        if settings.model_folder:
            return cls(settings.model_folder)
        if settings.model and settings.model != MODEL:
            raise ConfigError(
                f"the embedding provider static has no model {settings.model!r}",
                hint=f"set memory.embeddings.model to null or to {MODEL},"
                " or choose another memory.embeddings.provider",
            )
        return cls()

    @cached_property
    def card(self) -> ModelCard:
        return ModelCard(
            provider="static",
            model=MODEL,
            revision=self._table.revision,
            dimensions=DIMENSIONS,
            batch_size=256,
            latin_only=True,
            costly=False,
            **STATIC._asdict(),
        )

    def embed(self, texts: Sequence[str], *, kind: Kind) -> Rows:
        """Unit vectors, `(len(texts), 256)`; zero if no word is known. `kind` changes nothing.

        Lists of floats for a few short texts, else a float32 array.
        """
        if len(texts) <= FEW_TEXTS and sum(map(len, texts)) <= FEW_CHARS:
            return [self._embed_one(text) for text in texts]
        return self._embed_many(texts)

    @cached_property
    def _table(self) -> TokenTable:
        return TokenTable(self._folder)

    @cached_property
    def _tokenizer(self) -> WordPiece:
        return WordPiece(self._table.vocabulary)

    @cached_property
    def _rows(self) -> "NDArray[np.float32]":
        return self._table.load()

    def _embed_one(self, text: str) -> list[float]:
        total = self._table.weighted_sum(Counter(self._tokenizer.iter_ids(text)))
        norm = math.sqrt(math.fsum(map(mul, total, total)))
        return [value / norm for value in total] if norm else total

    def _embed_many(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        sums = np.empty((len(texts), DIMENSIONS), np.float32)
        for index, text in enumerate(texts):
            ids = np.fromiter(self._tokenizer.iter_ids(text), np.intp)
            self._sum_rows(ids, out=sums[index])
        norms = np.sqrt(np.einsum("ij,ij->i", sums, sums))[:, None]
        sums /= np.where(norms > 0, norms, 1)
        return sums

    def _sum_rows(self, ids: "NDArray[np.intp]", *, out: "NDArray[np.float32]") -> None:
        """Add the rows into `out`, `(256,)`; in blocks, so that a long text needs little memory."""
        self._rows.take(ids[:_BLOCK_TOKENS], axis=0).sum(axis=0, out=out)
        for start in range(_BLOCK_TOKENS, len(ids), _BLOCK_TOKENS):
            block = ids[start : start + _BLOCK_TOKENS]
            out += self._rows.take(block, axis=0).sum(axis=0)
