"""Renewal of the keyword entries of a database, and of the names of the definitions in its source
code, after a change of their form.

A newer version searches for other words than an older one has written: until the renewal, words
with letters that are spelled in two ways, and other forms of words outside English, may not be
found.
"""

from collections.abc import Callable, Iterator, Sequence

from memory.index.document_store import DocumentStore
from memory.index.documents import Document, stored_fields
from memory.storage import Storage, Transaction
from memory.storage.meta import KEYWORDS, RENEWED, read_meta, write_meta
from memory.values.reports import SyncProgress
from search import KEYWORD_FORM

RENEWED_AT_ONCE = 20
"""Documents whose entries are renewed in one transaction."""


RECORDS_AT_ONCE = 500
"""Chunks of records whose entries are renewed in one transaction."""

_SPANS_SQL = """
SELECT id, start_char, end_char FROM chunks
WHERE owner_id = :id AND source = :source AND generation = :generation ORDER BY ordinal
"""


def is_renewal_due(storage: Storage) -> bool:
    """Return whether any entry may be from an older version."""
    return read_meta(storage.database, KEYWORDS) != KEYWORD_FORM and storage.count_chunks() > 0


def renew_keywords(
    storage: Storage, progress: Callable[[SyncProgress], None] | None = None
) -> None:
    """Renew every entry, unless they are in the present form.

    It can be interrupted anywhere, also by what `progress` raises, and continues where it was.
    """
    database, documents = storage.database, DocumentStore(storage)
    if read_meta(database, KEYWORDS) == KEYWORD_FORM:
        return
    begun = read_meta(database, RENEWED) or {}
    after = str(begun["path"]) if begun.get("form") == KEYWORD_FORM else ""
    files_total, bytes_total = documents.extent(after=after)
    files_done = bytes_done = chunks = 0
    while page := documents.page(source=None, path=None, after=after, limit=RENEWED_AT_ONCE):
        if progress is not None:
            done = (files_done, files_total, bytes_done, bytes_total, chunks)
            progress(SyncProgress(*done, step="renewing"))
        after = page[-1].path
        named = [(document, _defined_names(documents, document)) for document in page]
        with database.transaction() as tx:
            chunks += sum(documents.rewrite_keywords(tx, document) for document in page)
            for document, names in named:
                if names and documents.get(document.id) == document:
                    _name_definitions(storage, tx, document, names)
            write_meta(tx, RENEWED, {"form": KEYWORD_FORM, "path": after})
        files_done += len(page)
        bytes_done += sum(document.size for document in page)
    for ids in _records(storage):
        with database.transaction() as tx:
            storage.rewrite_keywords(tx, stored_fields(storage, ids))
    with database.transaction() as tx:
        write_meta(tx, KEYWORDS, KEYWORD_FORM)
        write_meta(tx, RENEWED, None)


def _defined_names(documents: DocumentStore, document: Document) -> list[tuple[int, str]]:
    """Return the offsets and names of the definitions in the indexed text, in order."""
    from ingest import defined_names

    return defined_names(documents.loaded(document)) if document.generation else []


def _name_definitions(
    storage: Storage, tx: Transaction, document: Document, names: Sequence[tuple[int, str]]
) -> None:
    """Store the names of definitions with a document's chunks."""
    from ingest import names_held

    key = {name: getattr(document, name) for name in ("id", "source", "generation")}
    rows = tx.run(_SPANS_SQL, key)
    held = names_held(names, [(start, end) for _, start, end in rows])
    chunk_ids = [row[0] for row in rows]
    storage.name_definitions(tx, dict(zip(chunk_ids, held, strict=True)))


def _records(storage: Storage) -> Iterator[list[int]]:
    """Yield the chunks of records other than documents, some hundreds at a time."""
    sql = """SELECT id FROM chunks WHERE source NOT IN ('file', 'text') AND id > :after
        ORDER BY id LIMIT :limit"""
    after = 0
    while rows := storage.database.read(sql, {"after": after, "limit": RECORDS_AT_ONCE}):
        yield [row[0] for row in rows]
        after = rows[-1][0]
