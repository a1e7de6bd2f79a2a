"""The parts of the answer of `mem status` and GET /memory/status."""

from dataclasses import dataclass
from typing import Literal

from memory.storage.capabilities.server import DatabaseServerStatus
from memory.values.reports import FileProblem, RefusedChunk
from memory.values.results import Freshness
from memory.values.space_reports import SpaceStatus, UpgradeStatus


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
class ChatSourceStatus:
    """A watched place of an agent's transcripts, and what was captured there.

    `transcripts` were read, the last at `last_read_at` (ISO 8601 UTC), and gave `turns` new turns.
    `troubles` are what could not be read, with its place.
    """

    agent: str
    path: str
    tool_output: bool
    transcripts: int
    turns: int
    last_read_at: str | None
    troubles: list[str]


@dataclass(frozen=True, slots=True)
class VectorIndexStatus:
    """The index that answers vector queries in this process, and its number of vectors.

    `reason` says why it is SQLite's scan and not FAISS in memory, which only a server has.
    """

    kind: Literal["faiss", "postgres", "sqlite"]
    vectors: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class KeywordIndexStatus:
    """The index that answers keyword queries in this process, and its number of chunks.

    `size_bytes` is the memory it takes; `reason` says why it is SQLite's FTS5 and not an index in
    memory, which only a server has. `words` are in memory, limited to `most_bytes`; the frequent
    ones are read ahead (`is_reading_ahead` while that runs), any other word is read when it is
    first asked for. `is_full`: there was no room for another.
    """

    kind: Literal["memory", "postgres", "sqlite"]
    chunks: int
    size_bytes: int
    reason: str | None
    words: int = 0
    most_bytes: int = 0
    is_reading_ahead: bool = False
    is_full: bool = False


@dataclass(frozen=True, slots=True)
class RerankerStatus:
    """The state of the reranker in this process: `off` when the configuration does not ask for one.

    `idle`: nothing has asked for it yet. `reason` explains the state, where that helps.
    """

    state: Literal["off", "idle", "loading", "ready", "failed"]
    model: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class QueryCacheStatus:
    """Hits and misses of the query cache in this process, and its size.

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
    """The number of vectors that were known, of those that had to be computed, and the hit rate.

    Counted over the life of the database, for models that take longer than reading a row.
    """

    hits: int
    misses: int
    hit_rate: float


@dataclass(frozen=True, slots=True)
class EmbeddingCacheStatus:
    """The cached embeddings: their number, their bytes, and the most bytes they may take.

    A text of a document counts as a hit also where another chunk has its vector.
    """

    entries: int
    size_bytes: int
    most_bytes: int
    documents: HitCount
    queries: HitCount


@dataclass(frozen=True, slots=True)
class QueriesWithoutVectors:
    """Queries answered by keywords only because the embedding model could not be used.

    `number` is over the life of the database, `last_at` (ISO 8601 UTC) and `last_reason` are of the
    last one. A server pauses after a failure of a remote model; `asked_again_in_s` is the rest of
    that pause, None without one.
    """

    number: int
    last_at: str | None
    last_reason: str | None
    asked_again_in_s: float | None


@dataclass(frozen=True, slots=True)
class FallbackStatus:
    """The configured fallback provider, and whether it could answer if the model cannot be used.

    `refused_because` says why not. It has answered `queries` over the life of the database, the
    last at `last_at` (ISO 8601 UTC).
    """

    provider: str
    stands_by: bool
    refused_because: str | None
    queries: int
    last_at: str | None


@dataclass(frozen=True, slots=True)
class WatcherStatus:
    """The process that follows changes of files, and its progress; times are ISO 8601 UTC.

    `syncing`: it is working on changes or on a complete scan. `waiting`: another sync is running.
    `not answering`: no heartbeat since `heartbeat`, though the process exists. `ended`: it was
    killed or has failed, and nobody follows changes now. `method` is `inotify`, `watchdog` or
    `polling`, `reason` says why it is not a better one. `queue` counts paths that wait to be looked
    at. `last_error` is the last failure, None after a success.
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
    """The time of a part of a search, in milliseconds, over `number` searches.

    `leg` is `embedding` (of the query), `keyword`, `identifier`, `vector`, `search` (all of it), or
    `cached` (an answer from the query cache). Counted by the process that is asked, a server or a
    program, since it started.
    """

    leg: str
    number: int
    mean_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float


@dataclass(frozen=True, slots=True)
class ExtractorMetrics:
    """The counts of one way of extraction over the life of the database.

    It read `turns`, repetitions after a failure included, of which `succeeded` gave a usable
    answer, and found `candidates`. `dropped` counts statements of a model that the turn does not
    support, `failures` the calls without an answer, `skipped` the turns that no model was asked
    about, each by reason. `success_rate` is None before the first turn; times are milliseconds.
    `last_error` stays after a success: compare `last_error_at` and `last_success_at` (ISO 8601
    UTC).
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
    """The extraction of memories from turns: by rules (`heuristic`) and by a language model
    (`llm`).

    `model` is the configured one with its host, None when none is configured or none may be used.
    `waiting` turns have yet to be read, by rules or by a model; `given_up` are those that the model
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
    """Chunks that were stored on a day (UTC) and still exist, and the characters in them."""

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
    """Data kept for a limited time: turns of sessions without long-term memory, and actions.

    `sessions` counts those sessions, `due` their turns of more than `session_hours`, which are
    removed next; actions are removed after `log_days`. `last_*` describe the removal at `last_at`
    (ISO 8601 UTC), or why it failed.
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
class JobStatus:
    """A kind of background work, its last run in whatever process, and its next; times are ISO
    8601 UTC.

    `does` and `when` say in words what it is. `state`: `running`, by the process `holder`;
    `failed`, as the last run did; else `waiting`. The last run ended at `last_at` after
    `last_seconds`, with the `outcome` that `message` and `hint` explain; None before the first.
    `skipped`: the process that answers tried to run it, and another process was at it. `next_at` is
    None for work without a period, unless it failed.
    """

    name: str
    state: Literal["running", "waiting", "failed"]
    does: str
    when: str
    holder: str | None
    outcome: Literal["ok", "failed", "skipped"] | None
    message: str | None
    hint: str | None
    last_at: str | None
    last_seconds: float | None
    next_at: str | None


@dataclass(frozen=True, slots=True)
class ConversationStatus:
    """Counts of sessions, turns and memories: active memories by their layer, `mid` and `long`,
    and `archived` and `deleted` ones. `last_gc` is the time of the last garbage collection.
    `episodes` and `triples` count those that are not forgotten, `current_triples` the facts that
    still hold.
    """

    sessions: int
    turns: int
    memories: dict[str, int]
    last_gc: str | None
    episodes: int = 0
    triples: int = 0
    current_triples: int = 0


@dataclass(frozen=True, slots=True)
class DistillationStatus:
    """Counts of distillation since the database began: turns read, and `skipped` as not worth it,
    records `written` by action, and what a language model claimed and no turn proves, `rejected`,
    by reason. `waiting` turns are still to be read. `taken_back` records were undone, since a later
    turn took back what they were made of.
    """

    turns: int
    skipped: int
    waiting: int
    written: dict[str, int]
    rejected: dict[str, int]
    taken_back: int = 0


@dataclass(frozen=True, slots=True)
class MemoryStatus:
    """The state of a database. Sizes are bytes; counts of chunks by source, of files by state.

    `sync` and `reindex` name the process that runs one, None without one; `watcher` is None when
    nobody follows changes of files and the last watcher ended normally. `spaces` are those beside
    the active one, which `model` and `vectors` describe; `upgrade` is None where no better model is
    to come. `refused_chunks` have no vector because the model's provider refuses their text;
    `refused` lists the first. `query_cache` is None in a
    process that answers once. `errors` name configured models whose extra is not installed, with
    the command that installs it. `is_own`: the database is the user's own, which every folder
    shares unless a configuration file names another. Of `size_bytes`, `log_bytes` are in the
    write-ahead log and `free_bytes` are unused. `server` is None where a file keeps the database.
    `statistics` are there when asked for.
    """

    database: str
    is_own: bool
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
    errors: list[str]
    warnings: list[str]
    config_path: str | None
    conversations: ConversationStatus
    extraction: ExtractionMetrics
    distillation: DistillationStatus
    retention: RetentionStatus
    chats: list[ChatSourceStatus]
    jobs: list[JobStatus]
    upgrade: UpgradeStatus | None = None
    server: DatabaseServerStatus | None = None
    statistics: Statistics | None = None
