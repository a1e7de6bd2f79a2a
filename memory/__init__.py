"""The memory engine, which composes files, conversations and search."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ingest.threads.signals import (
        COMPLETION_PATTERNS,
        META_NOISE_PATTERNS,
        QUESTION_PATTERNS,
        REFINEMENT_PATTERNS,
        HeuristicSignals,
        analyze_thread,
        compute_thread_heuristic_score,
        compute_thread_heuristics,
        get_thread_memory_score,
        heuristic_score,
        is_thread_completed,
    )
    from memory.compat.lexical_index import LexicalIndex, merge_search_results
    from memory.compat.services import ContextService, Extractor, GCService, MemoryOrchestrator
    from memory.config.settings import Config, MemoryConfig
    from memory.conversations.thread_summary import (
        ConversationSummary,
        summarize_conversation_window,
    )
    from memory.conversations.turns.values import NewTurn
    from memory.manager import MemoryManager, SyncMemoryManager
    from memory.operations.forget.values import ForgetRequest
    from memory.values.reports import SyncStats
    from memory.values.results import MemorySearchResponse, SearchResponse, SearchResult
    from memory.values.status_reports import MemoryStatus
    from search import SearchOptions
    from search.identifiers.detection import looks_like_identifier
    from search.ranking.decay import (
        TIME_DECAY_ALPHA,
        TIME_DECAY_ENABLED,
        TIME_DECAY_HALF_LIFE_DAYS,
        time_adjusted_score,
    )

__version__ = "0.1.0"

__all__ = [
    "COMPLETION_PATTERNS",
    "META_NOISE_PATTERNS",
    "QUESTION_PATTERNS",
    "REFINEMENT_PATTERNS",
    "TIME_DECAY_ALPHA",
    "TIME_DECAY_ENABLED",
    "TIME_DECAY_HALF_LIFE_DAYS",
    "Config",
    "ContextService",
    "ConversationSummary",
    "Extractor",
    "ForgetRequest",
    "GCService",
    "HeuristicSignals",
    "LexicalIndex",
    "MemoryConfig",
    "MemoryManager",
    "MemoryOrchestrator",
    "MemorySearchResponse",
    "MemoryStatus",
    "NewTurn",
    "SearchOptions",
    "SearchResponse",
    "SearchResult",
    "SyncMemoryManager",
    "SyncStats",
    "__version__",
    "analyze_thread",
    "compute_thread_heuristic_score",
    "compute_thread_heuristics",
    "get_thread_memory_score",
    "heuristic_score",
    "is_thread_completed",
    "looks_like_identifier",
    "merge_search_results",
    "summarize_conversation_window",
    "time_adjusted_score",
]

_HOMES = {
    "ForgetRequest": "memory.operations.forget.values",
    "ConversationSummary": "memory.conversations.thread_summary",
    "summarize_conversation_window": "memory.conversations.thread_summary",
    "NewTurn": "memory.conversations.turns.values",
    "Config": "memory.config.settings",
    "MemoryConfig": "memory.config.settings",
    "MemoryManager": "memory.manager",
    "MemoryOrchestrator": "memory.compat.services",
    "ContextService": "memory.compat.services",
    "Extractor": "memory.compat.services",
    "GCService": "memory.compat.services",
    "SearchOptions": "search",
    "MemorySearchResponse": "memory.values.results",
    "MemoryStatus": "memory.values.status_reports",
    "SearchResponse": "memory.values.results",
    "SearchResult": "memory.values.results",
    "SyncMemoryManager": "memory.manager",
    "SyncStats": "memory.values.reports",
    "QUESTION_PATTERNS": "ingest.threads.signals",
    "COMPLETION_PATTERNS": "ingest.threads.signals",
    "REFINEMENT_PATTERNS": "ingest.threads.signals",
    "META_NOISE_PATTERNS": "ingest.threads.signals",
    "HeuristicSignals": "ingest.threads.signals",
    "analyze_thread": "ingest.threads.signals",
    "compute_thread_heuristic_score": "ingest.threads.signals",
    "compute_thread_heuristics": "ingest.threads.signals",
    "get_thread_memory_score": "ingest.threads.signals",
    "heuristic_score": "ingest.threads.signals",
    "is_thread_completed": "ingest.threads.signals",
    "LexicalIndex": "memory.compat.lexical_index",
    "merge_search_results": "memory.compat.lexical_index",
    "TIME_DECAY_ALPHA": "search.ranking.decay",
    "TIME_DECAY_ENABLED": "search.ranking.decay",
    "TIME_DECAY_HALF_LIFE_DAYS": "search.ranking.decay",
    "time_adjusted_score": "search.ranking.decay",
    "looks_like_identifier": "search.identifiers.detection",
}


def __getattr__(name: str) -> Any:
    """Import an exported name when it is first used: a search needs none of them."""
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
