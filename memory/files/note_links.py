"""The links of one note: to others, from others, and those that lead nowhere."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from contracts import InputError, NotFoundError
from contracts.named_tuple import NamedTuple
from ingest import link_name, plain_name
from memory.index.document_store import documents_of
from memory.index.documents import Document
from memory.storage.database import Database
from memory.values.citations import cite_lines, cite_path, readings
from memory.values.text_checks import NAME_LIMIT, checked_text
from memory.values.user_folders import working_folder
from memory.workspace import Workspace

_NAMED_SQL = """
SELECT n.name, f.path, n.words FROM note_names AS n JOIN files AS f ON f.id = n.file_id
WHERE n.name IN (:names) ORDER BY f.path
"""
_OUT_SQL = """
SELECT f.path, l.name, l.target, l.words, l.line, l.is_path
FROM note_links AS l JOIN files AS f ON f.id = l.file_id
WHERE l.file_id = :file_id ORDER BY l.ordinal
"""
_TO_SQL = """
SELECT f.path, l.name, l.target, l.words, l.line, l.is_path
FROM note_links AS l JOIN files AS f ON f.id = l.file_id
WHERE l.name IN (:names) AND l.file_id <> :file_id ORDER BY f.path, l.ordinal
"""


@dataclass(frozen=True, slots=True)
class NoteLink:
    """One link: its place, its target as written, its words, and the file it leads to.

    `path` is None for a broken link: no indexed note has that name, and no file that path.
    """

    citation: str
    target: str
    words: str
    path: str | None


@dataclass(frozen=True, slots=True)
class NoteLinks:
    """The links of a note: `out` and `broken` are in it, `back` in other notes."""

    path: str
    out: list[NoteLink]
    back: list[NoteLink]
    broken: list[NoteLink]


class _Row(NamedTuple):
    """A stored link with the path of its note."""

    path: str
    name: str
    target: str
    words: str
    line: int
    is_path: int


def note_links(workspace: Workspace, note: str) -> NoteLinks:
    """Return the links of a note, named by its path, its title, an alias, or its file's name.

    Raises NotFoundError for an unknown note, InputError for a name that several notes have and
    for a file that is not a note.
    """
    with workspace.storage.database.snapshot():
        document = _note(workspace, checked_text(note, "the note", most=NAME_LIMIT))
        database, key = workspace.storage.database, {"file_id": document.id}
        out = [_Row(*row) for row in database.read(_OUT_SQL, key)]
        sql = "SELECT name FROM note_names WHERE file_id = :file_id"
        names = [row[0] for row in database.read(sql, key)]
        to = [_Row(*row) for row in database.read(_TO_SQL, {**key, "names": names})]
        targets = _Targets(workspace, [*out, *to])
    leads = [_shown(row, targets.path_of(row)) for row in out]
    return NoteLinks(
        path=document.path,
        out=[link for link in leads if link.path is not None],
        back=[_shown(row, document.path) for row in to if targets.path_of(row) == document.path],
        broken=[link for link in leads if link.path is None],
    )


def _note(workspace: Workspace, note: str) -> Document:
    documents = documents_of(workspace)
    for named in readings(note, cwd=working_folder()):
        document = None if named.path is None else documents.at_path(named.path)
        if document is not None and document.is_note:
            return document
        if document is not None:
            raise InputError(
                f"{document.path} is not a Markdown note, or was indexed by an older version",
                hint="name a Markdown file, or bring the index up to date: mem sync",
            )
    found = _by_name(workspace.storage.database, {plain_name(note), link_name(note)})
    paths = sorted({path for each in found.values() for path, _ in each})
    if len(paths) == 1 and (document := documents.at_path(paths[0])) is not None:
        return document
    if paths:
        cwd = working_folder()
        raise InputError(
            f"{len(paths)} notes are called {note!r}",
            hint="name one by its path: "
            + ", ".join(cite_path(path, cwd=cwd) for path in paths[:5]),
        )
    raise NotFoundError(
        f"no indexed note is called {note!r}",
        hint="name its path, its title or an alias; list files: mem files",
    )


def _by_name(database: Database, names: Iterable[str]) -> dict[str, list[tuple[str, str]]]:
    """Return the paths of the notes of each name, with the title or alias that it is, if one."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name, path, words in database.read(_NAMED_SQL, {"names": sorted(names)}):
        found.setdefault(name, []).append((path, words))
    return found


class _Targets:
    """The files that some links lead to."""

    def __init__(self, workspace: Workspace, links: Sequence[_Row]) -> None:
        self._named = _by_name(workspace.storage.database, {row.name for row in links})
        places = {_place(row) for row in links if row.is_path}
        self._indexed = documents_of(workspace).at_paths(places)

    def path_of(self, link: _Row) -> str | None:
        """Return the file of a link: the one at its path, else the note of its name nearby."""
        if link.is_path:
            place = _place(link)
            if place in self._indexed or _exists(place):
                return place
            if not link.target.startswith("/") and Path(_bare(link.target)).suffix:
                return None
        wanted = _folded(_bare(link.target))
        notes = self._named.get(link.name, [])
        if "/" in wanted.strip("/"):
            inside = [note for note in notes if _ends_with(_folded(note[0]), wanted)]
            notes = inside if inside or link.is_path else [note for note in notes if note[1]]
        folder = f"{Path(link.path).parent}/"
        order = sorted(
            notes,
            key=lambda note: (bool(note[1]), not note[0].startswith(folder), len(note[0]), note[0]),
        )
        return order[0][0] if order else None


def _bare(target: str) -> str:
    """A target without the heading or the block it names."""
    return target.split("#")[0].split("^")[0].split("?")[0].strip()


def _place(link: _Row) -> str:
    return os.path.normpath(Path(link.path).parent / _bare(link.target))


def _exists(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def _folded(path: str) -> str:
    """A path as it is compared with the end of another: without suffix, case and index file."""
    folder, _, base = path.casefold().rstrip("/").replace("___", "/").rpartition("/")
    name = link_name(f"{folder}/{base}")
    if folder.rpartition("/")[2] == name and base != name:
        return folder
    return f"{folder}/{name}" if folder else name


def _ends_with(path: str, wanted: str) -> bool:
    parts = [part for part in wanted.split("/") if part not in ("", ".", "..")]
    return bool(parts) and path.split("/")[-len(parts) :] == parts


def _shown(link: _Row, path: str | None) -> NoteLink:
    citation = cite_lines(link.path, link.line, link.line, cwd=working_folder())
    return NoteLink(citation, link.target, link.words, path)
