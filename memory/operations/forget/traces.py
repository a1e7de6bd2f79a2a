"""Traces of records to forget: their ids, hashes and rarest words, to search for remains."""

import re
from collections.abc import Iterable
from typing import Final

from contracts.named_tuple import NamedTuple
from memory.index.record_hooks import hooks_of
from memory.operations.forget.values import Chosen
from memory.values.record_kinds import RecordName
from memory.values.text_checks import written_forms
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


class Traces(NamedTuple):
    """The possible remains of records.

    `words` are those of their texts and metadata, `entries` those in the keyword index, `passages`
    the beginnings of their texts, `phrases` runs of their words.
    """

    owners: tuple[RecordName, ...]
    chunk_ids: tuple[int, ...]
    hashes: tuple[bytes, ...]
    sessions: tuple[str, ...]
    words: tuple[str, ...]
    entries: tuple[str, ...]
    passages: tuple[str, ...]
    phrases: tuple[str, ...]


def traces_of(workspace: Workspace, chosen: Chosen) -> Traces:
    """Collect the traces to search for after removal; call it before the removal."""
    groups = [(hooks_of(workspace, kind), ids) for kind, ids in chosen.records.items() if ids]
    owners = [RecordName(hooks.kind.name, key) for hooks, ids in groups for key in sorted(ids)]
    sql = "SELECT id, hash FROM chunks WHERE source = :source AND owner_id IN (:ids)"
    rows = [
        row
        for source, ids in by_source(owners).items()
        for row in workspace.storage.database.read(sql, {"source": source, "ids": ids})
    ]
    texts = [text for hooks, ids in groups for text in hooks.texts(ids)]
    named = {name for hooks, ids in groups for name in hooks.sessions(ids)}
    sessions = tuple(sorted(named | chosen.sessions))
    about = [*(fact for hooks, ids in groups for fact in hooks.facts(ids)), *sessions]
    words = dict.fromkeys(
        word
        for text in (*texts, *about)
        for form in written_forms(text)
        for word in _WORD.findall(form)
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


def by_source(owners: Iterable[RecordName]) -> dict[str, list[str]]:
    """The ids of the owners of each source."""
    ids: dict[str, list[str]] = {}
    for owner in owners:
        ids.setdefault(owner.source, []).append(owner.record_id)
    return ids


def _phrase(text: str) -> str | None:
    """Return a run of words in the middle of a text, None for a text with fewer words."""
    words = text.split()
    if len(words) < PHRASE_WORDS:
        return None
    begin = (len(words) - PHRASE_WORDS) // 2
    return " ".join(words[begin : begin + PHRASE_WORDS])
