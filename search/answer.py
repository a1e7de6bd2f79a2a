"""From candidates to hits: reserved ranks first, one hit for a document, cut, explained."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from contracts.protocols import CandidateIndex
from contracts.values import ChunkRow
from search.explain import Explanation
from search.fusion import ranked
from search.lane import RESERVED, Match, reserve
from search.order import Order, fuse
from search.retrieve import Found, Plan


class RankedHit(NamedTuple):
    """A chunk of the answer; `score` in [0, 1] gives the order."""

    row: ChunkRow
    score: float
    explanation: Explanation | None = None


class Answer:
    """The hits of one query, reading as few stored chunks as the order allows."""

    def __init__(self, index: CandidateIndex, plan: Plan, found: Found) -> None:
        self._plan = plan
        self._found = found
        self._order = Order(index, fuse(plan, found), plan.options)
        self._kept: list[int] = []
        self._owners: set[tuple[object, ...]] = set()

    def hits(self) -> list[RankedHit]:
        wanted = self._plan.options.max_results
        self._keep(self._matches, most=min(RESERVED, wanted))
        lifted = set(self._kept)
        passing = list(filter(self._passes, ranked(self._order.fused)))
        falling = self._order.falling(passing, at_once=2 * wanted + len(lifted))
        first = list(islice(falling, 1))
        self._keep(chain(first, falling), most=wanted)
        best = max(map(self._order.score, {*first, *lifted}), default=0.0)
        return [
            self._hit(chunk_id, best if chunk_id in lifted else None) for chunk_id in self._kept
        ]

    @cached_property
    def _matches(self) -> dict[int, Match]:
        """The chunks that hold an identifier of the query, best first."""
        scores = {chunk_id: item.score for chunk_id, item in self._order.fused.items()}
        return reserve(self._found.lane, scores, self._order.read)

    def _keep(self, chunk_ids: Iterable[int], *, most: int) -> None:
        """Take chunks into the answer, in this order, until it has `most`: one to an owner."""
        room = most - len(self._kept)
        new = (chunk_id for chunk_id in chunk_ids if self._is_first(chunk_id))
        self._kept.extend(islice(new, room))

    def _is_first(self, chunk_id: int) -> bool:
        """Whether nothing of its owner was taken before; all chunks stand for themselves."""
        row = self._order.row(chunk_id)
        owner = (chunk_id,) if self._plan.options.all_chunks else (row.source, row.owner_id)
        is_new = owner not in self._owners
        self._owners.add(owner)
        return is_new

    def _passes(self, chunk_id: int) -> bool:
        """Whether `min_score` lets it in: only what the vector leg alone found is measured."""
        if chunk_id in self._found.keyword or chunk_id in self._matches:
            return True
        cosine = self._found.vector.get(chunk_id)
        return cosine is not None and cosine >= self._plan.options.min_score

    def _hit(self, chunk_id: int, lifted_to: float | None) -> RankedHit:
        score = self._order.score(chunk_id) if lifted_to is None else lifted_to
        why = None
        if self._plan.options.explain:
            why = self._explained(chunk_id, lifted=lifted_to is not None)
        return RankedHit(self._order.row(chunk_id), score, why)

    def _explained(self, chunk_id: int, *, lifted: bool) -> Explanation:
        found, fused, plan = self._found, self._order.fused[chunk_id], self._plan
        match = self._matches.get(chunk_id)
        level = match.level if match else 0
        return Explanation(
            fusion=plan.options.fusion if plan.mode == "hybrid" else "none",
            keyword=found.keyword.get(chunk_id),
            keyword_rank=self._keyword_ranks.get(chunk_id),
            cosine=found.cosine.get(chunk_id),
            vector_rank=self._vector_ranks.get(chunk_id),
            keyword_part=fused.keyword,
            vector_part=fused.vector,
            keyword_weight=1 - plan.weight,
            vector_weight=plan.weight,
            fused=fused.score,
            decay=self._order.factor(chunk_id),
            identifier=match.identifier if match else None,
            identifier_match=("part", "caseless", "exact")[level - 1] if level else None,
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
