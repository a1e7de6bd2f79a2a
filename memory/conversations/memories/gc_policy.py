"""Decisions of the garbage collection about each memory; pure, so that a dry run is exact.

The order: score, promote, remove expired memories, then those beyond the capacity, lowest score
first. Only mid-term memories are removed, and none that is lasting; long-term ones are never
demoted.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, Literal, Protocol, TypeAlias

from contracts.named_tuple import NamedTuple
from memory.config.sections.conversations import MidConfig, ScoringConfig
from memory.conversations.memories.scoring import Decomposition, Weights, age_in_days, decompose
from memory.conversations.memories.values import IMPORTANT
from memory.values.inserted_values import texts_of

GcOutcome: TypeAlias = Literal["kept", "promoted", "archived", "deleted"]
Reason: TypeAlias = Literal["", "hits", "score", "age", "capacity", "status"]
"""Reasons of a decision: `hits` promotes; `status` is a memory already marked as deleted."""

CORE_KINDS: Final = frozenset({"identity", "health", "place", "work", "relation", "note"})
"""The first tags of facts that stay true until something else is said: who the user is, where they
live, whose employee and relative they are, and what they asked to remember."""


class GcCandidate(NamedTuple):
    """The columns of a memory on which a decision depends, times as `utc_text`."""

    id: int
    layer: str
    status: str
    hits: int
    importance: int
    last_seen_at: str | None
    created_at: str
    tags_json: str

    def is_lasting(self) -> bool:
        """Return whether it is important, as what a person asked to keep is, or a core fact."""
        tags = texts_of(self.tags_json)
        return self.importance >= IMPORTANT or (bool(tags) and tags[0] in CORE_KINDS)


COLUMNS: Final = ", ".join(GcCandidate._fields)
"""The columns of a SELECT of candidates."""


class Scored(Protocol):
    """A value with a score: a `GcCandidate`, or a whole memory."""

    @property
    def hits(self) -> int: ...
    @property
    def importance(self) -> int: ...
    @property
    def last_seen_at(self) -> str | None: ...
    @property
    def created_at(self) -> str: ...


class GcDecision(NamedTuple):
    """The decision about a memory, with its score and age at that time."""

    candidate: GcCandidate
    outcome: GcOutcome
    reason: Reason
    score: float
    age_days: float


class Policy(NamedTuple):
    """The settings and the current time that decide."""

    mid: MidConfig
    weights: Weights
    now: datetime


def weights_of(scoring: ScoringConfig) -> Weights:
    """Return the configured weights of a score."""
    return Weights(scoring.w_freq, scoring.w_recency, scoring.w_importance, scoring.fading)


def worth(one: Scored, policy: Policy) -> Decomposition:
    """Return the score of a memory at the policy's moment, with its parts."""
    age = age_in_days(one.last_seen_at, one.created_at, now=policy.now)
    return decompose(hits=one.hits, importance=one.importance, age_days=age, weights=policy.weights)


def decide(candidates: Iterable[GcCandidate], policy: Policy) -> list[GcDecision]:
    """Return the decision about every memory, in the given order; archived ones are skipped.

    A memory with the status `deleted` is removed, whatever its score.
    """
    decisions = [_alone(one, policy) for one in candidates if one.status != "archived"]
    for place in _beyond_capacity(decisions, policy.mid.capacity):
        decisions[place] = _removed(decisions[place], "capacity", policy.mid)
    return decisions


def _alone(one: GcCandidate, policy: Policy) -> GcDecision:
    """Return the decision about a memory regardless of the others."""
    mid = policy.mid
    *_, score, age = worth(one, policy)
    kept = GcDecision(one, "kept", "", score, age)
    if one.status == "deleted":
        return kept._replace(outcome="deleted", reason="status")
    if one.layer != "mid":
        return kept
    if one.hits >= mid.promote_hits and age <= mid.promote_within_days:
        return kept._replace(outcome="promoted", reason="hits")
    if one.is_lasting():
        return kept
    if score < mid.delete_below:
        return _removed(kept, "score", mid)
    if age > mid.demote_age_days:
        return _removed(kept, "age", mid)
    return kept


def _removed(decision: GcDecision, reason: Reason, mid: MidConfig) -> GcDecision:
    outcome: GcOutcome = "archived" if mid.on_expire == "archive" else "deleted"
    return decision._replace(outcome=outcome, reason=reason)


def _beyond_capacity(decisions: Sequence[GcDecision], capacity: int) -> list[int]:
    """Return indexes of kept memories over capacity that may fade: lowest score, longest unseen."""
    kept = [
        (decision.score, -decision.age_days, decision.candidate.id, place)
        for place, decision in enumerate(decisions)
        if decision.outcome == "kept"
        and decision.candidate.layer == "mid"
        and not decision.candidate.is_lasting()
    ]
    return [place for *_, place in sorted(kept)[: max(0, len(kept) - capacity)]]
