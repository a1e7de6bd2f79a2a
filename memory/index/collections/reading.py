"""The collections of a database, and the limits of a search to one.

A collection is an ingested text: its description, which is searched, edited, exported and deleted
as any other, with the name and the folder as metadata.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Final

from contracts import InputError, NotFoundError, Scope, did_you_mean
from memory.storage.database import Database
from memory.values.citations import cite_text
from memory.values.results import Collection
from memory.values.text_checks import NAME_LIMIT, checked_text

ID_PREFIX: Final = "collection-"
"""The beginning of the ids of their texts: `text collection-work`."""

NAME_KEY: Final = "collection"
PATH_KEY: Final = "path"
ABOUT_KEY: Final = "about"

_ALL_SQL = f"""
SELECT metadata FROM files
WHERE path >= 'text:{ID_PREFIX}' AND path < 'text:{ID_PREFIX[:-1]}.' AND source = 'text'
ORDER BY path
"""


def collections_of(database: Database) -> list[Collection]:
    """Return the collections by name."""
    found = (json.loads(row[0]) for row in database.read_once(_ALL_SQL))
    return [
        Collection(each[NAME_KEY], each[PATH_KEY], each.get(ABOUT_KEY) or "")
        for each in found
        if isinstance(each.get(NAME_KEY), str) and isinstance(each.get(PATH_KEY), str)
    ]


def collection_around(collections: Iterable[Collection], path: str | None) -> Collection | None:
    """Return the innermost collection that holds a path."""
    around = [each for each in collections if path is not None and is_inside(path, each.path)]
    return max(around, key=lambda each: len(each.path), default=None)


def is_inside(path: str, folder: str) -> bool:
    """Return whether a path is a folder or below it."""
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def id_of(collection: Collection) -> str:
    """Return the id of a collection's text."""
    return f"{ID_PREFIX}{collection.name.casefold()}"


def citation_of(collection: Collection) -> str:
    """Return the citation of a collection's text."""
    return cite_text(id_of(collection))


def within_collection(database: Database, scope: Scope, name: str) -> Scope:
    """Return the scope limited to the files of a collection.

    Raises NotFoundError for an unknown name, InputError for a scope that has no file of it.
    """
    folder = _named(collections_of(database), name).path
    if scope.sources and "file" not in scope.sources:
        raise InputError(
            f"a collection holds files, and the sources are {', '.join(scope.sources)}",
            hint="add 'file' to the sources, or leave the collection out",
        )
    within = [place for place in scope.within if is_inside(place, folder)]
    if not within and (not scope.within or any(is_inside(folder, each) for each in scope.within)):
        within = [folder]
    if not within:
        raise InputError(
            f"no path of this search is in the collection {name}, which is {folder}",
            hint="leave out the paths, or the collection",
        )
    return scope._replace(within=tuple(within))


def _named(collections: Sequence[Collection], name: str) -> Collection:
    wanted = checked_text(name, "the name of a collection", most=NAME_LIMIT).casefold()
    for each in collections:
        if each.name.casefold() == wanted:
            return each
    names = [each.name for each in collections]
    raise NotFoundError(
        f"there is no collection {name!r}",
        hint=did_you_mean(name, names) if names else "name a folder: mem sync PATH --name NAME",
    )
