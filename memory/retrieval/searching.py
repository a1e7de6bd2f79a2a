"""The search: embed the query, search, rerank, and report how far the answer can be trusted."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from time import perf_counter
from typing import TYPE_CHECKING

from contracts import CandidateIndex, InputError, Scope
from contracts.named_tuple import NamedTuple
from memory.config.settings import SearchConfig
from memory.retrieval.answers.caveats import Caveats, caveats_of
from memory.retrieval.answers.results import results_of
from memory.retrieval.query_embedding import NO_EMBEDDING, QueryEmbedding, embed_query
from memory.retrieval.replica_reads import lag_warnings, read_from_any
from memory.retrieval.server_caches import (
    candidates_of,
    memory_index_of,
    server_caches_of,
    with_configured_keywords,
)
from memory.storage import Neighbours, Space, utc_text
from memory.values.results import Collection, Findings, Freshness, SearchResponse
from memory.values.text_checks import NAME_LIMIT, checked_text, query_text
from memory.workspace import Workspace
from search import (
    HybridSearch,
    QueryAnalysis,
    RankedHit,
    Ranking,
    SearchOptions,
    TimeDecay,
    analyse,
    run_inline,
)

if TYPE_CHECKING:
    from memory.retrieval.answers.conversation_order import ArrangedHit
    from memory.retrieval.query_cache import Lookup

_FOLDED = 2
"""The hits to look at for each result: a turn and a memory of it may be one."""

_COMPARED = 3
"""The fewest hits to find: the confidence in the first depends on the best of another record, which
is the third where a record has two.
"""


def default_options(config: SearchConfig) -> SearchOptions:
    """Return the options that a configuration sets."""
    decay = config.time_decay
    return SearchOptions(
        mode="hybrid" if config.hybrid_enabled else "keyword",
        max_results=config.max_results,
        min_score=config.min_score,
        vector_weight=None if config.vector_weight == "auto" else config.vector_weight,
        keyword_weight=None if config.keyword_weight == "auto" else config.keyword_weight,
        fusion=config.fusion,
        fold=config.fold,
        lowered_files=config.lowered_files,
        mmr_lambda=config.mmr_lambda,
        decay=TimeDecay(decay.enabled, decay.half_life_days, decay.alpha, decay.sources),
        rerank=config.rerank.enabled,
        rerank_candidates=config.rerank.candidates,
        rerank_deadline_ms=config.rerank.deadline_ms,
    )


class Answer(NamedTuple):
    """The hits of a search in their final order, and what applies to all of them.

    `arranged` are the same hits with what is known of the conversations that they are from; None in
    a database without memories.
    """

    hits: list[RankedHit]
    arranged: "list[ArrangedHit] | None"
    found: Findings
    warnings: list[str]
    freshness: Freshness
    is_known: bool
    collections: Sequence[Collection]

    @property
    def is_weak(self) -> bool:
        """Return whether no hit seems to answer the query, or there is none."""
        return self.found.ranking.weak


def search(
    workspace: Workspace, query: str, options: SearchOptions | None = None
) -> SearchResponse:
    """Return the best chunks for a query. Raises InputError only for invalid Unicode text.

    When the embedding model cannot be used, keyword search alone answers and a warning says so.
    """
    read = partial(_searched, workspace, query, options)
    found, lag = read_from_any(workspace.storage, read)
    if lag is None:
        return found
    fresh = replace(
        found.freshness,
        replica=lag.number,
        behind_s=lag.behind_s,
        behind_changes=lag.behind_changes,
    )
    return replace(found, freshness=fresh, warnings=[*found.warnings, *lag_warnings(lag)])


def search_current(
    workspace: Workspace, query: str, options: SearchOptions | None = None
) -> SearchResponse:
    """Return the same without replicas, which may lag: for a search that decides what is removed or
    listed.
    """
    return _searched(workspace, query, options)


def _searched(workspace: Workspace, query: str, options: SearchOptions | None) -> SearchResponse:
    started = perf_counter()
    answer = found_hits(workspace, query, options)
    results = results_of(
        workspace,
        answer.hits,
        answer.arranged,
        neighbours=answer.found.neighbours,
        collections=answer.collections,
    )
    named = {one.collection for one in results}
    return SearchResponse(
        results=results,
        query=query,
        total_results=len(results),
        search_time_ms=round((perf_counter() - started) * 1000, 3),
        mode_used=answer.found.ranking.mode_used,
        warnings=answer.warnings,
        freshness=answer.freshness,
        weak=answer.is_weak,
        cached=answer.is_known,
        database=workspace.loaded.other_database,
        collections=tuple(each for each in answer.collections if each.name in named),
    )


def found_hits(workspace: Workspace, query: str, options: SearchOptions | None = None) -> Answer:
    """Return the same as the stored chunks that were found, for a caller that shows them itself."""
    started = perf_counter()
    if not isinstance(query, str):
        raise InputError(f"the query is {query!r}", hint="give a str")
    query = query_text(query)
    if options is None:
        options = default_options(workspace.config.search)
    if not isinstance(options, SearchOptions):
        raise InputError(f"the options are {options!r}", hint="give SearchOptions, or None")
    _check_names(options.scope)
    kept = server_caches_of(workspace)
    with workspace.storage.database.snapshot():
        lookup = None if kept is None else kept.answers.ask(query, options)
        active = workspace.storage.active_space()
        known = None if lookup is None else lookup.known
        context = None
        if known is not None:
            caveats = caveats_of(workspace, active, options.mode)
            context = _context(workspace, caveats, known.ranking, options)
    if lookup is not None and kept is not None and kept.preload is not None:
        kept.preload.look(lookup.revision[1])
    if known is None or context is None:
        found, context = _search_index(workspace, active, query, options, lookup)
    else:
        found = known
    if kept is not None:
        kept.durations.note(_seconds_by_part(found, started, known=known is not None))
    arranged = context.arranged
    return Answer(
        hits=[one.hit for one in arranged or ()] or found.ranking.hits[: options.max_results],
        arranged=arranged,
        found=found,
        warnings=[*context.caveats.warnings, *found.ranking.warnings],
        freshness=context.caveats.freshness,
        is_known=known is not None,
        collections=context.caveats.collections,
    )


def _check_names(scope: Scope) -> None:
    """Raise InputError for a filter that is too long or no text; names of files may be bytes."""
    for name, values in zip(scope._fields, scope, strict=True):
        for value in (values,) if isinstance(values, str) else values or ():
            checked_text(value, f"one of the {name}", most=NAME_LIMIT, bytes_allowed=True)


def _seconds_by_part(found: Findings, started: float, *, known: bool) -> list[tuple[str, float]]:
    """Return the seconds that each part of a search took."""
    whole = perf_counter() - started
    return [("cached", whole)] if known else [*found.ranking.spent, ("search", whole)]


class _Context(NamedTuple):
    """The facts that an answer shows besides its ranking, as of the moment that it was read."""

    caveats: Caveats
    arranged: "list[ArrangedHit] | None"


def _context(
    workspace: Workspace, caveats: Caveats, ranking: Ranking, options: SearchOptions
) -> _Context:
    """Return the context of an answer; to be called in the snapshot that answers."""
    return _Context(caveats, _arranged(workspace, ranking, options))


def _search_index(
    workspace: Workspace,
    active: Space | None,
    query: str,
    options: SearchOptions,
    lookup: "Lookup | None",
) -> tuple[Findings, _Context]:
    """Search the index as of one moment, over several reads, and rerank; with the context of that
    moment.

    A reranked answer is judged by its new first hit. An answer is cached if it stays valid until
    the database changes: not if a model failed, or if time alone may change it.
    """
    analysis, embedding = analyse(query), 0.0
    while True:
        embedded = NO_EMBEDDING
        if options.mode != "keyword" and active is not None and analysis:
            began = perf_counter()
            embedded = embed_query(workspace, active, analysis.plain)
            embedding = perf_counter() - began
        with _turn(workspace), workspace.storage.database.snapshot():
            now = workspace.storage.active_space()
            # A vector is useless in another space, which may be active by now.
            stayed = now == active or options.mode == "keyword"
            if stayed and embedded.can_answer(workspace.storage):
                read_caveats = cache(partial(caveats_of, workspace, now, options.mode))
                asked = _Asked(analysis, options, embedded, read_caveats)
                ranking, neighbours = _ranked(workspace, asked)
                lasting = lookup is not None and lookup.is_current()
                context = _context(workspace, read_caveats(), ranking, options)
                break
        active = now
    failures = [embedded.failure] if embedded.failure else []
    if options.rerank:
        ranking = ranking._replace(hits=_reranked(workspace, options, ranking, failures))
        with workspace.storage.database.snapshot():
            ranking = HybridSearch(candidates_of(workspace)).judged(ranking)
            lasting = lookup is not None and lookup.is_current()
            caveats = caveats_of(workspace, now, options.mode)
            context = _context(workspace, caveats, ranking, options)
    if failures:
        ranking = ranking._replace(warnings=(*failures, *ranking.warnings))
    if embedding:
        ranking = ranking._replace(spent=(("embedding", embedding), *ranking.spent))
    found = Findings(ranking, _neighbours_of(neighbours, ranking.hits))
    if lookup is not None and lasting and not failures and not ranking.depends_on_time:
        lookup.remember(found)
    return found, context


def _turn(workspace: Workspace) -> AbstractContextManager[None]:
    """Return the turn of a search among those of a server whose own processor does the work."""
    kept = server_caches_of(workspace)
    if kept is None or workspace.storage.engine != "sqlite":
        return nullcontext()
    return kept.turns.one()


class _Asked(NamedTuple):
    """A search, and what else has to be found out of the same moment, whatever the hits are."""

    analysis: QueryAnalysis
    options: SearchOptions
    embedded: QueryEmbedding
    meanwhile: Callable[[], object]


def _ranked(workspace: Workspace, asked: _Asked) -> tuple[Ranking, dict[int, Neighbours]]:
    """Return the hits with the chunks beside them, as of this thread's snapshot; judged unless
    their order will still change.
    """
    analysis, options, embedded, meanwhile = asked
    memory_index = memory_index_of(workspace)
    # FAISS is quicker than starting a thread.
    parallel_read = workspace.storage.start_read if memory_index is None else run_inline
    candidates: CandidateIndex = candidates_of(workspace)
    if embedded.fallback_space is not None:
        candidates = with_configured_keywords(
            workspace, workspace.storage.serving(embedded.fallback_space)
        )
        parallel_read = run_inline
    if (scope := _asked_scope(workspace, options)) != options.scope:
        options = replace(options, scope=scope)
    depth = _hits_needed(workspace, options)
    searched = HybridSearch(
        candidates,
        parallel_read=parallel_read,
        depth=depth,
        meanwhile=meanwhile,
    )
    rank = searched.ranked if options.rerank else searched.search
    ranking = rank(analysis, options, embedded.query_vector)
    ids = [hit.row.chunk_id for hit in ranking.hits] if options.neighbours else []
    neighbours = workspace.storage.neighbours(ids, count=options.neighbours) if ids else {}
    return ranking, neighbours


def _asked_scope(workspace: Workspace, options: SearchOptions) -> Scope:
    """Return the scope without hidden chunks, unless the search asks for them, and without the
    kinds that answer on request, if it names no kind.

    Paths and patterns name files, which are never hidden.
    """
    scope, storage = options.scope, workspace.storage
    if scope.paths or scope.globs or scope.within:
        return scope
    if not options.archived:
        now = utc_text(options.now or datetime.now(UTC))
        scope = scope._replace(shown_after=storage.last_hidden(now))
    if scope.sources:
        return scope
    left_out = tuple(name for name in storage.sources() if workspace.kinds[name].on_request)
    return scope._replace(without_sources=(*scope.without_sources, *left_out))


def _neighbours_of(
    neighbours: dict[int, Neighbours], hits: list[RankedHit]
) -> dict[int, Neighbours]:
    """Return the neighbours of these hits, without those that the reranker cut off."""
    ids = [hit.row.chunk_id for hit in hits]
    return {chunk_id: neighbours[chunk_id] for chunk_id in ids if chunk_id in neighbours}


def _reranked(
    workspace: Workspace, options: SearchOptions, ranking: Ranking, failures: list[str]
) -> list[RankedHit]:
    """Return the hits in the reranker's order, or in their own with the reason among the failures.

    The database is not locked during that time. A command waits for the model, a server does not.
    """
    from memory.retrieval.reranking import reranking_of
    from search.ranking.rerank import passage, reranked, to_rerank

    to_score = to_rerank(ranking.hits, most=options.rerank_candidates)
    hits = ranking.hits
    if to_score:
        outcome = reranking_of(workspace).scores(
            ranking.analysis.plain,
            [passage(hit.row) for hit in to_score],
            deadline_ms=options.rerank_deadline_ms,
            wait_for_model=memory_index_of(workspace) is None,
        )
        if outcome.warning:
            failures.append(outcome.warning)
        if outcome.scores:
            ids = (hit.row.chunk_id for hit in to_score)
            hits = reranked(hits, dict(zip(ids, outcome.scores, strict=True)))
    return hits[: _hits_needed(workspace, options)]


def _arranged(
    workspace: Workspace, ranking: Ranking, options: SearchOptions
) -> "list[ArrangedHit] | None":
    """Return the hits with what is known of the conversations that they are from, if any is."""
    is_fact = any(hit.row.source == "fact" for hit in ranking.hits)
    if not (is_fact or _has_memories(workspace)):
        return None
    from memory.retrieval.answers.conversation_order import arranged  # few searches of files

    return arranged(workspace, ranking.hits, ranking.analysis, options)


def _hits_needed(workspace: Workspace, options: SearchOptions) -> int:
    """Return how many hits to find: more than results where memories and turns may be one, and
    enough to judge the first.
    """
    sources = options.scope.sources
    may_hold = not sources or {"turn", "memory"} <= set(sources)
    folds = may_hold and options.fold != "none" and _has_memories(workspace)
    return max(_COMPARED, options.max_results) * (_FOLDED if folds else 1)


def _has_memories(workspace: Workspace) -> bool:
    return bool(workspace.storage.database.read_once("SELECT 1 FROM memories LIMIT 1"))
