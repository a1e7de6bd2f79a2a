"""Answers a query: embeds it, searches, and says how far the answer can be trusted."""

from copy import deepcopy
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from contracts import CandidateIndex, ChunkRow, InputError
from memory.config.settings import SearchConfig
from memory.index.disagreements import warnings_for
from memory.retrieval.acceleration import (
    acceleration_of,
    candidates_of,
    memory_index_of,
    with_configured_keywords,
)
from memory.retrieval.query_embedding import NO_EMBEDDING, QueryEmbedding, embed_query
from memory.storage import Neighbours, Space
from memory.storage.meta import LAST_SYNC, VECTORS_MISSING, read_meta, unindexed
from memory.values.citations import cite_lines, cite_memory, cite_text, cite_turn
from memory.values.results import (
    Duplicate,
    Findings,
    Freshness,
    Neighbour,
    SearchResponse,
    SearchResult,
)
from memory.workspace import Workspace
from search import (
    HybridSearch,
    QueryAnalysis,
    RankedHit,
    Ranking,
    SearchOptions,
    TimeDecay,
    analyse,
    in_turn,
)

if TYPE_CHECKING:
    from memory.retrieval.query_cache import Asked

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
    """The best chunks for a query. No text of any kind makes this fail; no text is an InputError.

    When the embedding model cannot be used just now, the words alone answer and a warning says so.
    """
    started = perf_counter()
    if not isinstance(query, str):
        raise InputError(f"the query is {query!r}", hint="give a str")
    if options is None:
        options = default_options(workspace.config.search)
    if not isinstance(options, SearchOptions):
        raise InputError(f"the options are {options!r}", hint="give SearchOptions, or None")
    kept = acceleration_of(workspace)
    asked = None if kept is None else kept.answers.ask(query, options)
    if asked is not None and kept is not None and kept.preload is not None:
        kept.preload.look(asked.revision[1])
    active = workspace.storage.active_space()
    if asked is not None and asked.known is not None:
        found, standing = asked.known, _standing(workspace, active, options)
    else:
        found, standing = _found(workspace, active, query, options, asked)
    if kept is not None:
        known = asked is not None and asked.known is not None
        kept.durations.note(_spent(found, started, known=known))
    ranking, cwd = found.ranking, Path.cwd()
    results = [
        _result(hit, found.neighbours.get(hit.row.chunk_id, _ALONE), cwd=cwd)
        for hit in ranking.hits
    ]
    return SearchResponse(
        results=results,
        query=query,
        total_results=len(results),
        search_time_ms=round((perf_counter() - started) * 1000, 3),
        mode_used=ranking.mode_used,
        warnings=[*standing.warnings, *ranking.warnings],
        freshness=standing.freshness,
        weak=ranking.weak,
        cached=asked is not None and asked.known is not None,
    )


def _spent(found: Findings, started: float, *, known: bool) -> list[tuple[str, float]]:
    """What each part of a search took, in seconds."""
    whole = perf_counter() - started
    return [("cached", whole)] if known else [*found.ranking.spent, ("search", whole)]


class _Standing(NamedTuple):
    """What qualifies every answer of one moment, whatever was asked."""

    warnings: list[str]
    freshness: Freshness


def _standing(workspace: Workspace, active: Space | None, options: SearchOptions) -> _Standing:
    with workspace.storage.database.snapshot():
        warnings = warnings_for(workspace, active)
        if options.mode != "keyword" and read_meta(workspace.storage.database, VECTORS_MISSING):
            warnings.append(
                "some chunks have no vectors yet and are found by their words alone: sync again"
            )
        return _Standing(warnings, freshness(workspace))


def _found(
    workspace: Workspace,
    active: Space | None,
    query: str,
    options: SearchOptions,
    asked: "Asked | None",
) -> tuple[Findings, _Standing]:
    """What the index has at one moment, however many reads that takes, reranked; and what qualifies
    it at that moment.

    A reranked answer is judged by the hit that then is the first. An answer is remembered if it
    stays true for as long as the database does: unless a model failed, or time alone may change it.
    """
    analysis, embedding = analyse(query), 0.0
    while True:
        embedded = NO_EMBEDDING
        if options.mode != "keyword" and active is not None and analysis:
            began = perf_counter()
            embedded = embed_query(workspace, active, analysis.plain)
            embedding = perf_counter() - began
        with workspace.storage.database.snapshot():
            now = workspace.storage.active_space()
            # A vector is worth nothing among those of another space, which may answer by now.
            stayed = now == active or options.mode == "keyword"
            if stayed and embedded.is_there(workspace.storage):
                ranking, neighbours = _ranked(workspace, analysis, options, embedded)
                lasting = asked is not None and asked.is_of_now()
                standing = _standing(workspace, now, options)
                break
        active = now
    failures = [embedded.failure] if embedded.failure else []
    if options.rerank:
        ranking = ranking._replace(hits=_reranked(workspace, options, ranking, failures))
        with workspace.storage.database.snapshot():
            ranking = HybridSearch(candidates_of(workspace)).judged(ranking)
            lasting = asked is not None and asked.is_of_now()
    if failures:
        ranking = ranking._replace(warnings=(*failures, *ranking.warnings))
    if embedding:
        ranking = ranking._replace(spent=(("embedding", embedding), *ranking.spent))
    found = Findings(ranking, _of_hits(neighbours, ranking.hits))
    if asked is not None and lasting and not failures and not ranking.fades:
        asked.remember(found)
    return found, standing


def _ranked(
    workspace: Workspace, analysis: QueryAnalysis, options: SearchOptions, embedded: QueryEmbedding
) -> tuple[Ranking, dict[int, Neighbours]]:
    """The hits with the chunks beside them, as of this thread's snapshot; judged unless their order
    is still to be changed.
    """
    # FAISS is done before a thread has begun.
    beside = workspace.storage.beside if memory_index_of(workspace) is None else in_turn
    candidates: CandidateIndex = candidates_of(workspace)
    if embedded.stand_in is not None:
        candidates = with_configured_keywords(
            workspace, workspace.storage.serving(embedded.stand_in)
        )
        beside = in_turn
    searched = HybridSearch(candidates, beside=beside)
    rank = searched.ranked if options.rerank else searched.search
    ranking = rank(analysis, options, embedded.meaning)
    ids = [hit.row.chunk_id for hit in ranking.hits] if options.neighbours else []
    neighbours = workspace.storage.neighbours(ids, count=options.neighbours) if ids else {}
    return ranking, neighbours


def _of_hits(neighbours: dict[int, Neighbours], hits: list[RankedHit]) -> dict[int, Neighbours]:
    """Without those of hits that the reranker put below the end of the answer."""
    ids = [hit.row.chunk_id for hit in hits]
    return {chunk_id: neighbours[chunk_id] for chunk_id in ids if chunk_id in neighbours}


def _reranked(
    workspace: Workspace, options: SearchOptions, ranking: Ranking, failures: list[str]
) -> list[RankedHit]:
    """The hits in the reranker's order, or in their own with the reason among the failures.

    The database is not held meanwhile. A command waits for the model, a server does not.
    """
    from memory.retrieval.reranking import reranking_of
    from search.ranking.rerank import passage, reranked, to_rerank

    asked = to_rerank(ranking.hits, most=options.rerank_candidates)
    hits = ranking.hits
    if asked:
        outcome = reranking_of(workspace).scores(
            ranking.analysis.plain,
            [passage(hit.row) for hit in asked],
            deadline_ms=options.rerank_deadline_ms,
            wait_for_model=memory_index_of(workspace) is None,
        )
        if outcome.warning:
            failures.append(outcome.warning)
        if outcome.scores:
            ids = (hit.row.chunk_id for hit in asked)
            hits = reranked(hits, dict(zip(ids, outcome.scores, strict=True)))
    return hits[: options.max_results]


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
        metadata=deepcopy(dict(row.metadata)),  # the row may answer again
        place=row.place,
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
        place=row.place,
        speaker=_speaker(row),
    )


def _speaker(row: ChunkRow) -> str | None:
    """Who said it, by name or else by role."""
    if row.source != "turn":
        return None
    return str(row.metadata.get("speaker") or row.metadata.get("role") or "user")


def cite(row: ChunkRow, cwd: Path) -> str:
    """The citation of a chunk."""
    if row.path is not None and row.start_line is not None and row.end_line is not None:
        return cite_lines(row.path, row.start_line, row.end_line, cwd=cwd, place=row.place)
    if row.source == "turn" and row.session_id is not None:
        return cite_turn(row.session_id, row.owner_id, row.occurred_at)
    return cite_memory(row.owner_id) if row.source == "memory" else cite_text(row.owner_id)


def freshness(workspace: Workspace) -> Freshness:
    """How well the index stands for the files it was made from."""
    counts = unindexed(workspace.storage.database)
    return Freshness(
        indexed_at=read_meta(workspace.storage.database, LAST_SYNC),
        pending=counts.get("pending", 0),
        failed=counts.get("failed", 0),
        skipped=counts.get("skipped", 0),
    )
