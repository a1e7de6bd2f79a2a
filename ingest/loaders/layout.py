"""The data kept with a loaded text so that it can be cut again later."""

import json
from collections.abc import Sequence
from typing import Any

from ingest.loaders.base import LoadedText, Place
from ingest.loaders.notes.markdown import note_properties
from ingest.loaders.notes.values import NoteProperties
from ingest.loaders.registry import NOTE_LOADER, form_of, loader_id


def layout_of(loaded: LoadedText, name: str) -> str:
    """JSON of what the text and its name do not tell; empty if they tell everything."""
    note = loaded.note
    says = note is not None and (note.metadata or note.tags)
    if not loaded.places and not says and (loaded.kind, loaded.language) == form_of(name):
        return ""
    kept: dict[str, Any] = {
        "kind": loaded.kind,
        "language": loaded.language,
        "places": loaded.places,
    }
    if note is not None and says:
        kept["note"] = {"metadata": note.metadata, "tags": note.tags}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def reloaded(text: str, name: str, layout: str = "") -> LoadedText:
    """The text once loaded from a file called `name`, as it was loaded.

    An ingested text, whose name is not a file's, is plain.
    """
    kind, language = form_of(name)
    if layout:
        kept = json.loads(layout)
        kind, language = kept["kind"], kept["language"]
    note = note_properties(text) if loader_id(name) == NOTE_LOADER else None
    return LoadedText(text, kind, "utf-8", language, tuple(places_of(layout)), note)


def note_in(layout: str) -> NoteProperties:
    """The metadata and tags that the note with this layout had of itself, without its links."""
    kept = json.loads(layout).get("note", {}) if layout else {}
    return NoteProperties(kept.get("metadata", {}), tuple(kept.get("tags", ())))


def places_of(layout: str) -> Sequence[Place]:
    """The places of a text with this layout."""
    return [Place(*place) for place in json.loads(layout)["places"]] if layout else []
