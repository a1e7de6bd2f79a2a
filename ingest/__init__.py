"""Files to chunks, and conversation turns to facts; independent of the database."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ingest.chunking.chunker import chunk, defined_names, names_held
    from ingest.chunking.values import ChunkSettings, Piece, fingerprint
    from ingest.extractor import Candidate, Slot, Utterance, slot_of, topic_of
    from ingest.extractor.extraction import extract
    from ingest.loaders import (
        DEFAULT_MAX_SIZE_BYTES,
        DEFAULT_PATTERNS,
        LoadedText,
        Place,
        is_heavy,
        label_between,
        layout_of,
        load,
        load_bytes,
        loader_id,
        missing_extra,
        places_of,
        printable,
        read_bytes,
        reads_alike,
        reloaded,
        span_of,
    )
    from ingest.scan_targets import is_within, with_parents
    from ingest.scanning import folders, ignored, scan, why
    from ingest.values import (
        EnteredFolder,
        FileEntry,
        IgnoredEntry,
        LoadLimits,
        SkippedFile,
        SkipReason,
        Verdict,
    )
    from ingest.walking import ScanRules

__all__ = [
    "DEFAULT_MAX_SIZE_BYTES",
    "DEFAULT_PATTERNS",
    "Candidate",
    "ChunkSettings",
    "EnteredFolder",
    "FileEntry",
    "IgnoredEntry",
    "LoadLimits",
    "LoadedText",
    "Piece",
    "Place",
    "ScanRules",
    "SkipReason",
    "SkippedFile",
    "Slot",
    "Utterance",
    "Verdict",
    "chunk",
    "defined_names",
    "extract",
    "fingerprint",
    "folders",
    "ignored",
    "is_heavy",
    "is_within",
    "label_between",
    "layout_of",
    "load",
    "load_bytes",
    "loader_id",
    "missing_extra",
    "names_held",
    "places_of",
    "printable",
    "read_bytes",
    "reads_alike",
    "reloaded",
    "scan",
    "slot_of",
    "span_of",
    "topic_of",
    "why",
    "with_parents",
]

_HOMES = {
    "Candidate": "ingest.extractor",
    "Slot": "ingest.extractor",
    "Utterance": "ingest.extractor",
    "extract": "ingest.extractor.extraction",
    "slot_of": "ingest.extractor",
    "topic_of": "ingest.extractor",
    "DEFAULT_MAX_SIZE_BYTES": "ingest.loaders",
    "DEFAULT_PATTERNS": "ingest.loaders",
    "ChunkSettings": "ingest.chunking.values",
    "EnteredFolder": "ingest.values",
    "FileEntry": "ingest.values",
    "IgnoredEntry": "ingest.values",
    "LoadLimits": "ingest.values",
    "LoadedText": "ingest.loaders",
    "Piece": "ingest.chunking.values",
    "Place": "ingest.loaders",
    "ScanRules": "ingest.walking",
    "SkipReason": "ingest.values",
    "SkippedFile": "ingest.values",
    "Verdict": "ingest.values",
    "chunk": "ingest.chunking.chunker",
    "defined_names": "ingest.chunking.chunker",
    "names_held": "ingest.chunking.chunker",
    "fingerprint": "ingest.chunking.values",
    "folders": "ingest.scanning",
    "ignored": "ingest.scanning",
    "is_heavy": "ingest.loaders",
    "is_within": "ingest.scan_targets",
    "label_between": "ingest.loaders",
    "layout_of": "ingest.loaders",
    "load": "ingest.loaders",
    "load_bytes": "ingest.loaders",
    "loader_id": "ingest.loaders",
    "missing_extra": "ingest.loaders",
    "printable": "ingest.loaders",
    "places_of": "ingest.loaders",
    "span_of": "ingest.loaders",
    "read_bytes": "ingest.loaders",
    "reads_alike": "ingest.loaders",
    "reloaded": "ingest.loaders",
    "scan": "ingest.scanning",
    "why": "ingest.scanning",
    "with_parents": "ingest.scan_targets",
}


def __getattr__(name: str) -> Any:
    """Import an exported name at its first use: a search needs only the settings."""
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
