"""Select hits: reserved ranks, one or two chunks of a document, folded copies, explanations."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain, islice
from math import prod
from typing import TYPE_CHECKING, Literal, TypeAlias

from contracts.named_tuple import NamedTuple
from contracts.protocols import CandidateIndex
from contracts.values import ChunkRow
from search.identifiers.identifier_search import NO_DEFINITION, RESERVED, Match
from search.ranking.candidate_order import ScoredCandidates, fuse
from search.ranking.diversity import Pick, candidates, diversified
from search.ranking.explanation import Explanation
from search.ranking.file_weight import LOWERED
from search.ranking.fusion import ranked
from search.ranking.near_duplicates import DuplicateFinder
from search.ranking.question_form import WEIGHTS
from search.retrieval import Candidates, Plan

if TYPE_CHECKING:
    from search.ranking.speakers import Bonus


ConfidenceWord: TypeAlias = Literal["strong", "fair", "weak"]

MARGIN = 0.1
"""A record has a second hit if its score is so much above that of the next record's first."""


class RankedHit(NamedTuple):
    """A chunk of the answer; `score` in [0, 1] gives the order.

    `duplicates` are the chunks folded into it, best first.
    `lifted`: its rank is reserved for an identifier; `decay`: the factor by age, kind of file and
    form within `score`; `confidence`: how likely it is an answer (`search.ranking.confidence`).
    """

    row: ChunkRow
    score: float
    explanation: Explanation | None = None
    duplicates: tuple[ChunkRow, ...] = ()
    lifted: bool = False
    decay: float = 1.0
    confidence: ConfidenceWord = "fair"


class Answer:
    """The hits of one query, reading as few stored chunks as the order allows."""

    def __init__(self, index: CandidateIndex, plan: Plan, found: Candidates) -> None:
        self._index = index
        first: dict[int, ChunkRow] = {}
        if plan.code_weight is not None:
            from search.ranking.code_weight import first_texts, weighed  # of few models

            first = first_texts(index, plan, found)
            plan = weighed(plan, first.values())
        self._plan = plan
        self._found = found
        self._fused = fuse(plan, found)
        said = self._said()
        self._turn_weights = self._weighed_as_turns(said)
        self._bonuses = self._gained(said)
        raised = {key: gain.applied_to(self._fused[key]) for key, gain in self._bonuses.items()}
        fused, known = self._fused | raised, first | said
        self._scored = ScoredCandidates(
            index, fused, plan.options, rows=known, weights=plan.file_weights
        )
        self._kept: dict[int, list[ChunkRow]] = {}
        self._owners: set[tuple[object, ...]] = set()
        self._defined: set[str] = set()
        self._seconds: dict[tuple[object, ...], int | None] = {}

    def _said(self) -> dict[int, ChunkRow]:
        """The candidates that are turns, and what is remembered of turns."""
        sources = self._plan.options.scope.sources
        may_be = not sources or "turn" in sources
        return self._index.conversation_rows(list(self._fused)) if may_be else {}

    def _weighed_as_turns(self, said: Mapping[int, ChunkRow]) -> dict[int, float]:
        """Weigh the vectors of what was said, which is shorter than documents; return weights."""
        plan = self._plan
        weight, is_convex = plan.turn_weight, plan.options.fusion == "convex"
        if weight is None or plan.mode != "hybrid" or not is_convex or not self._found.cosine:
            return {}
        compared = said.keys() & self._found.cosine.keys()
        self._fused |= {key: self._fused[key].weighed(weight) for key in compared}
        return dict.fromkeys(compared, weight)

    def _gained(self, said: Mapping[int, ChunkRow]) -> "dict[int, Bonus]":
        """The bonus of turns if the question asks for their speaker, or for a time."""
        if not said:
            return {}
        from search.ranking.speakers import bonuses  # a search among files does not need it

        return bonuses(self._plan.analysis, self._fused, said)

    @property
    def depends_on_time(self) -> bool:
        """Return whether time alone may change the hits."""
        return self._scored.depends_on_time

    def hits(self) -> list[RankedHit]:
        options = self._plan.options
        wanted = options.max_results
        most = candidates(wanted) if options.fold == "mmr" else wanted
        self._keep(self._matches, most=min(RESERVED, wanted))
        lifted = list(self._kept)
        passes = self._passing()
        passing = [key for key in ranked(self._scored.fused) if key in passes]
        at_once = 2 * wanted + len(lifted)
        self._scored.weigh_by_form(self._plan.analysis, passing[:at_once])
        descending = self._scored.by_descending_score(passing, at_once=at_once)
        first = list(islice(descending, 1))
        self._keep(chain(first, descending), most=most, seconds=options.fold != "mmr")
        best = max(map(self._scored.score, {*first, *lifted}), default=0.0)
        scores = {key: best if key in lifted else self._scored.score(key) for key in self._kept}
        if options.fold != "mmr":
            picks = [Pick(chunk_id, score, 1.0) for chunk_id, score in scores.items()]
        else:
            picks = diversified(
                scores,
                self._index.embeddings(list(scores)),
                first=lifted,
                relevance=options.mmr_lambda,
                most=wanted,
            )
        return [self._hit(pick, lifted=pick.chunk_id in lifted) for pick in picks]

    @cached_property
    def _matches(self) -> dict[int, Match]:
        """The chunks that hold an identifier of the query, best first."""
        if not self._found.identifiers.matches:
            return {}
        scores = {chunk_id: item.score for chunk_id, item in self._scored.fused.items()}
        rows = self._scored.read(self._found.identifiers.matches)
        lowered = {chunk_id for chunk_id in rows if self._scored.rule(chunk_id)}
        ranks = self._found.identifiers.ranked(scores, lowered)
        return {chunk_id: match for chunk_id, match in ranks.items() if chunk_id in rows}

    @cached_property
    def _duplicate_finder(self) -> DuplicateFinder | None:
        folds = self._plan.options.fold == "shingles"
        return DuplicateFinder(self._plan.analysis, self._matches) if folds else None

    def _keep(self, chunk_ids: Iterable[int], *, most: int, seconds: bool = False) -> None:
        """Take chunks into the answer, in this order, up to `most`.

        One is taken of each owner, with `seconds` another one that stands out by MARGIN, and one of
        each definition that the query names; a chunk that repeats an earlier one is folded into it.
        """
        for chunk_id in chunk_ids:
            row = self._scored.row(chunk_id)
            owner = self._owner(row)
            name = self._defined_name(chunk_id)
            if owner in self._owners and (name is None or name in self._defined):
                if chunk_id not in self._kept:
                    self._seconds.setdefault(owner, chunk_id)
                continue
            original = self._original(row)
            if original is None and seconds:
                self._keep_seconds(self._scored.score(chunk_id) + MARGIN, most=most)
            if original is None and len(self._kept) >= most:
                return
            self._owners.add(owner)
            if name is not None:
                self._defined.add(name)
            self._take(row, original)

    def _keep_seconds(self, least: float, *, most: int) -> None:
        """Take the second chunks that wait and have at least this score; the others never will."""
        for owner, chunk_id in self._seconds.items():
            if chunk_id is None:
                continue
            self._seconds[owner] = None
            row = self._scored.row(chunk_id)
            if self._scored.score(chunk_id) >= least:
                original = self._original(row)
                if original is not None or len(self._kept) < most:
                    self._take(row, original)

    def _defined_name(self, chunk_id: int) -> str | None:
        """The name in the query that is defined in a chunk, if any."""
        match = self._matches.get(chunk_id)
        return None if match is None or match.definition == NO_DEFINITION else match.identifier

    def _original(self, row: ChunkRow) -> int | None:
        """The kept chunk that a chunk repeats, if any."""
        finder = self._duplicate_finder
        return finder.original(row) if finder else None

    def _take(self, row: ChunkRow, original: int | None) -> None:
        if original is not None:
            self._kept[original].append(row)
            return
        self._kept[row.chunk_id] = []
        if self._duplicate_finder:
            self._duplicate_finder.keep(row)

    def _owner(self, row: ChunkRow) -> tuple[object, ...]:
        """The unit that gets one hit: the record, or the chunk itself if all chunks may answer."""
        if self._plan.options.all_chunks:
            return (row.chunk_id,)
        return row.source, row.owner_id

    def _passing(self) -> set[int]:
        """The chunks that pass `min_score`, which is for those found by the vector leg alone."""
        least = self._plan.options.min_score
        near = {key for key, cosine in self._found.vector.items() if cosine >= least}
        return near | self._found.keyword.keys() | self._matches.keys()

    def _hit(self, pick: Pick, *, lifted: bool) -> RankedHit:
        why = self._explained(pick, lifted=lifted) if self._plan.options.explain else None
        duplicates = tuple(self._kept[pick.chunk_id])
        decay = self._scored.factor(pick.chunk_id)
        return RankedHit(
            self._scored.row(pick.chunk_id), pick.score, why, duplicates, lifted=lifted, decay=decay
        )

    def _explained(self, pick: Pick, *, lifted: bool) -> Explanation:
        chunk_id, plan, found = pick.chunk_id, self._plan, self._found
        fused = self._fused[chunk_id]
        match = self._matches.get(chunk_id)
        by_speaker, by_time, turn_scale = self._bonuses.get(chunk_id, (0.0, 0.0, 1.0))
        cosine = found.cosine.get(chunk_id)
        is_compared = cosine is not None or plan.mode != "hybrid"
        weight = self._turn_weights.get(chunk_id, plan.weight) if is_compared else 0.0
        rule, form_rules = self._scored.rule(chunk_id), self._scored.form_rules(chunk_id)
        return Explanation(
            fusion=plan.options.fusion if plan.mode == "hybrid" else "none",
            keyword=found.keyword.get(chunk_id),
            keyword_rank=self._keyword_ranks.get(chunk_id),
            cosine=cosine,
            vector_rank=self._vector_ranks.get(chunk_id),
            keyword_part=fused.keyword,
            vector_part=fused.vector,
            keyword_weight=1 - weight,
            vector_weight=weight,
            fused=fused.score,
            speaker_bonus=by_speaker,
            time_bonus=by_time,
            turn_scale=turn_scale,
            decay=self._scored.decay(chunk_id),
            file_rule=rule,
            file_weight=1.0 if rule is None else LOWERED,
            form_rules=form_rules,
            form_weight=prod(WEIGHTS[each] for each in form_rules),
            novelty=pick.novelty,
            novelty_weight=1 - plan.options.mmr_lambda if plan.options.fold == "mmr" else 0.0,
            identifier=match.identifier if match else None,
            identifier_match=match.how if match else None,
            lifted=lifted,
        )

    @cached_property
    def _keyword_ranks(self) -> dict[int, int]:
        return _ranks(self._found.keyword)

    @cached_property
    def _vector_ranks(self) -> dict[int, int]:
        return _ranks(self._found.vector)


def _ranks(leg: Mapping[int, float]) -> dict[int, int]:
    """The place of each chunk in a leg's own list, from 1."""
    return {chunk_id: rank for rank, chunk_id in enumerate(leg, start=1)}
