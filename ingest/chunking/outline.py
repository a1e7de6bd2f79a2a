"""Choose the structure by which a text is cut."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from ingest.chunking.code import code_outline
from ingest.chunking.cutting import Style
from ingest.chunking.directives import documented_names
from ingest.chunking.grammars.syntax import DefinedName
from ingest.chunking.latex import parse_latex
from ingest.chunking.markdown import parse_markdown
from ingest.chunking.markup import parse_asciidoc, parse_org
from ingest.chunking.pages import page_starts
from ingest.chunking.rst import parse_rst
from ingest.chunking.sections import Section, join_small, split_at
from ingest.chunking.structured_data import data_sections
from ingest.chunking.tables import table_sections
from ingest.chunking.values import ChunkSettings
from ingest.loaders.base import LoadedText

_MARKUP: Final = {
    "asciidoc": parse_asciidoc,
    "latex": parse_latex,
    "markdown": lambda text, _: parse_markdown(text),
    "org": parse_org,
    "rst": parse_rst,
}
"""Each takes a text and the size of a piece, and returns the sections and the unsplit ranges."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The sections of a text, the unit kept whole in them, the ranges not to split, and the
    definitions of source code or of its reference, in order.
    """

    sections: Iterable[Section]
    style: Style
    guards: list[tuple[int, int]]
    names: list[DefinedName] = field(default_factory=list)


def outline_of(loaded: LoadedText, settings: ChunkSettings) -> Outline:
    """The outline by headings, by definitions, by rows, or of the text as one section."""
    text, size = loaded.text, settings.size_chars
    if not settings.preserve_structure:
        return Outline([Section(0, len(text))], "words", [])
    if loaded.kind in _MARKUP:
        sections, guards = _MARKUP[loaded.kind](text, size)
        names = documented_names(text) if loaded.kind == "rst" else []
        pages = page_starts(loaded, size)
        parts = split_at(text, sections, pages) if pages else sections
        joined = join_small(parts, size, below_one_heading=True, apart=frozenset(pages))
        return Outline(joined, "prose", guards, names)
    if loaded.kind == "code":
        found = code_outline(text, loaded.language, size)
        joined = join_small(found.sections, size, below_one_heading=False)
        return Outline(joined, "lines", [], found.names)
    if loaded.kind == "data":
        return Outline(data_sections(text, loaded.language, size), "lines", [])
    if loaded.kind == "table":
        rows = table_sections(text, loaded.language, loaded.places, size)
        return Outline(rows, "lines", [])
    return Outline([Section(0, len(text))], "lines" if loaded.language else "prose", [])
