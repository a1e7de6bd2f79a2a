"""LanceDB: one table of texts and vectors, with the indexes that each mode names."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from .contract import Engine

if TYPE_CHECKING:
    from .contract import Vectors

_ROWS_A_BATCH = 10_000
_INDEXED = "vector, indexed"


class LanceDb(Engine):
    """An embedded table; its documentation calls a vector index unnecessary up to about 100,000
    rows.
    """

    MODES: ClassVar = {
        "vector": "no vector index, as its documentation advises up to about 100,000 rows; cosine",
        _INDEXED: "IVF_HNSW_SQ with its default parameters; cosine",
        "hybrid": "no vector index, full-text index with its defaults; its reranker RRF",
    }

    def build(self, chunks: Sequence[str], vectors: "Vectors") -> None:
        import lancedb
        import pyarrow as pa

        schema = pa.schema(
            [
                pa.field("id", pa.int64()),
                pa.field("text", pa.string()),
                pa.field("vector", pa.list_(pa.float32(), vectors.shape[1])),
            ]
        )
        self._table = lancedb.connect(str(self.folder)).create_table(
            "chunks", data=_batches(chunks, vectors, schema), schema=schema
        )
        if self.mode == _INDEXED:
            self._table.create_index(metric="cosine", index_type="IVF_HNSW_SQ")
        if self.is_hybrid:
            self._table.create_fts_index("text")

    def open(self) -> None:
        import lancedb

        self._table = lancedb.connect(str(self.folder)).open_table("chunks")

    def query(self, text: str, vector: Sequence[float], k: int) -> list[int]:
        if self.is_hybrid:
            from lancedb.rerankers import RRFReranker

            asked = self._table.search(query_type="hybrid").vector(list(vector)).text(text)
            asked = asked.distance_type("cosine").rerank(reranker=RRFReranker())
        else:
            asked = self._table.search(list(vector)).distance_type("cosine")
        rows = asked.select(["id", "text"]).limit(k).to_arrow()
        return [int(number) for number in rows["id"].to_pylist()]


def _batches(chunks: Sequence[str], vectors: "Vectors", schema: Any) -> Iterator[Any]:
    import pyarrow as pa

    width = vectors.shape[1]
    for start in range(0, len(chunks), _ROWS_A_BATCH):
        texts = list(chunks[start : start + _ROWS_A_BATCH])
        flat = pa.array(vectors[start : start + _ROWS_A_BATCH].reshape(-1))
        numbers = pa.array(range(start, start + len(texts)), pa.int64())
        rows = pa.FixedSizeListArray.from_arrays(flat, width)
        yield pa.RecordBatch.from_arrays([numbers, pa.array(texts), rows], schema=schema)


ENGINE = LanceDb
