"""The chunks of records other than files: turns, memories and facts of all kinds.

Their chunks belong to no generation: a record is one chunk, or if very long several of one fixed
size, whatever the configuration says of files. So a reindex never cuts them again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from contracts import IncompatibleError, UnavailableError
from contracts.named_tuple import NamedTuple
from ingest import ChunkSettings, LoadedText, chunk
from memory.index.documents import embedded_text
from memory.index.indexing_settings import IndexingSettings, indexing_settings_for, is_quick
from memory.index.neighbours import searched
from memory.storage import (
    Database,
    NewChunk,
    Space,
    StoredVector,
    Transaction,
    chunk_uid,
    content_hash,
)
from memory.storage.meta import KEYWORDS, VECTORS_MISSING, read_meta, write_meta
from memory.workspace import Workspace
from search import KEYWORD_FORM, keyword_fields

ANY_GENERATION: Final = ""
"""The generation of chunks that answer whatever the chunk settings of files."""

LONGEST_WHOLE: Final = 2000
"""Most characters of a record in one chunk; a longer one is cut, or its end would hardly count."""

_MISPLACED_SQL: Final = """
DELETE FROM chunks WHERE uid IN (:uids) AND NOT (source = :source AND owner_id = :owner_id)
"""
_CUT: Final = ChunkSettings(size_chars=1000, overlap_chars=200, preserve_structure=True)


class RecordText(NamedTuple):
    """The searchable side of a record.

    `text[body_offset:]` is searched and embedded, `neighbours` was said before it; the name of
    `speaker`, who said it, finds it too. `occurred_at` is when it was said, `recorded_at` when it
    was stored, `hidden_from` when it stops answering.
    """

    source: str
    owner_id: str
    text: str
    occurred_at: str
    recorded_at: str
    body_offset: int = 0
    title: str = ""
    neighbours: str = ""
    speaker: str | None = None
    session_id: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = MappingProxyType({})
    hidden_from: str | None = None


class RecordVectors(NamedTuple):
    """Vectors by content hash, of a space; without a space, stored chunks get their vectors
    later.
    """

    settings: IndexingSettings | None = None
    space: Space | None = None
    vectors: Mapping[bytes, StoredVector | None] = MappingProxyType({})


def record_vectors(workspace: Workspace, records: Iterable[RecordText]) -> RecordVectors:
    """Return the vectors of records that are about to be stored, made before the transaction.

    Only a model that is quick and local is used; `owner_id` may still be empty.
    """
    if not is_quick(workspace):
        return RecordVectors()
    parts = (part.embedded for record in records for part in _parts(record))
    texts = {content_hash(text): text for text in parts}
    try:
        settings = indexing_settings_for(workspace)
        if settings.embedder.is_remote:
            return RecordVectors()
        space = _space_of(settings)
        # A cache lookup would take longer than these models do.
        rows = settings.embedder.embedded_again(list(texts.values()))
    except (UnavailableError, IncompatibleError):
        return RecordVectors()
    return RecordVectors(settings, space, dict(zip(texts, rows, strict=True)))


def _space_of(settings: IndexingSettings) -> Space:
    """Return the space to fill; the first of a database as it would be stored."""
    if settings.space is not None:
        return settings.embedder.checked(settings.space)
    return settings.first_space()


def put_records(
    workspace: Workspace, tx: Transaction, records: Iterable[RecordText], known: RecordVectors
) -> None:
    """Store the chunks of records, or replace those that they have; vectors as far as known."""
    storage, waiting = workspace.storage, list(records)
    if not waiting:
        return
    if read_meta(storage.database, KEYWORDS) is None and not storage.count_chunks():
        write_meta(tx, KEYWORDS, KEYWORD_FORM)
    active = storage.active_space()
    space = known.space
    if space is not None and active is None:
        active = space = storage.create_space(tx, space)
    if space != active:  # another one has become active
        space = None
    rows: dict[int, StoredVector] = {}
    is_missing = False
    for record in waiting:
        changes = storage.replace_chunks(
            tx,
            record.source,
            record.owner_id,
            generation=ANY_GENERATION,
            chunks=record_chunks(record),
        )
        for chunk_id, content in changes.added.items():
            is_missing = is_missing or space is None or content not in known.vectors
            row = known.vectors.get(content)
            if row is not None:
                rows[chunk_id] = row
    if space is not None and rows:
        storage.put_vectors(tx, space, rows)
    if is_missing and not read_meta(storage.database, VECTORS_MISSING):
        write_meta(tx, VECTORS_MISSING, True)


def remove_misplaced(tx: Transaction, records: Iterable[RecordText]) -> None:
    """Remove the chunks of these records that damage gave to another record."""
    for record in records:
        tx.run(
            _MISPLACED_SQL,
            {
                "uids": [part.uid for part in record_chunks(record)],
                "source": record.source,
                "owner_id": record.owner_id,
            },
        )


def is_text_of(text: str, chunks: Iterable[tuple[int, str]]) -> bool:
    """Return whether these are the texts of a record's chunks, each with its first character."""
    if len(text) <= LONGEST_WHOLE:
        return all(part == text for _, part in chunks)
    end = 0
    for start, part in chunks:
        if not text.startswith(part, start):
            return False
        end = max(end, start + len(part))
    return not text[end:].strip()


def chunk_counts(database: Database, source: str, owner_ids: Sequence[str]) -> dict[str, int]:
    """Count the chunks of each of these records."""
    sql = """SELECT owner_id, count(*) FROM chunks
        WHERE source = :source AND owner_id IN (:ids) GROUP BY owner_id"""
    return dict(database.read(sql, {"source": source, "ids": list(owner_ids)}))


def chunk_hashes(
    database: Database, source: str, owner_ids: Sequence[str]
) -> list[tuple[str, bytes]]:
    """Return the content hash of each chunk of these records, with the record's id."""
    sql = "SELECT owner_id, hash FROM chunks WHERE source = :source AND owner_id IN (:ids)"
    rows = database.read(sql, {"source": source, "ids": list(owner_ids)})
    return [(row[0], bytes(row[1])) for row in rows]


def remove_record(workspace: Workspace, tx: Transaction, source: str, owner_id: str) -> int:
    """Remove a record's chunks with all that is derived from them; return their number."""
    return workspace.storage.remove_owner(tx, source, owner_id)


class _Part(NamedTuple):
    """A piece of a record's text, from `start` on; the model gets `embedded` of it."""

    text: str
    offset: int
    start: int
    embedded: str


def record_chunks(record: RecordText) -> list[NewChunk]:
    """Return the chunks of a record, in the order of its text."""
    seen: dict[bytes, int] = {}
    return [_new_chunk(record, part, seen) for part in _parts(record)]


def _parts(record: RecordText) -> Iterator[_Part]:
    text, offset = record.text, record.body_offset
    if len(text) <= LONGEST_WHOLE:
        yield _Part(text, offset, 0, embedded_text(record.title, text[offset:]))
        return
    for piece in chunk(LoadedText(text, "text", "utf-8"), _CUT):
        own = max(0, min(offset - piece.start_char, len(piece.text)))
        whole = embedded_text(record.title, piece.text[own:])
        yield _Part(piece.text, own, piece.start_char, whole)


def _new_chunk(record: RecordText, part: _Part, seen: dict[bytes, int]) -> NewChunk:
    content = content_hash(part.embedded)
    occurrence = seen[content] = seen.get(content, -1) + 1
    return NewChunk(
        uid=chunk_uid(record.source, record.owner_id, content, occurrence),
        text=part.text,
        hash=content,
        fields=keyword_fields(
            searched(part.text[part.offset :], record.speaker),
            title=record.title,
            neighbours="" if part.start else record.neighbours,
        ),
        occurred_at=record.occurred_at,
        recorded_at=record.recorded_at,
        heading=record.title,
        body_offset=part.offset,
        start_char=part.start,
        end_char=part.start + len(part.text),
        session_id=record.session_id,
        tags=record.tags,
        metadata=record.metadata,
        hidden_from=record.hidden_from,
    )
