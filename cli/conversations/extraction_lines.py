"""The lines of `mem status` about how turns become memories, and what fails."""

from collections.abc import Mapping

from cli.output import ago, counted, shown
from memory.values.status_reports import ExtractionMetrics, ExtractorMetrics


def extraction_lines(found: ExtractionMetrics) -> list[str]:
    """Lines about extraction; none before the first turn unless a model is configured."""
    if not (found.heuristic.turns or found.llm.turns or found.waiting or found.model):
        return []
    by = f"{found.mode}, {shown(found.model)}" if found.model else "by rules"
    waiting = f"; {counted(found.waiting, 'turn')} waiting" if found.waiting else ""
    return [by + waiting, *_rules(found.heuristic), *_model(found)]


def _rules(rules: ExtractorMetrics) -> list[str]:
    if not rules.turns:
        return []
    return [f"rules: {counted(rules.candidates, 'fact')} in {counted(rules.turns, 'turn')}"]


def _model(found: ExtractionMetrics) -> list[str]:
    """The model's facts, the rejected ones, and its last failure."""
    model = found.llm
    lines = []
    if model.turns:
        rate = f"{model.succeeded:,} of {counted(model.turns, 'question')} answered"
        time = f"p50 {model.p50_ms / 1000:.1f} s, p95 {model.p95_ms / 1000:.1f} s"
        lines.append(f"model: {counted(model.candidates, 'fact')}, {rate} ({time})")
    for what, counts in (
        ("not believed", model.dropped),
        ("not asked about", model.skipped),
        ("failed", model.failures),
    ):
        if counts:
            lines.append(f"{what}: {_listed(counts)}")
    if found.given_up:
        lines.append(
            f"given up: {counted(found.given_up, 'turn')}, which keep the facts found by the rules"
        )
    if model.last_error and model.last_error_at:
        lines.append(f"last failure {ago(model.last_error_at)}: {shown(model.last_error)}")
    return lines


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {reason}" for reason, number in counts.items())
