"""The status of a database; it writes nothing and loads no model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from memory.conversations.capture.sources import read_sources
from memory.conversations.extraction_metrics import extraction_metrics
from memory.conversations.retention_status import read_retention
from memory.episodes.triples.store import TripleStore
from memory.files.roots import known_roots
from memory.files.watching.state import read_watcher
from memory.index.configuration_warnings import configuration_warnings
from memory.index.document_store import documents_of
from memory.index.embedding.embedder import measured_weight
from memory.index.embedding.fallback import read_fallback
from memory.index.embedding.model_choice import disagreement
from memory.index.embedding.refusals import count_refused, refused_chunks
from memory.index.missing_extras import missing_extras
from memory.index.spaces.listing import read_spaces
from memory.index.spaces.upgrade_state import read_upgrade
from memory.operations.jobs.job_status import read_jobs
from memory.operations.jobs.registry import VECTORS
from memory.records.distillation.cursor import distillation_status
from memory.retrieval.answers.caveats import freshness
from memory.retrieval.remote_queries import remote_queries_of
from memory.retrieval.reranking import Reranking
from memory.retrieval.server_caches import memory_index_of, server_caches_of
from memory.storage import Database
from memory.storage.counters import (
    QUERIES_BY_FALLBACK,
    QUERIES_EMBEDDED,
    QUERIES_KNOWN,
    QUERIES_WITHOUT_VECTORS,
    TEXTS_EMBEDDED,
    TEXTS_KNOWN,
    Count,
)
from memory.storage.durations import Histogram
from memory.storage.meta import LAST_GC, VECTORS_MISSING, read_meta
from memory.storage.process_locks import running_reindex, running_sync
from memory.values.reports import FileProblem
from memory.values.status_reports import (
    ConversationStatus,
    DayGrowth,
    EmbeddingCacheStatus,
    HitCount,
    JobStatus,
    KeywordIndexStatus,
    LegLatency,
    MemoryStatus,
    ModelStatus,
    QueriesWithoutVectors,
    RerankerStatus,
    Statistics,
    VectorIndexStatus,
    WatcherStatus,
)
from memory.workspace import Workspace

MOST_PROBLEMS = 100
"""The most problem files and refused chunks that a status lists; its counts include all."""

_SAID_SQL = "SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM turns)"
_MEMORIES_SQL = "SELECT layer, status, count(*) FROM memories GROUP BY layer, status"
_EPISODES_SQL = "SELECT count(*) FROM episodic_memory WHERE summary <> ''"

GROWTH_DAYS = 30
"""The most days of growth in the statistics; days without any are omitted."""

_GROWTH_SQL = """
SELECT substr(recorded_at, 1, 10) AS day, count(*), sum(length(text)) FROM chunks
GROUP BY day ORDER BY day DESC LIMIT :days
"""

_NO_SERVER = "this process is not a server"


def read_status(workspace: Workspace, *, statistics: bool = False) -> MemoryStatus:
    """Return counts, sizes, the model in use, and every file that is not indexed as it is.

    `statistics` are included on request; they read every chunk.
    """
    storage = workspace.storage
    sizes = storage.sizes()
    active = storage.active_space()
    vectors = storage.count_vectors()
    tallies = workspace.counters.read()
    kept = server_caches_of(workspace)
    problems = documents_of(workspace).problems(limit=MOST_PROBLEMS)
    jobs = read_jobs(workspace)
    return MemoryStatus(
        database=workspace.loaded.database_name,
        is_own=workspace.loaded.other_database is None,
        backend=workspace.config.backend,
        size_bytes=sizes.whole,
        log_bytes=sizes.log,
        free_bytes=sizes.free,
        chunks=storage.chunks_by_source(),
        files=documents_of(workspace).counts(),
        vectors=vectors,
        refused_chunks=count_refused(storage.database, active) if active else 0,
        refused=refused_chunks(storage.database, active, limit=MOST_PROBLEMS) if active else [],
        vector_index=_vector_index(workspace, vectors),
        keyword_index=_keyword_index(workspace),
        reranker=_reranker(workspace),
        query_cache=kept.answers.status() if kept else None,
        embedding_cache=_embedding_cache(workspace, tallies),
        queries_without_vectors=_without_vectors(workspace, tallies),
        fallback=read_fallback(workspace, tallies.get(QUERIES_BY_FALLBACK, Count())),
        roots=[str(root) for root in known_roots(workspace)],
        model=_model(workspace),
        freshness=freshness(workspace),
        sync=running_sync(storage.database, workspace.path),
        reindex=running_reindex(storage.database, workspace.path),
        watcher=_watcher(workspace, jobs),
        spaces=[space for space in read_spaces(workspace) if space.state != "active"],
        problems=[FileProblem(item.path, item.state, item.reason or "") for item in problems],
        errors=missing_extras(workspace),
        warnings=configuration_warnings(workspace),
        config_path=str(workspace.loaded.path) if workspace.loaded.path else None,
        conversations=_conversations(storage.database),
        extraction=extraction_metrics(workspace),
        distillation=distillation_status(storage.database),
        retention=read_retention(workspace),
        chats=read_sources(workspace),
        jobs=jobs,
        upgrade=read_upgrade(workspace),
        server=storage.server_status(),
        statistics=_statistics(workspace) if statistics else None,
    )


def _watcher(workspace: Workspace, jobs: Sequence[JobStatus]) -> WatcherStatus | None:
    """The watcher; for whom vectors are missing that cannot be had, that is its trouble, too."""
    watcher = read_watcher(workspace)
    if watcher is None or watcher.last_error is not None:
        return watcher
    vectors = next(job for job in jobs if job.name == VECTORS.name)
    if vectors.outcome != "failed" or not read_meta(workspace.storage.database, VECTORS_MISSING):
        return watcher
    return replace(watcher, last_error=vectors.message, last_error_at=vectors.last_at)


def _conversations(database: Database) -> ConversationStatus:
    counts = dict.fromkeys(("mid", "long", "archived", "deleted"), 0)
    for layer, status, number in database.read(_MEMORIES_SQL):
        counts[layer if status == "active" else status] += number
    ((sessions, turns),) = database.read(_SAID_SQL)
    last = read_meta(database, LAST_GC)
    ((episodes,),) = database.read(_EPISODES_SQL)
    return ConversationStatus(
        sessions,
        turns,
        counts,
        last["at"] if last else None,
        int(episodes),
        *TripleStore(database).counts(),
    )


def _model(workspace: Workspace) -> ModelStatus | None:
    active = workspace.storage.active_space()
    if active is None:
        return None
    measured = measured_weight(workspace.storage.database, active.embedder)
    return ModelStatus(
        provider=active.provider,
        model=active.model,
        revision=active.revision,
        dimensions=active.dimensions,
        configured=disagreement(active, workspace.config.embeddings) is None,
        measured_weight=measured.weight if measured else None,
    )


def _without_vectors(workspace: Workspace, tallies: Mapping[str, Count]) -> QueriesWithoutVectors:
    tally = tallies.get(QUERIES_WITHOUT_VECTORS, Count())
    active = workspace.storage.active_space()
    left_s = remote_queries_of(workspace).outage(active).left_s() if active else None
    return QueriesWithoutVectors(tally.number, tally.noted_at, tally.reason, left_s)


def _embedding_cache(workspace: Workspace, tallies: Mapping[str, Count]) -> EmbeddingCacheStatus:
    size = workspace.storage.cache.size()
    return EmbeddingCacheStatus(
        entries=size.entries,
        size_bytes=size.size_bytes,
        most_bytes=workspace.config.embeddings.cache_bytes,
        documents=_hits(tallies, TEXTS_KNOWN, TEXTS_EMBEDDED),
        queries=_hits(tallies, QUERIES_KNOWN, QUERIES_EMBEDDED),
    )


def _hits(tallies: Mapping[str, Count], known: str, computed: str) -> HitCount:
    hits, misses = (tallies.get(name, Count()).number for name in (known, computed))
    return HitCount(hits, misses, round(hits / (hits + misses), 3) if hits else 0.0)


def _reranker(workspace: Workspace) -> RerankerStatus:
    """Return this process's reranker state; `off` unless a setting or a search asked for it."""
    rerank = workspace.config.search.rerank
    if reranking := workspace.find(Reranking):
        return reranking.status()
    return RerankerStatus("idle" if rerank.enabled else "off", rerank.model)


def _vector_index(workspace: Workspace, vectors: int) -> VectorIndexStatus:
    index = memory_index_of(workspace)
    if index is None:
        return VectorIndexStatus(workspace.storage.engine, vectors, _NO_SERVER)
    return index.vectors.status()


def _keyword_index(workspace: Workspace) -> KeywordIndexStatus:
    index = memory_index_of(workspace)
    if index is None:
        return KeywordIndexStatus(
            workspace.storage.engine, workspace.storage.count_chunks(), 0, _NO_SERVER
        )
    return index.keywords.status()


def read_latencies(workspace: Workspace) -> list[LegLatency]:
    """Return how long each part of a search takes in this server; nothing in other processes."""
    kept = server_caches_of(workspace)
    durations = kept.durations.read() if kept else {}
    return [_latency(leg, histogram) for leg, histogram in durations.items()]


def _statistics(workspace: Workspace) -> Statistics:
    growth = workspace.storage.database.read(_GROWTH_SQL, {"days": GROWTH_DAYS})
    return Statistics(
        latencies=read_latencies(workspace),
        growth=[DayGrowth(*row) for row in growth],
    )


def _latency(leg: str, histogram: Histogram) -> LegLatency:
    shares = (0.5, 0.95, 0.99)
    percentiles = (round(histogram.percentile_ms(share), 3) for share in shares)
    return LegLatency(leg, histogram.number, round(histogram.mean_ms, 3), *percentiles)
