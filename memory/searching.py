"""Answers a query: embeds it, searches, and says how far the answer can be trusted."""

import time
from pathlib import Path
from typing import NamedTuple

from contracts import ChunkRow, ConfigError, IncompatibleError, QueryVector, UnavailableError
from memory.citations import cite_lines, cite_text
from memory.config import SearchConfig
from memory.embedding import Embedder
from memory.meta import LAST_SYNC, VECTORS_MISSING, read_meta, unindexed
from memory.results import Duplicate, Freshness, Neighbour, SearchResponse, SearchResult
from memory.storage import Neighbours, Space
from memory.workspace import Workspace
from search import (
    HybridSearch,
    QueryAnalysis,
    RankedHit,
    Ranking,
    SearchOptions,
    TimeDecay,
    analyse,
)

_ALONE = Neighbours([], [])


def default_options(config: SearchConfig) -> SearchOptions:
    """The options that a configuration stands for."""
    decay = config.time_decay
    return SearchOptions(
        mode="hybrid" if config.hybrid_enabled else "keyword",
        max_results=config.max_results,
        min_score=config.min_score,
        vector_weight=None if config.vector_weight == "auto" else config.vector_weight,
        keyword_weight=None if config.keyword_weight == "auto" else config.keyword_weight,
        fusion=config.fusion,
        fold=config.fold,
        mmr_lambda=config.mmr_lambda,
        decay=TimeDecay(decay.enabled, decay.half_life_days, decay.alpha, decay.sources),
        rerank=config.rerank.enabled,
        rerank_candidates=config.rerank.candidates,
        rerank_deadline_ms=config.rerank.deadline_ms,
    )


def search(
    workspace: Workspace, query: str, options: SearchOptions | None = None
) -> SearchResponse:
    """The best chunks for a query. No text of any kind makes this fail.

    When the embedding model cannot be used just now, the words alone answer and a warning says so.
    """
    started = time.perf_counter()
    options = options or default_options(workspace.config.search)
    analysis = analyse(query)
    active = workspace.storage.active_space()
    warnings = workspace.warnings_of(active)
    embedded = None
    if options.mode != "keyword":
        embedded = _embedded(workspace, active, analysis, warnings)
    ranking, beside = _rank(workspace, analysis, options, embedded)
    hits = ranking.hits
    if options.rerank:
        hits = _reranked(workspace, analysis, options, ranking, warnings)
    cwd = Path.cwd()
    results = [_result(hit, beside.get(hit.row.chunk_id, _ALONE), cwd=cwd) for hit in hits]
    return SearchResponse(
        results=results,
        query=query,
        total_results=len(results),
        search_time_ms=round((time.perf_counter() - started) * 1000, 3),
        mode_used=ranking.mode_used,
        warnings=[*warnings, *ranking.warnings],
        freshness=freshness(workspace),
        weak=ranking.weak,
    )


def _rank(
    workspace: Workspace,
    analysis: QueryAnalysis,
    options: SearchOptions,
    embedded: "_Embedded | None",
) -> tuple[Ranking, dict[int, Neighbours]]:
    """The ranking by the index as it is at one moment, however many reads that takes.

    With what stands beside its hits, if that is asked for.
    """
    with workspace.storage.database.snapshot():
        ranking = HybridSearch(workspace.candidates).search(
            analysis,
            options,
            query_vector=embedded.vector if embedded else None,
            model_weight=embedded.weight if embedded else 0.0,
            latin_only=embedded.latin_only if embedded else False,
            unrelated=embedded.unrelated if embedded else None,
        )
        if not options.neighbours:
            return ranking, {}
        ids = [hit.row.chunk_id for hit in ranking.hits]
        return ranking, workspace.storage.neighbours(ids, count=options.neighbours)


def _reranked(
    workspace: Workspace,
    analysis: QueryAnalysis,
    options: SearchOptions,
    ranking: Ranking,
    warnings: list[str],
) -> list[RankedHit]:
    """The hits in the reranker's order, or in their own with the reason among the warnings.

    The database is not held meanwhile. A command waits for the model, a server does not.
    """
    from search.rerank import passage, reranked, to_rerank

    asked = to_rerank(ranking.hits, most=options.rerank_candidates)
    hits = ranking.hits
    if asked:
        outcome = workspace.reranking.scores(
            analysis.plain,
            [passage(hit.row) for hit in asked],
            deadline_ms=options.rerank_deadline_ms,
            wait_for_model=not workspace.is_accelerated,
        )
        if outcome.warning:
            warnings.append(outcome.warning)
        if outcome.scores:
            ids = (hit.row.chunk_id for hit in asked)
            hits = reranked(hits, dict(zip(ids, outcome.scores, strict=True)))
    return hits[: options.max_results]


class _Embedded(NamedTuple):
    """A query as a vector, and what the model that made it is worth."""

    vector: QueryVector
    weight: float
    latin_only: bool
    unrelated: float | None


def _embedded(
    workspace: Workspace, active: Space | None, analysis: QueryAnalysis, warnings: list[str]
) -> _Embedded | None:
    """The query in the active space, or None with the reason among the warnings."""
    if read_meta(workspace.storage.database, VECTORS_MISSING):
        warnings.append(
            "some chunks have no vectors yet and are found by their words alone: sync again"
        )
    if active is None or not analysis:
        return None
    try:
        embedder = Embedder(workspace.storage, workspace.model_of(active).provider)
        embedder.checked(active)
        vector = embedder.query_vector(analysis.plain)
    except (ConfigError, UnavailableError, IncompatibleError) as error:
        warnings.append(f"answered by words alone, without the embedding model: {error}")
        return None
    if vector is None:
        return None
    card = embedder.card
    return _Embedded(vector, embedder.weight, card.latin_only, card.unrelated)


def _result(hit: RankedHit, beside: Neighbours, *, cwd: Path) -> SearchResult:
    row = hit.row
    return SearchResult(
        chunk_id=row.uid,
        source=row.source,
        citation=cite(row, cwd),
        text=row.text,
        heading=row.heading,
        score=round(hit.score, 6),
        file_id=row.owner_id if row.source in ("file", "text") else None,
        file_path=row.path,
        start_char=row.start_char,
        end_char=row.end_char,
        start_line=row.start_line,
        end_line=row.end_line,
        occurred_at=row.occurred_at,
        metadata=dict(row.metadata),
        explanation=hit.explanation.as_dict() if hit.explanation else None,
        duplicates=tuple(
            Duplicate(copy.uid, copy.source, cite(copy, cwd)) for copy in hit.duplicates
        ),
        before=tuple(_neighbour(chunk, cwd) for chunk in beside.before),
        after=tuple(_neighbour(chunk, cwd) for chunk in beside.after),
    )


def _neighbour(row: ChunkRow, cwd: Path) -> Neighbour:
    return Neighbour(
        chunk_id=row.uid,
        citation=cite(row, cwd),
        text=row.text,
        start_char=row.start_char,
        end_char=row.end_char,
        start_line=row.start_line,
        end_line=row.end_line,
    )


def cite(row: ChunkRow, cwd: Path) -> str:
    """The citation of a chunk."""
    if row.path is not None and row.start_line is not None and row.end_line is not None:
        return cite_lines(row.path, row.start_line, row.end_line, cwd=cwd)
    return cite_text(row.owner_id)


def freshness(workspace: Workspace) -> Freshness:
    """How well the index stands for the files it was made from."""
    counts = unindexed(workspace.storage.database)
    return Freshness(
        indexed_at=read_meta(workspace.storage.database, LAST_SYNC),
        pending=counts.get("pending", 0),
        failed=counts.get("failed", 0),
        skipped=counts.get("skipped", 0),
    )
