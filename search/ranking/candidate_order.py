"""Candidates in the order of their fused and decayed scores, read from the index lazily.

Decay needs the stored row, and reading rows is the main cost of an answer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from heapq import heappop, heappush

from contracts.protocols import CandidateIndex
from contracts.values import ChunkRow
from search.analysis.query import QueryAnalysis
from search.options import SearchOptions
from search.ranking.file_weight import FileRule, FileWeights
from search.ranking.fusion import Fused, convex, rrf
from search.ranking.question_form import FormRule, FormRules
from search.retrieval import Candidates, Plan


class ScoredCandidates:
    """The scores of all candidates of a query, and the rows read so far."""

    def __init__(
        self,
        index: CandidateIndex,
        fused: dict[int, Fused],
        options: SearchOptions,
        *,
        rows: Mapping[int, ChunkRow],
        weights: FileWeights,
    ) -> None:
        """`rows` are already read and need not be read again; `weights` are those of files."""
        self.fused = fused
        self._index = index
        self._decay = options.decay
        self._is_present = options.now is None
        self._now = options.now or datetime.now(UTC)
        self._known = rows
        self._weights = weights
        self._form: FormRules | None = None
        self._rows: dict[int, ChunkRow] = {}
        self._factors: dict[int, float] = {}

    def read(self, chunk_ids: Iterable[int]) -> dict[int, ChunkRow]:
        """The rows of these chunks; those deleted meanwhile are missing. None is read twice."""
        wanted = list(chunk_ids)
        missing = [chunk_id for chunk_id in wanted if chunk_id not in self._rows]
        known, rows = self._known, self._rows
        rows |= {key: known[key] for key in missing if key in known}
        unknown = [chunk_id for chunk_id in missing if chunk_id not in known]
        if unknown:
            rows.update(self._index.chunk_rows(unknown))
        return {chunk_id: rows[chunk_id] for chunk_id in wanted if chunk_id in rows}

    def row(self, chunk_id: int) -> ChunkRow:
        """The row of a chunk that `read` or `by_descending_score` returned."""
        return self._rows[chunk_id]

    def weigh_by_form(self, analysis: QueryAnalysis, first: Iterable[int]) -> None:
        """Lower what has not the form of the answer, if some of these first chunks have it."""
        self._form = FormRules(analysis, self.read(first).values())
        self._factors.clear()

    def score(self, chunk_id: int) -> float:
        """The score of a chunk that was read, by age, kind of file and form, in [0, 1]."""
        return self.fused[chunk_id].score * self.factor(chunk_id)

    def factor(self, chunk_id: int) -> float:
        """The factor that its age, the kind of its file and its form leave of its score."""
        known = self._factors.get(chunk_id)
        if known is not None:
            return known
        row = self._rows[chunk_id]
        form = 1.0 if self._form is None else self._form(row)
        factor = self.decay(chunk_id) * self._weights(row.path) * form
        self._factors[chunk_id] = factor
        return factor

    def form_rules(self, chunk_id: int) -> list[FormRule]:
        """The rules about the form of answers that lower a chunk."""
        return [] if self._form is None else self._form.broken(self._rows[chunk_id])

    def rule(self, chunk_id: int) -> FileRule | None:
        """The rule that lowers the file of a chunk, if any."""
        return self._weights.rule(self._rows[chunk_id].path)

    def decay(self, chunk_id: int) -> float:
        """The factor that age leaves of its score."""
        row = self._rows[chunk_id]
        fades = self._decay.applies_to(row.source)
        return self._decay.factor(row.occurred_at, self._now) if fades else 1.0

    @property
    def depends_on_time(self) -> bool:
        """Return whether a chunk was read whose score changes with time."""
        rows = self._rows.values()
        return self._is_present and any(self._decay.applies_to(row.source) for row in rows)

    def by_descending_score(self, chunk_ids: Sequence[int], *, at_once: int) -> Iterator[int]:
        """These chunks by falling decayed score, ties by id; the input is by falling fused score.

        Rows are read `at_once` at a time. Age, kind of file and form only lower a score, so a
        chunk's place is final as soon as it ranks before the first unread one.
        """
        waiting: list[tuple[float, int]] = []
        for end in range(at_once, len(chunk_ids) + at_once, at_once):
            for chunk_id in self.read(chunk_ids[end - at_once : end]):
                heappush(waiting, (-self.score(chunk_id), chunk_id))
            unread = chunk_ids[end : end + 1]
            bound = (-self.fused[unread[0]].score, unread[0]) if unread else (1.0, 0)
            while waiting and waiting[0] < bound:
                yield heappop(waiting)[1]


def fuse(plan: Plan, found: Candidates) -> dict[int, Fused]:
    """The fused score of every candidate, those with a matching identifier included."""
    if plan.mode == "vector":
        return {key: Fused(max(0.0, cos), 0.0, max(0.0, cos)) for key, cos in found.vector.items()}
    if plan.mode == "hybrid" and plan.options.fusion == "rrf":
        fused = rrf(found.keyword, found.cosine)
    else:
        fused = convex(found.keyword, found.cosine, weight=plan.weight)
    for chunk_id in found.identifiers.matches:
        fused.setdefault(chunk_id, Fused(0.0, 0.0, 0.0))
    return fused
