"""Memories that do not come from a person: echoes of the assistant, and those without a source.

An assistant repeats what it remembers; stored as a memory, its own answer becomes evidence.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from contracts.named_tuple import NamedTuple
from memory.operations.audit.values import AuditFinding, Entry, of_memory
from memory.storage import Database
from memory.values.inserted_values import text_of

_WORD: Final = re.compile(r"\w+")
_FEWEST_WORDS: Final = 4
"""The least number of words of an echo; fewer may match by chance."""

_TURNS_BEFORE: Final = 50
"""The assistant's turns of the same session in which an echo is searched."""

_LINKS_SQL: Final = """
SELECT l.memory_id, l.turn_id, l.start_char, l.end_char, t.session_id, t.role
FROM memory_links AS l JOIN turns AS t ON t.id = l.turn_id ORDER BY l.memory_id, t.ts, t.id
"""
_SESSION_SQL: Final = """
SELECT id, role, text FROM turns WHERE session_id = :session_id ORDER BY ts, id
"""


class Source(NamedTuple):
    """A turn linked to a memory, and the place of the evidence in it."""

    turn_id: int
    start: int | None
    end: int | None
    session_id: str
    role: str


def sources_of(database: Database) -> dict[int, list[Source]]:
    """Return the turns linked to each memory, in the order in which they were said."""
    sources: dict[int, list[Source]] = defaultdict(list)
    for memory_id, *source in database.read(_LINKS_SQL):
        sources[int(memory_id)].append(Source(*source))
    return dict(sources)


def without_source(
    entries: Sequence[Entry], sources: Mapping[int, Sequence[Source]]
) -> Iterator[AuditFinding]:
    """Find extracted memories whose turns are all removed."""
    for entry in entries:
        if entry.origin in ("rules", "llm") and entry.id not in sources:
            yield of_memory("stale", entry, why="none of the turns that it came from is left")


def echoes(
    entries: Sequence[Entry], sources: Mapping[int, Sequence[Source]], database: Database
) -> Iterator[AuditFinding]:
    """Find memories that no person said first."""
    said: dict[str, dict[int, list[Entry]]] = defaultdict(lambda: defaultdict(list))
    for entry in entries:
        known = sources.get(entry.id, ())
        if known and all(source.role != "user" for source in known):
            yield of_memory("echo", entry, why=f"only {_roles(known)} said it, no user")
        elif known and known[0].role == "user":
            said[known[0].session_id][known[0].turn_id].append(entry)
    for session_id, turns in said.items():
        yield from _echoes_of(session_id, turns, sources, database)


def _roles(sources: Sequence[Source]) -> str:
    return " and ".join(f"the {role}" for role in dict.fromkeys(s.role for s in sources))


def _echoes_of(
    session_id: str,
    turns: Mapping[int, Sequence[Entry]],
    sources: Mapping[int, Sequence[Source]],
    database: Database,
) -> Iterator[AuditFinding]:
    before: deque[str] = deque(maxlen=_TURNS_BEFORE)
    for turn_id, role, stored in database.read(_SESSION_SQL, {"session_id": session_id}):
        text = text_of(stored)
        if role == "assistant":
            before.append(_plain(text))
        for entry in turns.get(turn_id, ()):
            why = _echoed(entry, sources[entry.id][0], text, before)
            if why:
                yield of_memory("echo", entry, why=why)


def _echoed(entry: Entry, source: Source, text: str, before: deque[str]) -> str | None:
    """Return why a memory is an echo: its first turn repeats the assistant or a memory."""
    content = _plain(entry.content)
    if content.startswith(" user ") and content in _plain(text):
        return f"turn {source.turn_id} holds it word for word, as a memory that was recalled"
    evidence = _plain(text[source.start : source.end])
    if evidence.count(" ") <= _FEWEST_WORDS or not any(evidence in said for said in before):
        return None
    return f"the assistant had said so in the same words before turn {source.turn_id}"


def _plain(text: str) -> str:
    """Return the words of a text in lower case, with a blank before and after each."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "
