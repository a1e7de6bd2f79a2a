"""Subtitles (SubRip, WebVTT): their unchanged text, with the time of each cue as its place."""

import re
from typing import Final

from ingest.loaders.base import LoadedText, Place
from ingest.loaders.encodings.decoding import decoded_text
from ingest.values import SkippedFile

_TIME: Final = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_CUE: Final = re.compile(rf"^[ \t]*({_TIME})[ \t]*-->[ \t]*{_TIME}", re.MULTILINE)


def read(data: bytes, name: str) -> LoadedText | SkippedFile:
    """The text; a place is the time at which a cue appears (`00:12:30`)."""
    decoded = decoded_text(data, name)
    if isinstance(decoded, SkippedFile):
        return decoded
    text, encoding = decoded
    places = [Place(_start(text, found.start()), _clock(found[1])) for found in _CUE.finditer(text)]
    return LoadedText(text, "subtitles", encoding, "subtitles", tuple(_rising(places)))


def _start(text: str, line: int) -> int:
    """The start of a cue: at the number or name above its time, if there is one."""
    above = text.rfind("\n", 0, max(line - 1, 0)) + 1
    return above if above < line and text[above:line].strip() else line


def _clock(time: str) -> str:
    """Hours, minutes and seconds of a time, which may have no hours."""
    parts = re.split(r"[.,]", time)[0].split(":")
    return ":".join(part.rjust(2, "0") for part in (["00"] * (3 - len(parts)) + parts))


def _rising(places: list[Place]) -> list[Place]:
    last = -1
    kept = []
    for place in places:
        if place.start_char > last:
            kept.append(place)
            last = place.start_char
    return kept
