"""Files and texts as records, and their chunks."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from contracts import ChunkRow, KeywordFields
from ingest import NOTE_LOADER, time_of_note
from memory.index.neighbours import TurnKeywordContext, searched, turn_keyword_contexts
from memory.index.notes.links import NO_WORDS, NoteWords, first_chunks, joined_names, note_words
from memory.storage import NewChunk, Storage, chunk_uid, content_hash, utc_now, utc_text
from search import keyword_fields

if TYPE_CHECKING:
    from ingest import NoteProperties, Piece

State: TypeAlias = Literal["indexed", "pending", "failed", "skipped"]

HEADING_SEPARATOR = " > "

_MOST_NS = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Document:
    """A row of `files`: a file on disk (`source` file) or an ingested text (`source` text).

    `path` is the absolute real path, or `text:ID`. `hash` is BLAKE2b over the bytes, empty until
    they were read. `generation` is the chunker's fingerprint, `tail` the whitespace after the last
    chunk. `loader` is the id of the loader that read the bytes, empty for plain text and for unread
    files. `layout` is what the text alone does not show (`ingest.layout_of`); it is stored with the
    chunks, and empty in what comes from the database: `DocumentStore.layout` reads it. `note` is
    what a note says about itself, in one that was just read. Times are ISO 8601 UTC text,
    `mtime_ns` nanoseconds since the epoch.
    """

    id: str
    source: str
    path: str
    hash: str
    size: int
    mtime_ns: int
    state: State
    reason: str | None = None
    generation: str = ""
    tail: str = ""
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] | None = None
    created_at: str = ""
    updated_at: str = ""
    loader: str = ""
    layout: str = ""
    note: "NoteProperties | None" = None

    @property
    def is_note(self) -> bool:
        """True for a file that was read as Markdown."""
        return self.loader == NOTE_LOADER

    @property
    def file_path(self) -> str | None:
        """The path of the file; None for an ingested text."""
        return self.path if self.source == "file" else None

    @property
    def title(self) -> str:
        """The title that an ingested text was given, if any; files have theirs in the text."""
        title = (self.metadata or {}).get("title") if self.file_path is None else None
        return title if isinstance(title, str) and title.strip() else ""

    @property
    def modified_at(self) -> str:
        """The time of the last change of the bytes, ISO 8601 UTC."""
        return utc_text(datetime.fromtimestamp(self.mtime_ns / 1e9, UTC))

    @property
    def occurred_at(self) -> str:
        """The date of a note, by its front matter or else its name; otherwise `modified_at`."""
        if not self.is_note:
            return self.modified_at
        metadata = (self.metadata or {}) if self.note is None else self.note.metadata
        moment = time_of_note(metadata.get("date"), self.path)
        return self.modified_at if moment is None else utc_text(moment)


def storable_ns(moment_ns: int) -> int:
    """Limit nanoseconds since the epoch to what a column can hold: from 1677 to 2262.

    Some file systems can hold stranger times, and a sync must not fail because of one.
    """
    return max(-_MOST_NS, min(_MOST_NS, moment_ns))


def new_document_id() -> str:
    """Return a new id: 16 random hexadecimal digits, so that a rename need not change it."""
    return os.urandom(8).hex()


def embedded_text(heading: str, body: str) -> str:
    """Return the text of a chunk as it is embedded, which its content hash covers."""
    return f"{heading}\n\n{body}" if heading else body


def document_chunks(document: Document, text: str, pieces: "Sequence[Piece]") -> list[NewChunk]:
    """Return the chunks of a document whose `text` was cut into `pieces`."""
    seen: dict[bytes, int] = {}
    chunks = []
    now, occurred = utc_now(), document.occurred_at
    end = 0
    title = document.title
    names = joined_names(document.note.names) if document.note and document.is_note else ""
    name = file_name(document)
    for piece in pieces:
        heading = HEADING_SEPARATOR.join((*((title,) if title else ()), *piece.headings))
        body = piece.text[piece.body_offset :]
        content = content_hash(embedded_text(heading, body))
        occurrence = seen[content] = seen.get(content, -1) + 1
        chunks.append(
            NewChunk(
                uid=chunk_uid(document.source, document.id, content, occurrence),
                text=piece.text,
                hash=content,
                fields=file_fields(body, heading, name=name, words=NoteWords(names)),
                occurred_at=occurred,
                recorded_at=now,
                heading=heading,
                body_offset=piece.body_offset,
                gap=text[end : piece.start_char],
                start_char=piece.start_char,
                end_char=piece.end_char,
                start_line=piece.start_line,
                end_line=piece.end_line,
                place=piece.place,
                defines=piece.defines,
                tags=document.tags,
            )
        )
        end = max(end, piece.end_char)
    return chunks


def file_fields(body: str, heading: str, *, name: str, words: NoteWords) -> KeywordFields:
    """Return the keyword entry of a chunk of a file or text; a note is found by its names too.

    Words of links count twice: once, they would come after texts that hold half of a question.
    """
    title = f"{heading}\n{words.names}" if words.names else heading
    links = f"{words.links}\n{words.links}" if words.links else ""
    return keyword_fields(body, title=title, neighbours=links, name=name)


def file_name(document: Document) -> str:
    """Return the name of a file, which finds its chunks too; empty for a text."""
    return _last_part(document.file_path or "")


def _last_part(path: str) -> str:
    return path.rpartition("/")[2]


def texts_to_embed(chunks: Iterable[NewChunk]) -> dict[bytes, str]:
    """Return the texts of these chunks as embedded, by content hash."""
    return {
        chunk.hash: embedded_text(chunk.heading, chunk.text[chunk.body_offset :])
        for chunk in chunks
    }


def stored_fields(storage: Storage, chunk_ids: Sequence[int]) -> dict[int, KeywordFields]:
    """Return the keyword entries that stored chunks need, by chunk id."""
    rows = storage.chunk_rows(chunk_ids)
    turns = [int(row.owner_id) for row in rows.values() if row.source == "turn"]
    context = turn_keyword_contexts(storage.database, turns) if turns else {}
    files = {row.owner_id for row in rows.values() if row.path is not None}
    notes = note_words(storage.database, files)
    linked = [
        key for key, row in rows.items() if row.path and notes.get(row.owner_id, NO_WORDS).links
    ]
    first = first_chunks(storage.database, linked) if linked else frozenset()
    return {
        chunk_id: _fields(
            row,
            context.get(int(row.owner_id)) if row.source == "turn" else None,
            _words(notes.get(row.owner_id, NO_WORDS), is_first=chunk_id in first)
            if row.path is not None
            else NO_WORDS,
        )
        for chunk_id, row in rows.items()
    }


def _words(words: NoteWords, *, is_first: bool) -> NoteWords:
    """Return the words for a chunk: those of links find the beginning of a note."""
    return words if is_first else words._replace(links="")


def _fields(row: ChunkRow, context: TurnKeywordContext | None, words: NoteWords) -> KeywordFields:
    body, name = row.text[row.body_offset :], _last_part(row.path or "")
    if context is None:
        return file_fields(body, row.heading, name=name, words=words)
    # Where a turn is several chunks, the first has the words of the previous turns.
    neighbours = "" if row.start_char else context.neighbours
    return keyword_fields(
        searched(body, context.speaker), title=row.heading, neighbours=neighbours, name=name
    )


def stored_texts(storage: Storage, chunk_ids: Sequence[int]) -> dict[int, tuple[bytes, str]]:
    """Return the content hash and the text as embedded of stored chunks, by chunk id."""
    texts = {
        chunk_id: embedded_text(row.heading, row.text[row.body_offset :])
        for chunk_id, row in storage.chunk_rows(chunk_ids).items()
    }
    return {chunk_id: (content_hash(text), text) for chunk_id, text in texts.items()}
