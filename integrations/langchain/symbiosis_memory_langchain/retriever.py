"""Searches of a memory as a retriever."""

import asyncio
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field
from symbiosis_memory_client import MemoryClient

_FIELDS = (
    *("citation", "source", "score", "heading", "file_path", "place", "start_line", "end_line"),
    *("occurred_at", "metadata"),
)


class MemoryRetriever(BaseRetriever):
    """Documents that answer a question, best first: paragraphs of files, turns, memories, facts.

    `k` is the most of them; `options` are further fields of `POST /memory/search`, such as
    `sources`, `path`, `tags` or `since`. A document's `metadata` has the citation and the score.
    Raises MemoryServerError.
    """

    client: MemoryClient = Field(default_factory=MemoryClient)
    k: int = 5
    options: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun | None = None
    ) -> list[Document]:
        hits = self.client.search(query, limit=self.k, **self.options)
        return [
            Document(
                hit["text"], id=hit["chunk_id"], metadata={name: hit[name] for name in _FIELDS}
            )
            for hit in hits
        ]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun | None = None
    ) -> list[Document]:
        return await asyncio.to_thread(self._get_relevant_documents, query)
