"""The steps of a search: analyse, retrieve, fuse, decay, reserve ranks, cut."""

from collections.abc import Callable
from dataclasses import replace

from contracts.named_tuple import NamedTuple
from contracts.protocols import CandidateIndex
from search.analysis.query import QueryAnalysis, analyse
from search.options import Mode, SearchOptions
from search.ranking.confidence import Judge
from search.ranking.hit_selection import Answer, RankedHit
from search.retrieval import (
    NO_QUERY_VECTOR,
    Candidates,
    ParallelRead,
    Plan,
    QueryVectorInfo,
    Retriever,
    do_nothing,
    make_plan,
    run_inline,
)


class ConfidenceInput(NamedTuple):
    """Data for judging an answer, in addition to its first hit."""

    plan: Plan
    found: Candidates


class Ranking(NamedTuple):
    """The answer, best first, and how it was found.

    `mode_used` differs from the requested mode if the query could not be compared by meaning;
    `analysis` is the analysed query; `weak`: no hit seems to answer it, or there is none. A warning
    has the reason, `evidence` the deciding figure. `depends_on_time`: time alone may change it. A
    ranking with a `confidence_input` has not been judged yet.
    """

    hits: list[RankedHit]
    mode_used: Mode
    analysis: QueryAnalysis
    warnings: tuple[str, ...] = ()
    weak: bool = False
    depends_on_time: bool = False
    evidence: float = 0.0
    spent: tuple[tuple[str, float], ...] = ()
    confidence_input: ConfidenceInput | None = None


class HybridSearch:
    """Search over any storage that supplies candidates."""

    def __init__(
        self,
        index: CandidateIndex,
        *,
        parallel_read: ParallelRead = run_inline,
        depth: int = 0,
        meanwhile: Callable[[], object] = do_nothing,
    ) -> None:
        """`depth` is the least number of hits to return, for callers that cut the answer;
        `meanwhile` the caller's work that needs no hits, done while the vectors are read.
        """
        self._index = index
        self._parallel_read = parallel_read
        self._meanwhile = meanwhile
        self._depth = depth

    def search(
        self,
        query: str | QueryAnalysis,
        options: SearchOptions,
        query_vector: QueryVectorInfo = NO_QUERY_VECTOR,
    ) -> Ranking:
        """Rank the chunks of `options.scope` for a query, and judge the answer.

        No query makes this fail. Quoted phrases that no chunk holds together are read as plain
        words, and a warning says so.
        """
        return self.judged(self.ranked(query, options, query_vector))

    def ranked(
        self,
        query: str | QueryAnalysis,
        options: SearchOptions,
        query_vector: QueryVectorInfo = NO_QUERY_VECTOR,
    ) -> Ranking:
        """The same, not judged yet, for callers that reorder the hits first."""
        analysis = analyse(query) if isinstance(query, str) else query
        warnings = list(analysis.warnings)
        plan = make_plan(analysis, options, query_vector, warnings)
        # The legs find no more than without a depth, but more of it is in the answer.
        depth = max(self._depth, options.rerank_candidates if options.rerank else 0)
        if depth > options.max_results:
            plan = plan._replace(options=replace(options, max_results=depth))
        if not analysis:
            warnings.append("the query has no searchable word")
            return Ranking([], plan.mode, analysis, tuple(warnings), weak=True)
        found, answer, hits = self._answered(plan)
        if analysis.phrases and not hits:
            warnings.append("nothing has all quoted phrases; they were read as plain words")
            plan = plan._replace(analysis=_unbound(analysis))
            found, answer, hits = self._answered(plan)
        warnings.extend(found.identifiers.warnings())
        if not hits:
            return Ranking(
                [], plan.mode, analysis, tuple(warnings), weak=True, spent=(*found.spent.items(),)
            )
        told, confidence_input = tuple(warnings), ConfidenceInput(plan, found)
        spent = (*found.spent.items(),)
        return Ranking(
            hits,
            plan.mode,
            analysis,
            told,
            depends_on_time=answer.depends_on_time,
            spent=spent,
            confidence_input=confidence_input,
        )

    def judged(self, ranking: Ranking) -> Ranking:
        """The ranking with a judgement of its hits; of a weak one, all are weak."""
        if ranking.confidence_input is None:
            return ranking
        judge = Judge(self._index, *ranking.confidence_input)
        words = judge.words(ranking.hits)  # first: it reads what they hold together
        trust = judge.of(ranking.hits[0].row)
        warnings, is_weak = ranking.warnings, trust.is_weak or judge.lacks_main_word
        if is_weak:
            warnings = (*warnings, trust.reason if trust.is_weak else judge.reason)
            words = ["weak"] * len(words)
        rated = zip(ranking.hits, words, strict=True)
        return ranking._replace(
            hits=[hit._replace(confidence=word) for hit, word in rated],
            warnings=warnings,
            weak=is_weak,
            evidence=trust.evidence,
            confidence_input=None,
        )

    def _answered(self, plan: Plan) -> tuple[Candidates, Answer, list[RankedHit]]:
        retriever = Retriever(self._index, self._parallel_read, self._meanwhile)
        found = retriever.retrieve(plan)
        answer = Answer(self._index, plan, found)
        return found, answer, answer.hits()


def _unbound(analysis: QueryAnalysis) -> QueryAnalysis:
    """The same query with its phrases as plain words: a question may quote text that occurs
    nowhere.
    """
    return analysis._replace(phrases=(), keyword=analysis.keyword._replace(required=()))
