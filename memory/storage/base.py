"""What a storage backend is: a `Database` for the domain stores, a `Storage` for retrieval.

Domain stores write the SQL that SQLite and PostgreSQL share (named parameters, ON CONFLICT,
RETURNING, JSON as text, times as fixed-width ISO 8601 UTC text). A backend owns connections,
tables, migrations, the change log, and the two operations in which engines differ: keyword
candidates and vector candidates.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from contracts import CandidateIndex, ChunkRow, KeywordFields, Scope

if TYPE_CHECKING:
    from memory.storage.terms import KeywordStatistics

Row: TypeAlias = tuple[Any, ...]
Parameters: TypeAlias = Mapping[str, Any]
Revision: TypeAlias = tuple[int, str, str]
"""The number of the last change, what spaces there are, and the facts in `meta`."""

T = TypeVar("T")

SpaceState: TypeAlias = Literal["active", "filling", "retired"]

UID_BYTES = 8


def utc_text(moment: datetime) -> str:
    """Fixed-width ISO 8601 in UTC with milliseconds, as every time column holds it.

    Text of this form sorts as the times do. Naive times are taken as UTC.
    """
    aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return aware.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def utc_now() -> str:
    """The present moment as `utc_text`."""
    return utc_text(datetime.now(UTC))


def content_hash(text: str) -> bytes:
    """16 bytes of BLAKE2b over the text, lone surrogates included."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def chunk_uid(source: str, owner_id: str, content: bytes, occurrence: int) -> str:
    """The public id of a chunk: from its owner and content, never from its position.

    `content` is the chunk's `content_hash`; the n-th equal chunk of an owner has `occurrence` n,
    counted from 0.
    """
    seed = b"\0".join((source.encode(), owner_id.encode(), content, str(occurrence).encode()))
    return blake2b(seed, digest_size=UID_BYTES).hexdigest()


class Transaction(Protocol):
    """One open write transaction; committed when its block ends, rolled back when it raises."""

    def run(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        """Run one statement and return all its rows."""
        ...

    def run_many(self, sql: str, rows: Iterable[Parameters]) -> None:
        """Run one statement once per row."""
        ...


class Database(Protocol):
    """Connections to one database; safe to share between threads."""

    def read(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        """The rows of one reading statement; inside a transaction of this thread it sees it."""
        ...

    def snapshot(self) -> AbstractContextManager[None]:
        """Everything this thread reads within it is as of one moment, whoever writes meanwhile."""
        ...

    def transaction(self) -> AbstractContextManager[Transaction]:
        """A write transaction of this thread. Raises BusyError when another one lasts too long."""
        ...

    def close(self) -> None:
        """Close every connection; the object cannot be used afterwards."""
        ...


class NewChunk(NamedTuple):
    """A chunk to be stored. See `contracts.ChunkRow` for the columns that both have.

    `hash` is the `content_hash` of the text as embedded, `fields` what the keyword index gets,
    `gap` the whitespace between the previous chunk's end and this one's start, without which the
    owner's text could not be rebuilt.
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
    session_id: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] | None = None


class StoredVector(NamedTuple):
    """A normalised embedding as the vector table holds it.

    `v` is float16, little-endian, `q` the same vector in int8 on a scale that depends on its length
    alone, so that distances between codes are distances between vectors.
    """

    q: bytes
    v: bytes


class CodeBatch(NamedTuple):
    """Chunk ids in rising order and their int8 rows, one after the other in one block."""

    ids: Sequence[int]
    q: bytes


class Space(NamedTuple):
    """An embedding space: all that must be equal for two vectors to be comparable.

    `generation` is the fingerprint of the chunker whose chunks it holds and `chunking` that
    chunker's settings as JSON; `embedder` names the space without them and keys the cache.
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


class ChunkChanges(NamedTuple):
    """What replacing an owner's chunks did.

    `added` has the content hash of every new row by its id; the others count rows.
    """

    added: Mapping[int, bytes]
    kept: int
    removed: int


class Neighbours(NamedTuple):
    """The chunks beside one of the same record, in the order of its text."""

    before: list[ChunkRow]
    after: list[ChunkRow]


class Storage(CandidateIndex, Protocol):
    """Chunks, their keyword entries and vectors, spaces, the embedding cache and the change log."""

    @property
    def database(self) -> Database:
        """The connections that the domain stores share with this index."""
        ...

    def replace_chunks(
        self,
        tx: Transaction,
        source: str,
        owner_id: str,
        *,
        generation: str,
        chunks: Sequence[NewChunk],
    ) -> ChunkChanges:
        """Make `chunks` the owner's chunks of that generation, in this order.

        A chunk whose uid the owner already has keeps its row id and vectors; only its position and
        dates are rewritten. New rows are written before old ones go.
        """
        ...

    def rewrite_keywords(self, tx: Transaction, fields: Mapping[int, KeywordFields]) -> None:
        """Replace the keyword entries of these chunks; those deleted meanwhile get none."""
        ...

    def neighbours(self, chunk_ids: Sequence[int], *, count: int) -> dict[int, Neighbours]:
        """Up to `count` chunks before and after each of these, of the same record.

        A chunk that stands alone is missing.
        """
        ...

    def remove_owner(self, tx: Transaction, source: str, owner_id: str) -> int:
        """Remove an owner's chunks with all that is derived from them; how many there were."""
        ...

    def active_space(self) -> Space | None:
        """The space that answers vector queries; None before the first one was made."""
        ...

    def create_space(self, tx: Transaction, space: Space) -> Space:
        """Store a new space (its `id` is ignored) with an empty vector table."""
        ...

    def put_vectors(self, tx: Transaction, space: Space, rows: Mapping[int, StoredVector]) -> None:
        """Store vectors by chunk id, replacing what was there.

        Chunks deleted while their text was being embedded are passed over.
        """
        ...

    def chunks_without_vector(self, space: Space, *, after: int, limit: int) -> list[int]:
        """The first `limit` chunk ids past `after` of the space's generation without a vector."""
        ...

    def known_vectors(self, space: Space, hashes: Iterable[bytes]) -> dict[bytes, StoredVector]:
        """Document vectors already computed for these contents, from live chunks or the cache.

        Live chunks of every space of the same embedder count, whatever chunker made them.
        """
        ...

    def cache_vectors(
        self, tx: Transaction, space: Space, vectors: Mapping[bytes, StoredVector]
    ) -> None:
        """Keep document vectors in the embedding cache."""
        ...

    def chunks_by_source(self) -> dict[str, int]:
        """How many chunks each source has."""
        ...

    def count_vectors(self) -> int:
        """How many vectors the active space has; 0 without one."""
        ...

    def revision(self) -> Revision:
        """What changes with everything that a search could read: chunks, vectors, owners, spaces,
        and facts such as the measured weight of a model.

        Equal revisions mean equal answers, whoever wrote in between. Not to be asked for within a
        transaction, whose changes may never come to be.
        """
        ...

    def beside(self, read: Callable[[], T]) -> Callable[[], T]:
        """A function that gives what `read` reads from the snapshot that this thread is in.

        A large database is read by another thread at once, so that this one may go on; else it is
        read when the function is called, which it must be within the snapshot.
        """
        ...

    def sequence(self) -> int:
        """The number of the last change of any chunk or vector; rises with every one."""
        ...

    def changed_since(self, sequence: int) -> frozenset[int] | None:
        """The ids of chunks that changed, or whose vectors did, after that change.

        Deleted ones are among them. None when the change log no longer reaches back so far.
        """
        ...

    def keyword_statistics(self) -> "KeywordStatistics":
        """What the keyword index knows of words and lengths."""
        ...

    def chunk_ids(self, scope: Scope) -> str | None:
        """The ids of the chunks within a scope, in decimal, separated by blanks; None when all are.

        The engine can put such a text together without the interpreter.
        """
        ...

    def codes(self, space: Space, ids: Iterable[int] | None = None) -> Iterator[CodeBatch]:
        """The int8 rows of a space, some thousands at a time: those of these chunks, or all.

        Chunks without a vector are left out. Read it within a `snapshot`, or batches may be of
        different moments.
        """
        ...

    def trim_changes(self, tx: Transaction, *, keep: int) -> None:
        """Forget all but the newest `keep` entries of the change log."""
        ...

    def compact(self) -> None:
        """Put together what many small transactions left in parts, and give back free space.

        It is done in short transactions, between which others read and write.
        """
        ...

    def size_bytes(self) -> int:
        """Bytes that the database takes, its write-ahead log included."""
        ...

    def close(self) -> None:
        """Close the database."""
        ...
