"""Counts how memories are made of turns, by rules and by a model, for status and metrics.

What is counted holds numbers and codes of reasons, never a word of a turn or of an answer.
"""

from collections.abc import Collection, Mapping
from typing import Final, Literal, TypeAlias

from memory.storage import Database
from memory.storage.counters import Count, Counters
from memory.storage.latencies import EMPTY, EXTRACTION_LEGS, Histogram, LatencyBook
from memory.values.status_reports import ExtractorMetrics
from memory.workspace import Workspace

Way: TypeAlias = Literal["rules", "llm"]

_TURNS: Final = "extraction turns"
_ANSWERS: Final = "extraction answers"
_CANDIDATES: Final = "extraction candidates"
_ERRORS: Final = "extraction errors"
_GIVEN_UP: Final = "extraction given up"
_FAILED: Final = "extraction failure"
_DROPPED: Final = "extraction dropped"
_SKIPPED: Final = "extraction skipped"


class ExtractionCounters:
    """Counts over all processes; any thread may use it."""

    def __init__(self, database: Database, tallies: Counters) -> None:
        self._tallies = tallies
        self._latencies = LatencyBook(database, legs=EXTRACTION_LEGS)

    def note_rules(self, *, turns: int, candidates: int, seconds: float) -> None:
        """Rules have looked at turns, in so many seconds each on average."""
        self._note("rules", _TURNS, turns)
        self._note("rules", _ANSWERS, turns)
        self._note("rules", _CANDIDATES, candidates)
        self._latencies.note([("rules", seconds / turns)] * turns)

    def note_answer(self, *, candidates: int, dropped: Collection[str], seconds: float) -> None:
        """A model has answered about a turn; `dropped` has a reason for each item not believed."""
        self._note("llm", _TURNS, 1)
        self._note("llm", _ANSWERS, 1)
        self._note("llm", _CANDIDATES, candidates)
        for reason in dropped:
            self._note("llm", f"{_DROPPED}: {reason}", 1)
        self._latencies.note([("llm", seconds)])

    def note_failure(self, reason: str, *, said: str, seconds: float) -> None:
        """A model gave no answer that can be used; `said` holds nothing of the turn."""
        self._note("llm", _TURNS, 1)
        self._note("llm", f"{_FAILED}: {reason}", 1)
        self._tallies.note(f"{_ERRORS} llm", reason=said)
        self._latencies.note([("llm", seconds)])

    def note_skipped(self, reason: str) -> None:
        """No model was asked about a turn."""
        self._note("llm", f"{_SKIPPED}: {reason}", 1)

    def note_given_up(self) -> None:
        """A turn was tried as often as is worth it."""
        self._note("llm", _GIVEN_UP, 1)

    def given_up(self) -> int:
        """How many turns were."""
        return self._tallies.read().get(f"{_GIVEN_UP} llm", Count()).number

    def metrics(self, way: Way) -> ExtractorMetrics:
        """What was counted of one way, ever."""
        tallies = self._tallies.read()
        turns, answers, candidates, errors = (
            tallies.get(f"{name} {way}", Count())
            for name in (_TURNS, _ANSWERS, _CANDIDATES, _ERRORS)
        )
        latency = self._latencies.ever().get(way, EMPTY)
        return ExtractorMetrics(
            turns=turns.number,
            succeeded=answers.number,
            success_rate=round(answers.number / turns.number, 3) if turns.number else None,
            candidates=candidates.number,
            dropped=_by_reason(tallies, _DROPPED, way),
            failures=_by_reason(tallies, _FAILED, way),
            skipped=_by_reason(tallies, _SKIPPED, way),
            mean_ms=round(latency.mean_ms, 3),
            p50_ms=round(latency.percentile_ms(0.5), 3),
            p95_ms=round(latency.percentile_ms(0.95), 3),
            last_success_at=answers.noted_at,
            last_error=errors.reason,
            last_error_at=errors.noted_at,
        )

    def here(self) -> dict[str, Histogram]:
        """How long either way took in this process."""
        return self._latencies.here()

    def close(self) -> None:
        """Write the durations down; the counts are written by `Counters`."""
        self._latencies.flush()

    def _note(self, way: Way, name: str, number: int) -> None:
        if number:
            self._tallies.note(f"{name} {way}", number)


def _by_reason(tallies: Mapping[str, Count], name: str, way: Way) -> dict[str, int]:
    """The counts of `name: reason way`, by reason in alphabetical order."""
    start, end = f"{name}: ", f" {way}"
    return {
        key.removeprefix(start).removesuffix(end): tally.number
        for key, tally in sorted(tallies.items())
        if key.startswith(start) and key.endswith(end)
    }


def extraction_counters_of(workspace: Workspace) -> ExtractionCounters:
    """The counters of a workspace."""
    return workspace.component(
        ExtractionCounters,
        lambda: ExtractionCounters(workspace.storage.database, workspace.counters),
    )
