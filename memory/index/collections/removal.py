"""The removal of collections: of a folder's name and description, not of its files."""

from memory.index.collections.reading import collections_of, id_of
from memory.index.document_store import documents_of
from memory.values.results import Collection
from memory.workspace import Workspace


def remove_collection(
    workspace: Workspace, path: str, *, unless_named: str | None = None
) -> Collection | None:
    """Forget the name and the description of a folder; return the collection that it was."""
    documents = documents_of(workspace)
    for each in collections_of(workspace.storage.database):
        if each.path == path and each.name != unless_named:
            document = documents.get(id_of(each))
            if document is not None:
                with workspace.storage.database.transaction() as tx:
                    documents.remove(tx, document)
            return each
    return None
