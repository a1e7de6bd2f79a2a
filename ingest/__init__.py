"""Files in, pieces out: scan folders, load texts, cut them where their structure allows."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ingest.chunking.chunker import chunk
    from ingest.chunking.values import ChunkSettings, Piece, fingerprint
    from ingest.loaders import (
        DEFAULT_MAX_SIZE_BYTES,
        DEFAULT_PATTERNS,
        LoadedText,
        load,
        load_bytes,
        read_bytes,
        reloaded,
    )
    from ingest.scanning import ScanRules, scan
    from ingest.values import FileEntry, SkippedFile, SkipReason

__all__ = [
    "DEFAULT_MAX_SIZE_BYTES",
    "DEFAULT_PATTERNS",
    "ChunkSettings",
    "FileEntry",
    "LoadedText",
    "Piece",
    "ScanRules",
    "SkipReason",
    "SkippedFile",
    "chunk",
    "fingerprint",
    "load",
    "load_bytes",
    "read_bytes",
    "reloaded",
    "scan",
]

_HOMES = {
    "DEFAULT_MAX_SIZE_BYTES": "ingest.loaders",
    "DEFAULT_PATTERNS": "ingest.loaders",
    "ChunkSettings": "ingest.chunking.values",
    "FileEntry": "ingest.values",
    "LoadedText": "ingest.loaders",
    "Piece": "ingest.chunking.values",
    "ScanRules": "ingest.scanning",
    "SkipReason": "ingest.values",
    "SkippedFile": "ingest.values",
    "chunk": "ingest.chunking.chunker",
    "fingerprint": "ingest.chunking.values",
    "load": "ingest.loaders",
    "load_bytes": "ingest.loaders",
    "read_bytes": "ingest.loaders",
    "reloaded": "ingest.loaders",
    "scan": "ingest.scanning",
}


def __getattr__(name: str) -> Any:
    """Import an exported name when it is first asked for: a search needs the settings only."""
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
