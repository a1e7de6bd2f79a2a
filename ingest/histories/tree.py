"""Conversations that branch where a message was edited or an answer regenerated."""

from collections.abc import Mapping


def path_to(leaf: str | None, parents: Mapping[str, str | None]) -> list[str]:
    """The nodes from the root to `leaf`, in order; a cycle is followed once."""
    path: list[str] = []
    seen: set[str] = set()
    node = leaf
    while node is not None and node in parents and node not in seen:
        seen.add(node)
        path.append(node)
        node = parents[node]
    return path[::-1]


def newest_leaf(parents: Mapping[str, str | None], times: Mapping[str, str | None]) -> str | None:
    """The most recently written of the nodes without a successor."""
    followed = set(parents.values())
    leaves = [node for node in parents if node not in followed] or list(parents)
    return max(leaves, key=lambda node: times.get(node) or "", default=None)
