"""Chroma: a persistent client, one collection of documents with their embeddings."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from .contract import Engine

if TYPE_CHECKING:
    from .contract import Vectors

_NAME = "chunks"


class Chroma(Engine):
    """Its local client lacks search by words (sparse vectors): no mode is hybrid."""

    MODES: ClassVar = {
        "vector": "HNSW with its default parameters, cosine; the largest batches it takes; its "
        "search by words is not there in the local client",
    }

    def build(self, chunks: Sequence[str], vectors: "Vectors") -> None:
        client = self._connect()
        settings = {"hnsw": {"space": "cosine"}}
        collection = client.create_collection(
            _NAME, configuration=settings, embedding_function=None
        )
        size = client.get_max_batch_size()
        for start in range(0, len(chunks), size):
            texts = list(chunks[start : start + size])
            collection.add(
                ids=[str(number) for number in range(start, start + len(texts))],
                documents=texts,
                embeddings=vectors[start : start + size],
            )

    def open(self) -> None:
        self._collection = self._connect().get_collection(_NAME, embedding_function=None)

    def query(self, text: str, vector: Sequence[float], k: int) -> list[int]:
        found = self._collection.query(
            query_embeddings=[list(vector)], n_results=k, include=["documents", "distances"]
        )
        return [int(number) for number in found["ids"][0]]

    def _connect(self) -> "chromadb.api.ClientAPI":
        import chromadb

        settings = chromadb.Settings(anonymized_telemetry=False)
        return chromadb.PersistentClient(path=str(self.folder), settings=settings)


if TYPE_CHECKING:
    import chromadb

ENGINE = Chroma
