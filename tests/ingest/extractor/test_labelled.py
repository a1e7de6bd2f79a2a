"""The rules are precise on labelled turns, find most of the core, and end nothing wrongly."""

import pytest

from benchmarks.extraction.labelled import read_labelled
from benchmarks.extraction.measuring import measure

FLOORS = {
    "core": (0.99, 0.95),
    "core_held_out": (0.94, 0.60),
    "dev": (0.99, 0.79),
    "held_out": (0.95, 0.60),
    "taken_back": (0.99, 0.84),
    "taken_back_held_out": (0.99, 0.89),
    "es": (0.99, 0.45),
    "it": (0.97, 0.45),
    "nl": (0.99, 0.43),
    "pt": (0.99, 0.50),
}
"""Precision and recall of each file, as measured and rounded down."""


@pytest.mark.parametrize("name", FLOORS)
def test_the_rules_are_precise_and_find_enough(name: str) -> None:
    measured = measure(read_labelled(name))
    precision, recall = measured.counts.precision, measured.counts.recall
    least_precision, least_recall = FLOORS[name]
    assert precision >= least_precision, "python -m benchmarks.extraction --failures dev"
    assert recall >= least_recall
    assert measured.wrong_ends == 0
