"""Load a file as text."""

from ingest.loaders.base import TEXT_LIMIT, Kind, LoadedText, Loader, Place
from ingest.loaders.layout import layout_of, places_of, reloaded
from ingest.loaders.places import label_between, span_of
from ingest.loaders.reading import DEFAULT_MAX_SIZE_BYTES, printable, read_bytes, too_much_text
from ingest.loaders.registry import (
    DEFAULT_PATTERNS,
    is_heavy,
    load,
    load_bytes,
    loader_id,
    missing_extra,
    reads_alike,
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
    "label_between",
    "layout_of",
    "load",
    "load_bytes",
    "loader_id",
    "missing_extra",
    "places_of",
    "printable",
    "read_bytes",
    "reads_alike",
    "reloaded",
    "span_of",
    "too_much_text",
]
