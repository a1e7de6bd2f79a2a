"""What all operations but a search answer with.

Apart from `memory.results`, so that a search in a new process does not pay for making them.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

from memory.results import Freshness
from memory.space_reports import SpaceStatus


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file that is not indexed in its present state.

    `state` is `failed` (could not be read; tried again at the next sync) or `skipped` (holds
    nothing to index; tried again when it changes).
    """

    path: str
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class EmbeddingCost:
    """What embedding some texts would take.

    `host` is where they would be sent, None when they stay on this machine. `tokens` are estimated,
    and so are `dollars` (US): 0 for a model of this machine, None when no price is known.
    """

    provider: str
    model: str | None
    host: str | None
    texts: int
    tokens: int
    dollars: float | None


@dataclass(frozen=True, slots=True)
class RefusedChunk:
    """A chunk without a vector because the embedding provider refuses its text.

    Its words find it. `path` is `text:ID` for an ingested text; lines count from 1.
    """

    path: str
    start_line: int | None
    end_line: int | None
    reason: str


@dataclass(slots=True)
class SyncStats:
    """What a sync did, counted in files unless the name says otherwise.

    `chunks` are new chunks, of which `embedded` were embedded and `cached` had a known vector;
    `refused` chunks have a text that the embedding provider will not take, and no vector. A dry run
    says in `cost` what embedding would take.
    """

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    renamed: int = 0
    deleted: int = 0
    failed: int = 0
    skipped: int = 0
    chunks: int = 0
    embedded: int = 0
    cached: int = 0
    refused: int = 0
    seconds: float = 0.0
    dry_run: bool = False
    cost: EmbeddingCost | None = None
    errors: list[FileProblem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SyncProgress:
    """How far a sync is: files and bytes done of those that need work, and chunks written.

    `renewing`: the keyword entries of what is unchanged are made anew, since a program that made
    others has written them.
    """

    files_done: int
    files_total: int
    bytes_done: int
    bytes_total: int
    chunks: int
    step: Literal["indexing", "renewing"] = "indexing"


@dataclass(frozen=True, slots=True)
class FileIngest:
    """The ids of the files of a path, how many were new, and those that could not be indexed.

    `refused` new chunks have a text that the embedding provider will not take. `warnings` say why
    chunks have no vector.
    """

    file_ids: list[str]
    added: int
    failed: list[FileProblem]
    refused: int
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class Root:
    """A folder or file that a sync looks at; `origin` is `configured` or `remembered`."""

    path: str
    origin: str
    exists: bool


@dataclass(frozen=True, slots=True)
class DroppedRoot:
    """A forgotten root, how many files of the index lay below no other one, and their fate."""

    path: str
    files: int
    files_removed: bool


@dataclass(frozen=True, slots=True)
class IngestResult:
    """An ingested text: its id and how many chunks it has.

    `refused` of those that are new are not taken by the embedding provider. `warnings` say why
    chunks have no vector.
    """

    id: str
    chunks: int
    refused: int
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class FileContent:
    """Indexed text of a file, whole or some lines of it (counted from 1, both ends included).

    `stale` is true when the file on disk is no longer the one that was indexed.
    """

    id: str
    path: str | None
    text: str
    start_line: int
    end_line: int
    total_lines: int
    stale: bool
    metadata: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Record:
    """A file or text as the record lists show it."""

    id: str
    source: str
    path: str | None
    state: str
    reason: str | None
    size_bytes: int
    chunks: int
    tags: list[str]
    metadata: dict[str, Any]
    created_at: str
    updated_at: str
    modified_at: str


@dataclass(frozen=True, slots=True)
class RecordPage:
    """Some records in the order of their paths; `next_cursor` continues the list, if it goes on."""

    records: list[Record]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """The embedding model that answers vector queries, and whether it is the configured one.

    `measured_weight` is the share of its vectors in a hybrid score that was measured on this
    database's chunks; None when the model is known, or has not been measured yet.
    """

    provider: str
    model: str
    revision: str
    dimensions: int
    configured: bool
    measured_weight: float | None


@dataclass(frozen=True, slots=True)
class VectorIndexStatus:
    """What answers vector queries in this process, and how many vectors it holds.

    `reason` says why it is SQLite's scan and not FAISS in memory, which only a server has.
    """

    kind: Literal["faiss", "sqlite"]
    vectors: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class KeywordIndexStatus:
    """What ranks by words in this process, and how many chunks it holds.

    `size_bytes` is the memory it takes; `reason` says why it is SQLite's FTS5 and not an index in
    memory, which only a server has. Of the `words` that are in memory, of which there may be
    `most_bytes`, the frequent ones are read ahead, `is_reading_ahead` while that goes on; a word
    that is not there is read when it is asked for. `is_full`: there was no room for another.
    """

    kind: Literal["memory", "sqlite"]
    chunks: int
    size_bytes: int
    reason: str | None
    words: int = 0
    most_bytes: int = 0
    is_reading_ahead: bool = False
    is_full: bool = False


@dataclass(frozen=True, slots=True)
class RerankerStatus:
    """What this process has of the reranker: `off` when the configuration does not ask for one.

    `idle`: nothing has asked for it yet. `reason` says why it is so, where that helps.
    """

    state: Literal["off", "idle", "loading", "ready", "failed"]
    model: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class QueryCacheStatus:
    """How often this process could answer with what it had answered before, and what that takes.

    `hit_rate` is the share of `hits` among `hits` and `misses`, in [0, 1]; `answers` and
    `size_bytes` are what is kept now, out of date or not.
    """

    hits: int
    misses: int
    hit_rate: float
    answers: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class HitCount:
    """How many vectors were known already, how many had to be computed, and the share of the first.

    Counted over the life of the database, for models that take longer than reading a row.
    """

    hits: int
    misses: int
    hit_rate: float


@dataclass(frozen=True, slots=True)
class EmbeddingCacheStatus:
    """The kept embeddings: their number, the bytes they take, and those they may take.

    A text of a document counts as a hit also where another chunk has its vector.
    """

    entries: int
    size_bytes: int
    most_bytes: int
    documents: HitCount
    queries: HitCount


@dataclass(frozen=True, slots=True)
class QueriesWithoutVectors:
    """Queries that words alone answered because the embedding model could not be used.

    `number` is over the life of the database, `last_at` (ISO 8601 UTC) and `last_reason` are of the
    last one. A server leaves a remote model that failed alone; `asked_again_in_s` says for how
    long, None when it does not.
    """

    number: int
    last_at: str | None
    last_reason: str | None
    asked_again_in_s: float | None


@dataclass(frozen=True, slots=True)
class FallbackStatus:
    """The configured fallback provider, and whether it could answer if the model cannot be used.

    `refused_because` says why not. `queries` it has answered over the life of the database, the
    last at `last_at` (ISO 8601 UTC).
    """

    provider: str
    stands_by: bool
    refused_because: str | None
    queries: int
    last_at: str | None


@dataclass(frozen=True, slots=True)
class MemoryStatus:
    """The state of a database. Sizes are bytes; counts of chunks by source, of files by state.

    `sync` and `reindex` name the process that is at it, None when there is none. `spaces` has those
    beside the one that answers, which `model` and `vectors` describe. `refused_chunks` have no
    vector because the model's provider refuses their text; `refused` lists the first of them.
    `query_cache` is None in a process that answers once.
    """

    database: str
    backend: str
    size_bytes: int
    chunks: dict[str, int]
    files: dict[str, int]
    vectors: int
    refused_chunks: int
    refused: list[RefusedChunk]
    vector_index: VectorIndexStatus
    keyword_index: KeywordIndexStatus
    reranker: RerankerStatus
    query_cache: QueryCacheStatus | None
    embedding_cache: EmbeddingCacheStatus
    queries_without_vectors: QueriesWithoutVectors
    fallback: FallbackStatus | None
    roots: list[str]
    model: ModelStatus | None
    freshness: Freshness
    sync: str | None
    reindex: str | None
    spaces: list[SpaceStatus]
    problems: list[FileProblem]
    warnings: list[str]
    config_path: str | None
