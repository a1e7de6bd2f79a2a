"""The making of a file's chunks without the database: in this process, or in a worker."""

from dataclasses import replace
from hashlib import blake2b

from contracts.named_tuple import NamedTuple
from ingest import (
    ChunkSettings,
    LoadedText,
    LoadLimits,
    SkippedFile,
    chunk,
    layout_of,
    load_bytes,
    read_bytes,
)
from memory.index.documents import Document, document_chunks
from memory.storage import NewChunk


class PreparedDocument(NamedTuple):
    """A document with its chunks, and the text that they were cut from."""

    document: Document
    chunks: list[NewChunk]
    loaded: LoadedText


class PrepareSettings(NamedTuple):
    """Settings for reading and cutting files; `generation` is the fingerprint of the chunks."""

    max_size_bytes: int
    limits: LoadLimits
    chunking: ChunkSettings
    generation: str


def bytes_hash(data: bytes) -> str:
    """Return BLAKE2b over a file's bytes, 32 hexadecimal digits."""
    return blake2b(data, digest_size=16).hexdigest()


def cut(
    document: Document, loaded: LoadedText, chunking: ChunkSettings, *, generation: str
) -> tuple[Document, list[NewChunk]]:
    """Return the document with the row values that its chunks determine, and these chunks."""
    pieces = chunk(loaded, chunking)
    end = max((piece.end_char for piece in pieces), default=0)
    layout = layout_of(loaded, document.path)
    whole = replace(
        document,
        generation=generation,
        tail=loaded.text[end:],
        layout=layout,
        note=loaded.note,
    )
    return whole, document_chunks(whole, loaded.text, pieces)


def prepare_bytes(
    data: bytes, document: Document, how: PrepareSettings
) -> PreparedDocument | SkippedFile:
    """Return the chunks of a file with these bytes, of a format that may be loaded in this
    process.
    """
    loaded = load_bytes(data, document.path, limits=how.limits)
    return loaded if isinstance(loaded, SkippedFile) else _prepared(data, document, loaded, how)


def prepare_file(
    path: str, document: Document, how: PrepareSettings
) -> PreparedDocument | SkippedFile:
    """Return the chunks of a file of any format; only for a worker, which enforces the limits."""
    from ingest.workers import load_within

    data = read_bytes(path, max_size_bytes=how.max_size_bytes, follow_links=False)
    if isinstance(data, SkippedFile):
        return data
    loaded = load_within(data, path, how.limits)
    return loaded if isinstance(loaded, SkippedFile) else _prepared(data, document, loaded, how)


def warm_up(_path: str) -> None:
    """Do nothing, in a worker that is started ahead: loading this module is what takes long."""


def _prepared(
    data: bytes, document: Document, loaded: LoadedText, how: PrepareSettings
) -> PreparedDocument:
    read = replace(document, hash=bytes_hash(data))
    whole, chunks = cut(read, loaded, how.chunking, generation=how.generation)
    return PreparedDocument(whole, chunks, loaded)
