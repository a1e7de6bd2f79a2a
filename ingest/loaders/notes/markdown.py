"""The loader of Markdown: the text as it is, with what the note says about itself."""

from ingest.loaders.base import LoadedText
from ingest.loaders.encodings.decoding import decoded_text
from ingest.loaders.notes.front_matter import front_matter
from ingest.loaders.notes.inline import tags_and_links
from ingest.loaders.notes.values import NoteProperties
from ingest.values import SkippedFile


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """The text of a note, decoded."""
    decoded = decoded_text(data, name)
    if isinstance(decoded, SkippedFile):
        return decoded
    text, encoding = decoded
    return LoadedText(text, "markdown", encoding, note=note_properties(text))


def note_properties(text: str) -> NoteProperties | None:
    """The properties that the text of a note states; None for none."""
    front = front_matter(text)
    inline, links = tags_and_links(text)
    tags = tuple(dict.fromkeys(_with_parents((*front.tags, *inline))))
    if not (front.metadata or front.warnings or tags or links):
        return None
    return NoteProperties(front.metadata, tags, links, front.warnings)


def _with_parents(tags: tuple[str, ...]) -> list[str]:
    """The tags with those above them: `work/reports` is `work` too."""
    found = []
    for tag in tags:
        parts = [part for part in tag.split("/") if part]
        found += ["/".join(parts[:count]) for count in range(len(parts), 0, -1)]
    return found
