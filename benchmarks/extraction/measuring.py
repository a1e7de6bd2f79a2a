"""Run the rules over labelled turns and count."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from benchmarks.extraction.judging import Judged, judge
from benchmarks.extraction.labelled import Turn
from ingest import extract


class Counts(NamedTuple):
    """The numbers of right candidates, of all, of required facts found, and of all required."""

    right: int
    told: int
    found: int
    required: int

    @property
    def precision(self) -> float:
        """The share of right candidates; 1 without candidates."""
        return self.right / self.told if self.told else 1.0

    @property
    def recall(self) -> float:
        return self.found / self.required if self.required else 1.0


@dataclass(frozen=True, slots=True)
class Measured:
    """Every turn with its result, and the number of turns read per second."""

    judged: Sequence[Judged]
    turns_per_s: float

    @property
    def counts(self) -> Counts:
        return count(self.judged)

    @property
    def false_positives(self) -> float:
        """Wrong candidates per hundred turns without a fact."""
        nothing = [one for one in self.judged if not one.turn.required]
        return 100 * sum(len(one.wrong) for one in nothing) / len(nothing)

    @property
    def wrong_ends(self) -> int:
        """The number of candidates that end what is not over."""
        return sum(len(one.wrong_ends) for one in self.judged)

    def by_language(self) -> dict[str, Counts]:
        groups = defaultdict(list)
        for one in self.judged:
            groups[one.turn.language].append(one)
        return {language: count(group) for language, group in sorted(groups.items())}

    def recall_by_kind(self) -> dict[str, tuple[int, int]]:
        """The numbers of facts found and required, by kind."""
        return _tally(
            (fact.kind, fact in one.found)
            for one in self.judged
            for fact in (*one.found, *one.missed)
        )

    def wrong_by(self, key: Callable[[Judged], str]) -> dict[str, int]:
        """The number of wrong candidates by a property of their turns."""
        tally: dict[str, int] = defaultdict(int)
        for one in self.judged:
            if one.wrong:
                tally[key(one)] += len(one.wrong)
        return dict(sorted(tally.items()))


def measure(turns: Sequence[Turn]) -> Measured:
    """Extract from each turn, and judge it."""
    started = time.perf_counter()
    extracted = [extract(turn.utterance) for turn in turns]
    seconds = time.perf_counter() - started
    judged = [judge(turn, found) for turn, found in zip(turns, extracted, strict=True)]
    return Measured(judged, len(turns) / seconds)


def count(judged: Iterable[Judged]) -> Counts:
    """The sums over these turns."""
    right = wrong = found = missed = 0
    for one in judged:
        right += len(one.right)
        wrong += len(one.wrong)
        found += len(one.found)
        missed += len(one.missed)
    return Counts(right, right + wrong, found, found + missed)


def _tally(seen: Iterable[tuple[str, bool]]) -> dict[str, tuple[int, int]]:
    tally: dict[str, list[bool]] = defaultdict(list)
    for key, is_so in seen:
        tally[key].append(is_so)
    return {key: (sum(values), len(values)) for key, values in sorted(tally.items())}
