"""Recalls what was said and remembered: the search of sem-mem, over ours."""

from dataclasses import replace
from typing import Final

from contracts import InputError, Scope, Source
from memory.retrieval.searching import default_options, search
from memory.values.results import SearchResponse
from memory.workspace import Workspace
from search.options import MOST_RESULTS

RECALLED: Final[tuple[Source, ...]] = ("memory", "turn", "text")
"""What conversations leave behind, and texts that were handed in; no files."""

USUAL_RESULTS: Final = 5


def recall(workspace: Workspace, query: str, k: int = USUAL_RESULTS) -> SearchResponse:
    """The best `k` of the memories, turns and texts, newer before older ones where both fit.

    All of them fade with their age, texts too, unless time decay is turned off. Raises InputError
    for a query that is no text and a `k` that is none from 1 to 1000.
    """
    if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k <= MOST_RESULTS:
        raise InputError(f"k is {k!r}", hint=f"give a whole number from 1 to {MOST_RESULTS}")
    options = default_options(workspace.config.search)
    return search(
        workspace,
        query,
        replace(
            options,
            max_results=k,
            scope=Scope(sources=RECALLED),
            decay=replace(options.decay, sources=RECALLED),
        ),
    )
