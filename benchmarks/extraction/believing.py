"""Measure how well a model's facts are checked: true ones of a turn, and true ones of another.

No model is involved. A careful one is simulated by the labels themselves, an inventing one by the
labels of other turns.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from benchmarks.extraction.labelled import Fact, Turn
from ingest.extractor.llm import read_answer

_OTHERS: Final = (1, 7, 13)
"""The distance of the turns whose facts serve as inventions."""


class Believed(NamedTuple):
    """The number of facts told of their own turn, or of another, and the number that passed."""

    own: int
    own_passed: int
    foreign: int
    foreign_passed: int

    @property
    def kept(self) -> float:
        """The share of true facts that are accepted."""
        return self.own_passed / self.own if self.own else 1.0

    @property
    def fooled(self) -> float:
        """The share of inventions that are accepted."""
        return self.foreign_passed / self.foreign if self.foreign else 0.0


def believing(turns: Sequence[Turn]) -> Believed:
    """Tell every required fact of its own turn, and of some others of a speaker of that name."""
    telling = [turn for turn in turns if turn.required]
    own = [passes(turn, fact) for turn in telling for fact in turn.required]
    foreign = [passes(turn, fact) for turn, fact in _invented(telling)]
    return Believed(len(own), sum(own), len(foreign), sum(foreign))


def passes(turn: Turn, fact: Fact) -> bool:
    """Return whether a model that tells this fact of this turn is believed."""
    told = json.dumps([{"content": fact.content, "action": fact.action}])
    return bool(read_answer(told, turn.utterance).candidates)


def _invented(turns: Sequence[Turn]) -> Iterator[tuple[Turn, Fact]]:
    for distance in _OTHERS:
        for place, turn in enumerate(turns):
            other = turns[(place + distance) % len(turns)]
            if other.utterance.speaker == turn.utterance.speaker:
                yield from ((turn, fact) for fact in other.required)
