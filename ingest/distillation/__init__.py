"""Distillation by rules: what a person binds themselves to, what they close, whom they know, how they
are.

`findings` is a pure function of one utterance; no model is asked.
"""

from ingest.distillation.closings import OpenLoop, closed_by, stems
from ingest.distillation.reading import findings
from ingest.distillation.retractions import Finding, Retraction, retraction_in
from ingest.distillation.values import (
    Acquaintance,
    Closing,
    Commitment,
    Findings,
    Habit,
    Listener,
    Series,
    State,
    StatedFact,
)

__all__ = [
    "Acquaintance",
    "Closing",
    "Commitment",
    "Finding",
    "Findings",
    "Habit",
    "Listener",
    "OpenLoop",
    "Retraction",
    "Series",
    "State",
    "StatedFact",
    "closed_by",
    "findings",
    "retraction_in",
    "stems",
]
