"""Values that cross the border of storage, and the rules for ids, hashes and times.

Named tuples, since every search of a new process loads them.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

from contracts import ChunkRow, KeywordFields, StorageError
from contracts.named_tuple import NamedTuple

try:  # the same function, without OpenSSL, which `hashlib` loads in 2 ms and a search never uses
    from _blake2 import blake2b
except ImportError:  # another interpreter than CPython
    from hashlib import blake2b

Row: TypeAlias = tuple[Any, ...]
Parameters: TypeAlias = Mapping[str, Any]
Revision: TypeAlias = tuple[int, str, str]
"""The number of the last change, the spaces, and the facts in `meta`."""

SpaceState: TypeAlias = Literal["active", "filling", "retired"]
"""States of a space: answers queries; is being filled; was active and is kept for a return."""

UID_BYTES = 8


_decode = json.JSONDecoder().raw_decode
"""As `json.loads`, in half the time; a search reads some hundred rows."""


def read_json(text: str) -> Any:
    """Return a stored value. Raises StorageError when it is damaged."""
    try:
        value, end = _decode(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise _damaged(str(error)) from error
    if end != len(text):
        raise _damaged(f"text after its end, at character {end}")
    return value


def read_list(text: str) -> tuple[Any, ...]:
    """Return a stored list. Raises StorageError when it is damaged."""
    value = read_json(text)
    if not isinstance(value, list):
        raise _damaged("it is not a list")
    return tuple(value)


def read_object(text: str) -> dict[str, Any]:
    """Return a stored object. Raises StorageError when it is damaged."""
    value = read_json(text)
    if not isinstance(value, dict):
        raise _damaged("it is not an object")
    return value


def _damaged(why: str) -> StorageError:
    return StorageError(
        f"the database holds a damaged value: {why}",
        hint="put a backup back with `mem restore FILE`, or see what `mem doctor` finds",
    )


def utc_text(moment: datetime) -> str:
    """Format a time as fixed-width ISO 8601 in UTC with milliseconds, as in every time column.

    Text of this form sorts like the times. Naive times are taken as UTC.
    """
    aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return aware.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def utc_now() -> str:
    """Return the current time as `utc_text`."""
    return utc_text(datetime.now(UTC))


def digest_of(data: bytes, *, size_bytes: int) -> bytes:
    """Return a BLAKE2b digest of that length."""
    return blake2b(data, digest_size=size_bytes).digest()


def content_hash(text: str) -> bytes:
    """Return 16 bytes of BLAKE2b over the text, lone surrogates included."""
    return digest_of(text.encode("utf-8", "surrogatepass"), size_bytes=16)


def chunk_uid(source: str, owner_id: str, content: bytes, occurrence: int) -> str:
    """Return the public id of a chunk: from its owner and content, never from its position.

    `content` is the chunk's `content_hash`; the n-th equal chunk of an owner has `occurrence` n,
    counted from 0.
    """
    seed = b"\0".join((source.encode(), owner_id.encode(), content, str(occurrence).encode()))
    return digest_of(seed, size_bytes=UID_BYTES).hex()


CHANGES_KEPT = 10_000
"""Entries of the change log kept after a sync; an index derived before them is rebuilt."""


class NewChunk(NamedTuple):
    """A chunk to be stored. See `contracts.ChunkRow` for the columns that both have.

    `hash` is the `content_hash` of the text as embedded, `fields` the input of the keyword index,
    `gap` the whitespace between the previous chunk's end and this one's start, needed to rebuild
    the owner's text. `hidden_from` is the time from which no search finds it; None: all find it.
    `defines` are the qualified names of the definitions that begin in it.
    """

    uid: str
    text: str
    hash: bytes
    fields: KeywordFields
    occurred_at: str
    recorded_at: str
    heading: str = ""
    body_offset: int = 0
    gap: str = ""
    start_char: int | None = None
    end_char: int | None = None
    start_line: int | None = None
    end_line: int | None = None
    place: str | None = None
    session_id: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] | None = None
    hidden_from: str | None = None
    defines: tuple[str, ...] = ()


class StoredVector(NamedTuple):
    """A normalised embedding, rounded to steps of a power of two.

    `v` is float16, little-endian, `q` the same vector in int8 on a scale that depends on its length
    alone, so that distances between codes are distances between vectors.
    """

    q: bytes
    v: bytes


class CodeBatch(NamedTuple):
    """Chunk ids in rising order and their vectors.

    `q` are the int8 rows, one after the other in one block, `rests` in the same way what they
    leave, and `large` what is beyond the codes, by id: see `memory.storage.portable.vector_steps`.
    """

    ids: Sequence[int]
    q: bytes
    rests: bytes
    large: Mapping[int, bytes]


class Space(NamedTuple):
    """An embedding space: everything that must be equal for two vectors to be comparable.

    `generation` is the fingerprint of the chunker whose chunks it holds and `chunking` that
    chunker's settings as JSON; `embedder` names the space without them and is the cache key.
    `request` is the model as it was requested, as JSON; None for spaces of older programs.
    """

    id: int
    provider: str
    model: str
    revision: str
    dimensions: int
    embedder: str
    generation: str
    chunking: str
    state: SpaceState
    request: str | None = None


class SpaceSize(NamedTuple):
    """The number of chunks a space covers, and the number of them with a vector in it."""

    chunks: int
    vectors: int


class StorageSize(NamedTuple):
    """The bytes that a database takes in all, those of the write-ahead log, and free ones."""

    whole: int
    log: int
    free: int


class ChunkChanges(NamedTuple):
    """The result of replacing an owner's chunks.

    `added` has the content hash of every new row by its id; the others count rows.
    """

    added: Mapping[int, bytes]
    kept: int
    removed: int


RecordEvent: TypeAlias = Literal["added", "changed", "removed"]
"""A record can be found from now on, is found otherwise, or can no longer be found."""


class RecordChange(NamedTuple):
    """An entry of the log of changes of records: the record has the chunks of this owner."""

    seq: int
    at: str
    event: RecordEvent
    source: str
    owner_id: str


class RecordChanges(NamedTuple):
    """Entries of that log in their order, and the number of the newest one ever written.

    `missing`: entries before these are no longer kept.
    """

    changes: list[RecordChange]
    newest: int
    missing: bool


class Neighbours(NamedTuple):
    """The chunks beside one of the same record, in the order of its text."""

    before: list[ChunkRow]
    after: list[ChunkRow]


class CopiedTable(NamedTuple):
    """A table, its columns without computed ones, its primary key, and the columns of it that refer
    to rows of the same table.
    """

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    own_references: tuple[str, ...]
