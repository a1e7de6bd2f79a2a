"""The lexical search and result merging of sem-mem, for programs that use it as a library.

This program's own search is `search.hybrid`; these are small, exact and keep no index on disk.
"""

import re
from collections.abc import Iterable


class LexicalIndex:
    """Texts by id, and for each word the ids of the texts that hold it; all in memory."""

    def __init__(self) -> None:
        self.documents: dict[str, str] = {}
        self.tokens: dict[str, set[str]] = {}

    def add(self, doc_id: str, text: str) -> None:
        """Index a text, replacing an earlier one with this id."""
        self.remove(doc_id)
        self.documents[doc_id] = text
        for token in self._tokenize(text):
            self.tokens.setdefault(token, set()).add(doc_id)

    def remove(self, doc_id: str) -> bool:
        """Remove a text and return whether it existed."""
        text = self.documents.pop(doc_id, None)
        if text is None:
            return False
        for token in set(self._tokenize(text)):
            holding = self.tokens[token]
            holding.discard(doc_id)
            if not holding:
                del self.tokens[token]
        return True

    def search(self, query: str, k: int = 5) -> list[tuple[str, float]]:
        """Return the `k` best ids with the share of the query's words that their text holds.

        Best first; equal ones in the order in which they were added.
        """
        asked = set(self._tokenize(query))
        counts: dict[str, int] = {}
        for token in asked:
            for doc_id in self.tokens.get(token, ()):
                counts[doc_id] = counts.get(doc_id, 0) + 1
        order = {doc_id: place for place, doc_id in enumerate(self.documents)} if counts else {}
        found = [(doc_id, count / len(asked)) for doc_id, count in counts.items()]
        return sorted(found, key=lambda item: (-item[1], order[item[0]]))[: max(0, k)]

    def _tokenize(self, text: str) -> list[str]:
        return re.findall(r"\w+", text.lower())

    def __len__(self) -> int:
        return len(self.documents)

    def __contains__(self, doc_id: object) -> bool:
        return doc_id in self.documents


def merge_search_results(
    vector_results: Iterable[tuple[str, float]],
    lexical_results: Iterable[tuple[str, float]],
    alpha: float = 0.7,
) -> list[tuple[str, float]]:
    """Return every id once, with `alpha` of its vector score and the rest of its lexical score.

    Best first. An id missing from a list counts 0 for it. Equal scores keep their input order,
    those of `vector_results` first.
    """
    merged: dict[str, float] = {}
    for weight, results in ((alpha, vector_results), (1 - alpha, lexical_results)):
        for doc_id, score in dict(results).items():
            merged[doc_id] = merged.get(doc_id, 0.0) + weight * score
    return sorted(merged.items(), key=lambda item: -item[1])
