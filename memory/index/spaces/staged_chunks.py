"""Chunks of documents in generations that are not active yet, in addition to those that answer.

Chunks carry a generation, the fingerprint of the chunker's settings, and `files` says by which of
them a document is read. Chunks of another generation are complete if the table `cuts` says so.
"""

from collections.abc import Sequence

from memory.index.document_queries import SELECT_SQL, document_of
from memory.index.document_store import DocumentStore
from memory.index.documents import Document
from memory.storage import NewChunk, Storage, Transaction

_WITHOUT_CHUNKS = """generation NOT IN ('', :generation) AND NOT EXISTS (
    SELECT 1 FROM cuts WHERE owner_id = files.id AND generation = :generation
)"""
_WITHOUT_CHUNKS_SQL = (
    f"{SELECT_SQL} WHERE {_WITHOUT_CHUNKS} AND id > :after ORDER BY id LIMIT :limit"
)
_COUNTS_SQL = f"""SELECT (SELECT count(*) FROM files WHERE {_WITHOUT_CHUNKS}),
    (SELECT count(*) FROM files WHERE generation <> '')"""
_STAGE_SQL = """
INSERT INTO cuts (owner_id, generation, tail)
SELECT f.id, f.generation, f.tail FROM files AS f
    JOIN cuts AS k ON k.owner_id = f.id AND k.generation = :generation
WHERE f.generation <> :generation
"""
_ACTIVATE_SQL = """
UPDATE files SET generation = k.generation, tail = k.tail
FROM cuts AS k WHERE k.owner_id = files.id AND k.generation = :generation
"""


class StagedChunks:
    """The chunks of generations that do not answer."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._database = storage.database
        self._documents = DocumentStore(storage)

    def documents_without_chunks(
        self, generation: str, *, after: str, limit: int
    ) -> list[Document]:
        """Return up to `limit` documents past an id that lack chunks of a generation.

        Documents without a text are left out.
        """
        values = {"generation": generation, "after": after, "limit": limit}
        return [document_of(row) for row in self._database.read(_WITHOUT_CHUNKS_SQL, values)]

    def all(self, *, after: str, limit: int) -> list[Document]:
        """Return up to `limit` documents past an id, those that have a text."""
        sql = f"""{SELECT_SQL} WHERE generation <> '' AND id > :after ORDER BY id LIMIT :limit"""
        rows = self._database.read(sql, {"after": after, "limit": limit})
        return [document_of(row) for row in rows]

    def counts(self, generation: str) -> tuple[int, int]:
        """Count the documents that lack chunks of a generation, and those that have a text."""
        ((unfinished, documents),) = self._database.read(_COUNTS_SQL, {"generation": generation})
        return unfinished, documents

    def write(
        self, tx: Transaction, document: Document, chunks: Sequence[NewChunk], *, cut: Document
    ) -> bool:
        """Store the chunks of `cut`, the document in another generation, besides those that answer.

        Returns False, and does nothing, when the document has changed since it was read.
        """
        if self._documents.get(document.id) != document:
            return False
        self._storage.replace_chunks(
            tx, cut.source, cut.id, generation=cut.generation, chunks=chunks
        )
        sql = """INSERT INTO cuts (owner_id, generation, tail) VALUES (:id, :generation, :tail)
            ON CONFLICT (owner_id, generation) DO UPDATE SET tail = :tail"""
        values = {"id": cut.id, "generation": cut.generation, "tail": cut.tail}
        tx.run(sql, values)
        return True

    def activate(self, tx: Transaction, generation: str) -> None:
        """Read every document from its chunks of this generation from now on, where it has them."""
        values = {"generation": generation}
        tx.run(_STAGE_SQL, values)
        tx.run(_ACTIVATE_SQL, values)
        tx.run("DELETE FROM cuts WHERE generation = :generation", values)

    def forget(self, tx: Transaction, generation: str) -> None:
        """Forget that the chunks of this generation are complete."""
        tx.run("DELETE FROM cuts WHERE generation = :generation", {"generation": generation})
