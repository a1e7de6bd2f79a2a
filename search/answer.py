"""From candidates to hits: fuse, fade by age, reserve ranks, one hit for a document, cut."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from contracts.protocols import CandidateIndex
from contracts.values import ChunkRow
from search.explain import Explanation
from search.fusion import Fused, convex, ranked, rrf
from search.lane import RESERVED, Match, reserve
from search.retrieve import Found, Plan


@dataclass(frozen=True, slots=True)
class RankedHit:
    """A chunk of the answer; `score` in [0, 1] gives the order."""

    row: ChunkRow
    score: float
    explanation: Explanation | None = None


class Answer:
    """The hits of one query, reading as few stored chunks as the order allows."""

    def __init__(self, index: CandidateIndex, plan: Plan, found: Found) -> None:
        self._index = index
        self._plan = plan
        self._found = found
        self._fused = fuse(plan, found)
        self._rows: dict[int, ChunkRow] = {}
        self._factors: dict[int, float] = {}
        self._now = plan.options.now or datetime.now(UTC)

    def hits(self) -> list[RankedHit]:
        options = self._plan.options
        scores = {chunk_id: item.score for chunk_id, item in self._fused.items()}
        matches = reserve(self._found.lane, scores, self._read) if self._found.lane else {}
        order = [chunk_id for chunk_id in ranked(self._fused) if self._passes(chunk_id, matches)]
        reserved = self._reserved(matches)
        settled = self._settled(order, reserved)
        best = max((score for _, score in settled), default=0.0)
        best = max([best, *(self._faded(chunk_id) for chunk_id in reserved)], default=best)
        top = [(chunk_id, best) for chunk_id in reserved]
        return [
            RankedHit(
                self._rows[chunk_id],
                score,
                self._explained(chunk_id, matches, lifted=chunk_id in reserved)
                if options.explain
                else None,
            )
            for chunk_id, score in (top + settled)[: options.max_results]
        ]

    def _reserved(self, matches: Mapping[int, Match]) -> list[int]:
        """The first of `matches`, one to an owner unless all chunks are asked for."""
        chosen: list[int] = []
        owners: set[tuple[object, ...]] = set()
        for chunk_id in matches:
            owner = self._owner(chunk_id)
            if owner not in owners:
                owners.add(owner)
                chosen.append(chunk_id)
        return chosen[:RESERVED]

    def _settled(self, order: list[int], reserved: list[int]) -> list[tuple[int, float]]:
        """The best chunks outside the reserved ranks with their faded scores, best first.

        Fading only lowers a score, so reading stops once no unread chunk can come before the last
        one wanted.
        """
        wanted = self._plan.options.max_results
        taken = {self._owner(chunk_id) for chunk_id in reserved}
        best: dict[tuple[object, ...], tuple[float, int]] = {}
        for batch in _batches(order, 2 * wanted + len(reserved)):
            self._read(batch)
            for chunk_id in batch:
                if chunk_id not in self._rows or self._owner(chunk_id) in taken:
                    continue
                key = (-self._faded(chunk_id), chunk_id)
                owner = self._owner(chunk_id)
                best[owner] = min(key, best.get(owner, key))
            bound = -self._fused[batch[-1]].score
            if len(best) >= wanted and sorted(best.values())[wanted - 1][0] <= bound:
                break
        return [(chunk_id, -score) for score, chunk_id in sorted(best.values())[:wanted]]

    def _passes(self, chunk_id: int, matches: Mapping[int, Match]) -> bool:
        """Whether `min_score` lets it in: only what the vector leg alone found is measured."""
        if chunk_id in self._found.keyword or chunk_id in matches:
            return True
        cosine = self._found.vector.get(chunk_id)
        return cosine is not None and cosine >= self._plan.options.min_score

    def _read(self, chunk_ids: list[int]) -> dict[int, ChunkRow]:
        missing = [chunk_id for chunk_id in chunk_ids if chunk_id not in self._rows]
        if missing:
            self._rows.update(self._index.chunk_rows(missing))
        return {key: self._rows[key] for key in chunk_ids if key in self._rows}

    def _owner(self, chunk_id: int) -> tuple[object, ...]:
        if self._plan.options.all_chunks:
            return (chunk_id,)
        row = self._rows[chunk_id]
        return (row.source, row.owner_id)

    def _faded(self, chunk_id: int) -> float:
        return self._fused[chunk_id].score * self._factor(chunk_id)

    def _factor(self, chunk_id: int) -> float:
        if chunk_id not in self._factors:
            row, decay = self._rows[chunk_id], self._plan.options.decay
            applies = decay.applies_to(row.source)
            self._factors[chunk_id] = decay.factor(row.occurred_at, self._now) if applies else 1.0
        return self._factors[chunk_id]

    def _explained(
        self, chunk_id: int, matches: Mapping[int, Match], *, lifted: bool
    ) -> Explanation:
        found, fused, plan = self._found, self._fused[chunk_id], self._plan
        match = matches.get(chunk_id)
        level = match.level if match else 0
        return Explanation(
            fusion=plan.options.fusion if plan.mode == "hybrid" else "none",
            keyword=found.keyword.get(chunk_id),
            keyword_rank=_rank(found.keyword, chunk_id),
            cosine=found.cosine.get(chunk_id),
            vector_rank=_rank(found.vector, chunk_id),
            keyword_part=fused.keyword,
            vector_part=fused.vector,
            keyword_weight=1 - plan.weight,
            vector_weight=plan.weight,
            fused=fused.score,
            decay=self._factor(chunk_id),
            identifier=match.identifier if match else None,
            identifier_match=("part", "caseless", "exact")[level - 1] if level else None,
            lifted=lifted,
        )


def fuse(plan: Plan, found: Found) -> dict[int, Fused]:
    """The fused score of every candidate, those of the lane included."""
    if plan.mode == "vector":
        return {key: Fused(max(0.0, cos), 0.0, max(0.0, cos)) for key, cos in found.vector.items()}
    if plan.mode == "hybrid" and plan.options.fusion == "rrf":
        fused = rrf(found.keyword, found.cosine)
    else:
        fused = convex(found.keyword, found.cosine, weight=plan.weight)
    for chunk_ids in found.lane.values():
        for chunk_id in chunk_ids:
            fused.setdefault(chunk_id, Fused(0.0, 0.0, 0.0))
    return fused


def _rank(leg: Mapping[int, float], chunk_id: int) -> int | None:
    """The place in a leg's own list, from 1."""
    for rank, other in enumerate(leg, start=1):
        if other == chunk_id:
            return rank
    return None


def _batches(items: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
