"""Kinds of records, and the registry that finds them by name.

Each kind is declared in the layer of its records. The registry knows only its import path, so that
a search loads the kinds of its hits and no others.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from contracts import ChunkRow, IncompatibleError
from contracts.named_tuple import NamedTuple

BUILT_IN: Final = {
    "turn": "memory.conversations.turns.kind:TURN",
    "memory": "memory.conversations.memories.kind:MEMORY",
    "episode": "memory.episodes.kind:EPISODE",
    "triple": "memory.episodes.triples.kind:TRIPLE",
    "fact": "memory.records.kind:FACT",
    "person": "memory.records.kind:PERSON",
    "pattern": "memory.records.kind:PATTERN",
    "open_loop": "memory.records.kind:OPEN_LOOP",
    "signal": "memory.records.kind:SIGNAL",
    "text": "memory.files.kind:TEXT",
    "file": "memory.files.kind:FILE",
}
"""The declaration of each kind (`module:object`), in the order in which operations process them."""


class RecordName(NamedTuple):
    """The name of a record: its kind, and its id as in its chunks."""

    source: str
    record_id: str


def _no_speaker(metadata: Mapping[str, Any]) -> str | None:
    return None


def _nothing_more(metadata: Mapping[str, Any], occurred_at: str) -> str:
    return ""


class RecordKind(NamedTuple):
    """The light half of a kind: everything that a search and its output need.

    name         the `source` of its chunks
    plural       the word for several records in messages
    cite         formats the citation of a chunk; paths are relative to a folder
    read         parses a citation: the id of its record, or what `RecordHooks.id_of` finds it by;
                 None for another kind
    hooks        the import path of the heavy half, a `memory.index.record_hooks.RecordHooks`
    deleted      the message to a person who has deleted one
    speaker      the speaker of a chunk, from its metadata
    about        a line above the text of a hit, from the metadata and the time of its chunk
    is_document  it is chunked as configured, and deletion removes it from the index only;
                 records of other kinds are forgotten
    is_forgettable  `mem forget` can remove it; a file is removed on the disk
    on_request   it answers only a search that names it: it repeats what others say, and would take
                 their places
    rests_on     the kinds whose records its own are made of
    provenance   if its records are made of turns, the import path of its
                 `memory.retrieval.answers.provenance.ProvenanceReader`
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
    on_request: bool = False
    rests_on: tuple[str, ...] = ()
    provenance: str = ""


class RecordKinds:
    """The kinds that a workspace knows; each is imported at its first use."""

    def __init__(self) -> None:
        self._places = dict(BUILT_IN)
        self._found: dict[str, RecordKind] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._places

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._places)

    def __iter__(self) -> Iterator[RecordKind]:
        return (self[name] for name in self.names)

    def __getitem__(self, name: str) -> RecordKind:
        """Return the kind of that name. Raises IncompatibleError for an unknown one."""
        found = self._found.get(name)
        if found is None:
            place = self._places.get(name)
            if place is None:
                raise IncompatibleError(
                    f"a record has the kind {name!r}; this program knows {', '.join(self.names)}",
                    hint="upgrade symbiosis-memory, or name another database with --db",
                )
            found = self._found[name] = imported(place)
        return found

    def add(self, name: str, place: str) -> None:
        """Add a kind by its import path."""
        self._places[name] = place

    def named(self, citation: str) -> RecordName | None:
        """Return the record that a citation names, by the first kind that can parse it."""
        for kind in self:
            record_id = kind.read(citation)
            if record_id is not None:
                return RecordName(kind.name, record_id)
        return None


def numbered(word: str) -> Callable[[str], str | None]:
    """Return a parser for `memory 12`, `memory:12` or `session S turn 42, 2026-03-04`."""
    pattern = rf"(?s)(?:session .+ )?{word}[ :]([0-9]{{1,18}})(?:, [0-9-]{{10}})?"

    def read(citation: str) -> str | None:
        found = re.fullmatch(pattern, citation.strip())
        return (found[1].lstrip("0") or "0") if found else None

    return read


def imported(place: str) -> Any:
    """Return the object at an import path, `module:object`."""
    module, _, name = place.partition(":")
    return attrgetter(name)(import_module(module))
