"""Recall of memories, turns and texts: the search of sem-mem, on top of ours."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from contracts import InputError, Source
from memory.retrieval.search_keywords import with_keywords
from memory.retrieval.searching import search
from memory.values.results import SearchResponse
from memory.workspace import Workspace
from search.options import MOST_RESULTS

RECALLED: Final[tuple[Source, ...]] = ("memory", "turn", "text")
"""Sources that conversations produce, and ingested texts; no files."""

USUAL_RESULTS: Final = 5


def recall(
    workspace: Workspace,
    query: str,
    k: int = USUAL_RESULTS,
    keywords: Mapping[str, Any] = MappingProxyType({}),
) -> SearchResponse:
    """Return the best `k` of the memories, turns and texts; of equal ones the newer first.

    All of them fade with their age, texts too, unless time decay is turned off. `keywords` are
    options of a search, see `with_keywords`. Raises InputError for a query that is not a text, a
    `k` that is not a whole number from 1 to 1000, and other sources.
    """
    if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k <= MOST_RESULTS:
        raise InputError(f"k is {k!r}", hint=f"give a whole number from 1 to {MOST_RESULTS}")
    if "max_results" in keywords:
        raise InputError("max_results is the k of recall", hint="call recall(query, k=...)")
    options = with_keywords(workspace.config.search, None, keywords)
    scope = options.scope
    if scope.paths or scope.globs or not set(scope.sources) <= set(RECALLED):
        raise InputError(
            f"recall looks in {', '.join(RECALLED)} only", hint="use search for other sources"
        )
    decay = options.decay
    if "decay" not in keywords:
        decay = replace(decay, sources=RECALLED)
    scope = scope._replace(sources=scope.sources or RECALLED)
    return search(workspace, query, replace(options, max_results=k, scope=scope, decay=decay))
