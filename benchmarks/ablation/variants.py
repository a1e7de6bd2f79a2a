"""Variants of the search with one part switched off or replaced, by name.

The search knows nothing of this: a variant uses other options, analyses the query differently, or
wraps the index.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from contracts import CandidateIndex, ChunkRow, KeywordFields, KeywordQuery, Scope, Scored
from contracts.values import QueryVector
from search import QueryAnalysis
from search.analysis.query import split_words
from search.analysis.stopwords import STOP_WORDS

DEFAULT = "hybrid, as it is"


class Around:
    """An index that forwards to another; a variant overrides what it changes."""

    def __init__(self, index: CandidateIndex) -> None:
        self._index = index

    def count_chunks(self) -> int:
        return self._index.count_chunks()

    def document_frequencies(
        self, words: Iterable[str], *, most: int | None = None
    ) -> dict[str, int]:
        return self._index.document_frequencies(words, most=most)

    def words_in(self, chunk_ids: Sequence[int], words: Iterable[str]) -> dict[int, frozenset[str]]:
        return self._index.words_in(chunk_ids, words)

    def keyword_candidates(self, query: KeywordQuery, scope: Scope, *, limit: int) -> list[Scored]:
        return self._index.keyword_candidates(query, scope, limit=limit)

    def vector_candidates(self, vector: QueryVector, scope: Scope, *, limit: int) -> list[Scored]:
        return self._index.vector_candidates(vector, scope, limit=limit)

    def cosines(self, vector: QueryVector, chunk_ids: Sequence[int]) -> dict[int, float]:
        return self._index.cosines(vector, chunk_ids)

    def chunk_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        return self._index.chunk_rows(chunk_ids)

    def conversation_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        return self._index.conversation_rows(chunk_ids)

    def defining(self, names: Sequence[str], scope: Scope, *, limit: int) -> list[int]:
        return self._index.defining(names, scope, limit=limit)

    def embeddings(self, chunk_ids: Sequence[int]) -> dict[int, Sequence[float]]:
        return self._index.embeddings(chunk_ids)


class Remembering(Around):
    """An index that remembers answers: most variants differ only after both legs are read."""

    def __init__(self, index: CandidateIndex) -> None:
        super().__init__(index)
        self._keyword: dict[tuple[KeywordQuery, Scope, int], list[Scored]] = {}
        self._vector: dict[tuple[tuple[float, ...], Scope, int], list[Scored]] = {}
        self._cosines: dict[tuple[tuple[float, ...], frozenset[int]], dict[int, float]] = {}
        self._rows: dict[int, ChunkRow] = {}

    def keyword_candidates(self, query: KeywordQuery, scope: Scope, *, limit: int) -> list[Scored]:
        key = (query, scope, limit)
        if key not in self._keyword:
            self._keyword[key] = super().keyword_candidates(query, scope, limit=limit)
        return self._keyword[key]

    def vector_candidates(self, vector: QueryVector, scope: Scope, *, limit: int) -> list[Scored]:
        key = (tuple(vector), scope, limit)
        if key not in self._vector:
            self._vector[key] = super().vector_candidates(vector, scope, limit=limit)
        return self._vector[key]

    def cosines(self, vector: QueryVector, chunk_ids: Sequence[int]) -> dict[int, float]:
        key = (tuple(vector), frozenset(chunk_ids))
        if key not in self._cosines:
            self._cosines[key] = super().cosines(vector, chunk_ids)
        return self._cosines[key]

    def chunk_rows(self, chunk_ids: Sequence[int]) -> dict[int, ChunkRow]:
        missing = [chunk_id for chunk_id in chunk_ids if chunk_id not in self._rows]
        if missing:
            self._rows.update(super().chunk_rows(missing))
        return {key: self._rows[key] for key in chunk_ids if key in self._rows}


class FoundCosines(Around):
    """No cosine for chunks found by words alone."""

    def cosines(self, vector: QueryVector, chunk_ids: Sequence[int]) -> dict[int, float]:
        return {}


class FewCandidates(Around):
    """A tenth of the candidates of each leg: 40 for the 40 requested hits."""

    def keyword_candidates(self, query: KeywordQuery, scope: Scope, *, limit: int) -> list[Scored]:
        return self._index.keyword_candidates(query, scope, limit=limit // 10)

    def vector_candidates(self, vector: QueryVector, scope: Scope, *, limit: int) -> list[Scored]:
        return self._index.vector_candidates(vector, scope, limit=limit // 10)


@dataclass(frozen=True, slots=True)
class Variant:
    """One difference from the default search.

    options     values of SearchOptions
    analysis    a change of the query
    index       a wrapper of the index
    fields      a change of a chunk's entry in the keyword index, which is then rewritten
    chunk_size  characters in a chunk; everything is then indexed again
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    analysis: Callable[[QueryAnalysis], QueryAnalysis] | None = None
    index: Callable[[CandidateIndex], CandidateIndex] | None = None
    fields: Callable[[KeywordFields], KeywordFields] | None = None
    chunk_size: int | None = None


def without_names(analysis: QueryAnalysis) -> QueryAnalysis:
    """The query without identifiers: their words are looked up like all others."""
    return analysis._replace(identifiers=())


def with_stop_words(analysis: QueryAnalysis) -> QueryAnalysis:
    """The query with every word of it looked up."""
    stopped = (word for word in split_words(analysis.plain) if word.lower() in STOP_WORDS)
    words = dict.fromkeys((*analysis.keyword.words, *stopped))
    return analysis._replace(keyword=analysis.keyword._replace(words=tuple(words)))


def without_title(fields: KeywordFields) -> KeywordFields:
    """The entry without its title and headings."""
    return fields._replace(title="")


def without_identifiers(fields: KeywordFields) -> KeywordFields:
    """The entry without the whole and the parts of identifiers."""
    return fields._replace(identifiers="")


def title_in_text(fields: KeywordFields) -> KeywordFields:
    """The entry with titles and headings before the text, as words like any other."""
    return fields._replace(title="", text=f"{fields.title}\n{fields.text}")


VARIANTS = (
    Variant(DEFAULT),
    Variant("words alone", {"mode": "keyword"}),
    Variant("meaning alone", {"mode": "vector"}),
    Variant("reciprocal rank fusion", {"fusion": "rrf"}),
    Variant("vector weight .2", {"vector_weight": 0.2}),
    Variant("vector weight .5", {"vector_weight": 0.5}),
    Variant("vector weight .7", {"vector_weight": 0.7}),
    Variant("no cosine for what words alone found", index=FoundCosines),
    Variant("40 candidates of each leg, not 400", index=FewCandidates),
    Variant("no reserved ranks for identifiers", analysis=without_names),
    Variant("near-identical hits not folded", {"fold": "none"}),
    Variant("hits unlike each other first (mmr)", {"fold": "mmr"}),
    Variant("stop words looked up", analysis=with_stop_words),
    Variant("no titles and headings in the keyword index", fields=without_title),
    Variant("titles and headings in the column of the text", fields=title_in_text),
    Variant("no column of identifiers", fields=without_identifiers),
    Variant("chunks of 500 characters", chunk_size=500),
    Variant("chunks of 2,000 characters", chunk_size=2000),
)
"""The default first; those that need another index after those that do not."""
