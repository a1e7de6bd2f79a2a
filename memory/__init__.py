"""The memory: what composes files, conversations and search into one."""

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
    from memory.config import Config, MemoryConfig
    from memory.forgetting.values import ForgetRequest
    from memory.manager import MemoryManager
    from memory.services import ContextService, Extractor, GCService, MemoryOrchestrator
    from memory.turns.values import NewTurn
    from search import SearchOptions
    from search.decay import (
        TIME_DECAY_ALPHA,
        TIME_DECAY_ENABLED,
        TIME_DECAY_HALF_LIFE_DAYS,
        time_adjusted_score,
    )
    from search.identifiers import looks_like_identifier
    from search.lexical import LexicalIndex, merge_search_results

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
    "Extractor",
    "ForgetRequest",
    "GCService",
    "HeuristicSignals",
    "LexicalIndex",
    "MemoryConfig",
    "MemoryManager",
    "MemoryOrchestrator",
    "NewTurn",
    "SearchOptions",
    "analyze_thread",
    "compute_thread_heuristic_score",
    "compute_thread_heuristics",
    "get_thread_memory_score",
    "heuristic_score",
    "is_thread_completed",
    "looks_like_identifier",
    "merge_search_results",
    "time_adjusted_score",
]

_HOMES = {
    "ForgetRequest": "memory.forgetting.values",
    "NewTurn": "memory.turns.values",
    "Config": "memory.config",
    "MemoryConfig": "memory.config",
    "MemoryManager": "memory.manager",
    "MemoryOrchestrator": "memory.services",
    "ContextService": "memory.services",
    "Extractor": "memory.services",
    "GCService": "memory.services",
    "SearchOptions": "search",
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
    "LexicalIndex": "search.lexical",
    "merge_search_results": "search.lexical",
    "TIME_DECAY_ALPHA": "search.decay",
    "TIME_DECAY_ENABLED": "search.decay",
    "TIME_DECAY_HALF_LIFE_DAYS": "search.decay",
    "time_adjusted_score": "search.decay",
    "looks_like_identifier": "search.identifiers",
}


def __getattr__(name: str) -> Any:
    """Import an exported name when it is first asked for: a search needs none of them."""
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
