"""Passwords, keys, card numbers and other secrets in what is kept, and on request in files."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from ingest.pii import SECRET, SECRET_KINDS, find_pii
from memory.index.record_exchange import numbers_in
from memory.index.record_hooks import all_hooks
from memory.operations.audit.values import AuditFinding, forget
from memory.records.hooks.table_records import TableRecords
from memory.storage import Database
from memory.values.citations import cite_lines, cite_text
from memory.values.inserted_values import text_of
from memory.workspace import Workspace

_BATCH: Final = 2000
_TAGGED: Final = f"it is tagged {SECRET}"
_UNSHOWN: Final = "(not shown)"

_MEMORIES_SQL: Final = """
SELECT id, content, tags_json FROM memories WHERE id > :after ORDER BY id LIMIT :limit
"""
_TURNS_SQL: Final = """
SELECT id, text, tags, session_id FROM turns WHERE id > :after ORDER BY id LIMIT :limit
"""
_CHUNKS_SQL: Final = """
SELECT c.id, c.text, c.source, c.owner_id, c.start_line, f.path
FROM chunks AS c JOIN files AS f ON f.id = c.owner_id
WHERE c.id > :after AND c.source IN ('file', 'text') ORDER BY c.id LIMIT :limit
"""


def in_memories(database: Database) -> Iterator[AuditFinding]:
    """Check memories of every status: an archived one still holds its text."""
    for memory_id, stored, tags in _rows(database, _MEMORIES_SQL):
        text = text_of(stored)
        why = _why(text, tags)
        if why:
            yield _finding(f"memory:{memory_id}", f"memory {memory_id}", text, why)


def in_turns(database: Database) -> Iterator[AuditFinding]:
    """Check turns of every role."""
    for turn_id, stored, tags, session_id in _rows(database, _TURNS_SQL):
        text = text_of(stored)
        why = _why(text, tags)
        if why:
            citation = f"session {session_id} turn {turn_id}"
            yield _finding(f"turn:{turn_id}", citation, text, why, target=f"turn {turn_id}")


def in_records(workspace: Workspace) -> Iterator[AuditFinding]:
    """Check facts with their former values, people, patterns, open loops and signals."""
    for hooks in all_hooks(workspace):
        if not isinstance(hooks, TableRecords):
            continue
        for ids in numbers_in(workspace, hooks.table):
            for row in hooks.rows(ids):
                text = "\n".join(hooks.texts_of(row))
                if why := _why(text, json.dumps(row.tags)):
                    yield _finding(f"{hooks.kind.name}:{row.id}", hooks.cite_row(row), text, why)


def in_files(database: Database) -> Iterator[AuditFinding]:
    """Check chunks of files and texts; overlaps are reported once."""
    told = set[tuple[str, str]]()
    for _, text, source, owner, first, path in _rows(database, _CHUNKS_SQL):
        found = [one for one in find_pii(text) if one.kind in SECRET_KINDS]
        fresh = [one for one in found if (owner, text[one.start : one.end]) not in told]
        told |= {(owner, text[one.start : one.end]) for one in found}
        if not fresh:
            continue
        why = _named([one.kind for one in fresh])
        begins = text.rfind("\n", 0, fresh[0].start) + 1
        if source == "text":
            yield _finding(owner, cite_text(owner), text[begins:], why)
            continue
        line = first + text.count("\n", 0, fresh[0].start) if first else None
        place = cite_lines(path, line, line, cwd=Path.cwd()) if line else path
        yield AuditFinding(
            *("secret", [owner], place, text[begins:]),
            *(f"{why}; take it out of the file", [f'mem sync "{path}"']),
        )


def _rows(database: Database, sql: str) -> Iterator[Any]:
    """Yield all rows of a statement in batches, in the order of their ids."""
    after = 0
    while rows := database.read(sql, {"after": after, "limit": _BATCH}):
        yield from rows
        after = int(rows[-1][0])


def _why(text: str, tags: str | None) -> str | None:
    kinds = [one.kind for one in find_pii(text) if one.kind in SECRET_KINDS]
    if kinds:
        return _named(kinds)
    return _TAGGED if tags and f'"{SECRET}"' in tags else None


def _named(kinds: list[Any]) -> str:
    return f"it holds a {', a '.join(dict.fromkeys(kinds))}".replace("national_id", "national id")


def _finding(
    record_id: str, citation: str, text: str, why: str, *, target: str | None = None
) -> AuditFinding:
    shown = _UNSHOWN if why == _TAGGED else text
    return AuditFinding("secret", [record_id], citation, shown, why, [forget(target or citation)])
