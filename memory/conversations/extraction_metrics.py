"""Counts of memory extraction by rules and by a model, for status and metrics.

They hold numbers and codes of reasons, never text of a turn or of an answer.
"""

from collections.abc import Collection, Mapping
from typing import Final, Literal, TypeAlias

from memory.config.settings import MemoryConfig
from memory.storage.counters import Count, Counters
from memory.storage.durations import Histogram, bucket_of
from memory.values.status_reports import ExtractionMetrics, ExtractorMetrics
from memory.workspace import Workspace

Way: TypeAlias = Literal["rules", "llm"]

_TURNS: Final = "extraction turns"
_ANSWERS: Final = "extraction answers"
_CANDIDATES: Final = "extraction candidates"
_ERRORS: Final = "extraction errors"
_GIVEN_UP: Final = "extraction given up"
_MICROSECONDS: Final = "extraction microseconds"
_IN_BUCKET: Final = "extraction in bucket"
_FAILED: Final = "extraction failure"
_DROPPED: Final = "extraction dropped"
_SKIPPED: Final = "extraction skipped"

_WAITING_SQL: Final = "SELECT count(*) FROM turns WHERE extraction IN ('rules', 'llm')"


class ExtractionCounters:
    """Counts over all processes; any thread may use it."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters

    def note_rules(self, *, turns: int, candidates: int, seconds: float) -> None:
        """Count turns processed by rules, and their total duration."""
        self._note("rules", _ANSWERS, turns)
        self._note("rules", _CANDIDATES, candidates)
        self._note_turns("rules", turns, seconds=seconds)

    def note_answer(self, *, candidates: int, dropped: Collection[str], seconds: float) -> None:
        """Count a model's answer; `dropped` has a reason for each rejected item."""
        self._note("llm", _ANSWERS, 1)
        self._note("llm", _CANDIDATES, candidates)
        for reason in dropped:
            self._note("llm", f"{_DROPPED}: {reason}", 1)
        self._note_turns("llm", 1, seconds=seconds)

    def note_failure(self, reason: str, *, said: str, seconds: float) -> None:
        """Count a model's failure; `said` holds no text of the turn."""
        self._note("llm", f"{_FAILED}: {reason}", 1)
        self._counters.note(f"{_ERRORS} llm", reason=said)
        self._note_turns("llm", 1, seconds=seconds)

    def note_skipped(self, reason: str) -> None:
        """Count a turn withheld from the model."""
        self._note("llm", f"{_SKIPPED}: {reason}", 1)

    def note_given_up(self) -> None:
        """Count a turn given up after its last try."""
        self._note("llm", _GIVEN_UP, 1)

    def given_up(self) -> int:
        """Return the number of turns given up."""
        return self._counters.read().get(f"{_GIVEN_UP} llm", Count()).number

    def durations(self, way: Way) -> Histogram:
        """Return the durations of one way for a turn."""
        return _durations(self._counters.read(), way)

    def metrics(self, way: Way) -> ExtractorMetrics:
        """Return all counts of one way."""
        counts = self._counters.read()
        turns, answers, candidates, errors = (
            counts.get(f"{name} {way}", Count())
            for name in (_TURNS, _ANSWERS, _CANDIDATES, _ERRORS)
        )
        durations = _durations(counts, way)
        return ExtractorMetrics(
            turns=turns.number,
            succeeded=answers.number,
            success_rate=round(answers.number / turns.number, 3) if turns.number else None,
            candidates=candidates.number,
            dropped=_by_reason(counts, _DROPPED, way),
            failures=_by_reason(counts, _FAILED, way),
            skipped=_by_reason(counts, _SKIPPED, way),
            mean_ms=round(durations.mean_ms, 3),
            p50_ms=round(durations.percentile_ms(0.5), 3),
            p95_ms=round(durations.percentile_ms(0.95), 3),
            last_success_at=answers.noted_at,
            last_error=errors.reason,
            last_error_at=errors.noted_at,
        )

    def _note_turns(self, way: Way, turns: int, *, seconds: float) -> None:
        if turns:
            self._note(way, _TURNS, turns)
            self._note(way, f"{_IN_BUCKET}: {bucket_of(seconds / turns)}", turns)
            self._note(way, _MICROSECONDS, round(seconds * 1e6))

    def _note(self, way: Way, name: str, number: int) -> None:
        if number:
            self._counters.note(f"{name} {way}", number)


def _by_reason(counts: Mapping[str, Count], name: str, way: Way) -> dict[str, int]:
    """Return the counts of `name: reason way`, by reason in alphabetical order."""
    start, end = f"{name}: ", f" {way}"
    return {
        key.removeprefix(start).removesuffix(end): count.number
        for key, count in sorted(counts.items())
        if key.startswith(start) and key.endswith(end)
    }


def _durations(counts: Mapping[str, Count], way: Way) -> Histogram:
    buckets = _by_reason(counts, _IN_BUCKET, way)
    microseconds = counts.get(f"{_MICROSECONDS} {way}", Count()).number
    return Histogram({int(key): count for key, count in buckets.items()}, microseconds / 1e6)


def extraction_counters_of(workspace: Workspace) -> ExtractionCounters:
    """Return the counters of a workspace."""
    return workspace.component(ExtractionCounters, lambda: ExtractionCounters(workspace.counters))


def extraction_metrics(workspace: Workspace) -> ExtractionMetrics:
    """Return the extraction figures of `mem status`, `sm stats` and POST /gc; it only reads."""
    counters = extraction_counters_of(workspace)
    return ExtractionMetrics(
        mode=workspace.config.extractor.mode,
        model=configured_model(workspace.config),
        waiting=int(workspace.storage.database.read(_WAITING_SQL)[0][0]),
        given_up=counters.given_up(),
        heuristic=counters.metrics("rules"),
        llm=counters.metrics("llm"),
    )


def configured_model(config: MemoryConfig) -> str | None:
    """Return the language model that extracts memories, as `model at host`; None without one."""
    if config.extractor.mode == "heuristic" or not config.llm.is_configured:
        return None
    from providers.remote.service_errors import host_of

    return f"{config.llm.model} at {host_of(config.llm.endpoint)}"
