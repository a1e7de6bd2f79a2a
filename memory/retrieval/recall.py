"""Recall of memories, turns and texts: the search of sem-mem, on top of ours."""

from dataclasses import replace
from typing import Final

from contracts import InputError, Scope, Source
from memory.retrieval.searching import default_options, search
from memory.values.results import SearchResponse
from memory.workspace import Workspace
from search.options import MOST_RESULTS

RECALLED: Final[tuple[Source, ...]] = ("memory", "turn", "text")
"""Sources that conversations produce, and ingested texts; no files."""

USUAL_RESULTS: Final = 5


def recall(workspace: Workspace, query: str, k: int = USUAL_RESULTS) -> SearchResponse:
    """Return the best `k` of the memories, turns and texts; of equal ones the newer first.

    All of them fade with their age, texts too, unless time decay is turned off. Raises InputError
    for a query that is not a text and a `k` that is not a whole number from 1 to 1000.
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
