"""Qdrant without a server: the local mode of its Python client."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from .contract import Engine

if TYPE_CHECKING:
    from .contract import Vectors

_NAME = "chunks"
_BATCH = 1000


class Qdrant(Engine):
    """Its local mode is meant for development; its makers advise a server beyond 20,000 points.

    It ranks by words only through sparse vectors that the user computes, so no mode is hybrid.
    """

    MODES: ClassVar = {
        "vector": "local mode, brute force in numpy, which itself advises a server beyond 20,000 "
        "points; cosine, texts as payload, batches of 1,000",
    }

    def build(self, chunks: Sequence[str], vectors: "Vectors") -> None:
        from qdrant_client import models

        self.open()
        shape = models.VectorParams(size=vectors.shape[1], distance=models.Distance.COSINE)
        self._client.create_collection(_NAME, vectors_config=shape)
        for start in range(0, len(chunks), _BATCH):
            texts = chunks[start : start + _BATCH]
            batch = models.Batch(
                ids=list(range(start, start + len(texts))),
                vectors=vectors[start : start + _BATCH].tolist(),
                payloads=[{"text": text} for text in texts],
            )
            self._client.upsert(_NAME, points=batch)

    def open(self) -> None:
        from qdrant_client import QdrantClient

        self._client = QdrantClient(path=str(self.folder))

    def query(self, text: str, vector: Sequence[float], k: int) -> list[int]:
        found = self._client.query_points(_NAME, query=list(vector), limit=k, with_payload=True)
        return [int(point.id) for point in found.points]

    def close(self) -> None:
        self._client.close()


ENGINE = Qdrant
