"""A search for words in the bytes of a database's files, as a thief of the disk could do."""

import json
import mmap
from collections.abc import Mapping, Sequence
from pathlib import Path

from memory.storage.database import Database
from memory.storage.sqlite.files.copying import companions

_SCHEMA = {"sqlite_schema": ("name", "sql")}


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
