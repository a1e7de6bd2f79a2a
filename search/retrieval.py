"""Retrieval of candidates: plan a query, and run both legs and the identifier search.

The vector leg may be read in parallel, if the collection is large enough for that to pay.
"""

from collections.abc import Callable, Collection, Iterable
from functools import partial
from time import perf_counter
from typing import TypeAlias, TypeVar

from contracts.named_tuple import NamedTuple
from contracts.protocols import CandidateIndex
from contracts.values import KeywordQuery, QueryVector, Scope, Scored
from search.analysis.query import QueryAnalysis
from search.identifiers.identifier_search import (
    NO_IDENTIFIER_MATCHES,
    IdentifierMatches,
    find_identifier_matches,
)
from search.options import Mode, SearchOptions
from search.ranking.file_weight import FileWeights

FEWEST_CANDIDATES = 100
"""Candidates of each leg, unless the options say; ten times the results if that is more."""

BOUND_CANDIDATES = 1000
"""Chunks with a quoted phrase that a search by meaning alone compares."""


Reading: TypeAlias = Callable[[], list[Scored]]
ParallelRead: TypeAlias = Callable[[Reading], Reading]
"""Takes a read and may start it in another thread; the returned function gives its result."""


T = TypeVar("T")


def run_inline(reading: Reading) -> Reading:
    """Read in the same thread, when the result is asked for."""
    return reading


def do_nothing(*_: object) -> None:
    """Have nothing to do while the vectors are read, or before."""


class Candidates:
    """The results of the legs for one query: scores by chunk id, in rank order.

    `chunks` is the number of chunks in the index, 0 if no leg needed it; `spent` are the seconds of
    each leg. It is not a dataclass: making one takes a quarter of a millisecond of every command.
    """

    def __init__(
        self,
        *,
        vector: dict[int, float] | None = None,
        cosine: dict[int, float] | None = None,
    ) -> None:
        self.keyword: dict[int, float] = {}
        self.vector = vector or {}
        self.identifiers: IdentifierMatches = NO_IDENTIFIER_MATCHES
        self.cosine = cosine or {}
        self.chunks = 0
        self.spent: dict[str, float] = {}


class QueryVectorInfo(NamedTuple):
    """A query as a vector, and the properties of its model.

    `vector` is the embedding of `analyse(query).plain` in the active space; without one, or with
    norm 0, only words are compared. `weight`, in [0, 1], is the vector leg's unless the options
    give one, `turn_weight` the same for what was said in conversations, `code_weight` for code
    (None: `weight`); for a `latin_only` model they count by the share of Latin letters in the
    query. `unrelated`: see `search.ranking.confidence`.
    """

    vector: QueryVector | None = None
    weight: float = 0.5
    latin_only: bool = False
    unrelated: float | None = None
    turn_weight: float | None = None
    code_weight: float | None = None


NO_QUERY_VECTOR = QueryVectorInfo()


class Plan(NamedTuple):
    """One query with every decision that does not depend on its results.

    `turn_weight` is the weight of the vectors of turns and of what is remembered of turns,
    `code_weight` that of documents if they are code; None if it is no other.
    """

    analysis: QueryAnalysis
    options: SearchOptions
    mode: Mode
    vector: QueryVector | None
    weight: float
    limit: int
    unrelated: float | None = None
    turn_weight: float | None = None
    code_weight: float | None = None

    @property
    def file_weights(self) -> FileWeights:
        """The weights of files for the query."""
        return FileWeights(self.options.lowered_files, self.analysis.words)


def make_plan(
    analysis: QueryAnalysis, options: SearchOptions, info: QueryVectorInfo, warnings: list[str]
) -> Plan:
    """Decide the mode, the vector and its weight; explain any difference from the request."""
    limit = options.depth or max(FEWEST_CANDIDATES, 10 * options.max_results)
    mode: Mode = options.mode
    if mode == "keyword":
        return Plan(analysis, options, mode, None, 0.0, limit)
    vector = info.vector
    if vector is not None and not any(vector):
        warnings.append("the embedding model knows no word of the query; only words were compared")
        vector = None
    weight, *of_kinds = (1.0,) if mode == "vector" else _weights(analysis, options, info)
    if vector is not None and weight == 0 and options.given_weight is None:
        warnings.append(
            "the embedding model cannot read the query's script; only words were compared"
        )
    if vector is None or weight == 0:
        return Plan(analysis, options, "keyword", None, 0.0, limit)
    return Plan(analysis, options, mode, vector, weight, limit, info.unrelated, *of_kinds)


def _weights(
    analysis: QueryAnalysis, options: SearchOptions, info: QueryVectorInfo
) -> tuple[float, float | None, float | None]:
    """The weight of the vectors, that of turns and that of code, for this query."""
    if options.given_weight is not None:
        return options.given_weight, None, None
    share = analysis.latin_share if info.latin_only else 1.0
    turns = None if info.turn_weight is None else info.turn_weight * share
    code = None if info.code_weight is None else info.code_weight * share
    return info.weight * share, turns, code


class Retriever:
    """Runs a plan against an index."""

    def __init__(
        self,
        index: CandidateIndex,
        parallel_read: ParallelRead,
        meanwhile: Callable[[], object] = do_nothing,
    ) -> None:
        """`meanwhile` is done before the vectors are waited for, if they are."""
        self._index = index
        self._parallel_read = parallel_read
        self._meanwhile = meanwhile

    def retrieve(self, plan: Plan) -> Candidates:
        """Both legs and the identifier search; cosines for everything any of them found."""
        found = Candidates()
        scope, keyword = plan.options.scope, plan.analysis.keyword
        nearest = None
        if plan.vector is not None and not keyword.required:
            near = partial(self._index.vector_candidates, plan.vector, scope, limit=plan.limit)
            nearest = _timed(near, found, "vector")
            if plan.mode != "vector":
                nearest = self._parallel_read(nearest)
        if plan.mode != "vector":
            self._retrieve_words(plan, found)
        if plan.vector is None:
            return found
        if nearest is not None:
            self._meanwhile()
            found.vector = self._without_excluded(_scores(nearest()), keyword, scope)
        elif plan.mode == "vector":
            found.vector = self._bound(plan.vector, keyword, scope)
        missing = (found.keyword.keys() | found.identifiers.matches.keys()) - found.vector.keys()
        found.cosine = found.vector | self._cosines(plan.vector, missing)
        return found

    def _retrieve_words(self, plan: Plan, found: Candidates) -> None:
        index, scope, keyword = self._index, plan.options.scope, plan.analysis.keyword
        found.chunks = index.count_chunks()
        words = partial(index.keyword_candidates, keyword, scope, limit=plan.limit)
        found.keyword = _scores(_timed(words, found, "keyword")())
        identifiers = partial(
            find_identifier_matches,
            index,
            plan.analysis,
            scope,
            found=found.keyword,
            n_chunks=found.chunks,
            weight=plan.file_weights,
        )
        found.identifiers = _timed(identifiers, found, "identifier")()

    def _bound(self, vector: QueryVector, keyword: KeywordQuery, scope: Scope) -> dict[int, float]:
        """The cosines of the chunks that hold every quoted phrase, best first."""
        query = KeywordQuery(required=keyword.required, excluded=keyword.excluded)
        holding = self._index.keyword_candidates(query, scope, limit=BOUND_CANDIDATES)
        cosines = self._cosines(vector, [item.chunk_id for item in holding])
        return dict(sorted(cosines.items(), key=lambda item: (-item[1], item[0])))

    def _cosines(self, vector: QueryVector, chunk_ids: Collection[int]) -> dict[int, float]:
        return self._index.cosines(vector, sorted(chunk_ids)) if chunk_ids else {}

    def _without_excluded(
        self, scores: dict[int, float], keyword: KeywordQuery, scope: Scope
    ) -> dict[int, float]:
        """Remove chunks with excluded words: the vector leg knows no words, so the index finds
        them.
        """
        for phrase in keyword.excluded:
            if scores:
                holding = self._index.keyword_candidates(
                    KeywordQuery(required=(phrase,)), scope, limit=self._index.count_chunks()
                )
                for item in holding:
                    scores.pop(item.chunk_id, None)
        return scores


def _timed(read: Callable[[], T], found: Candidates, leg: str) -> Callable[[], T]:
    """The same read, with its duration recorded."""

    def timed() -> T:
        started = perf_counter()
        result = read()
        found.spent[leg] = found.spent.get(leg, 0.0) + perf_counter() - started
        return result

    return timed


def _scores(candidates: Iterable[Scored]) -> dict[int, float]:
    return dict(candidates)
