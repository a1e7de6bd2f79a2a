"""The rules are as precise on labelled turns, and find as much, as they did."""

import pytest

from benchmarks.extraction.labelled import read_labelled
from benchmarks.extraction.measuring import measure

FLOORS = {"dev": (0.97, 0.93), "held_out": (0.95, 0.80)}
"""Precision and recall. Who makes the rules better raises them."""


@pytest.mark.parametrize("name", FLOORS)
def test_the_rules_are_precise_and_find_enough(name: str) -> None:
    counts = measure(read_labelled(name)).counts
    precision, recall = FLOORS[name]
    assert counts.precision >= precision, "python -m benchmarks.extraction --failures dev"
    assert counts.recall >= recall
