"""Searches of a memory as a retriever."""

import asyncio
from typing import Any, Final

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from symbiosis_memory_client import MemoryClient

_FIELDS: Final = (
    *("citation", "source", "heading", "file_path", "place", "start_line", "end_line"),
    "occurred_at",
)


class SymbiosisRetriever(BaseRetriever):
    """Nodes that answer a question, best first: paragraphs of files, turns, memories, facts.

    `k` is the most of them; `options` are further fields of `POST /memory/search`, such as
    `sources`, `path`, `tags` or `since`. Raises MemoryServerError.
    """

    def __init__(self, client: MemoryClient | None = None, *, k: int = 5, **options: Any) -> None:
        super().__init__()
        self._client = client or MemoryClient()
        self._k = k
        self._options = options

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = self._client.search(query_bundle.query_str, limit=self._k, **self._options)
        return [
            NodeWithScore(
                node=TextNode(
                    text=hit["text"],
                    id_=hit["chunk_id"],
                    metadata={name: hit[name] for name in _FIELDS if hit[name] is not None},
                ),
                score=hit["score"],
            )
            for hit in hits
        ]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)
