"""The search of an open database as an object with asynchronous methods."""

import asyncio
from typing import Unpack

from memory.retrieval.search_keywords import SearchKeywords, with_keywords
from memory.retrieval.searching import search
from memory.values.results import SearchResponse, SearchResult
from memory.workspace import Workspace
from search import SearchOptions


class Searcher:
    """Searches a database, each time in a worker thread. It holds no state of its own."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    async def search(
        self,
        query: str,
        options: SearchOptions | None = None,
        **keywords: Unpack[SearchKeywords],
    ) -> list[SearchResult]:
        """Return the best chunks for a query, best first.

        Keywords are fields of `SearchOptions` and take precedence over `options`, or over the
        configuration: `search(query, max_results=3, mode="keyword", sources=["docs/"])`.
        """
        return (await self.answer(query, options, **keywords)).results

    async def answer(
        self,
        query: str,
        options: SearchOptions | None = None,
        **keywords: Unpack[SearchKeywords],
    ) -> SearchResponse:
        """Search, with the mode used, the warnings and the freshness of the index."""
        chosen = with_keywords(self._workspace.config.search, options, keywords)
        return await asyncio.to_thread(search, self._workspace, query, chosen)
