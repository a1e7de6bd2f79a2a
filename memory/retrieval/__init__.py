"""Search: a query in, ranked hits with citations out.

`searching` runs a query; around it are query embedding, the query cache, reranking and the
in-memory indexes of a long-lived process. `select` returns the episodes and facts for a question.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memory.retrieval.selection import Selected, select, select_episodes, select_facts

__all__ = ["Selected", "select", "select_episodes", "select_facts"]


def __getattr__(name: str) -> Any:
    """Import an exported name when it is first used: a search needs none of them."""
    if name in __all__:
        from memory.retrieval import selection

        return getattr(selection, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
