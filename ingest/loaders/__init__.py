"""From a file to its text."""

from ingest.loaders.base import TEXT_LIMIT, Kind, LoadedText, Loader, Place
from ingest.loaders.reading import DEFAULT_MAX_SIZE_BYTES, printable, read_bytes, too_much_text
from ingest.loaders.registry import (
    DEFAULT_PATTERNS,
    is_heavy,
    load,
    load_bytes,
    loader_id,
    missing_extra,
    reloaded,
)

__all__ = [
    "DEFAULT_MAX_SIZE_BYTES",
    "DEFAULT_PATTERNS",
    "TEXT_LIMIT",
    "Kind",
    "LoadedText",
    "Loader",
    "Place",
    "is_heavy",
    "load",
    "load_bytes",
    "loader_id",
    "missing_extra",
    "printable",
    "read_bytes",
    "reloaded",
    "too_much_text",
]
