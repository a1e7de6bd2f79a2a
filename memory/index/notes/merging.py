"""The tags and metadata of a file: what people gave it, and what the note says about itself."""

from collections.abc import Iterable, Mapping
from typing import Any

from ingest import NoteProperties


def merged_metadata(
    stored: Mapping[str, Any], *, before: NoteProperties, now: NoteProperties
) -> dict[str, Any]:
    """Return the metadata after a note has changed: its own, and what others gave it.

    `stored` is the row's, `before` what the note said when that was stored. A key that a person
    has set counts, until the note has another value for it.
    """
    given = {
        key: value
        for key, value in stored.items()
        if key not in before.metadata
        or (before.metadata[key] != value and now.metadata.get(key) == before.metadata[key])
    }
    return {**now.metadata, **given}


def merged_tags(
    stored: Iterable[str], *, before: NoteProperties, now: NoteProperties
) -> tuple[str, ...]:
    """Return the tags after a note has changed: its own first, then those that others gave it."""
    given = (tag for tag in stored if tag not in before.tags)
    return tuple(dict.fromkeys((*now.tags, *given)))
