"""The derivation of a hit's score, as lines for `mem search --explain`."""

from collections.abc import Sequence
from typing import Any

_BONUSES = {"speaker_bonus": "its speaker", "time_bonus": "telling a time"}


def explained(figures: dict[str, Any]) -> Sequence[str]:
    """The steps of a score, in order."""
    legs = [
        _leg("words", "bm25", figures["keyword"], figures, part="keyword", rank="keyword_rank"),
        _leg("meaning", "cosine", figures["cosine"], figures, part="vector", rank="vector_rank"),
    ]
    fused = f"{figures['fusion']} {figures['fused']:.3f}"
    if figures["decay"] != 1:
        fused += f", by age x {figures['decay']:.3f}"
    if figures["file_rule"]:
        fused += f", {figures['file_rule'].replace('_', ' ')} x {figures['file_weight']:.2f}"
    if figures["form_rules"]:
        names = " and ".join(figures["form_rules"]).replace("_", " ")
        fused += f", {names} x {figures['form_weight']:.2f}"
    if figures["novelty_weight"]:
        fused += f"; novelty {figures['novelty']:.3f} x weight {figures['novelty_weight']:.2f}"
    lines = [*legs, f"fused    {fused}"]
    if any(figures[name] for name in _BONUSES):
        lines.append(_bonus(figures))
    if figures["identifier"]:
        lifted = ", which lifts it to the top" if figures["lifted"] else ""
        kind = figures["identifier_match"]
        lines.append(f"name     {figures['identifier']} is in it ({kind}){lifted}")
    if figures["rerank"] is not None:
        lines.append(f"rerank   {figures['rerank']:.3f}")
    return lines


def _bonus(figures: dict[str, Any]) -> str:
    """The bonus of a turn among turns, between fusion and decay."""
    gained = [f"{figures[name]:.1f} for {what}" for name, what in _BONUSES.items() if figures[name]]
    return f"turn     + {' + '.join(gained)}, then x {figures['turn_scale']:.3f}"


def _leg(
    name: str, unit: str, value: float | None, figures: dict[str, Any], *, part: str, rank: str
) -> str:
    if value is None:
        return f"{name:<8} not found by it"
    place = f"rank {figures[rank]}" if figures[rank] else "not among its best"
    share, weight = figures[f"{part}_part"], figures[f"{part}_weight"]
    return f"{name:<8} {unit} {value:.3f}, {place}; {share:.3f} x weight {weight:.2f}"
