"""The store of what notes are called, and of their links.

The words of a link stand in the keyword entries of the note that it names, where they count little.
A changed link or name makes the entries of some other notes stale: their names wait in a table, so
that a sync rewrites each of them once, at its end, also after an interruption.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

from contracts.named_tuple import NamedTuple
from ingest import Link, NoteProperties, path_names, plain_name
from memory.storage import Transaction
from memory.storage.database import Database

MOST_LINK_WORDS: Final = 400
"""Characters of link words that one note is found by."""

MOST_NOTES_OF_NAME: Final = 20
"""More notes of one name get no words of the links to it: `index`, `readme`."""

_RENEWED_AT_ONCE: Final = 200

_ADD_NAME_SQL = """
INSERT INTO note_names (name, file_id, words) VALUES (:name, :file_id, :words)
ON CONFLICT (name, file_id) DO UPDATE SET words = :words
"""
_ADD_LINK_SQL = """
INSERT INTO note_links (file_id, ordinal, name, target, words, line, is_path)
VALUES (:file_id, :ordinal, :name, :target, :words, :line, :is_path)
"""
_STALE_SQL = """
INSERT INTO stale_note_names (name)
SELECT n.name FROM note_names AS n
WHERE n.file_id = :file_id AND EXISTS (SELECT 1 FROM note_links AS l WHERE l.name = n.name)
ON CONFLICT (name) DO NOTHING
"""
_STALE_TARGETS_SQL = """
INSERT INTO stale_note_names (name)
SELECT DISTINCT name FROM note_links WHERE file_id = :file_id
ON CONFLICT (name) DO NOTHING
"""
_NAMES_SQL = "SELECT name, words FROM note_names WHERE file_id = :file_id"
_LINKS_SQL = """
SELECT name, target, words, line, is_path FROM note_links WHERE file_id = :file_id ORDER BY ordinal
"""
_WORDS_SQL = "SELECT file_id, words FROM note_names WHERE file_id IN (:ids) AND words <> ''"
_LINK_WORDS_SQL = """
SELECT n.file_id, l.words FROM note_names AS n JOIN note_links AS l ON l.name = n.name
WHERE n.file_id IN (:ids) AND l.file_id <> n.file_id AND l.words <> ''
    AND (SELECT count(*) FROM note_names AS m WHERE m.name = n.name) <= :most
"""


class NoteWords(NamedTuple):
    """The titles and aliases of a note, and the words of links to it, each as one text."""

    names: str = ""
    links: str = ""


NO_WORDS: Final = NoteWords()


def write_note(
    tx: Transaction, file_id: str, path: str, note: NoteProperties | None, *, is_new: bool
) -> None:
    """Store the names and the links of a note; a new one has none stored yet."""
    note = note or NoteProperties()
    _write_names(tx, file_id, _names(path, note), old={} if is_new else _stored_names(tx, file_id))
    old = [] if is_new else _stored_links(tx, file_id)
    links = list(note.links)
    if old != links:
        if old:
            _remove_links(tx, file_id)
        rows = [
            {"file_id": file_id, "ordinal": ordinal, **link._asdict(), "is_path": int(link.is_path)}
            for ordinal, link in enumerate(links)
        ]
        tx.run_many(_ADD_LINK_SQL, rows)
        tx.run(_STALE_TARGETS_SQL, {"file_id": file_id})
    tx.run(_STALE_SQL, {"file_id": file_id})


def remove_note(tx: Transaction, file_id: str) -> None:
    """Remove the names and the links of a file that is removed, or has nothing to index."""
    _remove_links(tx, file_id)
    tx.run("DELETE FROM note_names WHERE file_id = :file_id", {"file_id": file_id})


def _remove_links(tx: Transaction, file_id: str) -> None:
    tx.run(_STALE_TARGETS_SQL, {"file_id": file_id})
    tx.run("DELETE FROM note_links WHERE file_id = :file_id", {"file_id": file_id})


def _stored_links(tx: Transaction, file_id: str) -> list[Link]:
    return [
        Link(name, target, words, line, bool(is_path))
        for name, target, words, line, is_path in tx.run(_LINKS_SQL, {"file_id": file_id})
    ]


def _stored_names(tx: Transaction, file_id: str) -> dict[str, str]:
    return {str(row[0]): str(row[1]) for row in tx.run(_NAMES_SQL, {"file_id": file_id})}


def rename_note(tx: Transaction, file_id: str, path: str) -> None:
    """Store the names of a note under its new path."""
    old = _stored_names(tx, file_id)
    own = {name: words for name, words in old.items() if words}
    _write_names(tx, file_id, {**dict.fromkeys(path_names(path), ""), **own}, old=old)


def _names(path: str, note: NoteProperties) -> dict[str, str]:
    names = dict.fromkeys(path_names(path), "")
    for name in note.names:
        names[plain_name(name)] = name
    return names


def _write_names(
    tx: Transaction, file_id: str, names: dict[str, str], *, old: dict[str, str]
) -> None:
    for name in old.keys() - names.keys():
        values = {"name": name, "file_id": file_id}
        tx.run("DELETE FROM note_names WHERE name = :name AND file_id = :file_id", values)
    rows = [
        {"name": name, "file_id": file_id, "words": words}
        for name, words in names.items()
        if old.get(name) != words
    ]
    if rows:
        tx.run_many(_ADD_NAME_SQL, rows)


def note_words(database: Database, file_ids: Collection[str]) -> dict[str, NoteWords]:
    """Return the words that find these files besides their text, of those that have any."""
    ids = list(file_ids)
    if not ids:
        return {}
    names: dict[str, list[str]] = {}
    for file_id, words in database.read(_WORDS_SQL, {"ids": ids}):
        names.setdefault(file_id, []).append(words)
    links: dict[str, Counter[str]] = {}
    most = {"ids": ids, "most": MOST_NOTES_OF_NAME}
    for file_id, words in database.read(_LINK_WORDS_SQL, most):
        links.setdefault(file_id, Counter())[words.strip()] += 1
    return {
        file_id: NoteWords(
            joined_names(names.get(file_id, ())), _joined(links.get(file_id, Counter()))
        )
        for file_id in names.keys() | links.keys()
    }


def first_chunks(database: Database, chunk_ids: Collection[int]) -> frozenset[int]:
    """Return those of these chunks with which their document begins."""
    sql = "SELECT id FROM chunks WHERE id IN (:ids) AND ordinal = 0"
    return frozenset(row[0] for row in database.read(sql, {"ids": list(chunk_ids)}))


def joined_names(names: Iterable[str]) -> str:
    """Return titles and aliases as one text, in a fixed order."""
    return "\n".join(sorted(names))


def _joined(words: Counter[str]) -> str:
    """Return the most frequent words first, up to MOST_LINK_WORDS characters."""
    kept: list[str] = []
    size = 0
    for said, _ in sorted(words.items(), key=lambda item: (-item[1], item[0])):
        size += len(said) + 1
        if size > MOST_LINK_WORDS:
            break
        kept.append(said)
    return "\n".join(kept)


def renew_linked(
    database: Database, rewrite: Callable[[Transaction, Sequence[str]], object]
) -> int:
    """Rewrite the keyword entries of the notes whose links have changed; return their number.

    `rewrite` gets the ids of files, some hundred at a time, each time in a transaction.
    """
    done = 0
    while True:
        with database.transaction() as tx:
            sql = "SELECT name FROM stale_note_names ORDER BY name LIMIT :limit"
            names = [row[0] for row in tx.run(sql, {"limit": _RENEWED_AT_ONCE})]
            if not names:
                return done
            sql = """SELECT file_id FROM note_names WHERE name IN (:names)
                GROUP BY file_id ORDER BY file_id"""
            ids = [row[0] for row in tx.run(sql, {"names": names})]
            rewrite(tx, ids)
            tx.run("DELETE FROM stale_note_names WHERE name IN (:names)", {"names": names})
            done += len(ids)
