"""Measured figures of the models that are known, in one table; see `docs/ablation.md`."""

from typing import Final

from contracts.named_tuple import NamedTuple


class Measurements(NamedTuple):
    """The fields of a `ModelCard` that were measured on judged collections."""

    fusion_weight: float
    turn_weight: float
    code_weight: float | None = None
    unrelated: float = 0.5


STATIC: Final = Measurements(fusion_weight=0.35, turn_weight=0.35)
MINILM: Final = Measurements(fusion_weight=0.53, turn_weight=0.45, code_weight=0.75)
"""all-MiniLM-L6-v2, with its own weights and in eight bits."""
