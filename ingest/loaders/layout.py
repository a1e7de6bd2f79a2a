"""The data kept with a loaded text so that it can be cut again later."""

import json
from collections.abc import Sequence

from ingest.loaders.base import LoadedText, Place
from ingest.loaders.registry import form_of


def layout_of(loaded: LoadedText, name: str) -> str:
    """JSON of what the text and its name do not tell; empty if they tell everything."""
    if not loaded.places and (loaded.kind, loaded.language) == form_of(name):
        return ""
    kept = {"kind": loaded.kind, "language": loaded.language, "places": loaded.places}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def reloaded(text: str, name: str, layout: str = "") -> LoadedText:
    """The text once loaded from a file called `name`, as it was loaded.

    An ingested text, whose name is not a file's, is plain.
    """
    kind, language = form_of(name)
    if layout:
        kept = json.loads(layout)
        kind, language = kept["kind"], kept["language"]
    return LoadedText(text, kind, "utf-8", language, tuple(places_of(layout)))


def places_of(layout: str) -> Sequence[Place]:
    """The places of a text with this layout."""
    return [Place(*place) for place in json.loads(layout)["places"]] if layout else []
