"""txtai: an embeddings database with its texts, given its vectors by an external function."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from .contract import Engine

if TYPE_CHECKING:
    from .contract import Vectors

_VECTORS: dict[str, Any] = {}
"""The vector of each text that txtai will ask for."""


def vectors_of(texts: Sequence[str]) -> Any:
    """The function that txtai calls, by the name in its configuration."""
    import numpy as np

    return np.asarray([_VECTORS[text] for text in texts], dtype=np.float32)


class Txtai(Engine):
    """Everything else by default: faiss, its texts in SQLite."""

    MODES: ClassVar = {
        "vector": "content stored; its default index (faiss IVF, Flat) and parameters",
        "hybrid": "content stored; `hybrid`: its BM25 beside faiss, its default weights",
    }

    def build(self, chunks: Sequence[str], vectors: "Vectors") -> None:
        self._allow()
        from txtai import Embeddings

        _VECTORS.update(zip(chunks, vectors, strict=True))
        settings = {"method": "external", "transform": "adapters.txtai.vectors_of"}
        self._embeddings = Embeddings(**settings, content=True, hybrid=self.is_hybrid)
        self._embeddings.index(enumerate(chunks))
        self._embeddings.save(str(self.folder))

    def open(self) -> None:
        self._allow()
        from txtai import Embeddings

        self._embeddings = Embeddings()
        self._embeddings.load(str(self.folder))

    def query(self, text: str, vector: Sequence[float], k: int) -> list[int]:
        _VECTORS[text] = vector
        return [int(row["id"]) for row in self._embeddings.search(text, k)]

    def close(self) -> None:
        self._embeddings.close()

    @staticmethod
    def _allow() -> None:
        """Let it find the function by its name; and prevent it from looking for a model on the
        network.
        """
        os.environ |= {"ALLOW_RESOLVE_TRANSFORM": "True", "HF_HUB_OFFLINE": "1"}


ENGINE = Txtai
