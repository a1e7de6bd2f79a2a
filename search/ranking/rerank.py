"""Reorder the best hits by a model that reads question and text together.

Loaded only for a search that asks for it. The model and its time limit are decided elsewhere.
"""

from collections.abc import Mapping, Sequence

from contracts.values import ChunkRow
from search.ranking.hit_selection import RankedHit


def passage(row: ChunkRow) -> str:
    """The input of a reranker for a chunk: the headings above it, and its text below them."""
    body = row.text[row.body_offset :]
    return f"{row.heading}\n\n{body}" if row.heading else body


def to_rerank(hits: Sequence[RankedHit], *, most: int) -> list[RankedHit]:
    """Those of the first `most` hits whose rank is not reserved for an identifier."""
    return [hit for hit in hits[:most] if not hit.lifted]


def reranked(hits: Sequence[RankedHit], scores: Mapping[int, float]) -> list[RankedHit]:
    """The hits in their new order: reserved ranks, those with a score by chunk id, then the rest
    unchanged.

    A score in [0, 1] is multiplied by its decay factor. So that scores still fall with the rank,
    reserved ranks show the best of them, and no later hit shows more than the last of them; ties
    keep their order.
    """
    lifted = [hit for hit in hits if hit.lifted]
    judged = [_judged(hit, scores[hit.row.chunk_id]) for hit in hits if hit.row.chunk_id in scores]
    judged.sort(key=lambda hit: -hit.score)
    if not judged:
        return list(hits)
    rest = [hit for hit in hits if not hit.lifted and hit.row.chunk_id not in scores]
    return [
        *(hit._replace(score=judged[0].score) for hit in lifted),
        *judged,
        *(hit._replace(score=min(hit.score, judged[-1].score)) for hit in rest),
    ]


def _judged(hit: RankedHit, score: float) -> RankedHit:
    why = hit.explanation and hit.explanation._replace(rerank=score)
    return hit._replace(score=score * hit.decay, explanation=why)
