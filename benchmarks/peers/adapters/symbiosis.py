"""Symbiosis Memory as a library that is given chunks and vectors, as the peers are.

`mem sync` does more: it reads files, cuts and embeds them; `peers.ours` measures that.
"""

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from memory.index.embedding.active_model import embedder_of
from memory.index.indexing_settings import configured_chunking
from memory.retrieval.server_caches import memory_index_of, start_server_caches

from .contract import Engine

if TYPE_CHECKING:
    from contracts import KeywordFields
    from memory.storage import NewChunk, Space, StoredVector, Transaction

    from .contract import Vectors

_CHUNKS_A_DOCUMENT = 5
_DOCUMENTS_A_TRANSACTION = 100
_GENERATION = "given"


class Symbiosis(Engine):
    """Storage and search in this process; five chunks make a document, and there are no files."""

    MODES: ClassVar = {
        "vector": "given chunks and vectors; keyword index and change log are always kept as well",
        "hybrid": "given chunks and vectors; keyword index, vectors, fusion by the model's weight",
    }

    def build(self, chunks: Sequence[str], vectors: "Vectors") -> None:
        from memory.storage.vectors import stored_vectors
        from search import keyword_fields

        self.open()
        space = self._new_space(vectors.shape[1])
        starts = iter(range(0, len(chunks), _CHUNKS_A_DOCUMENT))
        while part := list(islice(starts, _DOCUMENTS_A_TRANSACTION)):
            end = part[-1] + _CHUNKS_A_DOCUMENT
            coded = stored_vectors(vectors[part[0] : end])
            made = [
                _chunk(part[0] + place, text, keyword_fields(text))
                for place, text in enumerate(chunks[part[0] : end])
            ]
            with self._workspace.storage.database.transaction() as tx:
                for first in range(0, len(made), _CHUNKS_A_DOCUMENT):
                    own = slice(first, first + _CHUNKS_A_DOCUMENT)
                    self._store(tx, space, made[own], coded[own])

    def _store(
        self,
        tx: "Transaction",
        space: "Space",
        chunks: "Sequence[NewChunk]",
        vectors: "Sequence[StoredVector | None]",
    ) -> None:
        storage = self._workspace.storage
        changes = storage.replace_chunks(
            tx, "text", chunks[0].uid, generation=_GENERATION, chunks=chunks
        )
        rows = zip(changes.added, vectors, strict=True)
        known = {number: vector for number, vector in rows if vector is not None}
        storage.put_vectors(tx, space, known)

    def _new_space(self, dimensions: int) -> "Space":
        import json
        from dataclasses import asdict

        chunking = json.dumps(asdict(configured_chunking(self._workspace)))
        space = embedder_of(self._workspace).space(generation=_GENERATION, chunking=chunking)
        with self._workspace.storage.database.transaction() as tx:
            return self._workspace.storage.create_space(tx, space)

    def open(self) -> None:
        from memory.config.loading import load_config
        from memory.workspace import Workspace

        empty = self.folder / "defaults.json"
        empty.write_text("{}\n", encoding="utf-8")
        config = load_config(empty, environ={}, database=self.folder / "data.db")
        self._workspace = Workspace(config)

    def prepare(self) -> None:
        start_server_caches(self._workspace)
        if index := memory_index_of(self._workspace):
            index.wait()

    def query(self, text: str, vector: Sequence[float], k: int) -> list[int]:
        from memory.retrieval.searching import search
        from search import SearchOptions

        options = SearchOptions(
            mode="hybrid" if self.is_hybrid else "vector",
            max_results=k,
            min_score=0.0,
            all_chunks=True,
            fold="none",
        )
        return [int(hit.chunk_id, 16) for hit in search(self._workspace, text, options).results]

    def close(self) -> None:
        self._workspace.close()


def _chunk(number: int, text: str, fields: "KeywordFields") -> "NewChunk":
    """The chunk of that position, which its uid gives."""
    from memory.storage import NewChunk, content_hash, utc_now

    now = utc_now()
    return NewChunk(
        uid=f"{number:016x}",
        text=text,
        hash=content_hash(text),
        fields=fields,
        occurred_at=now,
        recorded_at=now,
        start_char=0,
        end_char=len(text),
        start_line=1,
        end_line=1,
    )


ENGINE = Symbiosis
