"""Retention of an episode by FSRS, with the scheduler of the library `fsrs`.

The first review is its end, rated Good; each use is another one. Between reviews nothing is
written: the probability of recall falls with time alone and is computed when it is read. Steps of
learning and chance are left out, since nobody drills episodes.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from contracts.named_tuple import NamedTuple

if TYPE_CHECKING:
    from fsrs import Card, Scheduler

Vote: TypeAlias = Literal["used", "helpful", "unhelpful"]

RATINGS: Final[Mapping[Vote, int]] = {"used": 3, "helpful": 4, "unhelpful": 1}
"""The rating of a review by what was said about it: Good, Easy, Again."""

_ANY_CARD: Final = 1
"""The id of every card: a new one would be made of the clock, after a millisecond's sleep."""


class Retention(NamedTuple):
    """The state of an episode in FSRS; `reviewed_at` is its last review."""

    stability: float
    difficulty: float
    reviewed_at: datetime


def first_review(at: datetime) -> Retention:
    """Return the state after the first review at a time, rated Good."""
    from fsrs import Card

    return _reviewed(Card(card_id=_ANY_CARD), "used", at)


def reviewed(state: Retention, vote: Vote, at: datetime) -> Retention:
    """Return the state after one more review."""
    return _reviewed(_card(state), vote, at)


def retrievability(state: Retention, now: datetime) -> float:
    """Return the probability of recall at a time, in [0, 1]: 1 on the day of the review."""
    return float(_scheduler().get_card_retrievability(_card(state), now.astimezone(UTC)))


def _reviewed(card: "Card", vote: Vote, at: datetime) -> Retention:
    from fsrs import Rating

    after, _ = _scheduler().review_card(card, Rating(RATINGS[vote]), at.astimezone(UTC))
    if after.stability is None or after.difficulty is None or after.last_review is None:
        raise RuntimeError("fsrs has reviewed a card and left it without a state")
    return Retention(after.stability, after.difficulty, after.last_review)


def _card(state: Retention) -> "Card":
    from fsrs import Card, State

    return Card(
        card_id=_ANY_CARD,
        state=State.Review,
        stability=state.stability,
        difficulty=state.difficulty,
        last_review=state.reviewed_at,
    )


@cache
def _scheduler() -> "Scheduler":
    from fsrs import Scheduler

    return Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
