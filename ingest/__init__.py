"""Files in, pieces out: scan folders, load texts, cut them where their structure allows."""

from ingest.chunking import ChunkSettings, Piece, chunk, fingerprint
from ingest.loaders import (
    DEFAULT_MAX_SIZE_BYTES,
    DEFAULT_PATTERNS,
    LoadedText,
    load,
    load_bytes,
    read_bytes,
)
from ingest.scan import ScanRules, scan
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
    "scan",
]
