"""Judge whether a database has survived: sound, and equal to a fresh sync of the files."""

import json
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

from benchmarks.stress.crew import Record, run_mem
from benchmarks.stress.values import Base

_COMPARED = (
    *("c.text", "c.heading", "c.gap", "c.start_char", "c.end_char", "c.start_line", "c.end_line"),
    *("c.hash", "f.hash", "f.size", "f.state", "v.v", "q.q"),
)
_CHUNKS_SQL = """
SELECT f.path, c.ordinal, {compared}
FROM files AS f JOIN chunks AS c ON c.owner_id = f.id AND c.generation = f.generation
    LEFT JOIN vectors_{space} AS v ON v.chunk_id = c.id
    LEFT JOIN vector_codes_{space} AS q ON q.chunk_id = c.id
WHERE f.source = 'file' ORDER BY f.path, c.ordinal
"""
_TEXTS_SQL = """
SELECT c.text FROM files AS f JOIN chunks AS c
    ON c.owner_id = f.id AND c.source = f.source AND c.generation = f.generation
WHERE f.source = 'text'
"""


_SAID_SQL = "SELECT text FROM turns"
_KEPT_SQL = "SELECT content FROM memories WHERE status = 'active'"


def wrongs(base: Base, record: Record) -> list[str]:
    """The problems of the database after all processes have ended; empty if all is well."""
    found = []
    for arguments in (("sync", "--json"), ("reindex", "--json"), ("sync", "--json")):
        done = run_mem(base, *arguments)
        if done.returncode:
            found.append(f"mem {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
    found += _not_healthy(base)
    fresh = base.folder / "fresh.db"
    done = run_mem(base, "sync", "--json", db=fresh)
    if done.returncode:
        found.append(f"the fresh sync ended with {done.returncode}: {done.stderr}")
    found += _different(_chunks(base.database), _chunks(fresh))
    found += _lost(base, record)
    return found


def _not_healthy(base: Base) -> list[str]:
    done = run_mem(base, "doctor", "--json", "--files")
    if done.returncode not in (0, 10):
        return [f"mem doctor ended with {done.returncode}: {done.stderr}"]
    return [f"doctor: {problem['fact']}" for problem in json.loads(done.stdout)["problems"]]


def _chunks(database: Path) -> dict[tuple[str, int], tuple[Any, ...]]:
    with closing(apsw.Connection(str(database))) as connection:
        space = connection.execute("SELECT id FROM spaces WHERE state = 'active'").get
        rows = connection.execute(
            _CHUNKS_SQL.format(space=space, compared=", ".join(_COMPARED))
        ).fetchall()
    return {(str(path), int(str(ordinal))): tuple(rest) for path, ordinal, *rest in rows}


def _different(
    had: dict[tuple[str, int], tuple[Any, ...]], fresh: dict[tuple[str, int], tuple[Any, ...]]
) -> list[str]:
    lost = [key for key in fresh if key not in had]
    extra = [key for key in had if key not in fresh]
    other = [
        (*key, _differing(had[key], fresh[key]))
        for key in fresh
        if key in had and had[key] != fresh[key]
    ]
    told = (("are missing", lost), ("are too many", extra), ("differ from a fresh sync's", other))
    return [f"{len(keys)} chunks {what}: {keys[:3]}" for what, keys in told if keys]


def _differing(had: tuple[Any, ...], fresh: tuple[Any, ...]) -> list[str]:
    """The columns in which a chunk differs."""
    pairs = zip(_COMPARED, had, fresh, strict=True)
    return [name for name, one, other in pairs if one != other]


def _lost(base: Base, record: Record) -> list[str]:
    """Texts, turns and memories that are missing, though acknowledged, removed or doubled."""
    with closing(apsw.Connection(str(base.database))) as connection:
        stored = {
            kind: [row[0] for row in connection.execute(sql)]
            for kind, sql in (("texts", _TEXTS_SQL), ("turns", _SAID_SQL), ("memories", _KEPT_SQL))
        }
    there = {text for texts in stored.values() for text in texts}
    found = [
        f"{text!r} should be {state}"
        for text, state in record.texts.items()
        if state != "unknown" and (state == "there") != (text in there)
    ]
    for kind, texts in stored.items():
        if twice := [text for text, number in Counter(texts).items() if number > 1]:
            found.append(f"{len(twice)} {kind} are there more than once: {twice[:3]}")
    return found
