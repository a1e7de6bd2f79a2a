"""Load a file as text."""

from ingest.loaders.base import LoadedText, Place
from ingest.loaders.layout import layout_of, note_in, places_of, reloaded
from ingest.loaders.notes.dates import time_of_note
from ingest.loaders.notes.names import link_name, path_names, plain_name
from ingest.loaders.notes.values import Link, NoteProperties
from ingest.loaders.places import place_between, span_of_place
from ingest.loaders.reading import DEFAULT_MAX_SIZE_BYTES, printable, read_bytes
from ingest.loaders.registry import (
    DEFAULT_PATTERNS,
    NOTE_LOADER,
    is_extracted,
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
    "NOTE_LOADER",
    "Link",
    "LoadedText",
    "NoteProperties",
    "Place",
    "is_extracted",
    "is_heavy",
    "layout_of",
    "link_name",
    "load",
    "load_bytes",
    "loader_id",
    "missing_extra",
    "note_in",
    "path_names",
    "place_between",
    "places_of",
    "plain_name",
    "printable",
    "read_bytes",
    "reads_alike",
    "reloaded",
    "span_of_place",
    "time_of_note",
]
