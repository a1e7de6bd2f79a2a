"""Chooses by what structure a text is cut."""

from collections.abc import Iterable
from dataclasses import dataclass

from ingest.chunking.code import definitions
from ingest.chunking.cutting import Style
from ingest.chunking.data import data_sections
from ingest.chunking.markdown import parse_markdown
from ingest.chunking.sections import Section, join_small
from ingest.chunking.tables import table_sections
from ingest.chunking.values import ChunkSettings
from ingest.loaders.base import LoadedText


@dataclass(frozen=True, slots=True)
class Outline:
    """The sections of a text, what is kept whole in them, and what of it may not be torn."""

    sections: Iterable[Section]
    style: Style
    guards: list[tuple[int, int]]


def outline_of(loaded: LoadedText, settings: ChunkSettings) -> Outline:
    """The outline by headings, by definitions, by rows, or of the text as one section."""
    text, size = loaded.text, settings.size_chars
    if not settings.preserve_structure:
        return Outline([Section(0, len(text))], "words", [])
    if loaded.kind == "markdown":
        sections, guards = parse_markdown(text)
        return Outline(join_small(sections, size, below_one_heading=True), "prose", guards)
    if loaded.kind == "code":
        found = definitions(text, loaded.language, size)
        return Outline(join_small(found, size, below_one_heading=False), "lines", [])
    if loaded.kind == "data":
        return Outline(data_sections(text, loaded.language, size), "lines", [])
    if loaded.kind == "table":
        rows = table_sections(text, loaded.language, loaded.places, size)
        return Outline(rows, "lines", [])
    return Outline([Section(0, len(text))], "lines" if loaded.language else "prose", [])
