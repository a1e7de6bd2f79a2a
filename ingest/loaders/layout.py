"""The data kept with a loaded text so that it can be cut again later."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ingest.loaders.base import LoadedText, Place, SourceLines
from ingest.loaders.notes.markdown import note_properties
from ingest.loaders.notes.values import NoteProperties
from ingest.loaders.registry import NOTE_LOADER, form_of, loader_id


def layout_of(loaded: LoadedText, name: str) -> str:
    """JSON of what the text and its name do not tell; empty if they tell everything."""
    note = loaded.note
    says = note is not None and (note.metadata or note.tags)
    is_told = (loaded.kind, loaded.language) == form_of(name)
    if is_told and not (loaded.places or loaded.lines or says):
        return ""
    kept: dict[str, Any] = {
        "kind": loaded.kind,
        "language": loaded.language,
        "places": loaded.places,
    }
    if loaded.lines:
        kept["lines"] = _flat(loaded.lines)
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
    places, lines = tuple(places_of(layout)), tuple(_lines_of(layout))
    return LoadedText(text, kind, "utf-8", language, places, note, lines)


def note_in(layout: str) -> NoteProperties:
    """The metadata and tags that the note with this layout had of itself, without its links."""
    kept = json.loads(layout).get("note", {}) if layout else {}
    return NoteProperties(kept.get("metadata", {}), tuple(kept.get("tags", ())))


def places_of(layout: str) -> Sequence[Place]:
    """The places of a text with this layout."""
    return [Place(*place) for place in json.loads(layout)["places"]] if layout else []


def _flat(lines: Sequence[SourceLines]) -> list[int]:
    """The lines as numbers of which three are a part: characters and lines after the part before,
    and further lines.
    """
    flat: list[int] = []
    before = SourceLines(0, 0, 0)
    for each in lines:
        flat += (each.start_char - before.start_char, each.first - before.first)
        flat.append(each.last - each.first)
        before = each
    return flat


def _lines_of(layout: str) -> Iterator[SourceLines]:
    flat = json.loads(layout).get("lines", ()) if layout else ()
    start = first = 0
    for index in range(0, len(flat), 3):
        start, first = start + flat[index], first + flat[index + 1]
        yield SourceLines(start, first, first + flat[index + 2])
