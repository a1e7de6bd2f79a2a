"""From a file to its text."""

from ingest.loaders.base import Kind, LoadedText, Loader
from ingest.loaders.reading import DEFAULT_MAX_SIZE_BYTES, read_bytes
from ingest.loaders.registry import DEFAULT_PATTERNS, load, load_bytes, reloaded

__all__ = [
    "DEFAULT_MAX_SIZE_BYTES",
    "DEFAULT_PATTERNS",
    "Kind",
    "LoadedText",
    "Loader",
    "load",
    "load_bytes",
    "read_bytes",
    "reloaded",
]
