"""The confidence in a fact, in [0, 1], by the episodes in which it was said.

confidence = min(most, 1 - product of (1 - c) over the episodes)

    c  rule_confidence or model_confidence, the higher one where both found it in the episode, times
       uncertain_weight for a memory that was never stated clearly

So episodes count as independent witnesses (noisy-or), and what is repeated within one counts once.
What a person wrote or edited has the confidence `most`.
"""

from collections.abc import Iterable, Mapping
from math import prod

from contracts.named_tuple import NamedTuple
from memory.config.sections.conversations import SemanticConfig

_DIGITS = 6


class Statement(NamedTuple):
    """A fact said in an episode, found by a model or by a rule, or edited by a person."""

    episode_id: int
    is_by_model: bool
    is_certain: bool
    is_edited: bool


def confidence(said: Iterable[Statement], config: SemanticConfig) -> float:
    """Return the confidence in a fact that was said in these ways; 0 for none."""
    best: dict[int, float] = {}
    for one in said:
        best[one.episode_id] = max(_of(one, config), best.get(one.episode_id, 0.0))
    return round(min(config.most_confidence, noisy_or(best)), _DIGITS)


def noisy_or(confidences: Mapping[int, float]) -> float:
    """Return the probability that at least one of independent witnesses is right."""
    return 1 - prod(1 - each for each in confidences.values())


def _of(said: Statement, config: SemanticConfig) -> float:
    if said.is_edited:
        return config.most_confidence
    found = config.model_confidence if said.is_by_model else config.rule_confidence
    return found if said.is_certain else found * config.uncertain_weight
