"""The confidence in a fact by the episodes in which it was said."""

import pytest

from memory.config.sections.conversations import SemanticConfig
from memory.episodes.triples.confidence import Statement, confidence

CONFIG = SemanticConfig(
    rule_confidence=0.9, model_confidence=0.7, uncertain_weight=0.5, most_confidence=0.98
)


def said(
    episode: int, *, model: bool = False, certain: bool = True, edited: bool = False
) -> Statement:
    return Statement(episode, is_by_model=model, is_certain=certain, is_edited=edited)


@pytest.mark.parametrize(
    "statements, expected",
    [
        ([], 0),
        ([said(1)], 0.9),
        ([said(1), said(1)], 0.9),
        ([said(1, model=True)], 0.7),
        ([said(1, model=True), said(1)], 0.9),
        ([said(1, model=True), said(2, model=True)], 1 - 0.3 * 0.3),
        ([said(1, certain=False)], 0.45),
        ([said(1, certain=False), said(2, certain=False)], 1 - 0.55 * 0.55),
        ([said(1), said(2), said(3)], 0.98),
        ([said(1, edited=True)], 0.98),
    ],
    ids=lambda value: "" if isinstance(value, list) else str(round(value, 3)),
)
def test_episodes_are_independent_witnesses(statements: list[Statement], expected: float) -> None:
    assert confidence(statements, CONFIG) == pytest.approx(expected)
