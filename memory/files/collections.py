"""The naming of folders: a collection has a name and a description."""

import re
from pathlib import Path
from time import time_ns
from typing import Final

from contracts import InputError
from memory.files.ingestion import index_text
from memory.files.roots import real_path
from memory.index.collections.reading import (
    ABOUT_KEY,
    NAME_KEY,
    PATH_KEY,
    citation_of,
    collections_of,
    id_of,
)
from memory.index.collections.removal import remove_collection
from memory.index.document_store import documents_of
from memory.index.documents import Document
from memory.index.preparation import bytes_hash
from memory.values.results import Collection
from memory.values.text_checks import checked_text
from memory.workspace import Workspace

MOST_ABOUT: Final = 2_000
"""Characters of a description, which goes to agents with each answer."""

_NAME: Final = re.compile(r"\w[\w-]{0,39}")


def checked_collection(
    workspace: Workspace, path: str | Path, *, name: str | None, about: str | None
) -> Collection:
    """Return the collection that a folder or file is to be; omitted values stay.

    Raises InputError for a name that is not a word or belongs to another folder, for a description
    that is too long, and for one of a folder without a name.
    """
    place = str(real_path(path))
    known = collections_of(workspace.storage.database)
    now = next((each for each in known if each.path == place), None)
    if name is None and now is None:
        raise InputError(
            f"{place} has no name, which a description needs", hint="add one: --name NAME"
        )
    named = now.name if name is None and now is not None else str(name)
    if not _NAME.fullmatch(checked_text(named, "the name")):
        raise InputError(
            f"{named!r} is not the name of a collection",
            hint="use at most 40 letters, digits, - and _, such as work",
        )
    for each in known:
        if each.path != place and each.name.casefold() == named.casefold():
            raise InputError(
                f"{each.name} is the name of {each.path}",
                hint=f'use another one, or free it: mem forget "{citation_of(each)}"',
            )
    text = (now.about if now is not None else "") if about is None else about.strip()
    checked_text(text, "the description", most=MOST_ABOUT)
    return Collection(named, place, text)


def name_collection(workspace: Workspace, collection: Collection) -> None:
    """Store a collection, in place of one that was the same folder."""
    remove_collection(workspace, collection.path, unless_named=collection.name)
    key = id_of(collection)
    known = documents_of(workspace).get(key)
    text = collection.about or f"{collection.name}: {Path(collection.path).name}"
    document = _document(key, collection, text, known)
    if known is None or known.metadata != document.metadata:
        index_text(workspace, document, text)


def _document(key: str, collection: Collection, text: str, known: Document | None) -> Document:
    data = text.encode()
    return Document(
        id=key,
        source="text",
        path=f"text:{key}",
        hash=bytes_hash(data),
        size=len(data),
        mtime_ns=known.mtime_ns if known else time_ns(),
        state="indexed",
        tags=known.tags if known else (),
        metadata={
            "title": f"Collection {collection.name}",
            NAME_KEY: collection.name,
            PATH_KEY: collection.path,
            ABOUT_KEY: collection.about,
        },
    )
