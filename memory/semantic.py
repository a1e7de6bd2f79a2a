"""Semantic memory, importable as `memory.semantic`.

Extracting facts from episodes, merging them, and their confidence. Each function takes an open
workspace, `MemoryManager.workspace`, or plain values.
"""

from memory.episodes.reinforcement import note_used
from memory.episodes.triples.confidence import Statement, confidence, noisy_or
from memory.episodes.triples.extraction import ExtractionReport, extract_facts
from memory.episodes.triples.reading import read_triple
from memory.episodes.triples.statements import Fact, fact_of
from memory.episodes.triples.values import Triple, TripleContent

__all__ = [
    "ExtractionReport",
    "Fact",
    "Statement",
    "Triple",
    "TripleContent",
    "confidence",
    "extract_facts",
    "fact_of",
    "noisy_or",
    "note_used",
    "read_triple",
]
