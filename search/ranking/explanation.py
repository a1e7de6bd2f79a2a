"""Explanation of a hit's rank: the figures of every step, in the order of the steps."""

from collections.abc import Sequence
from typing import Any

from contracts.named_tuple import NamedTuple


class Explanation(NamedTuple):
    """The figures of one score.

    keyword, cosine            scores of the legs: BM25, cosine in [-1, 1]; None: not a candidate
                               of the leg (a cosine is computed for keyword candidates too)
    keyword_rank, vector_rank  place in that leg's own list, from 1; None: not found by the leg
    keyword_part, vector_part  the same normalised to [0, 1] among the candidates of this query
    keyword_weight, vector_weight  their factors; 1 and 0 for a chunk without a vector, which has
                               the vector part 0
    fused       the fused score before decay, in [0, 1]
    speaker_bonus, time_bonus  the bonus of a turn: the query asks for its speaker, or for a
                time and the turn tells one; and `turn_scale`, the factor of the sum that keeps the
                best turn as high as the best turn was
    decay       factor by age, 1 when the source does not fade
    file_weight  factor of the file's kind, and `file_rule`, the rule that lowers it, or None
    form_weight  factor of the forms of answers that it lacks, and `form_rules`, their names
    novelty     1 less the largest similarity to a hit above, where hits are chosen for diversity;
                the score is `fused * decay` (with a turn's bonus) and this, weighted with
                `novelty_weight` and its rest
    identifier  the identifier of the query that this chunk holds, and `identifier_match` how:
                `definition` (that which the query names), `exact`, `caseless`, `spelling` or
                `part`; or `similar`, and the name that was found in place of one without a match
    lifted      the hit has a reserved rank for its identifier, and the best score with it
    rerank      the reranker's score in [0, 1], the hit's own without its decay; None: not reranked
    """

    fusion: str
    keyword: float | None = None
    keyword_rank: int | None = None
    cosine: float | None = None
    vector_rank: int | None = None
    keyword_part: float = 0.0
    vector_part: float = 0.0
    keyword_weight: float = 0.0
    vector_weight: float = 0.0
    fused: float = 0.0
    speaker_bonus: float = 0.0
    time_bonus: float = 0.0
    turn_scale: float = 1.0
    decay: float = 1.0
    file_weight: float = 1.0
    file_rule: str | None = None
    form_weight: float = 1.0
    form_rules: Sequence[str] = ()
    novelty: float = 1.0
    novelty_weight: float = 0.0
    identifier: str | None = None
    identifier_match: str | None = None
    lifted: bool = False
    rerank: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """The fields by name, ready for JSON."""
        return self._asdict()
