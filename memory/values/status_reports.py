"""What `mem status` and GET /memory/status answer with, part by part."""

from dataclasses import dataclass
from typing import Literal

from memory.values.reports import FileProblem, RefusedChunk
from memory.values.results import Freshness
from memory.values.space_reports import SpaceStatus


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
class WatcherStatus:
    """The process that follows changes of files, and how far it is; times are ISO 8601 UTC.

    `syncing`: at work on changes or on a complete scan. `waiting`: another sync is at work.
    `not answering`: no sign of life since `heartbeat`, though the process is there. `ended`: it was
    killed or has failed, and nobody follows changes now. `method` is `inotify`, `watchdog` or
    `polling`, `reason` says why it is no better one. `queue` counts paths that wait to be looked
    at. `last_error` is what went wrong last, None once it goes well again.
    """

    state: Literal["watching", "syncing", "waiting", "not answering", "ended"]
    holder: str
    since: str
    heartbeat: str
    method: str | None
    reason: str | None
    folders: int
    queue: int
    last_event: str | None
    last_scan: str | None
    next_scan: str | None
    last_error: str | None
    last_error_at: str | None


@dataclass(frozen=True, slots=True)
class LegLatency:
    """How long a part of a search took, in milliseconds, over `number` searches.

    `leg` is `embedding` (of the query), `keyword`, `identifier`, `vector`, `search` (all of it), or
    `cached` (an answer that was given before). Counted by the process that is asked, a server or a
    program, since it began.
    """

    leg: str
    number: int
    mean_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float


@dataclass(frozen=True, slots=True)
class ExtractorMetrics:
    """How one way of extraction has done over the life of the database.

    `turns` it looked at, repetitions after a failure included, of which `succeeded` gave an answer
    that could be used, and found `candidates`. `dropped` counts what a model said and the turn did
    not, `failures` the calls without an answer, `skipped` the turns that no model was asked about,
    each by reason. `success_rate` is None before the first turn; times are milliseconds.
    `last_error` stays when it goes well again: `last_error_at` and `last_success_at` (ISO 8601 UTC)
    tell.
    """

    turns: int
    succeeded: int
    success_rate: float | None
    candidates: int
    dropped: dict[str, int]
    failures: dict[str, int]
    skipped: dict[str, int]
    mean_ms: float
    p50_ms: float
    p95_ms: float
    last_success_at: str | None
    last_error: str | None
    last_error_at: str | None


@dataclass(frozen=True, slots=True)
class ExtractionMetrics:
    """How memories are made of turns: by rules (`heuristic`) and by a language model (`llm`).

    `model` is the configured one with its host, None when none is, or none is to be used. `waiting`
    turns are yet to be looked at, by rules or by a model; `given_up` are those that the model
    failed on for good, whose memories are those of the rules.
    """

    mode: str
    model: str | None
    waiting: int
    given_up: int
    heuristic: ExtractorMetrics
    llm: ExtractorMetrics


@dataclass(frozen=True, slots=True)
class DayGrowth:
    """Chunks that were stored on a day (UTC) and are still there, and the characters in them."""

    day: str
    chunks: int
    chars: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Latencies by leg, and growth by day, the last day first."""

    latencies: list[LegLatency]
    growth: list[DayGrowth]


@dataclass(frozen=True, slots=True)
class RetentionStatus:
    """What is kept for a time only: turns of sessions that are not to outlive it, and actions.

    `sessions` counts those, `due` their turns of more than `session_hours`, which go next; actions
    go after `log_days`. `last_*` tell what went at `last_at` (ISO 8601 UTC), or why nothing did.
    """

    session_hours: int
    log_days: int
    sessions: int
    due: int
    last_at: str | None
    last_turns: int
    last_actions: int
    last_error: str | None


@dataclass(frozen=True, slots=True)
class ConversationStatus:
    """How much was said, and how many memories there are of it: active ones by their layer, `mid`
    and `long`, and `archived` and `deleted` ones. `last_gc` is when they were last cleaned up.
    """

    sessions: int
    turns: int
    memories: dict[str, int]
    last_gc: str | None


@dataclass(frozen=True, slots=True)
class MemoryStatus:
    """The state of a database. Sizes are bytes; counts of chunks by source, of files by state.

    `sync` and `reindex` name the process that is at it, None when there is none; `watcher` is None
    when nobody follows changes of files, and the last who did has ended as it was told. `spaces`
    are those beside the one that answers, which `model` and `vectors` describe. `refused_chunks`
    have no vector because the model's provider refuses their text; `refused` lists the first.
    `query_cache` is None in a process that answers once. Of `size_bytes`, `log_bytes` are in the
    write-ahead log and `free_bytes` hold nothing just now. `statistics` are there when asked for.
    """

    database: str
    backend: str
    size_bytes: int
    log_bytes: int
    free_bytes: int
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
    watcher: WatcherStatus | None
    spaces: list[SpaceStatus]
    problems: list[FileProblem]
    warnings: list[str]
    config_path: str | None
    conversations: ConversationStatus
    extraction: ExtractionMetrics
    retention: RetentionStatus
    statistics: Statistics | None = None
