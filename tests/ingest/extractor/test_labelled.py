"""The rules are precise on labelled turns, and find most of what they hold."""

import pytest

from benchmarks.extraction.labelled import FILES, read_labelled
from benchmarks.extraction.measuring import measure

PRECISION, RECALL = 0.95, 0.80


@pytest.mark.parametrize("name", FILES)
def test_the_rules_are_precise_and_find_enough(name: str) -> None:
    counts = measure(read_labelled(name)).counts
    assert counts.precision >= PRECISION, "python -m benchmarks.extraction --failures dev"
    assert counts.recall >= RECALL
