"""How `mem status` shows in what way turns become memories, and what goes wrong with it."""

from collections.abc import Mapping

from cli.output import ago, counted, shown
from memory.values.status_reports import ExtractionMetrics, ExtractorMetrics


def extraction_lines(found: ExtractionMetrics) -> list[str]:
    """Nothing before the first turn, unless a model is configured."""
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
    """What the model has found, what of it was not believed, and what went wrong last."""
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
        lines.append(f"given up: {counted(found.given_up, 'turn')}, where the rules' facts stand")
    if model.last_error and model.last_error_at:
        lines.append(f"last failure {ago(model.last_error_at)}: {shown(model.last_error)}")
    return lines


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {reason}" for reason, number in counts.items())
