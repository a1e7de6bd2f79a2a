"""Kinds of records, and the registry in which each is found by its name.

A kind is declared in the layer of its records. The registry has only its import path, so that a
search loads the kinds of its hits and no others.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

from contracts import ChunkRow, IncompatibleError

BUILT_IN: Final = {
    "turn": "memory.conversations.turns.kind:TURN",
    "memory": "memory.conversations.memories.kind:MEMORY",
    "text": "memory.files.kind:TEXT",
    "file": "memory.files.kind:FILE",
}
"""Where each kind is declared (`module:object`), in the order in which operations treat them."""


class RecordName(NamedTuple):
    """A record: the name of its kind, and its id as its chunks have it."""

    source: str
    record_id: str


def _no_speaker(metadata: Mapping[str, Any]) -> str | None:
    return None


def _nothing_more(metadata: Mapping[str, Any], occurred_at: str) -> str:
    return ""


class RecordKind(NamedTuple):
    """The light half of a kind, which is what a search and its output need.

    name         the `source` of its chunks
    plural       what messages call several of its records
    cite         the citation of a chunk, where it has a path relative to a folder
    read         the id of the record that a citation names, None for one of another kind
    hooks        the import path of the other half, a `memory.index.record_hooks.RecordHooks`
    deleted      what to tell a person who has deleted one
    speaker      who says the text of a chunk, by the chunk's metadata
    about        what else a hit shows above its text, by the metadata and the time of its chunk
    is_document  it is cut as the configuration says; deleting takes it out of the index, and
                 a record of another kind is forgotten
    is_forgettable  `mem forget` takes it; a file is its owner's to remove
    """

    name: str
    plural: str
    cite: Callable[[ChunkRow, Path], str]
    read: Callable[[str], str | None]
    hooks: str
    deleted: str
    speaker: Callable[[Mapping[str, Any]], str | None] = _no_speaker
    about: Callable[[Mapping[str, Any], str], str] = _nothing_more
    is_document: bool = False
    is_forgettable: bool = True


class RecordKinds:
    """The kinds that a workspace knows; each is imported when it is first asked for."""

    def __init__(self, places: Mapping[str, str] = BUILT_IN) -> None:
        self._places = dict(places)
        self._found: dict[str, RecordKind] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._places

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._places)

    def __iter__(self) -> Iterator[RecordKind]:
        return (self[name] for name in self.names)

    def __getitem__(self, name: str) -> RecordKind:
        """The kind of that name. Raises IncompatibleError for one that this program lacks."""
        found = self._found.get(name)
        if found is None:
            place = self._places.get(name)
            if place is None:
                raise IncompatibleError(
                    f"there is a record of the kind {name!r}, and this program knows "
                    f"{', '.join(self.names)}",
                    hint="upgrade symbiosis-memory, or name another database with --db",
                )
            found = self._found[name] = imported(place)
        return found

    def add(self, name: str, place: str) -> None:
        """Know one more kind, by its import path."""
        self._places[name] = place

    def named(self, citation: str) -> RecordName | None:
        """The record that a citation names, by the first kind that can read it."""
        for kind in self:
            record_id = kind.read(citation)
            if record_id is not None:
                return RecordName(kind.name, record_id)
        return None


def numbered(word: str) -> Callable[[str], str | None]:
    """Reads the number in `memory 12`, `memory:12` or `session S turn 42, 2026-03-04`."""
    pattern = rf"(?s)(?:session .+ )?{word}[ :]([0-9]{{1,18}})(?:, [0-9-]{{10}})?"

    def read(citation: str) -> str | None:
        found = re.fullmatch(pattern, citation.strip())
        return (found[1].lstrip("0") or "0") if found else None

    return read


def imported(place: str) -> Any:
    """The object at an import path, `module:object`."""
    module, _, name = place.partition(":")
    return attrgetter(name)(import_module(module))
