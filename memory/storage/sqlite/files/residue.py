"""A search for words in the bytes of a database's files, as a thief of the disk could do."""

import json
import mmap
from collections.abc import Sequence
from pathlib import Path

from memory.storage.database import Database
from memory.storage.sqlite.files.copying import companions

_ROWS = {
    "chunks": "text, heading, metadata, tags, session_id",
    "turns": "text, metadata, session_id, speaker, client_id, image_paths, tags",
    "memories": "content, metadata, tags_json, words, slot, value",
    "files": "path, metadata, tags, reason, loader",
    "sessions": "session_id",
    "roots": "path",
    "meta": "key, value_json",
    "spaces": "provider, model, chunking, request",
    "tallies": "name",
    "latencies": "leg",
    "actions": "actor, action, code",
    "memory_links": "rule",
    "sqlite_schema": "name, sql",
}
"""Columns that may rightly hold words: texts of records, and names that this program gives. What it
notes of failures is not among them."""

_RECORDED_SQL = "SELECT " + " OR ".join(
    f"""EXISTS (SELECT 1 FROM {table} WHERE instr(concat_ws(' ', {columns}), :word)
    OR instr(lower(concat_ws(' ', {columns})), :lower)
    OR instr(concat_ws(' ', {columns}), :escaped))"""
    for table, columns in _ROWS.items()
)


def is_recorded(database: Database, words: str) -> bool:
    """Return whether words are in a row or a name, in the forms that `words_on_disk` searches."""
    forms = {"word": words, "lower": words.lower(), "escaped": json.dumps(words)[1:-1]}
    return bool(database.read(_RECORDED_SQL, forms)[0][0])


def words_on_disk(path: Path, words: Sequence[str]) -> dict[str, list[str]]:
    """Return which of the words each file of a database contains; files without any are left out.

    Each word is searched as it is, in lower case as in the keyword index, and as JSON encodes it.
    """
    found = {str(file): _held(file, words) for file in (path, *companions(path))}
    return {name: held for name, held in found.items() if held}


def _held(file: Path, words: Sequence[str]) -> list[str]:
    if not file.exists() or not file.stat().st_size:
        return []
    with (
        file.open("rb") as opened,
        mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content,
    ):
        return [word for word in words if any(content.find(form) >= 0 for form in _forms(word))]


def _forms(word: str) -> set[bytes]:
    return {form.encode() for form in (word, word.lower(), json.dumps(word)[1:-1])}
