"""Metrics of memory extraction: waiting turns, found facts, failures and durations."""

from typing import Final

from memory.config.settings import MemoryConfig
from memory.conversations.extraction_counters import extraction_counters_of
from memory.values.status_reports import ExtractionMetrics
from memory.workspace import Workspace

_WAITING_SQL: Final = "SELECT count(*) FROM turns WHERE extraction IN ('rules', 'llm')"


def extraction_metrics(workspace: Workspace) -> ExtractionMetrics:
    """Return the extraction figures of `mem status`, `sm stats` and POST /gc; it only reads."""
    book = extraction_counters_of(workspace)
    return ExtractionMetrics(
        mode=workspace.config.extractor.mode,
        model=configured_model(workspace.config),
        waiting=int(workspace.storage.database.read(_WAITING_SQL)[0][0]),
        given_up=book.given_up(),
        heuristic=book.metrics("rules"),
        llm=book.metrics("llm"),
    )


def configured_model(config: MemoryConfig) -> str | None:
    """Return the language model that extracts memories, as `model at host`; None without one."""
    if config.extractor.mode == "heuristic" or not config.llm.is_configured:
        return None
    from providers.remote.service_errors import host_of

    return f"{config.llm.model} at {host_of(config.llm.endpoint)}"
