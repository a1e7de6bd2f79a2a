"""Traces of records to forget: their ids, hashes and rarest words, to search for remains."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from memory.conversations.memories.store import MemoryStore
from memory.conversations.turns.values import Turn
from memory.index.document_store import documents_of
from memory.operations.forget.values import Chosen
from memory.workspace import Workspace
from search import keyword_fields

FEWEST_LETTERS: Final = 5
"""The least length of a word to search for in bytes: shorter ones occur by chance."""

MOST_WORDS: Final = 50
"""The most words to search for: each one takes a pass over the files."""

PHRASE_WORDS: Final = 4

PASSAGE: Final = 60
"""Characters at the beginning of a text that identify a copy of it."""

_WORD: Final = re.compile(r"\w+")
_TOKEN: Final = re.compile(r"[^\W_]+")


class Owner(NamedTuple):
    """A record as its chunks name it."""

    source: str
    owner_id: str


class Traces(NamedTuple):
    """The possible remains of records.

    `words` are those of their texts and metadata, `entries` those in the keyword index, `passages`
    the beginnings of their texts, `phrases` runs of their words.
    """

    owners: tuple[Owner, ...]
    chunk_ids: tuple[int, ...]
    hashes: tuple[bytes, ...]
    sessions: tuple[str, ...]
    words: tuple[str, ...]
    entries: tuple[str, ...]
    passages: tuple[str, ...]
    phrases: tuple[str, ...]


def traces_of(workspace: Workspace, chosen: Chosen, turns: Sequence[Turn]) -> Traces:
    """Collect the traces to search for after removal; call it before the removal."""
    owners = [
        *(Owner("turn", str(key)) for key in sorted(chosen.turns)),
        *(Owner("memory", str(key)) for key in sorted(chosen.memories)),
        *(Owner("text", key) for key in sorted(chosen.texts)),
    ]
    sql = "SELECT id, hash FROM chunks WHERE source = :source AND owner_id IN (:ids)"
    rows = [
        row
        for source, ids in by_source(owners).items()
        for row in workspace.storage.database.read(sql, {"source": source, "ids": ids})
    ]
    texts = list(_texts(workspace, chosen, turns))
    sessions = tuple(sorted({turn.session_id for turn in turns} | chosen.sessions))
    about = [*_facts(workspace, chosen, turns), *sessions]
    words = dict.fromkeys(
        word
        for text in (*texts, *about)
        for word in _WORD.findall(text)
        if len(word) >= FEWEST_LETTERS
    )
    entries = dict.fromkeys(
        word for text in texts for word in _TOKEN.findall(keyword_fields(text).text)
    )
    passages = dict.fromkeys(text[:PASSAGE].strip() for text in texts)
    return Traces(
        owners=tuple(owners),
        chunk_ids=tuple(row[0] for row in rows),
        hashes=tuple({bytes(row[1]) for row in rows}),
        sessions=sessions,
        words=tuple(words),
        entries=tuple(entries),
        passages=tuple(text for text in passages if len(text) >= FEWEST_LETTERS),
        phrases=tuple(phrase for text in texts if (phrase := _phrase(text))),
    )


def by_source(owners: Iterable[Owner]) -> dict[str, list[str]]:
    """The ids of the owners of each source."""
    ids: dict[str, list[str]] = {}
    for owner in owners:
        ids.setdefault(owner.source, []).append(owner.owner_id)
    return ids


def _texts(workspace: Workspace, chosen: Chosen, turns: Iterable[Turn]) -> Iterable[str]:
    """Return their searchable texts."""
    for turn in turns:
        yield turn.text
    for memory in MemoryStore(workspace.storage).get_many(chosen.memories).values():
        yield memory.content
    for text_id in chosen.texts:
        document = documents_of(workspace).get(text_id)
        if document is not None:
            yield documents_of(workspace).text(document)


def _facts(workspace: Workspace, chosen: Chosen, turns: Iterable[Turn]) -> Iterable[str]:
    """Return their metadata as texts."""
    for turn in turns:
        about = [dict(turn.metadata), turn.speaker, turn.image_paths, turn.client_id]
        yield json.dumps(about, ensure_ascii=False)
    for memory in MemoryStore(workspace.storage).get_many(chosen.memories).values():
        yield json.dumps([dict(memory.metadata), memory.tags], ensure_ascii=False)
    for text_id in chosen.texts:
        document = documents_of(workspace).get(text_id)
        if document is not None:
            yield json.dumps([document.tags, dict(document.metadata or {})], ensure_ascii=False)


def _phrase(text: str) -> str | None:
    """Return a run of words in the middle of a text, None for a text with fewer words."""
    words = text.split()
    if len(words) < PHRASE_WORDS:
        return None
    begin = (len(words) - PHRASE_WORDS) // 2
    return " ".join(words[begin : begin + PHRASE_WORDS])
