"""A search for words in the bytes of a database's files, as a thief of the disk could do."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import apsw

from memory.storage.database import Database
from memory.storage.sqlite.files.copying import companions

_SCHEMA = {"sqlite_schema": ("name", "sql")}

_AT_ONCE: Final = 1 << 24
"""The bytes of a file that are searched at once."""


def is_recorded(database: Database, words: str, columns: Mapping[str, Sequence[str]]) -> bool:
    """Return whether words are in these columns, by table, or in a name of the schema.

    It looks for the forms that `words_on_disk` searches.
    """
    forms = {"word": words, "lower": words.lower(), "escaped": json.dumps(words)[1:-1]}
    return bool(database.read(_recorded_sql({**columns, **_SCHEMA}), forms)[0][0])


def _recorded_sql(columns: Mapping[str, Sequence[str]]) -> str:
    rows = {table: f"concat_ws(' ', {', '.join(names)})" for table, names in columns.items()}
    return "SELECT " + " OR ".join(
        f"""EXISTS (SELECT 1 FROM {table} WHERE instr({row}, :word)
        OR instr(lower({row}), :lower) OR instr({row}, :escaped))"""
        for table, row in rows.items()
    )


def words_on_disk(path: Path, words: Sequence[str]) -> dict[str, list[str]]:
    """Return which of the words each file of a database contains; files without any are left out.

    Each word is searched as it is, in lower case as in the keyword index, and as JSON encodes it.
    The index of the log holds no text, and its locks would be lost, see `_parts`.
    """
    files = (file for file in (path, *companions(path)) if not file.name.endswith("-shm"))
    found = {str(file): _held(file, words) for file in files}
    return {name: held for name, held in found.items() if held}


def _held(file: Path, words: Sequence[str]) -> list[str]:
    if not file.exists() or not file.stat().st_size:
        return []
    forms = {word: _forms(word) for word in words}
    overlap = max((len(form) for several in forms.values() for form in several), default=1) - 1
    held = set[str]()
    for part in _parts(file, overlap):
        held |= {word for word in words if any(form in part for form in forms[word])}
    return [word for word in words if word in held]


def _parts(file: Path, overlap: int) -> Iterator[bytes]:
    """Yield the bytes of a file in parts, each with the end of the one before.

    SQLite reads them. Once this process itself closed a file of a database, the system would drop
    all locks that SQLite has on it here, and another process would delete the log under us.
    """
    flags = [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0]
    opened = apsw.VFSFile("", str(file.absolute()), flags)
    try:
        size, at = opened.xFileSize(), 0
        while at < size:
            start = max(0, at - overlap)
            at = min(size, at + _AT_ONCE)
            yield opened.xRead(at - start, start)
    finally:
        opened.xClose()


def _forms(word: str) -> set[bytes]:
    return {form.encode() for form in (word, word.lower(), json.dumps(word)[1:-1])}
