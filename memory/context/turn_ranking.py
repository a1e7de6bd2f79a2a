"""The order of turns in a context.

A search ranks each turn alone. A context reads deeper than a result list, and what was said is
understood from what was said around it: the turns of a session gain from its best hit, an answer
gains from its question, and a turn that only asks tells little. The weights were chosen on one half
of the conversations of several collections and are better on the other half too.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from contracts.named_tuple import NamedTuple
from search import RankedHit

SESSION: Final = 0.5
"""The weight of the best hit of its session in the score of a turn."""

ANSWER: Final = 0.15
"""The weight of a question in the score of its answer."""

ASKING: Final = 0.2
"""The part of its score that a turn loses if it only asks."""

MEANING: Final = 1.4
"""The factor of the weight of meaning, relative to that of words, in a list of results."""


class Candidate(NamedTuple):
    """A turn that may be shown: its score in the search, and the share of it that asks."""

    turn_id: int
    session_id: str
    score: float
    asking: float


class RankedTurn(NamedTuple):
    """A turn with its relevance in [0, 1]."""

    turn_id: int
    score: float


def rank_turns(candidates: Sequence[Candidate], before: Mapping[int, int]) -> list[RankedTurn]:
    """Return the turns, best first; `before` names the turn before each, if it has one."""
    known = {one.turn_id: one for one in candidates}
    best: dict[str, float] = {}
    for one in candidates:
        best[one.session_id] = max(one.score, best.get(one.session_id, 0.0))
    scores = {}
    for one in candidates:
        question = known.get(before.get(one.turn_id, 0))
        answered = question.score * question.asking if question else 0.0
        score = one.score + ANSWER * answered + SESSION * best[one.session_id]
        scores[one.turn_id] = score * (1 - ASKING * one.asking)
    most = max(scores.values(), default=0.0) or 1.0
    ranked = [RankedTurn(turn_id, score / most) for turn_id, score in scores.items()]
    return sorted(ranked, key=lambda one: (-one.score, one.turn_id))


def shown_score(hit: RankedHit) -> float:
    """Return the score of a hit as a list of results shows it."""
    return round(hit.score, 6)


def score_of(hit: RankedHit) -> float:
    """Return the score of an explained hit, with more weight for meaning than in a result list."""
    why = hit.explanation
    if not why or why.fusion != "convex" or why.lifted:
        return shown_score(hit)
    weight = min(1.0, MEANING * why.vector_weight)
    score = (1 - weight) * why.keyword_part + weight * why.vector_part
    return (score + why.speaker_bonus + why.time_bonus) * why.turn_scale * why.decay
