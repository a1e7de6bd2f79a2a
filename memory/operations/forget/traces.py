"""By what the remains of forgotten records could be told: their ids, hashes and rarest words."""

import json
import re
from typing import Final, NamedTuple

from memory.index.record_hooks import hooks_of
from memory.operations.forget.values import Chosen
from memory.values.record_kinds import RecordName
from memory.workspace import Workspace
from search import keyword_fields

FEWEST_LETTERS: Final = 5
"""Of a word that is looked for in bytes: a shorter one stands there by chance."""

MOST_WORDS: Final = 50
"""That are looked for: every one takes a pass over the files."""

PHRASE_WORDS: Final = 4

PASSAGE: Final = 60
"""Characters of a text's beginning by which a copy of it is told."""

_WORD: Final = re.compile(r"\w+")
_TOKEN: Final = re.compile(r"[^\W_]+")


class Traces(NamedTuple):
    """What records leave behind if anything does.

    `words` are those of their texts and of what was said about them, `entries` those that stood in
    the keyword index, `passages` how their texts begin, `phrases` runs of their words.
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
    """What to look for once these records are gone; to be asked while they are there."""
    groups = [(hooks_of(workspace, kind), ids) for kind, ids in chosen.records.items() if ids]
    owners = [RecordName(hooks.kind.name, key) for hooks, ids in groups for key in sorted(ids)]
    sql = """SELECT c.id, c.hash FROM json_each(:owners) AS o JOIN chunks AS c
        ON c.owner_id = json_extract(o.value, '$[1]')
        AND c.source = json_extract(o.value, '$[0]')"""
    rows = workspace.storage.database.read(sql, {"owners": json.dumps(owners)})
    texts = [text for hooks, ids in groups for text in hooks.texts(ids)]
    named = {name for hooks, ids in groups for name in hooks.sessions(ids)}
    sessions = tuple(sorted(named | chosen.sessions))
    about = [*(fact for hooks, ids in groups for fact in hooks.facts(ids)), *sessions]
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


def _phrase(text: str) -> str | None:
    """A run of words in the middle of a text, None for one of fewer words."""
    words = text.split()
    if len(words) < PHRASE_WORDS:
        return None
    begin = (len(words) - PHRASE_WORDS) // 2
    return " ".join(words[begin : begin + PHRASE_WORDS])
