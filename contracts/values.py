"""The values that search and storage exchange."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from contracts.named_tuple import NamedTuple

QueryVector: TypeAlias = Sequence[float]
"""A query embedding of unit length, `(dimensions,)`."""

Source: TypeAlias = Literal[
    "file",
    "text",
    "turn",
    "memory",
    "episode",
    "fact",
    "triple",
    "person",
    "pattern",
    "open_loop",
    "signal",
]
"""The kind of record that a chunk belongs to: every kind that can answer a query."""


class Scope(NamedTuple):
    """The chunks that may answer; every leg applies it before ranking. An empty one lets all.

    `sources` are source names (`file`, `text`, `turn`, ...). `paths` are absolute folders or files,
    `globs` patterns matched against the whole path; a chunk must be under one of either, if any is
    given, and also below one of `within` (folders or files). `since` and `until` are ISO 8601 UTC
    times compared with `occurred_at`, both inclusive. A chunk needs all of `tags`, none of
    `without_tags`, is of none of `without_sources`, and said by `speaker` (a name, or a role).
    `shown_after` leaves out chunks hidden from that moment on, or from an earlier one.
    """

    sources: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    session_id: str | None = None
    since: str | None = None
    until: str | None = None
    tags: tuple[str, ...] = ()
    without_tags: tuple[str, ...] = ()
    without_sources: tuple[str, ...] = ()
    shown_after: str | None = None
    speaker: str | None = None

    @property
    def is_open(self) -> bool:
        """True if nothing but some kinds of records and hidden chunks are left out."""
        return self._replace(without_sources=(), shown_after=None) == Scope()


class KeywordFields(NamedTuple):
    """The words of one chunk in the keyword index, already split into words it can tokenise."""

    text: str
    title: str = ""
    neighbours: str = ""
    identifiers: str = ""


class KeywordQuery(NamedTuple):
    """A keyword query, free of any engine's syntax.

    A chunk answers when it holds any of `words`, `stems`, `prefixes` or `phrases` (each phrase a
    run of words), every one of `required`, and none of `excluded`. Words are as the index's
    tokenizer receives them: it handles case, accents and English endings. `stems` are words too,
    which only entries in other languages hold: inflected forms of the query's words.
    """

    words: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    required: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()
    stems: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words or self.prefixes or self.phrases or self.required)


class Scored(NamedTuple):
    """A candidate: the chunk's integer id and one leg's score, higher is better."""

    chunk_id: int
    score: float


class ChunkRow(NamedTuple):
    """A stored chunk with what a hit shows of its owner.

    `owner_id` is the id of the record the chunk belongs to; `path` is the owner's absolute path
    when `source` is `file`. Lines count from 1, both ends included; characters from 0, end
    excluded. Both are None for sources without lines. `text[body_offset:]` is the text below the
    headings that `heading` already names. `place` is its page, slide or the like: `page 3`.
    `defines` names the definitions in source code that begin in it, as `Session.request`.
    """

    chunk_id: int
    uid: str
    source: str
    owner_id: str
    text: str
    heading: str
    occurred_at: str
    recorded_at: str
    path: str | None = None
    start_char: int | None = None
    end_char: int | None = None
    start_line: int | None = None
    end_line: int | None = None
    session_id: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = MappingProxyType({})
    body_offset: int = 0
    place: str | None = None
    defines: tuple[str, ...] = ()
