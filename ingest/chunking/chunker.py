"""Cut a text into pieces along its outline."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ingest.chunking.cutting import Cutter
from ingest.chunking.grammars.syntax import DefinedName
from ingest.chunking.outline import outline_of
from ingest.chunking.values import ChunkSettings, Piece
from ingest.loaders.base import LoadedText
from ingest.loaders.places import place_between

_DEFAULTS = ChunkSettings()


def chunk(loaded: LoadedText, settings: ChunkSettings = _DEFAULTS) -> list[Piece]:
    """The pieces of a text, in rising order; a text of white space has none.

    Every other character is in at least one piece, no piece is longer than `size_chars`, and the
    same text always gives the same pieces. Time is linear in the length of the text.
    """
    text = loaded.text
    is_placed = bool(loaded.places or loaded.lines)
    outline = outline_of(loaded, settings)
    cutter = Cutter(text, settings, style=outline.style, guards=outline.guards)
    pieces: list[Piece] = []
    line, counted = 1, 0
    for section in outline.sections:
        body = cutter.tight(section.body) if section.heading_ends else section.start
        headings = section.headings
        for start, part in cutter.pieces(section.start, section.end, body):
            line += text.count("\n", counted, start)
            counted = start
            offset = body - start if start < body < start + len(part) else 0
            end = start + len(part)
            pieces.append(
                Piece(
                    part,
                    start,
                    end,
                    line,
                    line + part.count("\n"),
                    headings,
                    offset,
                    place_between(loaded, start, end) if is_placed else None,
                )
            )
            headings = section.later_headings
    if outline.names:
        spans = [(piece.start_char, piece.end_char) for piece in pieces]
        held = names_held(outline.names, spans)
        pieces = [replace(piece, defines=next(held)) for piece in pieces]
    return pieces


def names_held(
    names: Sequence[DefinedName], spans: Iterable[tuple[int, int]]
) -> Iterator[tuple[str, ...]]:
    """The definitions that begin within each of these spans, which rise and may overlap; each
    definition once.
    """
    at = 0
    for start, end in spans:
        first = at
        while at < len(names) and names[at][0] < end:
            at += 1
        yield tuple(dict.fromkeys(name for place, name in names[first:at] if place >= start))


def defined_names(loaded: LoadedText) -> list[DefinedName]:
    """The definitions of a text, as `chunk` finds them; only source code and its reference have
    some.
    """
    return outline_of(loaded, _DEFAULTS).names if loaded.kind in ("code", "rst") else []
