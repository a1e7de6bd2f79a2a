"""The way of a query: analyse, retrieve by words and by meaning, fuse, fade, reserve, cut."""

from dataclasses import replace
from typing import NamedTuple

from contracts.protocols import CandidateIndex
from contracts.values import QueryVector
from search.answer import Answer, RankedHit
from search.confidence import confidence
from search.options import Mode, SearchOptions
from search.query import QueryAnalysis, analyse
from search.retrieve import Beside, Found, Plan, Retriever, in_turn, make_plan


class Basis(NamedTuple):
    """What an answer is judged by, beside its first hit; `unrelated`: see `search.confidence`."""

    plan: Plan
    found: Found
    unrelated: float | None


class Ranking(NamedTuple):
    """The answer, best first, and how it was come by.

    `mode_used` differs from the mode asked for when the query could not be compared by meaning;
    `analysis` is what the query was understood to be; `weak`: no hit seems to answer it, or there
    is none. A warning has the reason, `evidence` the figure that decided. `fades`: time alone may
    change it. With a `basis` it is still to be judged.
    """

    hits: list[RankedHit]
    mode_used: Mode
    analysis: QueryAnalysis
    warnings: tuple[str, ...] = ()
    weak: bool = False
    fades: bool = False
    evidence: float = 0.0
    basis: Basis | None = None


class HybridSearch:
    """Search over any storage that gives candidates."""

    def __init__(self, index: CandidateIndex, *, beside: Beside = in_turn) -> None:
        self._index = index
        self._beside = beside

    def search(
        self,
        query: str | QueryAnalysis,
        options: SearchOptions,
        *,
        query_vector: QueryVector | None = None,
        model_weight: float = 0.5,
        latin_only: bool = False,
        unrelated: float | None = None,
    ) -> Ranking:
        """Rank the chunks of `options.scope` for a query, and judge the answer.

        See `ranked` for what is asked, and `judged`. No query of any kind makes this fail.
        """
        return self.judged(
            self.ranked(
                query,
                options,
                query_vector=query_vector,
                model_weight=model_weight,
                latin_only=latin_only,
                unrelated=unrelated,
            )
        )

    def ranked(
        self,
        query: str | QueryAnalysis,
        options: SearchOptions,
        *,
        query_vector: QueryVector | None = None,
        model_weight: float = 0.5,
        latin_only: bool = False,
        unrelated: float | None = None,
    ) -> Ranking:
        """The ranking alone, for whoever changes the order of the hits before it is judged.

        `query_vector` is the embedding of `analyse(query).plain` in the active space; without one,
        or with one of norm 0, the keyword leg answers alone. `model_weight` is the vector leg's
        weight in [0, 1] unless the options give one; for a `latin_only` model it counts by the
        share of Latin letters in the query. `unrelated`: see `search.confidence`. Quoted phrases
        that no chunk holds together bind no longer, and a warning says so.
        """
        analysis = analyse(query) if isinstance(query, str) else query
        warnings = list(analysis.warnings)
        plan = make_plan(analysis, options, query_vector, (model_weight, latin_only), warnings)
        if options.rerank:  # the legs find no more than without, the answer holds more of it
            depth = max(options.max_results, options.rerank_candidates)
            plan = plan._replace(options=replace(options, max_results=depth))
        if not analysis:
            warnings.append("the query holds no word that could be searched for")
            return Ranking([], plan.mode, analysis, tuple(warnings), weak=True)
        found, answer, hits = self._answered(plan)
        if analysis.phrases and not hits:
            warnings.append("nothing holds all quoted phrases; they were read as plain words")
            plan = plan._replace(analysis=_unbound(analysis))
            found, answer, hits = self._answered(plan)
        warnings.extend(found.lane.warnings())
        if not hits:
            return Ranking([], plan.mode, analysis, tuple(warnings), weak=True)
        basis = Basis(plan, found, unrelated)
        told = tuple(warnings)
        return Ranking(hits, plan.mode, analysis, told, fades=answer.fades, basis=basis)

    def judged(self, ranking: Ranking) -> Ranking:
        """The ranking with what its first hit is worth as an answer."""
        if ranking.basis is None:
            return ranking
        plan, found, unrelated = ranking.basis
        trust = confidence(self._index, plan, found, ranking.hits[0].row, unrelated=unrelated)
        told = (*ranking.warnings, trust.reason) if trust.is_weak else ranking.warnings
        return ranking._replace(
            warnings=told, weak=trust.is_weak, evidence=trust.evidence, basis=None
        )

    def _answered(self, plan: Plan) -> tuple[Found, Answer, list[RankedHit]]:
        found = Retriever(self._index, self._beside).retrieve(plan)
        answer = Answer(self._index, plan, found)
        return found, answer, answer.hits()


def _unbound(analysis: QueryAnalysis) -> QueryAnalysis:
    """The same query with its phrases as plain words: a question may quote what no text spells."""
    return analysis._replace(phrases=(), keyword=analysis.keyword._replace(required=()))
