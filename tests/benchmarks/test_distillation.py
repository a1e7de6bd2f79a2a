"""Distillation by rules on two labelled months: floors of precision and recall."""

import pytest

from benchmarks.distillation.__main__ import table
from benchmarks.distillation.labelled import read_labelled
from benchmarks.distillation.measuring import KINDS, measure


@pytest.mark.parametrize("name, precision, recall", [("dev", 0.95, 0.5), ("held_out", 0.9, 0.2)])
def test_what_is_written_is_right(name: str, precision: float, recall: float) -> None:
    done = measure(read_labelled(name))
    assert done.precision(*KINDS) >= precision
    assert done.recall(*KINDS) >= recall
    assert done.trapped[True] <= 2
    assert f"| {name} | right |" in table(name, done)


def test_the_labels_are_many_and_half_of_the_turns_are_traps() -> None:
    for name in ("dev", "held_out"):
        turns = [one for turns in read_labelled(name).values() for one in turns]
        labels = [one for turn in turns for one in turn.labels if not one.get("optional")]
        traps = [turn for turn in turns if turn.trap and not turn.labels]
        assert len(labels) + len(traps) >= 200
        assert len(traps) >= 0.45 * (len(labels) + len(traps))
